import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { FileOperationId } from "../../../src/api/client/types.js";
import { registry } from "../../../src/api/registry.js";
import {
  type Client,
  createClient,
  type OperationAnswer,
  type OperationId,
  type OperationInput,
  ServiceError,
} from "../../../src/index.js";
import { userOf } from "../../support/access.js";
import { freshKey } from "../../support/emulator.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { failureOf } from "../../support/thrown.js";

const emulator = sharedEmulator({ preview: new Set(["charge-list"]) });
let client: Client;

beforeAll(async () => {
  client = createClient({ baseUrl: emulator.url, apiKey: emulator.key });
});

function newCharge(amount = 1990) {
  return client["charges.create"]({ body: { amount, payment_method: "pix" }, idempotencyKey: freshKey() });
}

const failure = (call: Promise<unknown>) => failureOf(call, ServiceError);

describe("a client", () => {
  it("has one method per operation of the registry, but those about files", () => {
    const files: FileOperationId[] = ["sandbox.snapshots.export", "sandbox.snapshots.import"];
    const ids: string[] = registry.map(({ contract }) => contract.id);
    expect([...Object.keys(client), ...files].sort()).toEqual(ids.sort());
  });

  it("creates, reads, pays and lists", async () => {
    const charge = await newCharge(4200);
    expect(charge).toMatchObject({ object: "charge", amount: 4200, status: "pending" });
    const paid = await client["sandbox.charges.pay"]({ params: { id: charge.id } });
    expect(paid.outcome).toBe("paid");
    expect(await client["charges.get"]({ params: { id: charge.id } })).toMatchObject({ status: "paid" });
    const page = await client["charges.list"]({ query: { limit: 1, status: "paid" } });
    expect(page.data.map(({ id }) => id)).toEqual([charge.id]);
    expect((await client["wallets.balance"]()).available).toBeGreaterThanOrEqual(4200);
  });

  it("sends the idempotency key, so that a call can be repeated", async () => {
    const input = { body: { amount: 5, payment_method: "pix" as const }, idempotencyKey: freshKey() };
    const first = await client["charges.create"](input);
    expect(await client["charges.create"](input)).toEqual(first);
    const error = await failure(client["charges.create"]({ ...input, body: { ...input.body, amount: 6 } }));
    expect(error).toMatchObject({ status: 409, code: "idempotency_key_reused" });
  });

  it("calls as a user with the token of a login", async () => {
    const { token, user } = await client["auth.login"]({ body: userOf(emulator) });
    const asUser = createClient({ baseUrl: emulator.url, apiKey: emulator.key, token });
    const { apiKey } = await asUser["api-keys.issue"]({ body: { test: true } });
    expect([user.role, (await asUser["api-keys.list"]()).access.canManage]).toEqual(["OWNER", true]);
    const withIt = createClient({ baseUrl: emulator.url, apiKey });
    expect((await withIt["sandbox.show"]()).mode).toBe("test");
    expect(await failure(withIt["api-keys.list"]())).toMatchObject({ status: 401, code: "unauthorized" });
    expect(await asUser["auth.logout"]()).toBeUndefined();
  });

  it("answers undefined when the response has no content", async () => {
    const other = await ownEmulator();
    const itsClient = createClient({ baseUrl: `${other.url}/`, apiKey: other.key });
    expect(await itsClient["sandbox.reset"]()).toBeUndefined();
  });

  it("escapes path parameters, and refuses one that cannot be part of a path", async () => {
    expect(await failure(client["charges.get"]({ params: { id: "a/b?c#d" } }))).toMatchObject({ code: "not_found" });
    await expect(client["charges.get"]({ params: { id: ".." } })).rejects.toThrow(TypeError);
    await expect(client["charges.get"]({ params: { id: "" } })).rejects.toThrow(TypeError);
    const keyed = client["charges.create"]({
      body: { amount: 5, payment_method: "pix" },
      idempotencyKey: "order\n0001",
    });
    await expect(keyed).rejects.toThrow(new TypeError("The header idempotency-key cannot hold a line break."));
  });

  // Calls that a caller without types may write.
  it.each<[string, unknown, string]>([
    ["charges.get", { id: "ch_1" }, "charges.get: id belongs in params: write { params: { id } }."],
    ["charges.get", undefined, "charges.get: params.id is missing: write { params: { id } }."],
    ["charges.get", { params: {} }, "charges.get: params.id is missing: write { params: { id } }."],
    ["charges.get", { params: { id: "" } }, 'charges.get: params.id cannot be "".'],
    ["charges.get", { params: { ID: "x" } }, "charges.get: params has no field ID. Did you mean id?"],
    ["charges.get", { params: "ch_1" }, "charges.get: params must be an object."],
    ["charges.get", "ch_1", "charges.get: the input must be an object, such as { params, query, body }."],
    ["charges.get", { param: {} }, "charges.get: the input has no member param. Did you mean params?"],
    ["wallets.list", { x: 1 }, "wallets.list: the input has no member x. It takes idempotencyKey, signal."],
    ["charges.create", { amount: 1 }, "charges.create: amount belongs in body: write { body: { amount } }."],
    ["charges.create", { body: { ammount: 1 } }, "charges.create: body has no field ammount. Did you mean amount?"],
    ["payments.list", { limit: 5 }, "payments.list: limit belongs in query: write { query: { limit } }."],
    ["payments.list", { query: { nope: 1 } }, "payments.list: query has no field nope."],
    [
      "payments.list",
      { query: { startdate: "" } },
      "payments.list: query has no field startdate. Did you mean startDate?",
    ],
    [
      "charges.create",
      { body: {}, idempotencyKey: "order-7" },
      "charges.create: idempotencyKey must have 8 to 128 characters, and this one has 7: the service refuses it. " +
        "Make it longer, such as charge-for-order-42.",
    ],
    [
      "pix.charges.create",
      { body: {}, idempotencyKey: "x".repeat(129) },
      "pix.charges.create: idempotencyKey must have 8 to 128 characters, and this one has 129: the service refuses it.",
    ],
    [
      "payments.refund",
      { params: { id: "tx_1" }, body: { idempotencyKey: "r-1" } },
      "payments.refund: idempotencyKey must have 8 to 128 characters, and this one has 3: the service refuses it. " +
        "Make it longer, such as refund-for-order-42.",
    ],
    [
      "payments.create",
      { body: { idempotencyKey: "" } },
      "payments.create: idempotencyKey must have 1 to 255 characters, and this one has 0: the service refuses it. " +
        "Make it longer, such as payment-for-order-42.",
    ],
  ])("%s refuses the input %j before it is sent", async (id, input, message) => {
    const asked: string[] = [];
    const fetching = { fetch: (url: unknown) => Promise.reject(new Error(String(asked.push(String(url))))) };
    const loose = createClient({ baseUrl: emulator.url, apiKey: emulator.key, ...fetching }) as unknown as Readonly<
      Record<string, (given: unknown) => Promise<unknown>>
    >;
    await expect(loose[id]?.(input)).rejects.toThrow(new TypeError(message));
    expect(asked).toEqual([]);
  });

  it.each([8, 128])("sends an idempotency key of %i characters", async (length) => {
    const key = freshKey().padEnd(length, "x").slice(0, length);
    const body = { amount: 1990, payment_method: "pix" as const };
    expect(await client["charges.create"]({ body, idempotencyKey: key })).toMatchObject({ amount: 1990 });
  });

  it("leaves a missing idempotency key to the service", async () => {
    const input = { body: { amount: 1990, payment_method: "pix" } } as unknown as {
      idempotencyKey: string;
      body: never;
    };
    expect(await failure(client["charges.create"](input))).toMatchObject({ status: 400, param: "Idempotency-Key" });
  });

  it("sends a field of a body that no document names: the service ignores it", async () => {
    const body = { amount: 1990, payment_method: "pix" as const, zebra: 1 };
    expect(await client["charges.create"]({ body, idempotencyKey: freshKey() })).toMatchObject({ amount: 1990 });
  });

  it("sends with the fetch function of its options", async () => {
    const asked: string[] = [];
    const spied = createClient({
      baseUrl: emulator.url,
      apiKey: emulator.key,
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    });
    await spied["webhooks.deliveries"]({ query: { limit: 5, offset: 0 } });
    expect(asked).toEqual([`${emulator.url}/v1/webhooks/deliveries?limit=5&offset=0`]);
  });
});

