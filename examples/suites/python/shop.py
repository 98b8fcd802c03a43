"""A shop that takes Pix: what the tests of this folder test."""

import json
import urllib.request

from receiver import verified

STATES = {"charge.paid": "paid", "charge.expired": "cancelled"}


class Shop:
    def __init__(self, base_url, api_key):
        self.base_url, self.api_key = base_url, api_key
        self.orders = {}

    def buy(self, order, amount):
        """Places an order of so many centavos. Returns the id of its charge."""
        body = {"amount": amount, "payment_method": "pix", "metadata": {"order": order}}
        headers = {"apikey": self.api_key, "Content-Type": "application/json", "Idempotency-Key": f"charge-for-{order}"}
        request = urllib.request.Request(self.base_url + "/v1/charges", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as response:
            charge = json.load(response)
        self.orders[order] = "open"
        return charge["id"]

    def receive(self, body, signature):
        """Handles a webhook. Returns the status to answer."""
        event = verified(body, signature)
        if event is None:
            return 400
        if event.get("type") in STATES:
            self.orders[event["data"]["object"]["metadata"]["order"]] = STATES[event["type"]]
        return 204
