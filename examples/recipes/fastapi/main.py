"""FastAPI: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... QA_PAY_WEBHOOK_SECRET=... uvicorn main:app --port 3000"""

import hashlib
import hmac
import json
import re
import time
from os import environ
from urllib.error import HTTPError
from urllib.request import Request as Post, urlopen

from fastapi import FastAPI, HTTPException, Request, Response

app = FastAPI()


@app.post("/orders/{order_id}/charge", status_code=201)
def charge(order_id: str) -> dict:
    wanted = {"amount": 1990, "payment_method": "pix", "metadata": {"order": order_id}}  # centavos, from your database
    body = json.dumps(wanted).encode()
    headers = {"apikey": environ["QA_PAY_API_KEY"], "Content-Type": "application/json", "Idempotency-Key": f"charge-for-{order_id}"}
    try:
        with urlopen(Post(environ["QA_PAY_BASE_URL"] + "/v1/charges", body, headers), timeout=10) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        raise HTTPException(refusal.code, json.load(refusal)) from refusal


@app.post("/webhooks", status_code=204, response_class=Response)
async def webhook(request: Request) -> None:
    body = await request.body()  # as it came: a parsed body cannot be verified
    signature = re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", request.headers.get("x-qa-signature", ""))
    t, digest = signature.groups() if signature else ("0", "")
    wanted = hmac.new(environ["QA_PAY_WEBHOOK_SECRET"].encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(wanted, digest) or abs(time.time() - int(t)) > 300:
        raise HTTPException(400, "the signature does not fit")
    event = json.loads(body)  # its id is the same in every repetition: keep it in a column that is unique
    if event["type"] == "charge.paid":
        print("paid", event["data"]["object"]["id"], event["id"])
