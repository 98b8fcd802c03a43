import { expect, it } from "vitest";
import { sharedEmulator } from "../../support/shared.js";

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
