import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WHY_CODES } from "../../../src/service/features/why-codes.js";
import { DOCUMENTS } from "../../support/charges.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import type { Received, Reply } from "../../support/receiver.js";
import { refund } from "../../support/refunds.js";
import { type Host, startHost } from "../../support/running.js";
import { ownEmulator, sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, hmac, settle, subscribe } from "../../support/webhooks.js";

/** `why`: the cause of an object's present state, on an emulator and on a host that has nothing but `/v1`. */

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key }));

beforeEach(async () => {
  await emulator.sandbox("/reset", {});
  receiver.respond = null;
  limits = [];
});

async function why(id: string, ...flags: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run(["why", id, "--json", ...flags]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

const sandbox = (path: string, body: object = {}) => emulator.sandbox(path, body);
const pay = (id: string, body: object = {}) => sandbox(`/charges/${id}/pay`, body);
const charge = (body: object = {}) => emulator.charge({ amount: 1990, ...body });
/** The id of a paid charge. */
async function paid(): Promise<string> {
  const { id } = await charge();
  await pay(id);
  return id;
}
const EXPECTING = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };

/** A paid charge and the delivery of its event to an endpoint that answers like this. */
async function delivered(reply: Reply | ((request: Received) => Reply), url = receiver.url): Promise<Loose> {
  receiver.respond = typeof reply === "function" ? reply : () => reply;
  const endpoint = await subscribe(emulator, url, ["charge.paid"]);
  const { id } = await charge();
  await pay(id);
  await settle(emulator);
  const { data } = (await emulator.call("GET", "/_sandbox/webhooks/deliveries")).body;
  expect(data).toHaveLength(1);
  return { charge: id, delivery: data[0].id, event: data[0].payload.id, endpoint };
}

/** The flags for another emulator, where a story needs one of its own. */
let limits: string[] = [];

/** Stories, each with the code that it leads to. A story returns the id that `why` explains. */
const STORIES: Readonly<Record<string, () => Promise<string>>> = {
  waiting_for_payer: async () => (await charge()).id,
  expired: async () => {
    const { id } = await charge();
    await advance(emulator, 86_400);
    return id;
  },
  provider_refused: async () => (await charge({ metadata: { _sandbox: { fail: "provider_error" } } })).id,
  in_review: async () => {
    const { id } = await charge(EXPECTING);
    await pay(id, { payer_document: null });
    return id;
  },
  payer_refused: async () => {
    const { id } = await charge(EXPECTING);
    await pay(id, { payer_document: DOCUMENTS.otherCpf });
    return id;
  },
  late_payment: async () => {
    const { id } = await charge();
    await advance(emulator, 86_400);
    await pay(id);
    return id;
  },
  wrong_amount_paid: async () => {
    const { id } = await charge();
    await pay(id, { amount: 1000 });
    return id;
  },
  cancelled: async () => {
    const { id } = await charge();
    await emulator.call("POST", `/v1/payments/${id.replace("ch_", "")}/cancel`);
    return id;
  },
  refunded: async () => {
    const id = await paid();
    await refund(emulator, id.replace("ch_", ""));
    await advance(emulator, 60);
    return id;
  },
  disputed: async () => {
    const id = await paid();
    await sandbox("/med-cases", { charge_id: id });
    return id;
  },
  paid_and_told: async () => (await delivered({ status: 204 })).charge,
  paid_no_endpoint: paid,
  paid_not_delivered: async () => (await delivered({ status: 500 })).charge,
  receiver_refused_signature: async () => (await delivered({ status: 401 })).delivery,
  receiver_refused: async () => (await delivered({ status: 422, body: "no such order" })).delivery,
  receiver_error: async () => (await delivered({ status: 503 })).delivery,
  receiver_missing: async () => (await delivered({ status: 404 })).event,
  receiver_redirects: async () => (await delivered({ status: 302, headers: { location: "/" } })).delivery,
  // The service waits for 30 seconds of real time, so a host plays this story (below).
  receiver_slow: () => Promise.reject(new Error("not here")),
  receiver_unreachable: async () => (await delivered({}, "http://127.0.0.1:9/webhooks")).delivery,
  receiver_tls: async () => (await delivered({}, receiver.url.replace("http:", "https:"))).delivery,
  chaos: async () => {
    await sandbox("/webhooks/chaos", { corrupt_signature: 1 });
    return (await delivered({ status: 401 })).delivery;
  },
  endpoint_disabled: async () => {
    const { delivery, endpoint } = await delivered({ status: 500 });
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${endpoint.id}`, { body: { status: "INACTIVE" } });
    return delivery;
  },
  delivered: async () => (await delivered({})).delivery,
  wrong_key: async () => {
    const headers = { "x-request-id": "wrong-key-story" };
    await emulator.call("GET", "/v1/wallets", { key: "qa_test_nobody-knows-it", headers });
    return "wrong-key-story";
  },
  fault_rule: async () => {
    await sandbox("/faults", { match: { path: "/v1/wallets" }, effect: { status: 503 }, times: 1 });
    return (await emulator.call("GET", "/v1/wallets")).headers.get("x-request-id") ?? "";
  },
  rate_limited: async () => {
    // A limit would hold for all other stories too.
    const limited = await ownEmulator({ frozen: true, rateLimit: 1 });
    await limited.call("GET", "/v1/wallets");
    limits = ["--base-url", limited.url, "--api-key", limited.key];
    return (await limited.call("GET", "/v1/wallets")).headers.get("x-request-id") ?? "";
  },
  idempotency_conflict: async () => {
    const key = { "idempotency-key": freshKey() };
    await emulator.call("POST", "/v1/pix/charges", { body: { amount: 1 }, headers: key });
    const { headers } = await emulator.call("POST", "/v1/pix/charges", { body: { amount: 2 }, headers: key });
    return headers.get("x-request-id") ?? "";
  },
  idempotent_replay: async () => {
    const key = { "idempotency-key": freshKey() };
    await emulator.call("POST", "/v1/pix/charges", { body: { amount: 1 }, headers: key });
    const { headers } = await emulator.call("POST", "/v1/pix/charges", { body: { amount: 1 }, headers: key });
    return headers.get("x-request-id") ?? "";
  },
  invalid_request: async () => {
    const headers = { "idempotency-key": freshKey() };
    const answer = await emulator.call("POST", "/v1/pix/charges", { body: { amount: -1 }, headers });
    return answer.headers.get("x-request-id") ?? "";
  },
  in_progress: async () => {
    const id = await paid();
    return (await refund(emulator, id.replace("ch_", ""))).id;
  },
  failed: async () => {
    const { id } = await sandbox("/payouts", { amount: 100 });
    await sandbox(`/payouts/${id}/fail`, { reason: "account_closed" });
    return id;
  },
  unknown: async () => (await emulator.call("GET", "/v1/wallets")).headers.get("x-request-id") ?? "",
};

it("there is a story for every code", () => {
  expect(Object.keys(STORIES).sort()).toEqual([...WHY_CODES].sort());
});

it.each(Object.entries(STORIES).filter(([code]) => code !== "receiver_slow"))("%s", async (expected, story) => {
  const id = await story();
  const { code, text, evidence, command } = await why(id, ...limits);
  expect([code, text]).toEqual([expected, expect.stringMatching(/^[A-Z0-9].*[.…]$/s)]);
  if (limits.length === 0) {
    const { sentences, ...same } = (await emulator.call("GET", `/_sandbox/why/${id}`)).body;
    expect([same, sentences.length > 0]).toEqual([{ id: expect.anything(), code, text, evidence, command }, true]);
  }
  expect(evidence.length).toBeGreaterThan(0);
  for (const one of evidence) expect(Date.parse(one.at)).not.toBeNaN();
  if (command === null) return;
  const outcome = await cli.run([...command.split(" ").slice(1), ...limits.slice(2)]);
  expect([command, outcome.code]).toEqual([command, command.startsWith("qa-pay doctor") ? expect.any(Number) : 0]);
});

describe("other objects", () => {
  it("a refund that ended, a payout that is under way, a MED case", async () => {
    const id = await paid();
    const { id: first } = await refund(emulator, id.replace("ch_", ""), { amount: 100 });
    await sandbox(`/refunds/${first}/advance`, { to: "REFUNDED" });
    const { id: second } = await refund(emulator, id.replace("ch_", ""), { amount: 100 });
    await sandbox(`/refunds/${second}/advance`, { to: "FAILED" });
    const { id: payout } = await sandbox("/payouts", { amount: 100 });
    const codes = async (...ids: string[]) => Promise.all(ids.map(async (one) => (await why(one)).code));
    expect(await codes(first, second, payout)).toEqual(["refunded", "failed", "in_progress"]);
    const { id: med } = await sandbox("/med-cases", { charge_id: id });
    expect(await why(med)).toMatchObject({ code: "disputed", command: `qa-pay med get ${med}` });
    await sandbox(`/payouts/${payout}/pay`);
    expect(await codes(payout)).toEqual(["paid_no_endpoint"]);
  });

  it("a payment that is no charge, and an id in any form", async () => {
    const { id } = await charge();
    const raw = id.replace("ch_", "");
    for (const form of [raw, `tx_${raw}`, raw.toUpperCase(), `"${id}",`]) expect(await why(form)).toMatchObject({ id });
  });

  it("a wrong amount that came before the charge expired is its cause, and one after it is late", async () => {
    const { id } = await charge();
    await pay(id, { amount: 1 });
    await advance(emulator, 86_400);
    expect((await why(id)).code).toBe("wrong_amount_paid");
    await pay(id, { amount: 2 });
    expect((await why(id)).code).toBe("late_payment");
  });

  it("a webhook that got through at a later try, or by a resend, counts as delivered", async () => {
    const { charge: id, delivery, endpoint } = await delivered({ status: 500 });
    receiver.respond = null;
    await sandbox(`/webhooks/deliveries/${delivery}/resend`);
    await settle(emulator);
    expect((await why(id)).code).toBe("paid_and_told");
    // Nothing more is needed of an endpoint that was deleted.
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${endpoint.id}`);
    expect((await why(id)).code).toBe("paid_and_told");
  });
});

