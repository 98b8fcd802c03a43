import { afterEach, describe, expect, it } from "vitest";
import { bearer, postLogin, tokenOf, userOf } from "../../../support/access.js";
import { testCli } from "../../../support/cli.js";
import { openConsole } from "../../../support/console.js";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { sharedEmulator } from "../../../support/shared.js";
import { openStream } from "../../../support/stream.js";

/** The facts of the log about one request: caller, object, idempotency key, error, headers. */

const emulator = sharedEmulator({ frozen: true });

afterEach(() => emulator.sandbox("/reset"));

const list = async (query = "") => (await emulator.sandbox(`/requests${query}`)).data as Loose[];
const latest = async () => (await list("?limit=1"))[0];
const CHARGE = { amount: 1990, payment_method: "pix" };

/** A request to create a charge with this key, in the log. */
async function create(key: string, body: unknown, path = "/v1/charges") {
  await emulator.call("POST", path, { body, headers: { "idempotency-key": key } });
  return latest();
}

describe("the idempotency key of a logged request", () => {
  it("is new, then replayed for an equal body, also at the other address of charges", async () => {
    const key = freshKey();
    expect(await create(key, CHARGE)).toMatchObject({ status: 201, idempotency: "new", differs: null });
    expect(await create(key, CHARGE)).toMatchObject({
      ...{ status: 201, idempotency: "replayed", differs: null, idempotency_key: key },
      response_headers: { "idempotent-replayed": "true" },
    });
    expect(await create(key, { amount: 1990 }, "/v1/pix/charges")).toMatchObject({ idempotency: "replayed" });
  });

  it.each([
    [{ ...CHARGE, amount: 1991 }, ["amount"]],
    [{ ...CHARGE, customer: { name: "Maria" } }, ["customer"]],
    [{ payment_method: "pix", amount: 500, metadata: { order: { id: 2 }, tags: ["a", "b"] } }, ["amount", "metadata"]],
    [{ ...CHARGE, description: null }, ["description"]],
  ])("is a conflict for %j, with the fields that differ: %j", async (body, differs) => {
    const key = freshKey();
    await create(key, CHARGE);
    expect(await create(key, body)).toMatchObject({
      ...{ status: 409, idempotency: "conflict", differs, idempotency_key: key },
      error: { type: "conflict_error", code: "idempotency_key_reused", param: null },
    });
  });

  it("names fields inside objects and lists by their dotted paths, and numbers that differ in their last digit only", async () => {
    const key = freshKey();
    const first = { ...CHARGE, customer: { name: "Maria" }, metadata: { order: { id: 1 }, tags: ["a", "b"] } };
    await create(key, first);
    const other = { ...first, customer: { name: "João" }, metadata: { order: { id: 2 }, tags: ["a", "c", "d"] } };
    const { differs } = await create(key, other);
    expect(differs).toEqual(["customer.name", "metadata.order.id", "metadata.tags.1", "metadata.tags.2"]);
    const headers = { "idempotency-key": freshKey() };
    for (const last of [1, 2]) {
      const raw = `{"amount":1990,"payment_method":"pix","unknown":1234567890123456789${last}}`;
      await emulator.call("POST", "/v1/charges", { raw, headers });
    }
    expect((await latest()).differs).toEqual(["unknown"]);
  });

  it("is found in the body of a payment; the id of a refunded payment counts as a difference", async () => {
    const idempotencyKey = freshKey();
    const ids: string[] = [];
    for (const amount of [1990, 2990]) {
      const { id } = await emulator.charge({ amount });
      await emulator.sandbox(`/charges/${id}/pay`);
      ids.push(`tx_${id.slice(3)}`);
    }
    const refund = (id = "") => emulator.call("POST", `/v1/payments/${id}/refund`, { body: { idempotencyKey } });
    await refund(ids[0]);
    expect(await latest()).toMatchObject({ idempotency_key: idempotencyKey, idempotency: "new", subject: ids[0] });
    await refund(ids[0]?.slice(3));
    expect(await latest()).toMatchObject({ idempotency: "replayed", subject: ids[0] });
    await refund(ids[1]);
    expect(await latest()).toMatchObject({ idempotency: "conflict", differs: ["id"], subject: ids[1] });
  });

  it("is null for a refusal that leaves the key unused, and for a refusal of a fault rule", async () => {
    expect(await create(freshKey(), { ...CHARGE, amount: 0 })).toMatchObject({
      ...{ status: 400, idempotency: null, differs: null },
      error: { type: "invalid_request_error", code: "invalid_amount", param: "amount" },
    });
    const rule = { match: {}, effect: { status: 409, code: "idempotency_key_reused" }, times: 1 };
    await emulator.sandbox("/faults", rule);
    expect(await create(freshKey(), CHARGE)).toMatchObject({ status: 409, idempotency: null });
  });
});

