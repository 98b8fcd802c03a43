"""Creates a Pix charge with nothing but Python: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... python3 create_charge.py"""

import json
import os
import urllib.error
import urllib.request

TRIES = 3


def create_charge(order_id: str, amount: int, customer: dict) -> dict:
    """Creates a charge. The order names it: a repetition answers the same charge and makes no second one."""
    wanted = {"amount": amount, "payment_method": "pix", "customer": customer, "metadata": {"order": order_id}}
    request = urllib.request.Request(
        os.environ["QA_PAY_BASE_URL"] + "/v1/charges",
        data=json.dumps(wanted).encode(),
        headers={
            "apikey": os.environ["QA_PAY_API_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": f"charge-for-{order_id}",
        },
    )
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as refusal:
            if refusal.code >= 500 and attempt < TRIES:
                continue
            answer = json.load(refusal)
            error = answer["error"]
            raise RuntimeError(f"{error['code']}: {error['message']} ({answer['request_id']})") from None
        except OSError:  # nobody answered: whether it was created is unknown, so send it again
            if attempt == TRIES:
                raise
    raise AssertionError("unreachable")


charge = create_charge("order-42", 1990, {"name": "Maria Silva"})  # centavos
print(charge["id"], charge["status"])
print(charge["pix"]["br_code"])
