package shop

import (
	"testing"
	"time"

	"example.com/shop/emulator"
)

func open(t *testing.T) (emulator.Emulator, *Shop) {
	t.Helper()
	e := emulator.Anew(t)
	return e, &Shop{BaseURL: e.URL, APIKey: e.APIKey, Orders: map[string]string{}}
}

func buy(t *testing.T, shop *Shop) string {
	t.Helper()
	charge, err := shop.Buy("order-1", 1990)
	if err != nil {
		t.Fatal(err)
	}
	return charge
}

func expectOrder(t *testing.T, shop *Shop, state string) {
	t.Helper()
	if got := shop.Orders["order-1"]; got != state {
		t.Fatalf("the order is %s, not %s", got, state)
	}
}

// handleOne hands the shop the one webhook that was collected.
func handleOne(t *testing.T, e emulator.Emulator, from emulator.Collector, shop *Shop) {
	t.Helper()
	webhooks := e.Webhooks(from)
	if len(webhooks) != 1 {
		t.Fatalf("%d webhooks were collected, not 1", len(webhooks))
	}
	if err := shop.Handle([]byte(webhooks[0].Body)); err != nil {
		t.Fatal(err)
	}
}

func TestAnOrderIsPaidWhenTheWebhookSaysSo(t *testing.T) {
	e, shop := open(t)
	collector := e.Collect("charge.paid")
	e.Pay(buy(t, shop))
	expectOrder(t, shop, "open")
	handleOne(t, e, collector, shop)
	expectOrder(t, shop, "paid")
}

func TestAnOrderIsCancelledWhenItsChargeExpires(t *testing.T) {
	e, shop := open(t)
	collector := e.Collect("charge.expired")
	buy(t, shop)
	e.Advance(24 * time.Hour)
	handleOne(t, e, collector, shop)
	expectOrder(t, shop, "cancelled")
}

func TestEveryTestBeginsWithAnEmptyEmulator(t *testing.T) {
	for range []int{1, 2} {
		e, shop := open(t)
		for _, total := range []int{0, 1} {
			var page struct {
				Total int `json:"total"`
			}
			if e.Call("GET", "/v1/payments", nil, &page); page.Total != total {
				t.Fatalf("there are %d payments, not %d", page.Total, total)
			}
			buy(t, shop)
		}
	}
}
