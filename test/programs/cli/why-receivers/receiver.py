# A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
import base64
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


def digest(key, text, algorithm=hashlib.sha256):
    return hmac.new(key, text, algorithm).hexdigest()


EXPECTED = {
    "right": lambda key, t, body: digest(key, t + b"." + body),
    "hex": lambda key, t, body: digest(bytes.fromhex(key.decode()), t + b"." + body),
    "hex-of-text": lambda key, t, body: digest(key.hex().encode(), t + b"." + body),
    "printed": lambda key, t, body: digest(key, t + b"." + json.dumps(json.loads(body)).encode()),
    "printed-utf8": lambda key, t, body: digest(
        key, t + b"." + json.dumps(json.loads(body), ensure_ascii=False).encode()
    ),
    "printed-compact": lambda key, t, body: digest(
        key, t + b"." + json.dumps(json.loads(body), separators=(",", ":"), sort_keys=True).encode()
    ),
    "printed-sorted": lambda key, t, body: digest(
        key, t + b"." + json.dumps(json.loads(body), sort_keys=True, ensure_ascii=False, indent=2).encode()
    ),
    "no-timestamp": lambda key, t, body: digest(key, body),
    "order": lambda key, t, body: digest(key, body + b"." + t),
    "sha1": lambda key, t, body: digest(key, t + b"." + body, hashlib.sha1),
    "digest-base64": lambda key, t, body: base64.b64encode(
        hmac.new(key, t + b"." + body, hashlib.sha256).digest()
    ).decode(),
}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        _, mistake, key = self.path.split("/")
        parts = dict(part.split("=", 1) for part in self.headers["X-QA-Signature"].split(",") if "=" in part)
        expected = EXPECTED[mistake](key.encode(), parts.get("t", "").encode(), body)
        self.send_response(204 if expected == parts.get("v1") else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
