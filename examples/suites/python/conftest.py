import pytest
import receiver
from emulator import Emulator
from shop import Shop


@pytest.fixture(scope="session")
def started(tmp_path_factory):
    """One emulator for each worker of xdist: a session of pytest is a process."""
    return Emulator(tmp_path_factory.mktemp("qa-pay"))


@pytest.fixture
def emulator(started):
    started.reset()
    return started


@pytest.fixture
def shop(emulator):
    return Shop(emulator.url, emulator.api_key)


@pytest.fixture
def collect(emulator, monkeypatch):
    """Collects webhooks that the receiver can verify."""

    def collect(*events):
        collector = emulator.collect(*events)
        monkeypatch.setattr(receiver, "SECRETS", [collector.secret.encode()])
        return collector

    return collect
