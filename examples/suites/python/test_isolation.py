import pytest


@pytest.mark.parametrize("run", [1, 2])
def test_every_test_begins_with_an_empty_emulator(emulator, shop, run):
    assert emulator.call("GET", "/v1/payments")["total"] == 0
    shop.buy("order-1", 1990)
    assert emulator.call("GET", "/v1/payments")["total"] == 1
