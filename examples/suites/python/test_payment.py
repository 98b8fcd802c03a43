def test_an_order_is_paid_when_the_webhook_says_so(emulator, shop, collect):
    collector = collect("charge.paid")
    emulator.pay(shop.buy("order-1", 1990))
    assert shop.orders == {"order-1": "open"}
    [webhook] = collector.webhooks()
    assert receive(shop, webhook) == 204
    assert shop.orders == {"order-1": "paid"}


def test_an_order_is_cancelled_when_its_charge_expires(emulator, shop, collect):
    collector = collect("charge.expired")
    shop.buy("order-1", 1990)
    emulator.advance(24 * 60 * 60)
    [webhook] = collector.webhooks()
    assert receive(shop, webhook) == 204
    assert shop.orders == {"order-1": "cancelled"}


def receive(shop, webhook):
    return shop.receive(webhook["body"].encode(), webhook["headers"]["x-qa-signature"])
