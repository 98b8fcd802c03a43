package main

import (
	"testing"
	"time"

	"example.com/shop/emulator"
	"example.com/shop/shop"
)

func TestACollectedWebhookIsGenuineAtItsTime(t *testing.T) {
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
	// The clock of the emulator was moved, and signatures follow it: so the receiver gets the same time.
	body, signature, now := []byte(webhooks[0].Body), webhooks[0].Headers["x-qa-signature"], webhooks[0].At
	if got, err := verified([]string{collector.Secret}, body, signature, now); err != nil || got.Type != "charge.created" {
		t.Fatal(got.Type, err)
	}
	if _, err := verified([]string{collector.Secret}, body, signature, now.Add(time.Hour)); err == nil {
		t.Fatal("the webhook is believed an hour later too")
	}
}
