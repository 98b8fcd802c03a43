// The receiver, tested without a server: `qa-pay` makes and signs the webhooks.
package main

import (
	"encoding/json"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

var (
	secret      = strings.Repeat("5a", 32)
	wrongSecret = strings.Repeat("6b", 32)
)

type signedWebhook struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func qaPay(t *testing.T, input string, words ...string) string {
	t.Helper()
	command := exec.Command("qa-pay", words...)
	command.Stdin = strings.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatal(words, err)
	}
	return string(output)
}

// sign returns headers and body of an event, as the service sends them.
func sign(t *testing.T, body, secret string, flags ...string) signedWebhook {
	t.Helper()
	words := append([]string{"webhooks", "sign", "--secret", secret, "--json"}, flags...)
	var webhook signedWebhook
	if err := json.Unmarshal([]byte(qaPay(t, body, words...)), &webhook); err != nil {
		t.Fatal(err)
	}
	return webhook
}

// receive returns what the receiver answers, and the name of the event that it accepted.
func receive(webhook signedWebhook) (int, string) {
	in := &inbox{seen: map[string]bool{}, events: make(chan event, 1)}
	request := httptest.NewRequest("POST", "/webhooks", strings.NewReader(webhook.Body))
	for name, value := range webhook.Headers {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	webhooks([]string{secret}, in)(recorder, request)
	if len(in.events) == 0 {
		return recorder.Code, ""
	}
	return recorder.Code, (<-in.events).name()
}

func TestReceiver(t *testing.T) {
	paid := qaPay(t, "", "webhooks", "sample", "charge.paid")
	genuine := sign(t, paid, secret)
	changed := genuine
	changed.Body = strings.Replace(genuine.Body, "paid", "PAID", 1)
	for name, one := range map[string]struct {
		webhook signedWebhook
		status  int
		events  string
	}{
		"a genuine webhook is believed":                   {genuine, 204, "charge.paid"},
		"a webhook with a changed body is refused":        {changed, 400, ""},
		"a webhook with another secret is refused":        {sign(t, paid, wrongSecret), 400, ""},
		"a webhook that was recorded long ago is refused": {sign(t, paid, secret, "--at", "2020-01-01T00:00:00Z"), 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if status, events := receive(one.webhook); status != one.status || events != one.events {
				t.Fatal(status, events)
			}
		})
	}
}
