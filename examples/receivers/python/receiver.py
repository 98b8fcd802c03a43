"""A receiver of webhooks with nothing but Python: PORT=3000 QA_PAY_WEBHOOK_SECRET=... python3 receiver.py

During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
"""

import hashlib
import hmac
import json
import os
import queue
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [secret.encode() for secret in os.environ.get("QA_PAY_WEBHOOK_SECRET", "").split(",") if secret]
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024


def is_signed(digest: str, signed: bytes) -> bool:
    """Whether one of the secrets has signed the bytes. The digest is compared in constant time."""
    # The secret is the key as text, not decoded from hex.
    return any(hmac.compare_digest(hmac.new(secret, signed, hashlib.sha256).hexdigest(), digest) for secret in SECRETS)


def verified(body: bytes, signature: str, now: float | None = None) -> dict | None:
    """The event of a genuine webhook of either family, else None. `body` is the bytes as they came. A test gives `now`."""
    if match := re.fullmatch(r"sha256=([0-9a-f]{64})", signature):
        if not is_signed(match[1], body):
            return None
        event = parsed(body)
        return event if isinstance(event.get("event"), str) and "type" not in event else None
    if match := re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", signature):
        if not is_signed(match[2], match[1].encode() + b"." + body):
            return None
        if abs((time.time() if now is None else now) - int(match[1])) > TOLERANCE_SECONDS:  # recorded, and sent again
            return None
        event = parsed(body)
        return event if isinstance(event.get("type"), str) and isinstance(event.get("id"), str) else None
    return None


def parsed(body: bytes) -> dict:
    try:
        value = json.loads(body.decode())
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def keys_of(event: dict, body: bytes, delivery_id: str) -> set[str]:
    """Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in
    all retries, and its bytes are the same when somebody sends it anew."""
    return {event["id"]} if "id" in event else {delivery_id, hashlib.sha256(body).hexdigest()} - {""}


# In memory, so that the example stays short. A real receiver has a table with a unique key, and writes key and event in
# one transaction before it answers: then no event is lost or handled twice when the process ends.
seen: set[str] = set()
lock = threading.Lock()
events: queue.Queue[dict] = queue.Queue()


def accept(event: dict, keys: set[str]) -> None:
    with lock:
        is_known = not seen.isdisjoint(keys)
        seen.update(keys)
    if not is_known:
        events.put(event)


def work(event: dict) -> None:
    """What your shop does. Events come in any order, and new ones are added without notice: ignore the others."""
    match event:
        case {"type": "charge.paid", "data": {"object": charge}}:
            print("work", event["type"], event["id"], f"{charge['id']} is paid: {charge['amount']} centavos", flush=True)
        case {"type": name, "id": event_id}:
            print("work", name, event_id, flush=True)
        case {"event": name, "data": data}:
            print("work", name, data["transactionId"], flush=True)


def work_through() -> None:
    while True:
        try:
            work(events.get())
        except Exception as error:  # one bad event must not stop the others
            print(repr(error), file=sys.stderr, flush=True)


class Webhooks(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/webhooks":
            return self.refuse(404)
        if not length.isdecimal():
            return self.refuse(411)
        if int(length) > MAX_BODY_BYTES:
            return self.refuse(413)
        body = self.rfile.read(int(length))
        event = verified(body, self.headers.get("X-QA-Signature", ""))
        if event is None:
            return self.answer(400)
        accept(event, keys_of(event, body, self.headers.get("X-QA-Delivery-Id", "")))
        self.answer(204)  # at once: the service waits 30 seconds and then sends the event again

    def refuse(self, status: int) -> None:
        """Answers without reading the body, so that the connection must end."""
        self.close_connection = True
        self.answer(status)

    def answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """No line for each request."""


if __name__ == "__main__":
    if not SECRETS:
        sys.exit("Set QA_PAY_WEBHOOK_SECRET.")
    threading.Thread(target=work_through, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Webhooks)
    print(f"Listening at http://127.0.0.1:{server.server_port}/webhooks", flush=True)
    server.serve_forever()
