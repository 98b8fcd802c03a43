"""The receiver, tested without a server: `qa-pay` makes and signs the webhooks."""

import functools
import json
import subprocess

import pytest
import receiver

SECRET = "5a" * 32
WRONG_SECRET = "6b" * 32


def qa_pay(*words, text=None):
    return subprocess.run(["qa-pay", *words], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


@functools.cache
def paid():
    return qa_pay("webhooks", "sample", "charge.paid")


def signed(*flags, secret=SECRET):
    """Body and signature of the event, as the service sends it."""
    webhook = json.loads(qa_pay("webhooks", "sign", "--secret", secret, "--json", *flags, text=paid()))
    return webhook["body"].encode(), webhook["headers"]["x-qa-signature"]


@pytest.fixture(autouse=True)
def secrets(monkeypatch):
    monkeypatch.setattr(receiver, "SECRETS", [SECRET.encode()])


def test_a_genuine_webhook_is_believed():
    event = receiver.verified(*signed())
    assert (event["type"], event["data"]["object"]["status"]) == ("charge.paid", "paid")


def test_a_webhook_with_another_secret_is_refused():
    assert receiver.verified(*signed(secret=WRONG_SECRET)) is None


def test_a_webhook_that_was_recorded_long_ago_is_refused():
    assert receiver.verified(*signed("--at", "2020-01-01T00:00:00Z")) is None


def test_a_webhook_with_a_changed_body_is_refused():
    body, signature = signed()
    assert receiver.verified(body.replace(b"paid", b"PAID", 1), signature) is None