describe("a receiver that refuses good signatures", () => {
  /** Receivers with a mistake accept what they would have signed themselves. */
  const accepts = (expected: (t: string, raw: string) => string, status: number) => (request: Received) => {
    const { t = "", v1 = "" } =
      /t=(?<t>\d+),v1=(?<v1>\w+)/.exec(String(request.headers["x-qa-signature"]))?.groups ?? {};
    return { status: expected(t, request.raw) === v1 ? 204 : status };
  };
  let secret = "";
  let other = "";

  it.each([
    [
      "the body printed again over lines",
      (t: string, raw: string) => hmac(secret, `${t}.${JSON.stringify(JSON.parse(raw), null, 2)}`),
      "prints it again",
    ],
    [
      "the secret of another endpoint",
      (t: string, raw: string) => hmac(other, `${t}.${raw}`),
      "It has the secret of the endpoint we_",
    ],
  ])("has its mistake proven, also behind a 400: %s", async (_name, expected, words) => {
    other = (await subscribe(emulator, `${receiver.url}/other`, ["payout.failed"])).secret;
    const answer = accepts(expected, 400);
    secret = "";
    const { delivery, endpoint } = await delivered((request) => (secret === "" ? { status: 400 } : answer(request)));
    secret = endpoint.secret;
    const { code, text } = await why(delivery);
    expect([code, text]).toEqual(["receiver_refused_signature", expect.stringContaining(words)]);
  });

  it("is said to refuse something else, when its answers prove nothing", async () => {
    const { delivery } = await delivered({ status: 400 });
    expect((await why(delivery)).code).toBe("receiver_refused");
    // It refused the webhook, and accepts any signature.
    receiver.respond = () => ({ status: 204 });
    expect((await why(delivery)).code).toBe("receiver_refused");
  });

  it("is sent nothing through a read-only profile", async () => {
    const { delivery } = await delivered({ status: 401 });
    const own = ["--base-url", emulator.url, "--api-key", emulator.key];
    await cli.run(["profiles", "add", "reader", ...own, "--read-only", "--yes"]);
    const before = receiver.received.length;
    const { code, text } = await why(delivery, "--profile", "reader");
    expect([code, receiver.received.length]).toEqual(["receiver_refused_signature", before]);
    expect(text).toContain("Verify the bytes as they came");
  });
});

