import { afterEach, expect, it } from "vitest";
import { newFolder } from "../../support/folder.js";
import { openCase, paidCharge } from "../../support/med.js";
import { fresh, freshEmulator, sharedReceiver } from "../../support/shared.js";
import { openFile } from "../../support/sqlite.js";
import { advance, chargeAndSettle, deliveries, subscribe } from "../../support/webhooks.js";

/** A row that the product never writes, in a server that runs: what needs the row fails, and nothing else does. */

const folder = fresh(newFolder);
const receiver = sharedReceiver();
let logged: string[];

const emulator = freshEmulator(() => {
  logged = [];
  const log = {
    warn: (message: string) => void logged.push(message),
    error: (message: string) => void logged.push(message),
  };
  return { db: folder.db, log, frozen: true };
});
afterEach(() => {
  receiver.received.length = 0;
});

/** Changes rows as another program would. */
function damage(sql: string): void {
  const db = openFile(folder.db);
  db.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${sql}`);
  db.close();
}

const status = async (path: string) => (await emulator.call("GET", path)).status;

/** True if all due work is done, and a new charge is created and reported. */
async function goesOn(): Promise<boolean> {
  const before = receiver.received.length;
  await chargeAndSettle(emulator);
  return receiver.received.length > before;
}

it("a delivery to no URL fails, is recorded as failed and tried again; the others arrive", async () => {
  const hurt = await subscribe(emulator, `${receiver.url}/hurt`, ["charge.created"]);
  await subscribe(emulator, receiver.url, ["charge.created"]);
  damage(`UPDATE endpoints SET url = 'not a url' WHERE id = '${hurt.id.slice(3)}'`);
  await chargeAndSettle(emulator);
  expect(receiver.received).toHaveLength(1);
  const [failed] = (await deliveries(emulator)).filter(({ status: state }) => state !== "DELIVERED");
  expect(failed).toMatchObject({ status: "PENDING", attempts: 1 });
  expect(failed.lastError).toBe("the request could not be built: Invalid URL");
  await advance(emulator, 86_400);
  const after = (await deliveries(emulator)).find(({ id }) => id === failed.id);
  expect(after).toMatchObject({ attempts: expect.any(Number) });
  expect(after.attempts).toBeGreaterThan(3);
  expect(await goesOn()).toBe(true);
});

it.each([
  ["an event of an unknown type", "UPDATE events SET type = 'charge.stolen'"],
  ["an event at an instant that no Date can hold", "UPDATE events SET created_at = 9000000000000000"],
  ["an event whose data is no JSON", "UPDATE events SET data = '{'"],
  ["a delivery that has had a million attempts", "UPDATE deliveries SET attempts = 1000000"],
  ["a delivery whose event is gone", "DELETE FROM events"],
  ["a delivery whose endpoint is gone", "UPDATE deliveries SET endpoint_seq = 999"],
  ["an endpoint without a secret", "UPDATE endpoints SET secret = ''"],
  [
    "an endpoint with a line break in its URL",
    "UPDATE endpoints SET url = 'http://127.0.0.1:9/' || char(13,10) || 'x'",
  ],
])("the process lives, and other deliveries arrive: %s", async (_what, sql) => {
  receiver.replies.push({ status: 500 });
  const hurt = await subscribe(emulator, `${receiver.url}/hurt`, ["charge.created"]);
  await chargeAndSettle(emulator);
  damage(sql);
  await emulator.call("DELETE", `/v1/webhooks/endpoints/${hurt.id}x`);
  await subscribe(emulator, receiver.url, ["charge.created"]);
  await advance(emulator, 60);
  expect(await goesOn()).toBe(true);
  expect(await status("/v1/payments")).toBe(200);
});

it.each([
  ["of an unknown kind", "UPDATE jobs SET kind = 'shell.run'"],
  ["without JSON", "UPDATE jobs SET payload = 'x'"],
  ["with another payload", `UPDATE jobs SET kind = 'refund.advance', payload = '{"from":"X"}'`],
  ["about nothing", "UPDATE jobs SET subject = 'nobody'"],
  ["whose charge has a scenario that is no JSON", "UPDATE transactions SET script = 'x'"],
  ["whose charge has metadata that is no JSON", "UPDATE transactions SET metadata = 'x'"],
])("due work %s is tried again and dropped, and other work is done", async (_what, sql) => {
  await emulator.charge({ metadata: { _sandbox: { pay_after: 60 } } });
  damage(sql);
  const other = await emulator.charge({ metadata: { _sandbox: { pay_after: 60 } } });
  await advance(emulator, 86_400 * 2);
  expect((await emulator.call("GET", `/v1/charges/${other.id}`)).body.status).toBe("paid");
});

it("an e-mail of an instant that no Date can hold is left out, and pages about it fail alone", async () => {
  await openCase(emulator);
  damage("UPDATE emails SET created_at = 9000000000000000");
  await openCase(emulator);
  expect(await status("/v1/payments")).toBe(200);
  expect((await emulator.call("GET", "/_sandbox/emails")).status).toBe(500);
});

it("a list with a damaged row fails with 500, and the next request is answered", async () => {
  const { id } = await paidCharge(emulator);
  damage("UPDATE transactions SET created_at = 9000000000000000, metadata = 'x'");
  for (const path of ["/v1/payments", `/_sandbox/timeline/${id}`]) expect([200, 500]).toContain(await status(path));
  expect(await status("/v1/wallets")).toBe(200);
  const { status: made } = await emulator.call("GET", "/_sandbox/clock");
  expect(made).toBe(200);
  expect(logged.some((line) => line.startsWith("request req_"))).toBe(true);
});
