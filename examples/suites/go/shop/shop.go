// Package shop is a shop that takes Pix: what the tests beside it test.
package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

var states = map[string]string{"charge.paid": "paid", "charge.expired": "cancelled"}

// Shop has orders, and charges for them.
type Shop struct {
	BaseURL, APIKey string
	Orders          map[string]string
}

// Buy places an order of so many centavos. It returns the id of its charge.
func (s *Shop) Buy(order string, amount int) (string, error) {
	body, err := json.Marshal(map[string]any{
		"amount": amount, "payment_method": "pix", "metadata": map[string]string{"order": order},
	})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest("POST", s.BaseURL+"/v1/charges", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("apikey", s.APIKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "charge-for-"+order)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return "", fmt.Errorf("the service answered %d", response.StatusCode)
	}
	var charge struct {
		ID string `json:"id"`
	}
	s.Orders[order] = "open"
	return charge.ID, json.NewDecoder(response.Body).Decode(&charge)
}

// Handle handles an event that the receiver has verified.
func (s *Shop) Handle(body []byte) error {
	var event struct {
		Type string `json:"type"`
		Data struct {
			Object struct {
				Metadata struct {
					Order string `json:"order"`
				} `json:"metadata"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	if state, isKnown := states[event.Type]; isKnown {
		s.Orders[event.Data.Object.Metadata.Order] = state
	}
	return nil
}