describe("on a host that has nothing but /v1", () => {
  let host: Host;
  let asked: string[] = [];
  /** Members that replace those of the deliveries. */
  let changed: object = {};
  beforeAll(async () => {
    host = await startHost(async ({ method, url = "" }, outgoing) => {
      asked.push(`${method} ${url}`);
      const known = url.startsWith("/v1/") ? await emulator.call("GET", url) : { status: 404, body: { error: {} } };
      const body = url.startsWith("/v1/webhooks/deliveries")
        ? { ...known.body, data: known.body.data.map((one: Loose) => ({ ...one, ...changed })) }
        : known.body;
      outgoing.writeHead(known.status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await cli.run([
      "profiles",
      "add",
      "prod",
      "--base-url",
      host.url,
      "--api-key",
      "qa_live_0123456789abcdef",
      "--read-only",
    ]);
  });
  afterAll(() => host.close());
  beforeEach(() => {
    asked = [];
    changed = {};
  });

  const ABROAD = [
    "waiting_for_payer",
    "expired",
    "provider_refused",
    "in_review",
    "payer_refused",
    "cancelled",
    "refunded",
    "disputed",
  ];
  const TOLD = [
    "paid_and_told",
    "paid_no_endpoint",
    "paid_not_delivered",
    "receiver_refused_signature",
    "receiver_error",
    "receiver_missing",
    "receiver_redirects",
    "receiver_unreachable",
    "receiver_tls",
    "endpoint_disabled",
    "delivered",
  ];

  it.each([...ABROAD, ...TOLD])("%s is found by GET alone", async (expected) => {
    const id = (await STORIES[expected]?.()) ?? "";
    const { code, out } = await cli.run(["why", id, "--json", "--profile", "prod"]);
    expect([code, JSON.parse(out).code]).toEqual([0, expected]);
    expect(asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  it.each([
    ["no answer within 30 seconds", "receiver_slow"],
    ["self-signed certificate", "receiver_tls"],
    ["connect ECONNREFUSED 127.0.0.1:9", "receiver_unreachable"],
  ])("an attempt that ended with %s is %s", async (lastError, expected) => {
    const { delivery } = await delivered({ status: 500 });
    changed = { lastError, lastStatusCode: null };
    const { out } = await cli.run(["why", delivery, "--json", "--profile", "prod"]);
    expect(JSON.parse(out).code).toBe(expected);
  });

  it("says what cannot be seen there", async () => {
    const { id } = await charge();
    expect((await cli.run(["why", id, "--profile", "prod"])).out).toContain("This host does not show attempts to pay.");
    const { code, err } = await cli.run(["why", "req_01a0c0de-0000-7000-8000-000000000000", "--profile", "prod"]);
    expect([code, err]).toEqual([4, expect.stringContaining("requests in your own log.")]);
    expect(err).toContain("The key is of live mode, and sees nothing of the other mode.");
  });

  it("finds a refund and a payout by the webhooks about them", async () => {
    await subscribe(emulator, receiver.url, ["payment.refunded", "payout.created"]);
    const id = await paid();
    const { id: back } = await refund(emulator, id.replace("ch_", ""));
    await advance(emulator, 60);
    const { id: payout } = await sandbox("/payouts", { amount: 100 });
    await settle(emulator);
    const codes: string[] = [];
    for (const one of [back, payout])
      codes.push(JSON.parse((await cli.run(["why", one, "--json", "--profile", "prod"])).out).code);
    expect(codes).toEqual(["refunded", "in_progress"]);
  });
});

it("shows a person the sentence, then what shows it, then the command", async () => {
  const { charge: id, delivery } = await delivered({ status: 500, body: "boom" });
  const { out } = await cli.run(["why", id, "--utc"]);
  expect(out).toMatch(
    /^It is paid, but charge\.paid was not delivered\. The receiver failed: it answered 500\. Look in its log for this webhook\. The next attempt is at \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\.\n\n/,
  );
  expect(out).toMatch(/\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}attempt 1: answered 500 in \d+ ms, with boom\n/);
  expect(out.endsWith(`\n\nqa-pay why ${delivery}\n`)).toBe(true);
});

it.each([
  "ch_01a0c0de-0000-7000-8000-000000000000",
  "wd_01a0c0de-0000-7000-8000-000000000000",
  "evt_x",
  "rf_x",
  "po_x",
  "med_x",
  "nothing",
])("%s is not known: exit 4", async (id) => {
  expect(await cli.run(["why", id])).toMatchObject({ code: 4, out: "" });
});
