import type { Contract } from "../../src/kernel/contract.js";
import { addressOf, preparedCall } from "../support/calls.js";
import { DOCUMENTS } from "../support/charges.js";
import type { CallOptions, Loose, TestEmulator } from "../support/emulator.js";
import { act, openCase, paidCharge } from "../support/med.js";
import { payment, REQUESTS } from "../support/payments.js";
import type { Receiver } from "../support/receiver.js";
import { refund } from "../support/refunds.js";
import { advance, settle, subscribe } from "../support/webhooks.js";
import { contracts, START } from "./session.js";

/** What is asked in each session. Requests follow one another, so that every answer depends on those before it alone. */

/** Every operation, as each of them succeeds. */
export async function everyOperation(emulator: TestEmulator): Promise<void> {
  for (const { id, method, path } of contracts) {
    const call = await preparedCall(id, emulator);
    await emulator.call(method, addressOf(path, call), call);
  }
}

/** The values that are sent in place of a right one. */
const WRONG: readonly unknown[] = [null, -1, "x".repeat(300)];

const QUERIES = ["?nope=1", "?limit=0", "?limit=abc", "?limit=2&limit=3", "?page=2&limit=3", "?status=nope", "?%00"];

/** Each request of an operation with one fault: its key, its path, its query, its body as a whole and by field. */
function faulty({ method, path }: Contract, call: CallOptions, address: string): [string, CallOptions][] {
  const { body, ...rest } = call;
  const unknown = path.replace(/\{\w+\}/g, "unknown");
  const faults: [string, CallOptions][] = [
    [address, { ...call, key: null, headers: {} }],
    [address, { ...call, key: "qa_test_wrong" }],
    [address, { ...call, headers: { ...call.headers, origin: "https://elsewhere.test" } }],
  ];
  if (unknown !== path) faults.push([unknown, call]);
  if (method === "GET") return [...faults, ...QUERIES.map((query): [string, CallOptions] => [path + query, call])];
  if (call.raw !== undefined) return faults;
  for (const raw of ["nonsense", "[]", "", '{"a":1,"a":2}']) faults.push([address, { ...rest, raw }]);
  faults.push([address, { ...call, headers: { ...call.headers, "content-type": "text/plain" } }]);
  faults.push([address, { ...call, body: {} }], [address, { ...call, body: { ...(body as object), nope: 1 } }]);
  for (const name of Object.keys((body as object | undefined) ?? {})) {
    for (const value of WRONG) faults.push([address, { ...call, body: { ...(body as object), [name]: value } }]);
  }
  return faults;
}

/** Operations that are not asked wrongly: they would replace what the others need, or wait for other programs. */
const NOT_ASKED = /^sandbox\.(?:snapshots|receivers|stream|reset)/;

export async function everyRefusal(emulator: TestEmulator): Promise<void> {
  for (const contract of contracts.filter(({ id }) => !NOT_ASKED.test(id))) {
    const call = await preparedCall(contract.id, emulator);
    for (const [address, options] of faulty(contract, call, addressOf(contract.path, call))) {
      await emulator.call(contract.method, address, options);
    }
  }
}

const CUSTOMERS = [
  {},
  { name: "Ana Lima", document: DOCUMENTS.cpf },
  { name: "João da Conceição", email: "j@example.com", phone: "+5511999990000" },
];

/** Charges and payments of all methods, currencies and statuses, some minutes apart. */
async function fill(emulator: TestEmulator): Promise<Loose[]> {
  const made: Loose[] = [];
  for (let round = 0; round < 6; round++) {
    for (const [index, customer] of CUSTOMERS.entries()) {
      const metadata = index === 1 ? { order: round, note: "açaí 🍇 \u2028" } : {};
      made.push(await emulator.charge({ amount: 100 + 37 * round + index, customer, metadata, expires_in: 900 }));
    }
    for (const request of Object.values(REQUESTS))
      made.push(await payment(emulator, { amount: 5_000 + round, ...request }));
    const [paid, failed] = made.slice(-9);
    await emulator.sandbox(`/charges/${paid.id}/pay`);
    if (round % 2 === 0) await emulator.sandbox(`/charges/${failed.id}/fail`);
    await advance(emulator, 400);
  }
  const paid = await paidCharge(emulator);
  await refund(emulator, String(paid.id).replace("ch_", ""), { amount: 5 });
  await act(emulator, (await openCase(emulator)).id, "appeal");
  await openCase(emulator);
  return made;
}

