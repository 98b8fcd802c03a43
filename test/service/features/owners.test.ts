import { beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Operation } from "../../../src/service/features/operation.js";
import { bearer, tokenOf } from "../../support/access.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import type { Loose } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/**
 * Answers of every operation about an object that its path names: of another account or mode there is none, nor of an id that
 * is none, and the object stays as it is. Which forms of an id are taken: test/api/http/ids.test.ts.
 */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
let other: Loose;
beforeAll(async () => {
  other = await emulator.sandbox("/accounts", { name: "Outra Loja" });
});

const places = (registry as readonly Operation[]).flatMap(
  ({ contract: { id: operation, auth, method, success, ...rest } }) =>
    [rest.path, ...(rest.aliases ?? [])].flatMap((route) =>
      [...route.matchAll(/\{(id|evidence_id)\}/g)].map(([, name]) => ({
        ...{ operation, auth, method, status: success.status, route, name: name as "id" | "evidence_id" },
      })),
    ),
);

/** Data of the emulator as a whole: every key sees it. */
const SHARED = ["sandbox.accounts.get", "sandbox.faults.remove"];

const UUID = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";

/** Texts that are no id of anything. Each path is requested with two of them, so that all are used many times. */
const ODD = [
  ["x", "%zz"],
  ["-1", "..%2f..%2fwallets"],
  ["null", "'%20OR%201=1--"],
  ["%00", "%F0%9F%98%80"],
  ["a%2Fb", "x".repeat(3_000)],
];

/** Texts that are no id of the object. */
function strangers(id: string, index: number): string[] {
  const [, prefix = ""] = /^([a-z]+_)/.exec(id) ?? [];
  const forms = [
    `${prefix}${UUID}`,
    `${prefix}${id}`,
    `usr_${UUID}`,
    `${prefix.toUpperCase()}${UUID}`,
    `${id}x`,
    prefix,
  ];
  return [...forms, ...(ODD[index % ODD.length] ?? [])].filter((text) => text !== "" && text !== id);
}

describe("an object that a path names", () => {
  it.each(places)(
    "is none of another id, account or mode, and stays as it is: $method $route, $name",
    async (place) => {
      const call: Call = await prepareCall(place.operation, emulator);
      for (const text of strangers(String(call[place.name]), places.indexOf(place))) {
        const address = addressOf(place.route, { ...call, [place.name]: text });
        const { status, body } = await emulator.call(place.method, address, call);
        expect([text, status, body.error?.code]).toEqual([text, 404, "not_found"]);
      }
      const keys = [emulator.live, other.test_key, other.live_key].map((key): Partial<Call> => ({ key }));
      const strange = place.auth === "jwt" ? [bearer(await tokenOf(emulator, other.users[0]))] : keys;
      for (const one of SHARED.includes(place.operation) ? [] : strange) {
        expectRefused(
          await emulator.call(place.method, addressOf(place.route, call), { ...call, ...one }),
          "not_found",
        );
      }
      expect((await emulator.call(place.method, addressOf(place.route, call), call)).status).toBe(place.status);
      await emulator.sandbox("/clock/freeze");
    },
  );
});
