"""qa-pay in a container, and webhooks to a receiver in the process of the test."""

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from testcontainers.core.container import DockerContainer
from testcontainers.core.waiting_utils import wait_for_logs

KEY = "qa_test_of_the_container"


def post(base_url, path, body):
    headers = {"apikey": KEY, "Content-Type": "application/json", "Idempotency-Key": path}
    request = urllib.request.Request(base_url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read())


def test_a_paid_charge_is_told_to_the_shop():
    types = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            types.append(self.headers["X-QA-Event-Type"])
            self.send_response(204)
            self.end_headers()

    receiver = ThreadingHTTPServer(("0.0.0.0", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    target = f"http://host.docker.internal:{receiver.server_port}/webhooks"
    serve = f"serve --host 0.0.0.0 --db :memory: --test-key {KEY} --forward-to {target} --events charge.paid"

    pay = (
        DockerContainer("qa-pay")
        .with_exposed_ports(4600)
        .with_env("QA_PAY_ALLOW_HTTP", "host.docker.internal")
        # On Linux the name of the machine has to be asked for.
        .with_kwargs(extra_hosts={"host.docker.internal": "host-gateway"})
        .with_command(serve)
    )
    with pay:
        wait_for_logs(pay, "is ready at", timeout=60)
        base_url = f"http://127.0.0.1:{pay.get_exposed_port(4600)}"
        charge = post(base_url, "/v1/charges", {"amount": 1990, "payment_method": "pix"})
        post(base_url, f"/_sandbox/charges/{charge['id']}/pay", {})
        # Everything that is due has been sent when this is answered.
        post(base_url, "/_sandbox/clock/advance", {"seconds": 0})
        assert types == ["charge.paid"]
    receiver.shutdown()
