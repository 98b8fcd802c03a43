package main

import (
	"testing"
	"time"

	"example.com/shop/emulator"
	"example.com/shop/shop"
)

func TestACollectedWebhookIsGenuineAfterAnAdvance(t *testing.T) {
	e := emulator.Anew(t)
	collector := e.Collect("charge.created")
	e.Advance(24 * time.Hour)
	if _, err := (&shop.Shop{BaseURL: e.URL, APIKey: e.APIKey, Orders: map[string]string{}}).Buy("order-1", 1990); err != nil {
		t.Fatal(err)
	}
	webhooks := e.Webhooks(collector)
	if len(webhooks) != 1 {
		t.Fatalf("%d webhooks were collected, not 1", len(webhooks))
	}
	// However far the clock of the emulator was moved, signatures have the time of the machine.
	body, signature, now := []byte(webhooks[0].Body), webhooks[0].Headers["x-qa-signature"], time.Now()
	if got, err := verified([]string{collector.Secret}, body, signature, now); err != nil || got.Type != "charge.created" {
		t.Fatal(got.Type, err)
	}
	if _, err := verified([]string{collector.Secret}, body, signature, now.Add(time.Hour)); err == nil {
		t.Fatal("the webhook is believed an hour later too")
	}
}
