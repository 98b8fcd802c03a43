import hashlib, hmac, http.client, json, os, time, urllib.request
from wsgiref.simple_server import make_server
BASE_URL, API_KEY, SECRET = (os.environ[f"QA_PAY_{name}"] for name in ("BASE_URL", "API_KEY", "WEBHOOK_SECRET"))
orders: dict[str, dict] = {}  # a real shop has a table

def ask(method, path, body=None, key=""):
    """Sends a request until the service has answered. The idempotency key makes it safe to send it again."""
    headers = {"apikey": API_KEY, "Content-Type": "application/json", "Idempotency-Key": key}
    for tries in range(1, 7):
        request = urllib.request.Request(BASE_URL + path, body and json.dumps(body).encode(), headers, method=method)
        try:
            return json.load(urllib.request.urlopen(request, timeout=10))
        except (OSError, http.client.HTTPException, ValueError) as error:  # a refusal, no answer, or a part of one
            if tries == 6 or (getattr(error, "code", 500) < 500 and error.code != 429):
                raise
            time.sleep(float(getattr(error, "headers", {}).get("Retry-After", 0.1 * tries)))

def book(reference):
    """Books what the service says of a charge. An old attempt counts only when money came for it."""
    charge = ask("GET", f"/v1/charges/{reference}")
    order = orders.get(charge["metadata"].get("order"))
    status = charge["status"] if charge["status"] in ("paid", "refunded", "disputed") else "open"
    if order is None or (order["id"] != charge["id"] and status not in ("paid", "disputed")):
        return False
    order.update(id=charge["id"], status=status, fulfilled=max(order["fulfilled"], int(status == "paid")))
    return charge["status"] in ("expired", "failed", "cancelled") or (status == "refunded" and not order["fulfilled"])

def buy(order, amount, document):
    row = orders.setdefault(order, dict(order=order, amount=amount, attempt=1, status="open", fulfilled=0))
    body = {"amount": amount, "payment_method": "pix", "customer": {"document": document}, "metadata": {"order": order}}
    while True:
        row["id"] = ask("POST", "/v1/charges", body, f"order-{order}-{row['attempt']}")["id"]
        if not book(row["id"]):
            return {"charge": row["id"]}
        row["attempt"] += 1  # that charge is over

def hear(body, signature):
    """An event comes twice and in any order, so it is only the signal to read the charge."""
    parts = dict(part.split("=", 1) for part in signature.split(",") if "=" in part)
    t = parts.get("t")  # payment.* and withdrawal.* sign no time
    digest = hmac.new(SECRET.encode(), body if t is None else t.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = parts.get("sha256" if t is None else "v1", "")
    if not hmac.compare_digest(digest, given) or (t and abs(time.time() - int(t)) > 300):
        raise PermissionError("The signature does not fit.")
    about = (data := json.loads(body)["data"]).get("object", data)
    book((about.get("charge_id") or about.get("transactionId") or about["id"]).removeprefix("tx_"))

def shop(environ, start):  # the server of Python answers one request after the other
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"] or 0))
    signature = environ.get("HTTP_X_QA_SIGNATURE", "")
    routes = {"/buy": lambda: buy(**json.loads(body)), "/webhooks": lambda: hear(body, signature)}
    try:
        status, answer = "200 OK", routes.get(environ["PATH_INFO"], lambda: list(orders.values()))()
    except Exception as error:
        status, answer = "400 Bad Request" if isinstance(error, PermissionError) else "500 Error", repr(error)
    start(status, [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]

make_server("127.0.0.1", int(os.environ["PORT"]), shop).serve_forever()
