import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { hmac } from "../../support/webhooks.js";

/** `GET /_sandbox/why/{id}` for ids that need escapes in an address. */

const emulator = sharedEmulator({ frozen: true });

const why = (id: string) => emulator.call("GET", `/_sandbox/why/${encodeURIComponent(id)}`);

it("a request is found by the id that its client gave it, whatever characters that has", async () => {
  for (const id of ["job/7", "100%", "a%2Fb", "a?b=1#c"]) {
    await emulator.call("GET", "/v1/wallets", { headers: { "x-request-id": id } });
    const { status, body } = await why(id);
    expect([id, status, body.id]).toEqual([id, 200, id]);
  }
});

it("an id is one part of an address: it leads to no other operation", async () => {
  for (const prefix of ["ch_", "tx_", "rf_", "po_", "wd_", "evt_", "med_"]) {
    for (const rest of ["a/b", "a?limit=0", "a%2Fb", "a#b"]) {
      const { status, body } = await why(prefix + rest);
      expect([prefix + rest, status, body.error?.code]).toEqual([prefix + rest, 404, "not_found"]);
    }
  }
});

describe("an id that this caller does not have", () => {
  const said = async (id: string) => {
    const { status, body } = await why(id);
    return [status, body.error.code, body.error.message];
  };

  it("is said to belong to the other mode of the account", async () => {
    const { id } = await emulator.charge({ metadata: { order: 8003 } }, { key: emulator.live });
    const where = "belongs to this account, in live mode. Use its live key.";
    for (const one of [id, id.replace("ch_", "tx_"), id.slice(3)]) {
      expect(await said(one)).toEqual([404, "not_found", `${one} ${where}`]);
    }
    expect(await said("#8003")).toEqual([404, "not_found", `#8003 ${where}`]);
    await emulator.call("GET", "/v1/wallets", { key: emulator.live, headers: { "x-request-id": "job/live" } });
    expect(await said("job/live")).toEqual([404, "not_found", `job/live ${where}`]);
  });

  it("is said to belong to another account", async () => {
    const other = await emulator.sandbox("/accounts", { name: "Loja 2" });
    const { id } = await emulator.charge({}, { key: other.test_key });
    const where = `belongs to the account ${other.id} (Loja 2), in test mode. Use a test key of that account.`;
    expect(await said(id)).toEqual([404, "not_found", `${id} ${where}`]);
  });

  it("is nowhere on this emulator", async () => {
    const unknown = "ch_01a2234d-3480-7001-9386-fe1e81f10f70";
    expect(await said(unknown)).toEqual([404, "not_found", `Nothing on this emulator has the id ${unknown}.`]);
    const [status, code, message] = await said("zzz");
    expect([status, code, message]).toEqual([404, "not_found", expect.stringMatching(/names the order zzz/)]);
  });
});

describe("the mistake of a receiver", () => {
  const receiver = sharedReceiver();
  let endpoint: Loose;
  /** The signed text of a receiver, from the instant and the body; null for one that accepts everything. */
  let textOf: ((t: string, body: string) => string) | null = null;

  /** The refused delivery of a new charge, and what the service finds out about its receiver. */
  async function proven(): Promise<Loose> {
    endpoint ??= (
      await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url: receiver.url, events: ["charge.created"] } })
    ).body;
    receiver.respond = () => ({ status: 401 });
    const charge = await emulator.charge();
    const query = `/webhooks/deliveries?subject=${charge.id}`;
    await expect.poll(async () => (await emulator.sandbox(query)).data[0]?.attempts).toBe(1);
    receiver.respond = ({ headers, raw }) => {
      const [, t = "", v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["x-qa-signature"])) ?? [];
      return { status: textOf === null || hmac(endpoint.secret, textOf(t, raw)) === v1 ? 200 : 401 };
    };
    const { id } = (await emulator.sandbox(query)).data[0];
    return (await emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/prove`)).body;
  }

  it("is proven by the signature that it accepts, with the text that it signs", async () => {
    textOf = (_t, body) => body;
    const { proof } = await proven();
    expect(proof.code).toBe("mistake_no_timestamp");
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(proof.accepted) ?? [];
    expect(proof.signed).toBe(`${t}.${proof.receiver_signed}`);
    expect(v1).toBe(hmac(endpoint.secret, proof.receiver_signed));
    expect(proof.right).toBe(`t=${t},v1=${hmac(endpoint.secret, proof.signed)}`);
  });

  it("is none where the receiver accepts the right signature by now", async () => {
    textOf = (t, body) => `${t}.${body}`;
    const { proof } = await proven();
    expect([proof.code, proof.right, proof.receiver_signed]).toEqual(["mistake_mended", proof.accepted, null]);
  });

  it("is not known where the receiver accepts any signature, and nothing is stored", async () => {
    textOf = null;
    const { proof, id } = await proven();
    expect(proof).toBeNull();
    expect((await emulator.sandbox(`/webhooks/deliveries/${id}`)).attempts).toBe(1);
  });

  it("is not looked for in a delivery that nobody refused", async () => {
    receiver.respond = null;
    const charge = await emulator.charge();
    const query = `/webhooks/deliveries?subject=${charge.id}`;
    await expect.poll(async () => (await emulator.sandbox(query)).data[0]?.status).toBe("DELIVERED");
    const { id } = (await emulator.sandbox(query)).data[0];
    const count = receiver.received.length;
    expect((await emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/prove`)).body.proof).toBeNull();
    expect(receiver.received).toHaveLength(count);
  });
});
