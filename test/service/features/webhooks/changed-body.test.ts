import { afterEach, describe, expect, it } from "vitest";
import { registry } from "../../../../src/api/registry.js";
import { EVENT_NAMES } from "../../../../src/service/features/webhooks/catalogue.js";
import { changeBody } from "../../../../src/service/features/webhooks/chaos.js";
import { openApiDocument } from "../../../../src/service/openapi/document.js";
import { EXAMPLES } from "../../../../src/service/openapi/examples.js";
import { chanceRuntime, emulatedNow, judge, setChaos } from "../../../support/chaos.js";
import type { Loose } from "../../../support/emulator.js";
import { faultsBy } from "../../../support/schemas.js";
import { sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { advance, chargeAndSettle, deliveries, subscribe } from "../../../support/webhooks.js";

/** Bodies with a field or a value that no document names. */

const document: Loose = openApiDocument(
  registry.map(({ contract }) => contract),
  { previews: new Set(), sandbox: true, version: "0", examples: EXAMPLES },
);
const faultsIn = faultsBy(document);

/** The fields whose lists of values a body of this event breaks. A list beside null breaks in three keywords. */
function broken(event: string, body: Loose): string[] {
  const { schema } = document.webhooks[event].post.requestBody.content["application/json"];
  return [...new Set(faultsIn(schema, body).map(({ instancePath }) => instancePath.split("/").at(-1) ?? ""))];
}

/** Every value of a body with its place, such as `data.amount=1990`. */
function paths(value: Loose, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${at}=${value}`];
  return Object.entries<Loose>(value).flatMap(([name, member]) => paths(member, `${at}.${name}`));
}

const objectOf = (body: Loose) => body.data.object ?? body.data;

describe.each(EVENT_NAMES)("the body of %s", (event) => {
  const told = JSON.stringify(EXAMPLES.events[event]);

  it("is unchanged without such chaos", () => {
    expect(changeBody(told, ["duplicate", "stale_timestamp"])).toBe(told);
  });

  it("has one new value in a field with a closed list of values, and is else the same", () => {
    const changed = JSON.parse(changeBody(told, ["unknown_values"]));
    expect(broken(event, JSON.parse(told))).toEqual([]);
    expect(broken(event, changed)).toEqual([
      expect.stringMatching(/^(payment_method|type|pix_key_type|previousStatus|status)$/),
    ]);
    expect(paths(changed).filter((path) => !paths(JSON.parse(told)).includes(path))).toEqual([
      expect.stringMatching(/=a_new_value$/i),
    ]);
  });

  it("has one new field in its object, which the document allows, and is else the same", () => {
    const changed = JSON.parse(changeBody(told, ["unknown_fields"]));
    expect(broken(event, changed)).toEqual([]);
    expect(Object.keys(objectOf(changed))).toEqual([...Object.keys(objectOf(JSON.parse(told))), "a_new_field"]);
    delete objectOf(changed).a_new_field;
    expect(JSON.stringify(changed)).toBe(told);
  });
});

describe("a delivery with changed bodies", () => {
  const chance = chanceRuntime();
  const emulator = sharedEmulator({ frozen: true, runtime: chance, maxAttempts: 4 });
  const receiver = sharedReceiver();
  const ON = { unknown_fields: 1, unknown_values: 1 };

  afterEach(async () => {
    await emulator.sandbox("/reset");
    for (const kept of [receiver.replies, receiver.received, chance.draws]) kept.length = 0;
  });

  const attemptsOf = async () => {
    const [{ id }] = await deliveries(emulator);
    return (await emulator.sandbox(`/webhooks/deliveries/${id}`)).attempts_log;
  };

  it.each(["charge.created", "payment.created"])("is signed correctly and shown as it was sent: %s", async (event) => {
    const { secret } = await subscribe(emulator, receiver.url, [event]);
    await setChaos(emulator, ON);
    await chargeAndSettle(emulator);
    const [request] = receiver.received;
    if (request === undefined) throw new Error("nothing arrived");
    expect(judge(request, secret, await emulatedNow(emulator))).toBe("good");
    expect(objectOf(request.body).a_new_field).toBe("a new value");
    const [attempt] = await attemptsOf();
    expect(attempt.request.body).toBe(request.raw);
    expect(attempt.request.headers["content-length"]).toBe(String(Buffer.byteLength(request.raw)));
    expect(attempt.chaos).toEqual(["unknown_fields", "unknown_values"]);
  });

  it("stays through its retries as it was sent first, whatever the settings are then", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.replies.push({ status: 500 }, { status: 500 });
    await setChaos(emulator, { unknown_fields: 1 });
    await chargeAndSettle(emulator);
    await setChaos(emulator, { unknown_fields: 0, unknown_values: 1 });
    await advance(emulator, 60);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect((await attemptsOf()).map(({ chaos }: Loose) => chaos)).toEqual(Array(3).fill(["unknown_fields"]));
  });

  it("is sent twice with one body", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await setChaos(emulator, { ...ON, duplicate: 1 });
    await chargeAndSettle(emulator);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
  });

  it("is of each delivery by its share", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await setChaos(emulator, { unknown_fields: 0.3 });
    chance.draws.push(0.29, 0.3);
    for (const _ of [1, 2]) {
      await chargeAndSettle(emulator);
    }
    expect(receiver.received.map(({ body }) => "a_new_field" in objectOf(body))).toEqual([true, false]);
  });
});
