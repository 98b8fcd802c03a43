import { field, valueText } from "../answer.js";
import { asWarning, checks, type Host } from "../check.js";
import * as expect from "../expect.js";
import type { CheckedExchange } from "../run-context.js";

/** Idempotency keys of charges. */

const CHARGES = "/v1/charges";

/** Creates a charge under a key of the check. */
function send({ objects }: Host, key: string, body: object): Promise<CheckedExchange> {
  return objects.createCharge(body, CHARGES, key);
}

export const IDEMPOTENCY = checks(["write"], {
  async "idempotency-key-required"(host) {
    const body = host.objects.chargeBody("it must be refused");
    for (const path of [CHARGES, "/v1/pix/charges"]) {
      expect.refusal(await host.ask("POST", path, { body }), { status: 400 }, `POST ${path} without the key`);
    }
    return "400 on both routes";
  },
  async "idempotency-key-length"(host) {
    const body = host.objects.chargeBody("the length of the key is checked");
    for (const length of [7, 129]) {
      const seen = await send(host, host.newKey().padEnd(length, "x").slice(-length), body);
      expect.refusal(seen, { status: 400 }, `A key of ${length} characters`);
    }
    expect.status(await send(host, host.newKey().padEnd(128, "x"), body), 201);
    return "7 and 129 are refused, 128 is accepted";
  },
  async "idempotency-replay"(host) {
    const key = host.newKey();
    const body = host.objects.chargeBody("it is sent twice");
    const first = await send(host, key, body);
    expect.status(first, 201);
    const again = await send(host, key, body);
    expect.status(again, 201);
    const id = field(first, "id");
    expect.value(again, "id", id, `The second answer is the charge ${valueText(id)}.`);
    return "one charge for two requests";
  },
  async "idempotency-conflict"(host) {
    const key = host.newKey();
    const body = host.objects.chargeBody("its key is used again");
    expect.status(await send(host, key, body), 201);
    const seen = await send(host, key, { ...body, amount: 99 });
    expect.refusal(seen, { status: 409, code: "idempotency_key_reused" }, "The same key with another amount");
    return "409 idempotency_key_reused";
  },
  "idempotency-after-refusal": asWarning(async (host) => {
    const key = host.newKey();
    const body = host.objects.chargeBody("it was corrected");
    expect.refusal(await send(host, key, { ...body, amount: 0 }), { status: 400 }, "A charge of the amount 0");
    expect.status(await send(host, key, body), 201);
    return "201 with the key of the refused request";
  }),
  "idempotent-replayed": asWarning(async (host) => {
    const key = host.newKey();
    const body = host.objects.chargeBody("the header of its repetition is checked");
    const first = await send(host, key, body);
    const again = await send(host, key, body);
    const values = [first, again].map(({ headers }) => headers.get("idempotent-replayed"));
    const isRight = values[0] === undefined && values[1] === "true";
    expect.that(isRight, "The first answer has no such header, the second one has it.", valueText(values), again);
    return "only on the second answer";
  }),
});