const SORTED = [
  "createdAt",
  "amount",
  "status",
  "customerName",
  "metadata",
  "pixQrCode",
  "mbReference",
  "cryptoAmount",
];
const PAGES = ["?limit=1", "?limit=2&page=2", "?limit=100", "?page=3&limit=7", "?offset=3&limit=4"];
const LISTS = [
  "/v1/payments",
  "/v1/charges",
  "/v1/webhooks/endpoints",
  "/v1/webhooks/deliveries",
  "/v1/webhooks/stats",
  "/v1/med/cases",
  "/v1/wallets",
  "/v1/payments/stats",
  "/v1/payments/metrics",
  "/_sandbox/events",
  "/_sandbox/requests",
  "/_sandbox/requests/errors",
  "/_sandbox/emails",
  "/_sandbox/audit",
  "/_sandbox/refunds",
  "/_sandbox/payouts",
  "/_sandbox/ledger/journals",
  "/_sandbox/ledger/balances",
  "/_sandbox/clock/due",
  "/_sandbox/webhooks/deliveries",
];

/** Lists with every size of page, filter and order, and each object alone. */
export async function everyList(emulator: TestEmulator): Promise<void> {
  await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created", "charge.paid", "payment.created"]);
  const made = await fill(emulator);
  const get = (path: string) => emulator.call("GET", path);
  for (const list of LISTS) for (const page of ["", ...PAGES]) await get(list + page);
  for (const field of SORTED) {
    for (const order of ["asc", "desc"]) await get(`/v1/payments?sortBy=${field}&sortOrder=${order}&limit=50`);
  }
  for (const status of ["PAID", "WAITING_PAYMENT", "EXPIRED", "REFUSED"]) {
    await get(`/v1/payments?status=${status}`);
    await get(`/v1/payments?status=${status}&startDate=2026-06-01T12:10:00.000Z&endDate=2026-06-01T12:30:00.000Z`);
  }
  for (const status of ["pending", "paid", "expired", "failed"]) await get(`/v1/charges?status=${status}&limit=4`);
  for (let cursor: string | null = made.at(-1)?.id ?? null, turn = 0; cursor !== null && turn < 4; turn++) {
    cursor = (await get(`/v1/charges?limit=5&starting_after=${cursor}`)).body.next_cursor ?? null;
  }
  for (const { id } of made) {
    await get(`/v1/charges/${id}`);
    await get(`/v1/payments/${id}`);
    await get(`/_sandbox/timeline/${id}`);
    await get(`/_sandbox/search?q=${id}`);
  }
  for (const words of ["Ana", "conceicao", "5000", "açaí"])
    await get(`/_sandbox/search?q=${encodeURIComponent(words)}`);
}

/** The receiver's own date would differ in each run. */
const RECEIVER = { date: new Date(START).toUTCString() };
const LATER = { status: 503, headers: { "retry-after": "7" }, body: "later" };
const REPLIES = [
  { status: 204 },
  { status: 200, body: '{"ok":true}' },
  { status: 500, body: "broken ✗" },
  LATER,
  { ...LATER, status: 429 },
];

/** Deliveries that arrive, fail, are tried again, resent, parked, cancelled and changed by chaos, one charge at a time. */
export async function everyDelivery(emulator: TestEmulator, receiver: Receiver): Promise<void> {
  const endpoint = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
  const get = (path: string) => emulator.call("GET", path);
  const look = async () => {
    for (const list of ["/v1/webhooks/deliveries?limit=5", "/v1/webhooks/stats", "/_sandbox/clock/due?limit=5"])
      await get(list);
    const { data } = (await get("/_sandbox/webhooks/deliveries?limit=3")).body;
    for (const { id } of data) await get(`/_sandbox/webhooks/deliveries/${id}`);
    return data;
  };
  for (const chaos of [
    {},
    { duplicate: 1 },
    { stale_timestamp: 1 },
    { delay_ms: 20_000 },
    { duplicate: 0, stale_timestamp: 0, delay_ms: 0 },
  ]) {
    await emulator.sandbox("/webhooks/chaos", chaos);
    for (const reply of REPLIES) {
      receiver.respond = () => ({ ...reply, headers: { ...RECEIVER, ...("headers" in reply ? reply.headers : {}) } });
      const { id } = await emulator.charge();
      await settle(emulator);
      await look();
      await advance(emulator, 25);
      await get(`/_sandbox/timeline/${id}`);
    }
  }
  const [{ id }] = await look();
  for (const body of [{}, { url: `${receiver.url}/elsewhere` }]) {
    await emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/resend`, { body });
    await settle(emulator);
    await look();
  }
  const address = `/v1/webhooks/endpoints/${endpoint.id}`;
  for (const status of ["INACTIVE", "ACTIVE"]) {
    await emulator.call("PATCH", address, { body: { status } });
    await emulator.charge();
    await settle(emulator);
    await look();
  }
  await emulator.call("DELETE", address);
  await advance(emulator, 60);
  await look();
}
