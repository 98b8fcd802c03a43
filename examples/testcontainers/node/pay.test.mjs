import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { GenericContainer, TestContainers, Wait } from "testcontainers";

/** qa-pay in a container, and webhooks to a receiver in the process of the test. */
test("a paid charge is told to the shop", { timeout: 120_000 }, async (t) => {
  const types = [];
  const receiver = createServer((request, response) => {
    types.push(request.headers["x-qa-event-type"]);
    response.writeHead(204).end();
  }).listen(0);
  await once(receiver, "listening");
  t.after(() => receiver.close());
  const { port } = receiver.address();
  // The container reaches this machine by the name host.testcontainers.internal.
  await TestContainers.exposeHostPorts(port);

  const pay = await new GenericContainer("qa-pay")
    .withExposedPorts(4600)
    .withEnvironment({ QA_PAY_ALLOW_HTTP: "host.testcontainers.internal" })
    .withCommand([
      ...["serve", "--host", "0.0.0.0", "--db", ":memory:", "--test-key", "qa_test_of_the_container"],
      ...["--forward-to", `http://host.testcontainers.internal:${port}/webhooks`, "--events", "charge.paid"],
    ])
    .withWaitStrategy(Wait.forHttp("/openapi.json", 4600))
    .start();
  t.after(() => pay.stop());

  const baseUrl = `http://127.0.0.1:${pay.getMappedPort(4600)}`;
  const post = async (path, body) => {
    const headers = { apikey: "qa_test_of_the_container", "Content-Type": "application/json", "Idempotency-Key": path };
    const response = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  };
  const charge = await post("/v1/charges", { amount: 1990, payment_method: "pix" });
  await post(`/_sandbox/charges/${charge.id}/pay`, {});
  // Everything that is due has been sent when this is answered.
  await post("/_sandbox/clock/advance", { seconds: 0 });
  assert.deepEqual(types, ["charge.paid"]);
});