describe("the subject of a logged request", () => {
  it("is the id in its path in the public form, or the id of the object that it created", async () => {
    const { id } = await emulator.charge();
    const raw = id.slice(3);
    expect((await latest()).subject).toBe(id);
    for (const [path, subject] of [
      [`/v1/charges/${raw}`, id],
      [`/v1/charges/${id}`, id],
      [`/v1/payments/${raw}`, `tx_${raw}`],
      ["/v1/charges/unknown", null],
      ["/v1/payments", null],
      ["/v1/nothing/here", null],
    ]) {
      await emulator.call("GET", String(path));
      expect((await latest()).subject).toBe(subject);
    }
    await emulator.call("POST", "/v1/charges", { body: { ...CHARGE, amount: 0 } });
    expect((await latest()).subject).toBeNull();
  });

  it("filters the list by every form of the id, for charges and payments", async () => {
    const { id } = await emulator.charge();
    await emulator.charge();
    await emulator.call("GET", `/v1/payments/${id.slice(3)}`);
    for (const form of [id, id.slice(3), `tx_${id.slice(3)}`]) {
      expect((await list(`?subject=${form}`)).map(({ method }) => method)).toEqual(["GET", "POST"]);
    }
    expect((await emulator.call("GET", "/_sandbox/requests?subject=order-1")).body.error.param).toBe("subject");
  });
});

describe("the caller of a logged request", () => {
  it.each([
    ["shop/1.4 (node)", "shop/1.4"],
    ["curl/8.5.0", "curl/8.5.0"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36",
      "Chrome/131.0",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox/140.0"],
    ["qa-pay/0.1.0 (charges create)", "command: charges create"],
    ["qa-pay/0.1.0", "qa-pay/0.1.0"],
    ["x".repeat(200), "x".repeat(60)],
  ])("of the User-Agent %s is %s", async (agent, caller) => {
    await emulator.call("GET", "/v1/wallets", { headers: { "user-agent": agent } });
    expect(await latest()).toMatchObject({ caller, request_headers: { "user-agent": agent } });
  });

  it("is the key when there is no User-Agent, null without a key, and the user with a token", async () => {
    const headers = { "user-agent": "" };
    await emulator.call("GET", "/v1/wallets", { headers });
    const { caller, key_fingerprint: fingerprint } = await latest();
    expect(caller).toBe(`key …${fingerprint.slice(-4)}`);
    await emulator.call("GET", "/v1/wallets", { key: null, headers });
    expect((await latest()).caller).toBeNull();
    await emulator.call("GET", "/v1/api-keys", bearer(await tokenOf(emulator)));
    expect((await latest()).caller).toBe("user");
  });

  it("is the command that our command line ran, and filters the list", async () => {
    const cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
    expect((await cli.run(["charges", "create", "--amount", "500"])).code).toBe(0);
    expect((await cli.run(["api", "GET", "/v1/wallets"])).code).toBe(0);
    cli.remove();
    await emulator.call("GET", "/v1/wallets");
    expect((await list()).map(({ caller }) => caller)).toEqual(["node", "command: api", "command: charges create"]);
    expect((await list()).map(({ caller_kind }) => caller_kind)).toEqual(["app", "cli", "cli"]);
    expect((await list("?caller_kind=app")).map(({ caller }) => caller)).toEqual(["node"]);
    expect(await list("?caller_kind=cli")).toHaveLength(2);
    expect(await list("?caller=COMMAND")).toHaveLength(2);
    expect(await list("?caller=charges")).toHaveLength(1);
  });
});

describe("the kind of the caller of a logged request", () => {
  it("is the console for what its page changes, and an app for a program that names itself so", async () => {
    const page = await openConsole(emulator);
    await page.charge();
    expect(await latest()).toMatchObject({ caller: "console", caller_kind: "console" });
    await emulator.call("GET", "/v1/wallets", { headers: { "user-agent": "console" } });
    expect(await latest()).toMatchObject({ caller: "console", caller_kind: "app" });
    await emulator.call("GET", "/v1/wallets", { headers: { "user-agent": "qa-pay/0.1.0" } });
    expect(await latest()).toMatchObject({ caller_kind: "app" });
    expect(await list("?caller_kind=console")).toHaveLength(1);
  });
});

describe("the headers of a logged request", () => {
  it("are those that explain an answer, and never a credential", async () => {
    const cookie = "session=secret";
    const headers = { cookie, "x-other": "1", traceparent: "00-1", authorization: `Bearer ${await tokenOf(emulator)}` };
    await emulator.call("POST", "/v1/charges", { raw: "x", headers: { ...headers, "content-type": "text/plain" } });
    const { request_headers: asked, response_headers: answered } = await latest();
    expect(asked).toMatchObject({ "content-type": "text/plain", "content-length": "1", traceparent: "00-1" });
    for (const name of ["apikey", "authorization", "cookie", "x-other"]) expect(asked).not.toHaveProperty(name);
    expect(answered).toEqual({ "content-type": "application/json" });
  });

  it("say when to try again", async () => {
    await emulator.sandbox("/faults", { match: {}, effect: { status: 429, code: "rate_limited", retry_after: 7 } });
    await emulator.call("GET", "/v1/wallets");
    expect((await latest()).response_headers).toMatchObject({ "retry-after": "7" });
  });
});

describe("a search for a text", () => {
  it("finds it in every shown text, in capitals or not, and in no hidden text", async () => {
    const { id } = await emulator.charge({ description: "Pedido Açaí", customer: { name: "Zoë" } });
    await emulator.call("GET", "/v1/charges/unknown", { headers: { "x-request-id": "order-77" } });
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).map(({ path }) => path);
    for (const q of ["pedido açaí", "ZOË", id, '"amount":1990']) expect(await found(q)).toEqual(["/v1/charges"]);
    for (const q of ["order-77", "not_found_error", "unknown"]) expect(await found(q)).toEqual(["/v1/charges/unknown"]);
    for (const q of ["null", "response_body", "nothing like it"]) expect(await found(q)).toEqual([]);
  });

  it("does not find a secret, so that nobody can guess one letter by letter", async () => {
    const user = userOf(emulator);
    await postLogin(emulator, user);
    for (const secret of [user.password, emulator.key]) {
      for (const part of [secret ?? "", (secret ?? "").slice(3, 14)]) expect(await list(`?q=${part}`)).toEqual([]);
    }
    expect(await list(`?q=${user.email}`)).toHaveLength(1);
  });

  it("filters the live stream, too, as subject and caller do", async () => {
    const { id } = await emulator.charge();
    const [bySubject, byCaller, byText] = await Promise.all(
      [`subject=${id}`, "caller=shop", "q=order-78"].map((query) =>
        openStream(emulator, `/_sandbox/requests?${query}`),
      ),
    );
    await emulator.call("GET", "/v1/wallets");
    await emulator.call("GET", "/v1/wallets", { headers: { "x-request-id": "order-78" } });
    await emulator.call("GET", "/v1/payments", { headers: { "user-agent": "shop/2" } });
    await emulator.call("GET", `/v1/charges/${id}`);
    expect((await bySubject?.next())?.data.path).toBe(`/v1/charges/${id}`);
    expect((await byCaller?.next())?.data.path).toBe("/v1/payments");
    expect((await byText?.next())?.data.id).toBe("order-78");
    for (const stream of [bySubject, byCaller, byText]) stream?.close();
  });
});

