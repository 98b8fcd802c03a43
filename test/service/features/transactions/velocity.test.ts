import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../../support/charges.js";
import { freshKey, type TestEmulator } from "../../../support/emulator.js";
import { CREATION_ROUTES, type Creation, create, type Who } from "../../../support/guards.js";
import { paymentIn } from "../../../support/payment-states.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownFolder, sharedEmulator } from "../../../support/shared.js";

const CUSTOMER = "fraud.customer_velocity_exceeded";
const ACCOUNT = "fraud.account_velocity_exceeded";
const SECOND = 1_000;

const velocity = { count: 2, windowMs: 60 * SECOND };
const byCustomer = sharedEmulator({ frozen: true, customerVelocity: velocity });
const byAccount = sharedEmulator({ frozen: true, accountVelocity: velocity });
afterEach(() => Promise.all([byCustomer.sandbox("/reset"), byAccount.sandbox("/reset")]));

const MARIA: Who = { document: DOCUMENTS.cpf, email: "maria@example.com", phone: "+5511999990000" };

/** A charge that must be let through; answers its id. */
async function pass(on: TestEmulator, creation: Creation = {}): Promise<string> {
  const { status, body } = await create(on, creation);
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

const fill = async (on: TestEmulator, creation: Creation = {}) => [await pass(on, creation), await pass(on, creation)];
const advance = (on: TestEmulator, ms: number) => on.sandbox("/clock/advance", { seconds: ms / SECOND });

describe.each(CREATION_ROUTES)("POST %s", (route) => {
  it("refuses one charge too many of a customer", async () => {
    await fill(byCustomer, { route, who: MARIA });
    const refused = await create(byCustomer, { route, who: MARIA });
    expect(expectRefused(refused, CUSTOMER).message).toBe("One customer may have 2 charges within 60 seconds.");
    expect(refused.headers.has("retry-after")).toBe(false);
  });

  it("refuses one charge too many of the account", async () => {
    await fill(byAccount, { route });
    expectRefused(await create(byAccount, { route, who: MARIA }), ACCOUNT);
  });

  it("validates first", async () => {
    await fill(byAccount, { route });
    expectRefused(await create(byAccount, { route, amount: 0 }), "invalid_amount", "amount");
    const bad = await create(byAccount, { route, metadata: { _sandbox: { fail: 5 } } });
    expectRefused(bad, "invalid_request", "metadata._sandbox.fail");
  });

  it("leaves the idempotency key of a refused attempt unused, and the attempt uncounted", async () => {
    await fill(byAccount, { route });
    const idempotencyKey = freshKey();
    for (let attempt = 0; attempt < 3; attempt++) {
      expectRefused(await create(byAccount, { route, idempotencyKey }), ACCOUNT);
    }
    await advance(byAccount, 60 * SECOND);
    const answer = await create(byAccount, { route, idempotencyKey, amount: 77 });
    expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
    await pass(byAccount, { route });
  });

  it("lets a replay pass, whatever is counted, and does not count it", async () => {
    const first = { route, who: MARIA, idempotencyKey: freshKey() };
    await pass(byCustomer, first);
    expect((await create(byCustomer, first)).headers.get("idempotent-replayed")).toBe("true");
    await pass(byCustomer, { route, who: MARIA });
    expectRefused(await create(byCustomer, { route, who: MARIA }), CUSTOMER);
    const replay = await create(byCustomer, first);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  });
});

it("the routes write nothing for a refused attempt: no charge, no event", async () => {
  await fill(byAccount);
  const events = async () => (await byAccount.sandbox("/events?limit=100")).data.length;
  const before = await events();
  expectRefused(await create(byAccount), ACCOUNT);
  expect(await events()).toBe(before);
  expect((await byAccount.call("GET", "/v1/payments")).body.total).toBe(2);
});

it("a book has a count of its own: modes and accounts do not add up", async () => {
  const other = await byAccount.sandbox("/accounts", { name: "Second Shop" });
  for (const key of [byAccount.key, byAccount.live, other.test_key, other.live_key]) {
    await fill(byAccount, { key });
    expectRefused(await create(byAccount, { key }), ACCOUNT);
  }
  await fill(byCustomer, { who: MARIA });
  await fill(byCustomer, { who: MARIA, key: byCustomer.live });
  expectRefused(await create(byCustomer, { who: MARIA, key: byCustomer.live }), CUSTOMER);
});

describe("the same customer", () => {
  const same: readonly [string, Who, Who][] = [
    ["a document, however it is punctuated", { document: DOCUMENTS.cpf }, { document: DOCUMENTS.cpfPunctuated }],
    ["a document of letters and digits", { document: "12ABC34501DE35" }, { document: "12.ABC.345/01DE-35" }],
    ["an e-mail, in capitals or not", { email: "Maria@Example.COM" }, { email: "maria@example.com" }],
    ["a phone", { phone: "+5511999990000" }, { phone: "+5511999990000", email: "other@example.com" }],
    ["any one of the three", MARIA, { document: DOCUMENTS.otherCpf, email: "x@example.com", phone: MARIA.phone ?? "" }],
  ];
  it.each(same)("is known by %s", async (_what, first, second) => {
    await pass(byCustomer, { who: first });
    await pass(byCustomer, { who: second });
    expectRefused(await create(byCustomer, { who: first }), CUSTOMER);
  });

  it("is known to payments by document and e-mail address: they have no field for a phone", async () => {
    await fill(byCustomer, { who: MARIA });
    const { email = "", document = "" } = MARIA;
    for (const who of [{ email }, { document }, MARIA]) {
      expectRefused(await create(byCustomer, { who, route: "/v1/payments" }), CUSTOMER);
    }
    await pass(byCustomer, { who: { phone: MARIA.phone ?? "" }, route: "/v1/payments" });
  });

  it("is not a customer with only the same name, or with nothing in common", async () => {
    await fill(byCustomer, { who: MARIA });
    await pass(byCustomer, {
      who: { document: DOCUMENTS.otherCpf, email: "jose@example.com", phone: "+551188880000" },
    });
    for (let count = 0; count < 4; count++) await pass(byCustomer);
    const anonymous = { email: "", phone: "" };
    for (let count = 0; count < 4; count++) await pass(byCustomer, { who: anonymous });
    const unnamed = { route: "/v1/payments", who: { document: "" } } as const;
    for (let count = 0; count < 4; count++) await pass(byCustomer, unnamed);
  });

  it("does not match by the signs of a pattern", async () => {
    await fill(byCustomer, { who: { email: "maria@example.com" } });
    await fill(byCustomer, { who: { email: "%@example.com" } });
    await pass(byCustomer, { who: { email: "mari_@example.com" } });
  });
});

it("the window outlives a restart", async () => {
  const folder = ownFolder();
  const accountVelocity = { count: 1, windowMs: 60 * SECOND };
  const options = { frozen: true, db: folder.db, testKey: "qa_test_velocity01" };
  const before = await ownEmulator(options);
  await pass(before);
  await before.close();
  const after = await ownEmulator({ ...options, accountVelocity });
  expectRefused(await create(after), ACCOUNT);
  await advance(after, 60 * SECOND);
  await pass(after);
});

describe("a charge counts", () => {
  it.each(["PAID", "REFUNDED", "PROCESSING", "DISPUTE"] as const)("when it is %s", async (status) => {
    for (let count = 0; count < 2; count++) await paymentIn(byAccount, status);
    expectRefused(await create(byAccount), ACCOUNT);
  });

  it("not when it failed at its creation", async () => {
    for (const on of [byCustomer, byAccount]) {
      await fill(on, { who: MARIA, metadata: { _sandbox: { fail: "AC06" } } });
      await fill(on, { who: MARIA });
      expectRefused(await create(on, { who: MARIA }), on === byCustomer ? CUSTOMER : ACCOUNT);
    }
  });

  const dead: readonly [string, (on: TestEmulator, id: string) => Promise<unknown>][] = [
    ["failed", (on, id) => on.sandbox(`/charges/${id}/fail`)],
    ["expired", (on, id) => on.sandbox(`/charges/${id}/expire`)],
    ["cancelled", (on, id) => on.call("POST", `/v1/payments/${id.replace("ch_", "")}/cancel`)],
  ];
  it.each(dead)("no more once it is %s", async (_status, end) => {
    for (const on of [byCustomer, byAccount]) {
      const [first = ""] = await fill(on, { who: MARIA });
      await end(on, first);
      await pass(on, { who: MARIA });
      expectRefused(await create(on, { who: MARIA }), on === byCustomer ? CUSTOMER : ACCOUNT);
    }
  });
});

describe("both guards together", () => {
  it("say that it is the customer where both would refuse", async () => {
    const one = { count: 1, windowMs: SECOND };
    const on = await ownEmulator({ frozen: true, customerVelocity: one, accountVelocity: one });
    await pass(on, { who: MARIA });
    expectRefused(await create(on, { who: MARIA }), CUSTOMER);
    expectRefused(await create(on), ACCOUNT);
  });

  it("let exactly as many of simultaneous requests through as they say", async () => {
    const settings = { accountVelocity: { count: 7, windowMs: SECOND } };
    const on = await ownEmulator({ frozen: true, ...settings });
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(on)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(23);
  });

  it("are off by default", async () => {
    const on = await ownEmulator({ frozen: true });
    const answers = await Promise.all(Array.from({ length: 120 }, () => create(on, { who: MARIA })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });
});

/** A charge that was let through. */
interface Passed {
  readonly at: number;
  readonly who: Who;
  readonly id: string;
  ended: boolean;
}

describe("whatever happens in whatever order", () => {
  const names = { email: ["a@x.test", "A@X.test", "b@x.test"], phone: ["+5511900000001", "+5511900000002"] };
  const steps = fc.array(
    fc.record({
      wait: fc.constantFrom(0, 0, 1, 400, 999, 1_000),
      email: fc.constantFrom(undefined, ...names.email),
      phone: fc.constantFrom(undefined, ...names.phone),
      route: fc.constantFrom(...CREATION_ROUTES),
      expire: fc.option(fc.nat({ max: 9 }), { freq: 3 }),
    }),
    { minLength: 5, maxLength: 25 },
  );

  it("the guards decide as a count by hand would", async () => {
    const customer = { count: 2, windowMs: SECOND };
    const account = { count: 4, windowMs: 1_400 };
    const settings = { customerVelocity: customer, accountVelocity: account };
    const on = await ownEmulator({ frozen: true, ...settings });
    const isSame = (one: Who, other: Who) =>
      (one.email !== undefined && one.email.toLowerCase() === other.email?.toLowerCase()) ||
      (one.phone !== undefined && one.phone === other.phone);
    const property = fc.asyncProperty(steps, async (requests) => {
      await on.sandbox("/reset");
      const passed: Passed[] = [];
      let now = 0;
      for (const { wait, email, phone: number, route, expire } of requests) {
        const phone = route === "/v1/payments" ? undefined : number;
        await advance(on, wait);
        now += wait;
        const gone = expire === null ? undefined : passed[expire];
        if (gone?.ended === false) {
          gone.ended = true;
          await on.sandbox(`/charges/${gone.id}/expire`);
        }
        const who = { ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) };
        const counted = (windowMs: number) => passed.filter(({ at, ended }) => !ended && now - at < windowMs);
        const hers = counted(customer.windowMs).filter((one) => isSame(one.who, who));
        const full = counted(account.windowMs).length >= account.count ? ACCOUNT : undefined;
        const expected = hers.length >= customer.count ? CUSTOMER : full;
        const { body } = await create(on, { route, who });
        expect(body.error?.code).toBe(expected);
        if (expected === undefined) passed.push({ at: now, who, id: body.id, ended: false });
      }
    });
    await fc.assert(property, { numRuns: 8 });
  });
});