describe("a refusal", () => {
  it("is a ServiceError with everything from the error envelope", async () => {
    const error = await failure(
      client["charges.create"]({ body: { amount: 0, payment_method: "pix" }, idempotencyKey: freshKey() }),
    );
    expect(error).toMatchObject({ name: "ServiceError", status: 400, code: "invalid_amount", param: "amount" });
    expect(error.details).toEqual([{ param: "amount", message: expect.any(String) }]);
    expect(error.message).toContain("amount");
    expect(error.requestId).toMatch(/^req_/);
  });

  it("without details is a ServiceError without details", async () => {
    const stranger = createClient({ baseUrl: emulator.url, apiKey: "qa_test_nobody00" });
    const error = await failure(stranger["wallets.list"]());
    expect(error).toMatchObject({ status: 401, code: "unauthorized", param: undefined, details: [] });
  });

  it("is a ServiceError too when the answer does not come from the service", async () => {
    const answering = (status: number, text: string) =>
      createClient({
        baseUrl: "http://service.test",
        apiKey: "k",
        maxRetries: 0,
        fetch: async () => new Response(text, { status }),
      });
    const code = "unexpected_answer";
    expect(await failure(answering(502, "<h1>Bad gateway</h1>")["wallets.list"]())).toMatchObject({
      status: 502,
      code,
    });
    expect(await failure(answering(200, "<h1>Welcome</h1>")["wallets.list"]())).toMatchObject({ status: 200, code });
  });
});

