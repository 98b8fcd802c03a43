"""A shop with nothing but Python, which is right.
    QA_PAY_BASE_URL=… QA_PAY_API_KEY=… QA_PAY_WEBHOOK_SECRET=… PORT=3000 python3 shop.py shop.db

A webhook is a signal to it: it reads the charge at the service and books what stands there. One lock and one transaction
make that one step, so that an older reading never comes after a newer one. What was answered is in the database.
"""

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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ["QA_PAY_BASE_URL"]
API_KEY = os.environ["QA_PAY_API_KEY"]
SECRET = os.environ["QA_PAY_WEBHOOK_SECRET"].encode()
TRIES = 6
TOLERANCE_SECONDS = 300
OVER = {"expired", "failed", "cancelled"}
STATES = {"pending": "open", "processing": "open", "paid": "paid", "refunded": "refunded", "disputed": "disputed"}

lock = threading.Lock()
db = sqlite3.connect(sys.argv[1], check_same_thread=False, isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute(
    """CREATE TABLE IF NOT EXISTS shop_order (
    name TEXT PRIMARY KEY, amount INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 1, charge TEXT,
    status TEXT NOT NULL DEFAULT 'open', fulfilled INTEGER NOT NULL DEFAULT 0)"""
)


class Unavailable(Exception):
    """The service gives no answer at present."""


def ask(method: str, path: str, body: dict | None = None, key: str | None = None) -> tuple[int, dict]:
    """Asks the service until it answers. A request with a key may be repeated: it does its work once."""
    headers = {"apikey": API_KEY, "Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, TRIES + 1):
        wait = 0.05 * attempt
        try:
            request = urllib.request.Request(BASE_URL + path, data=data, headers=headers, method=method)
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429 and refusal.code < 500:
                return refusal.code, {}
            wait = float(refusal.headers.get("Retry-After") or wait)
        except (OSError, ValueError):  # no answer, or a part of one
            pass
        time.sleep(min(wait, 1))
    raise Unavailable


def book(charge: dict) -> None:
    """Books what the service says about a charge, and sends the goods out when the order is paid. Called under the lock."""
    name = charge["metadata"].get("order")
    status = STATES.get(charge["status"], "cancelled")
    db.execute("BEGIN IMMEDIATE")
    # An attempt that is not the present one matters only when money came for it.
    db.execute(
        "UPDATE shop_order SET status = ?, charge = ? WHERE name = ? AND (charge = ? OR ? IN ('paid', 'refunded', 'disputed'))",
        (status, charge["id"], name, charge["id"], status),
    )
    db.execute("UPDATE shop_order SET fulfilled = 1 WHERE name = ? AND status = 'paid' AND fulfilled = 0", (name,))
    db.execute("COMMIT")


def buy(name: str, amount: int, document: str) -> str | None:
    """The charge to pay for an order. The key names the attempt: however often it is sent, an attempt makes one charge."""
    with lock:
        db.execute("INSERT INTO shop_order (name, amount) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, amount))
        (attempt,) = db.execute("SELECT attempt FROM shop_order WHERE name = ?", (name,)).fetchone()
        while True:
            customer = {"name": "Maria Silva", "document": document}
            body = {"amount": amount, "payment_method": "pix", "metadata": {"order": name}, "customer": customer}
            body["expected_payer_tax_id"] = document
            status, made = ask("POST", "/v1/charges", body, f"{name}-attempt-{attempt}")
            if status >= 300:
                return None
            # The answer to a repetition is that of then, so that the status is read.
            _, charge = ask("GET", f"/v1/charges/{made['id']}")
            db.execute("UPDATE shop_order SET attempt = ?, charge = ? WHERE name = ?", (attempt, charge["id"], name))
            book(charge)
            if charge["status"] not in OVER:
                return charge["id"]
            attempt += 1


def is_signed(signature: str, signed: bytes) -> bool:
    return hmac.compare_digest(hmac.new(SECRET, signed, hashlib.sha256).hexdigest(), signature)


def is_genuine(body: bytes, signature: str) -> bool:
    if match := re.fullmatch(r"sha256=([0-9a-f]{64})", signature):
        return is_signed(match[1], body)
    if match := re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", signature):
        is_recent = abs(time.time() - int(match[1])) <= TOLERANCE_SECONDS
        return is_recent and is_signed(match[2], match[1].encode() + b"." + body)
    return False


def hear(body: bytes, signature: str) -> int:
    """The status to answer. Anything but 2xx makes the service send the event again."""
    if not is_genuine(body, signature):
        return 400
    event = json.loads(body)
    about = event.get("data", {}).get("object", event.get("data", {}))
    charge_id = about.get("charge_id") or about.get("transactionId") or about.get("id", "")
    if re.match("payout|withdrawal", event.get("type") or event.get("event", "")):
        return 204
    with lock:
        status, charge = ask("GET", f"/v1/charges/{charge_id.removeprefix('tx_')}")
        if status == 200:
            book(charge)
    return 204


def rows() -> list[dict]:
    columns = ("id", "order", "status", "amount", "fulfilled")
    query = "SELECT charge, name, status, amount, fulfilled FROM shop_order ORDER BY rowid"
    return [dict(zip(columns, row)) for row in db.execute(query).fetchall()]


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        if self.path == "/orders":
            return self.answer(200, rows())
        self.answer(200 if self.path == "/" else 404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            if self.path == "/webhooks":
                return self.answer(hear(body, self.headers.get("X-QA-Signature", "")), {})
            if self.path == "/buy":
                wanted = json.loads(body)
                charge = buy(wanted["order"], wanted["amount"], wanted["document"])
                return self.answer(502 if charge is None else 200, {"charge": charge})
            self.answer(404, {})
        except Unavailable:
            self.answer(503, {"error": "The payment service does not answer."})

    def answer(self, status: int, content: object) -> None:
        body = b"" if status == 204 else json.dumps(content).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No line for each request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop)
    print(f"The shop is open at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
