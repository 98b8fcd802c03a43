// Package emulator asks the emulator of qa-pay that `qa-pay exec` has started for the tests of a package.
package emulator

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
	"time"
)

// Emulator is the emulator of this test binary.
type Emulator struct {
	URL, APIKey string
	t           *testing.T
}

// Collector takes webhooks in the place of an endpoint.
type Collector struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

// Webhook is one that a collector took.
type Webhook struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// Anew returns the emulator, empty again. Tests that share it must not run in parallel.
func Anew(t *testing.T) Emulator {
	t.Helper()
	e := Emulator{os.Getenv("QA_PAY_BASE_URL"), os.Getenv("QA_PAY_API_KEY"), t}
	if e.URL == "" {
		t.Skip(`needs an emulator: go test -exec "qa-pay exec --frozen --" ./...`)
	}
	e.Call("POST", "/_sandbox/reset", nil, nil)
	return e
}

// Call sends a request and decodes the answer.
func (e Emulator) Call(method, path string, body, answer any) {
	e.t.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			e.t.Fatal(err)
		}
	}
	request, err := http.NewRequest(method, e.URL+path, &sent)
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("apikey", e.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		e.t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, got, err)
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(got, answer); err != nil {
		e.t.Fatal(err)
	}
}

// Pay lets a simulated payer pay a charge.
func (e Emulator) Pay(charge string) {
	e.t.Helper()
	e.Call("POST", "/_sandbox/charges/"+charge+"/pay", map[string]any{}, nil)
}

// Advance moves the clock. When it returns, everything is done that fell due, deliveries included.
func (e Emulator) Advance(by time.Duration) {
	e.t.Helper()
	e.Call("POST", "/_sandbox/clock/advance", map[string]any{"seconds": by.Seconds()}, nil)
}

// Collect takes the named events from now on.
func (e Emulator) Collect(events ...string) Collector {
	e.t.Helper()
	var collector Collector
	e.Call("POST", "/_sandbox/collectors", map[string]any{"events": events}, &collector)
	return collector
}

// Webhooks returns what a collector took.
func (e Emulator) Webhooks(from Collector) []Webhook {
	e.t.Helper()
	e.Advance(0) // what is on its way arrives
	var page struct {
		Data []Webhook `json:"data"`
	}
	e.Call("GET", "/_sandbox/collectors/"+from.ID+"/webhooks", nil, &page)
	return page.Data
}
