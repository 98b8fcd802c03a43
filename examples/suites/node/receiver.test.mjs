// The receiver, tested without an emulator: `qa-pay` makes and signs the webhooks.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const SECRET = "5a".repeat(32);
const WRONG_SECRET = "6b".repeat(32);

process.env.QA_PAY_WEBHOOK_SECRET = SECRET;
const { server } = await import("./with-package.mjs");

before(() => once(server.listen(0, "127.0.0.1"), "listening"));
after(() => server.close());

async function qaPay(words, input = "") {
  const running = promisify(execFile)("qa-pay", words);
  running.child.stdin.end(input);
  return (await running).stdout;
}

const paid = await qaPay(["webhooks", "sample", "charge.paid"]);

/** Headers and body of the event, as the service sends them. */
async function signed(secret, ...flags) {
  return JSON.parse(await qaPay(["webhooks", "sign", "--secret", secret, "--json", ...flags], paid));
}

/** What the receiver answers. */
async function receive({ headers, body }) {
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  return (await fetch(url, { method: "POST", headers, body })).status;
}

test("a genuine webhook is believed", async () => {
  assert.equal(await receive(await signed(SECRET)), 204);
});

test("a webhook with another secret is refused", async () => {
  assert.equal(await receive(await signed(WRONG_SECRET)), 400);
});

test("a webhook that was recorded long ago is refused", async () => {
  assert.equal(await receive(await signed(SECRET, "--at", "2020-01-01T00:00:00Z")), 400);
});

test("a webhook with a changed body is refused", async () => {
  const webhook = await signed(SECRET);
  assert.equal(await receive({ ...webhook, body: webhook.body.replace("paid", "PAID") }), 400);
});
