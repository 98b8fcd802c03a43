// Creates a Pix charge with nothing but Go: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... go run create_charge.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

const tries = 3

type charge struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Pix    struct {
		BRCode string `json:"br_code"`
	} `json:"pix"`
}

type refusal struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	RequestID string `json:"request_id"`
}

var client = http.Client{Timeout: 10 * time.Second}

func send(orderID string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest("POST", os.Getenv("QA_PAY_BASE_URL")+"/v1/charges", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("apikey", os.Getenv("QA_PAY_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "charge-for-"+orderID)
	return client.Do(request)
}

// createCharge creates a charge. The order names it: a repetition answers the same charge and makes no second one.
func createCharge(orderID string, amount int, customer map[string]string) (*charge, error) {
	order := map[string]string{"order": orderID}
	body, err := json.Marshal(map[string]any{"amount": amount, "payment_method": "pix", "customer": customer, "metadata": order})
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		response, err := send(orderID, body)
		if err != nil || response.StatusCode >= 500 { // whether it was created is unknown, so send it again
			if err == nil {
				response.Body.Close()
				err = fmt.Errorf("the service answered %d", response.StatusCode)
			}
			if attempt == tries {
				return nil, err
			}
			continue
		}
		defer response.Body.Close()
		if response.StatusCode >= 300 {
			var told refusal
			if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("%s: %s (%s)", told.Error.Code, told.Error.Message, told.RequestID)
		}
		var created charge
		return &created, json.NewDecoder(response.Body).Decode(&created)
	}
}

func main() {
	created, err := createCharge("order-42", 1990, map[string]string{"name": "Maria Silva"}) // centavos
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.ID, created.Status)
	fmt.Println(created.Pix.BRCode)
}