describe("one request of the log", () => {
  it("is found by its number, as in the list", async () => {
    await emulator.charge();
    await emulator.call("GET", "/v1/wallets");
    for (const entry of await list()) expect(await emulator.sandbox(`/requests/${entry.number}`)).toEqual(entry);
  });
});

describe("the groups of refused requests", () => {
  const groups = async (query = "") => (await emulator.sandbox(`/requests/errors${query}`)).data as Loose[];

  it("count the refusals of each route and code, the most frequent first, each with its latest request", async () => {
    const { now } = await emulator.sandbox("/clock");
    const { id } = await emulator.charge();
    expect(await groups()).toEqual([]);
    await emulator.call("GET", `/v1/charges/${id}x`);
    await emulator.call("GET", "/v1/charges/unknown");
    await emulator.call("POST", "/v1/charges", { body: CHARGE });
    await emulator.call("GET", "/v1/nothing?here=1");
    const [nothing, , unknown] = await list();
    expect(await groups()).toEqual([
      {
        ...{ method: "GET", route: "/v1/charges/{id}", status: 404, code: "not_found", count: 2, injected: 0 },
        ...{ last_at: now, last_number: unknown.number },
      },
      expect.objectContaining({ route: "/v1/nothing", status: 404, count: 1, last_number: nothing.number }),
      expect.objectContaining({ method: "POST", route: "/v1/charges", status: 400, code: "invalid_request", count: 1 }),
    ]);
    expect(await groups("?method=POST")).toHaveLength(1);
    expect(await groups("?status=404&q=unknown")).toMatchObject([{ count: 1 }]);
  });

  it("are counted in the account and mode of the key, and a reset clears them", async () => {
    await emulator.call("GET", "/v1/charges/unknown", { key: emulator.live });
    expect(await groups()).toEqual([]);
    await emulator.call("GET", "/v1/charges/unknown");
    await emulator.sandbox("/reset");
    expect(await groups()).toEqual([]);
  });
});
