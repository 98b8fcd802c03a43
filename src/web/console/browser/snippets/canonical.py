import hashlib
import hmac
import time


# body: the bytes as they came, before parsing
def is_genuine(body: bytes, header: str, secret: str) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    signed = parts["t"].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    is_signed = hmac.compare_digest(expected, parts["v1"])
    return is_signed and abs(time.time() - int(parts["t"])) <= 300
