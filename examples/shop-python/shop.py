"""A shop with nothing but Python: QA_PAY_BASE_URL=… QA_PAY_API_KEY=… QA_PAY_WEBHOOK_SECRET=… PORT=3000 python3 shop.py shop.db"""

import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["QA_PAY_WEBHOOK_SECRET"].encode()
TRIES = 6

# What a charge means for its order. Any other status, a new one too, leaves the order open.
MEANING = {"paid": "paid", "refunded": "refunded", "disputed": "disputed"}

db = sqlite3.connect(sys.argv[1], check_same_thread=False, isolation_level=None)
db.row_factory = sqlite3.Row
db.execute("PRAGMA journal_mode = WAL")
db.execute(
    """CREATE TABLE IF NOT EXISTS shop_order (
    id TEXT PRIMARY KEY, amount INTEGER NOT NULL, document TEXT, attempt INTEGER NOT NULL DEFAULT 1,
    charge TEXT, status TEXT NOT NULL DEFAULT 'open', fulfilled INTEGER NOT NULL DEFAULT 0)"""
)
# One at a time, so that what was read first is booked first. A shop of several processes locks the row of the order.
lock = threading.Lock()


def ask(method: str, path: str, body: dict | None = None, key: str = "") -> dict:
    """Asks the payment service until it answers. After an error or no answer the same request may be sent again."""
    headers = {"apikey": os.environ["QA_PAY_API_KEY"], "Content-Type": "application/json", "Idempotency-Key": key}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, TRIES + 1):
        pause = 0.1 * attempt
        try:
            request = urllib.request.Request(os.environ["QA_PAY_BASE_URL"] + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429 and refusal.code < 500:
                raise RuntimeError(refusal.read().decode()) from None
            pause = float(refusal.headers.get("Retry-After") or pause)
        except (OSError, HTTPException, ValueError):  # no answer, or a part of one
            pass
        time.sleep(pause)
    raise RuntimeError("The payment service does not answer.")


def buy(order_id: str, amount: int, document: str) -> str:
    """Gives an order a charge that can be paid: the one that it has, or the next one when that is over."""
    new = "INSERT INTO shop_order (id, amount, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(new, (order_id, amount, document))
    while True:
        order = db.execute("SELECT * FROM shop_order WHERE id = ?", (order_id,)).fetchone()
        body = {"amount": order["amount"], "payment_method": "pix", "metadata": {"order": order_id}}
        body["customer"] = {"document": order["document"]}
        # The same key for every try of this attempt: a repeated request never makes a second charge.
        made = ask("POST", "/v1/charges", body, f"order-{order_id}-{order['attempt']}")
        # A repetition is answered as the first request was, so the charge may look otherwise by now.
        charge = ask("GET", f"/v1/charges/{made['id']}")
        db.execute("UPDATE shop_order SET charge = ? WHERE id = ?", (charge["id"], order_id))
        book(charge)
        # Money of the wrong payer went back before anything was sent.
        is_refused = charge["status"] == "refunded" and order["fulfilled"] == 0
        if charge["status"] not in ("expired", "failed", "cancelled") and not is_refused:
            return charge["id"]
        db.execute("UPDATE shop_order SET attempt = attempt + 1 WHERE id = ?", (order_id,))


def book(charge: dict) -> None:
    """Takes what the service says. The goods go out once, however often it says so."""
    status = MEANING.get(charge["status"], "open")
    # An old attempt matters only when money came for it.
    db.execute(
        """UPDATE shop_order SET charge = ?1, status = ?2, fulfilled = max(fulfilled, ?2 = 'paid')
        WHERE id = ?3 AND (charge = ?1 OR ?2 IN ('paid', 'disputed'))""",
        (charge["id"], status, charge["metadata"].get("order")),
    )


def is_genuine(body: bytes, signature: str) -> bool:
    """Whether the service has signed the bytes as they came, and within five minutes."""
    parts = dict(part.split("=", 1) for part in signature.split(",") if "=" in part)
    t = parts.get("t")
    signed = body if t is None else t.encode() + b"." + body  # payment.* and withdrawal.* sign no time
    digest = hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
    is_recent = t is None or (t.isdecimal() and abs(time.time() - int(t)) <= 300)
    return is_recent and hmac.compare_digest(digest.encode(), parts.get("sha256" if t is None else "v1", "").encode())


def hear(body: bytes, signature: str) -> int:
    """The status to answer. Anything but 2xx makes the service send the event again later."""
    if not is_genuine(body, signature):
        return 400
    # Events come twice and in any order. So an event is only the signal to read the charge, and what stands there counts.
    data = json.loads(body)["data"]
    about = data.get("object", data)
    charge = about.get("charge_id") or about.get("transactionId") or about["id"]
    book(ask("GET", "/v1/charges/" + re.sub("^tx_", "", charge)))
    return 204


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        rows = db.execute("SELECT charge AS id, id AS \"order\", status, amount, fulfilled FROM shop_order").fetchall()
        self.answer(200 if self.path in ("/", "/orders") else 404, [dict(row) for row in rows])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            with lock:
                if self.path == "/webhooks":
                    return self.answer(hear(body, self.headers.get("X-QA-Signature", "")), None)
                if self.path == "/buy":
                    wanted = json.loads(body)
                    return self.answer(200, {"charge": buy(wanted["order"], wanted["amount"], wanted["document"])})
            self.answer(404, None)
        except Exception as error:
            print(repr(error), file=sys.stderr, flush=True)
            self.answer(502, {"error": "The payment could not be started. Please try again."})

    def answer(self, status: int, content: object) -> None:
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No line for each request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop)
    print(f"The shop is open at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
