// A receiver of webhooks with nothing but Go: PORT=3000 QA_PAY_WEBHOOK_SECRET=... go run receiver.go
//
// During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	maxBodyBytes = 1 << 20
	maxWaiting   = 10_000
)

var (
	legacyForm    = regexp.MustCompile(`^sha256=([0-9a-f]{64})$`)
	canonicalForm = regexp.MustCompile(`^t=([0-9]{1,15}),v1=([0-9a-f]{64})$`)

	errNotGenuine = errors.New("not a genuine webhook")
)

// event is what both families have in common. A canonical event has an ID and a Type, a legacy one an Event.
type event struct {
	ID    string          `json:"id"`
	Type  string          `json:"type"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

func (e event) name() string { return e.Type + e.Event }

// isSigned reports whether one of the secrets has signed the bytes. The digest is compared in constant time.
func isSigned(secrets []string, digest string, parts ...[]byte) bool {
	given, err := hex.DecodeString(digest)
	if err != nil {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret)) // the secret as text, not decoded from hex
		for _, part := range parts {
			mac.Write(part)
		}
		if hmac.Equal(mac.Sum(nil), given) {
			return true
		}
	}
	return false
}

// verified returns the event of a genuine webhook of either family. The body is the bytes as they came.
func verified(secrets []string, body []byte, signature string, now time.Time) (event, error) {
	var got event
	if match := legacyForm.FindStringSubmatch(signature); match != nil {
		if !isSigned(secrets, match[1], body) {
			return got, errNotGenuine
		}
		if json.Unmarshal(body, &got) != nil || got.Event == "" || got.Type != "" {
			return got, errNotGenuine
		}
		return got, nil
	}
	match := canonicalForm.FindStringSubmatch(signature)
	if match == nil || !isSigned(secrets, match[2], []byte(match[1]+"."), body) {
		return got, errNotGenuine
	}
	seconds, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance { // recorded, and sent again
		return got, errNotGenuine
	}
	if json.Unmarshal(body, &got) != nil || got.Type == "" || got.ID == "" {
		return got, errNotGenuine
	}
	return got, nil
}

// keysOf returns keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the
// same in all retries, and its bytes are the same when somebody sends it anew.
func keysOf(e event, body []byte, deliveryID string) []string {
	if e.Type != "" {
		return []string{e.ID}
	}
	keys := []string{fmt.Sprintf("%x", sha256.Sum256(body))}
	if deliveryID != "" {
		keys = append(keys, deliveryID)
	}
	return keys
}

// inbox keeps what came in memory, so that the example stays short. A real receiver has a table with a unique key, and
// writes key and event in one transaction before it answers: then no event is lost or handled twice when the process ends.
type inbox struct {
	mu     sync.Mutex
	seen   map[string]bool
	events chan event
}

// accept returns false when too many events wait: the service sends this one again later.
func (in *inbox) accept(e event, keys []string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, key := range keys {
		if in.seen[key] {
			return true
		}
	}
	select {
	case in.events <- e:
	default:
		return false
	}
	for _, key := range keys {
		in.seen[key] = true
	}
	return true
}

// work is what your shop does. Events come in any order, and new ones are added without notice: ignore the others.
func work(e event) error {
	switch e.name() {
	case "charge.paid":
		var data struct {
			Object struct {
				ID     string `json:"id"`
				Amount int64  `json:"amount"`
			} `json:"object"`
		}
		if err := json.Unmarshal(e.Data, &data); err != nil {
			return err
		}
		fmt.Println("work", e.name(), e.ID, data.Object.ID, "is paid:", data.Object.Amount, "centavos")
	default:
		var data struct {
			TransactionID string `json:"transactionId"`
		}
		if err := json.Unmarshal(e.Data, &data); err != nil {
			return err
		}
		fmt.Println("work", e.name(), e.ID+data.TransactionID)
	}
	return nil
}

func webhooks(secrets []string, in *inbox) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		e, err := verified(secrets, body, r.Header.Get("X-QA-Signature"), time.Now())
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if !in.accept(e, keysOf(e, body, r.Header.Get("X-QA-Delivery-Id"))) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent) // at once: the service waits 30 seconds and then sends the event again
	}
}

func main() {
	secrets := strings.FieldsFunc(os.Getenv("QA_PAY_WEBHOOK_SECRET"), func(r rune) bool { return r == ',' })
	if len(secrets) == 0 {
		log.Fatal("Set QA_PAY_WEBHOOK_SECRET.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	in := &inbox{seen: map[string]bool{}, events: make(chan event, maxWaiting)}
	go func() {
		for e := range in.events {
			if err := work(e); err != nil {
				log.Print(err) // one bad event must not stop the others
			}
		}
	}()
	mux := http.NewServeMux()
	mux.HandleFunc("/webhooks", webhooks(secrets, in))
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening at http://%s/webhooks\n", listener.Addr())
	server := &http.Server{Handler: mux, ReadTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
