import { expectRefusal, expectStatus, expectThat, field, shown } from "../expect.js";
import { rawId } from "../material.js";
import type { Check, Host, Seen } from "../types.js";

/** Idempotency keys of charges. */

const CHARGES = "/v1/charges";

/** Creates a charge under a key of the check. The end of the run cancels it. */
async function send(host: Host, key: string, body: object): Promise<Seen> {
  const seen = await host.ask("POST", CHARGES, { body, headers: { "idempotency-key": key } });
  const id = field(seen, "id");
  if (seen.status === 201) host.atEnd(async () => void (await host.ask("POST", `/v1/payments/${rawId(id)}/cancel`)));
  return seen;
}

export const IDEMPOTENCY: readonly Check[] = [
  {
    name: "idempotency-key-required",
    section: "4.2",
    about: "A charge without an Idempotency-Key is refused with 400.",
    needs: ["write"],
    async run(host) {
      const body = host.material.chargeBody("it must be refused");
      for (const path of [CHARGES, "/v1/pix/charges"]) {
        expectRefusal(await host.ask("POST", path, { body }), { status: 400 }, `POST ${path} without the key`);
      }
      return "400 on both routes";
    },
  },
  {
    name: "idempotency-key-length",
    section: "8",
    about: "An Idempotency-Key has from 8 to 128 characters.",
    needs: ["write"],
    async run(host) {
      const body = host.material.chargeBody("the length of the key is checked");
      for (const length of [7, 129]) {
        const seen = await send(host, host.newKey().padEnd(length, "x").slice(-length), body);
        expectRefusal(seen, { status: 400 }, `A key of ${length} characters`);
      }
      expectStatus(await send(host, host.newKey().padEnd(128, "x"), body), 201);
      return "7 and 129 are refused, 128 is accepted";
    },
  },
  {
    name: "idempotency-replay",
    section: "4.2",
    about: "The same key and body answer the first charge, and make no second one.",
    needs: ["write"],
    async run(host) {
      const key = host.newKey();
      const body = host.material.chargeBody("it is sent twice");
      const first = await send(host, key, body);
      expectStatus(first, 201);
      const again = await send(host, key, body);
      expectStatus(again, 201);
      const [one, other] = [field(first, "id"), field(again, "id")];
      expectThat(one === other, `The second answer is the charge ${shown(one)}.`, `it is ${shown(other)}`, again);
      return "one charge for two requests";
    },
  },
  {
    name: "idempotency-conflict",
    section: "7.2",
    about: "The same key with another body is refused with 409 idempotency_key_reused.",
    needs: ["write"],
    async run(host) {
      const key = host.newKey();
      const body = host.material.chargeBody("its key is used again");
      expectStatus(await send(host, key, body), 201);
      const seen = await send(host, key, { ...body, amount: 99 });
      expectRefusal(seen, { status: 409, code: "idempotency_key_reused" }, "The same key with another amount");
      return "409 idempotency_key_reused";
    },
  },
  {
    name: "idempotency-after-refusal",
    section: "4.2",
    about: "A refused request leaves its key free for the corrected request.",
    isWarning: true,
    needs: ["write"],
    async run(host) {
      const key = host.newKey();
      const body = host.material.chargeBody("it was corrected");
      expectRefusal(await send(host, key, { ...body, amount: 0 }), { status: 400 }, "A charge of the amount 0");
      expectStatus(await send(host, key, body), 201);
      return "201 with the key of the refused request";
    },
  },
  {
    name: "idempotent-replayed",
    section: "4.2",
    about: "The answer to a repetition has the header Idempotent-Replayed: true.",
    isWarning: true,
    needs: ["write"],
    async run(host) {
      const key = host.newKey();
      const body = host.material.chargeBody("the header of its repetition is checked");
      const first = await send(host, key, body);
      const again = await send(host, key, body);
      const values = [first, again].map(({ headers }) => headers.get("idempotent-replayed"));
      const isRight = values[0] === undefined && values[1] === "true";
      expectThat(isRight, "The first answer has no such header, the second one has it.", shown(values), again);
      return "only on the second answer";
    },
  },
];
