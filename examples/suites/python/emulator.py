"""An emulator of qa-pay for the tests of one process, with the functions that tests need."""

import json
import os
import shutil
import subprocess
import urllib.request


class Emulator:
    """Runs in the background and ends with this process. `folder` is for its files, apart from those of the project."""

    def __init__(self, folder):
        if shutil.which("qa-pay") is None:
            raise RuntimeError('qa-pay is not in PATH: after "npm install --save-dev qa-pay", run npx -c "pytest"')
        flags = ["--detach", "--stop-with", str(os.getpid()), "--port", "0", "--db", ":memory:", "--frozen", "--json"]
        started = subprocess.run(["qa-pay", "serve", *flags], cwd=folder, check=True, stdout=subprocess.PIPE)
        ready = json.loads(started.stdout)
        self.url, self.api_key = ready["url"], ready["test_key"]

    def call(self, method, path, body=None):
        headers = {"apikey": self.api_key, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = response.read()
        return json.loads(answer) if answer else None

    def reset(self):
        self.call("POST", "/_sandbox/reset")

    def pay(self, charge):
        self.call("POST", f"/_sandbox/charges/{charge}/pay", {})

    def advance(self, seconds):
        """Moves the clock. When it returns, everything is done that fell due, deliveries included."""
        self.call("POST", "/_sandbox/clock/advance", {"seconds": seconds})

    def collect(self, *events):
        return Collector(self, self.call("POST", "/_sandbox/collectors", {"events": list(events)}))


class Collector:
    """Takes webhooks in the place of an endpoint."""

    def __init__(self, emulator, created):
        self.emulator, self.id, self.secret = emulator, created["id"], created["secret"]

    def webhooks(self):
        self.emulator.advance(0)  # what is on its way arrives
        return self.emulator.call("GET", f"/_sandbox/collectors/{self.id}/webhooks")["data"]