describe("the types of a client", () => {
  it("name every operation", () => {
    expectTypeOf<OperationId>().toExtend<keyof Client>();
    expectTypeOf<"charges.create" | "sandbox.clock.advance">().toExtend<OperationId>();
    expectTypeOf<"charges.refund">().not.toExtend<OperationId>();
  });

  it("require what the contract requires", () => {
    type Create = Parameters<Client["charges.create"]>[0];
    expectTypeOf<Create>().toHaveProperty("idempotencyKey").toEqualTypeOf<string>();
    expectTypeOf<Create["body"]["payment_method"]>().toEqualTypeOf<"pix">();
    expectTypeOf<Create["body"]["amount"]>().toEqualTypeOf<number>();
    expectTypeOf<OperationInput<"charges.get">>().toEqualTypeOf<{ readonly params: { id: string } }>();
    expectTypeOf<Parameters<Client["charges.get"]>[0]>().toEqualTypeOf<
      { readonly params: { id: string } } & { readonly signal?: AbortSignal | undefined }
    >();
    // The argument is optional when none of its members is required.
    expectTypeOf<Client["wallets.balance"]>().toBeCallableWith();
    expectTypeOf<Client["sandbox.reset"]>().toBeCallableWith();
    expectTypeOf<Client["charges.list"]>().toBeCallableWith({ query: { limit: 5 } });
    // @ts-expect-error an idempotency key is missing
    const withoutKey: Create = { body: { amount: 1, payment_method: "pix" } };
    // @ts-expect-error there is no such status
    const stray: Parameters<Client["charges.list"]>[0] = { query: { status: "PAID" } };
    expect([withoutKey, stray]).toHaveLength(2);
  });

  it("describe the answer", () => {
    expectTypeOf<OperationAnswer<"charges.get">["status"]>().toEqualTypeOf<
      "pending" | "processing" | "paid" | "failed" | "expired" | "cancelled" | "refunded" | "disputed"
    >();
    expectTypeOf<OperationAnswer<"sandbox.clock.show">>().toEqualTypeOf<{
      now: string;
      frozen: boolean;
      speed: number;
    }>();
    expectTypeOf<OperationAnswer<"sandbox.reset">>().toEqualTypeOf<undefined>();
    expectTypeOf<OperationAnswer<"wallets.list">[number]["balance"]>().toEqualTypeOf<number>();
  });
});
