import { describe, expect, it } from "vitest";
import { type ProofPurpose, serverProof } from "../../src/kernel/server-proof.js";
import { freshEmulator, ownEmulator } from "../support/shared.js";

/** How a server proves to the commands of its user which one it is, and how they stop it. */

const SECRET = "0f0e0d0c-0b0a-4908-8706-050403020100";
const CHALLENGE = "00000000-0000-4000-8000-000000000001";

let stops = 0;
function stopped(): void {
  stops += 1;
}
const emulator = freshEmulator(() => {
  stops = 0;
  return { owner: { secret: SECRET, stop: stopped } };
});

const proof = (secret: string, purpose: ProofPurpose, challenge: string) =>
  serverProof(secret, purpose, emulator.url, challenge);
const ask = (method: string, path: string) => emulator.call(method, `/_sandbox/server${path}`, { key: null });
const stop = (challenge: string, proof: string) => ask("POST", `/stop?challenge=${challenge}&proof=${proof}`);

it("proves that it knows the secret of its start, without a key and without telling the secret", async () => {
  const { status, body } = await ask("GET", `?challenge=${CHALLENGE}`);
  expect([status, body]).toEqual([200, { proof: proof(SECRET, "server", CHALLENGE) }]);
  expect(body.proof).toMatch(/^[0-9a-f]{64}$/);
  expect((await ask("GET", `?challenge=${CHALLENGE.replace("1", "2")}`)).body.proof).not.toBe(body.proof);
});

describe("a stop", () => {
  it("needs the proof of somebody who knows the secret", async () => {
    expect((await stop(CHALLENGE, proof(SECRET, "stop", CHALLENGE))).status).toBe(202);
    expect(stops).toBe(1);
  });

  it.each([
    ["with no proof", () => ""],
    ["with the proof of the server itself", () => proof(SECRET, "server", CHALLENGE)],
    ["with the proof for another challenge", () => proof(SECRET, "stop", "00000000-0000-4000-8000-000000000002")],
    ["with the proof by another secret", () => proof("another", "stop", CHALLENGE)],
    ["with the proof for another address", () => serverProof(SECRET, "stop", "http://127.0.0.2:4600", CHALLENGE)],
    ["with a proof that is too long", () => `${proof(SECRET, "stop", CHALLENGE)}0`],
  ])("%s is refused", async (_how, wrong) => {
    const { status, body } = await stop(CHALLENGE, wrong());
    expect([status, body.error.code, stops]).toEqual([401, "unauthorized", 0]);
  });

  it("by a web page is refused", async () => {
    const headers = { origin: "http://evil.test" };
    const path = `/_sandbox/server/stop?challenge=${CHALLENGE}&proof=${proof(SECRET, "stop", CHALLENGE)}`;
    expect((await emulator.call("POST", path, { key: null, headers })).status).toBe(403);
    expect(stops).toBe(0);
  });
});

it.each([
  "",
  "?challenge=",
  "?challenge=short",
  `?challenge=${"x".repeat(65)}`,
  "?challenge=with%20a%20space%20in%20it",
])("a challenge such as %j is refused", async (query) => {
  expect((await ask("GET", query)).status).toBe(400);
  expect((await ask("POST", `/stop${query}`)).status).toBe(400);
});

it("a server that a program started has no such routes", async () => {
  const other = await ownEmulator();
  const path = `/_sandbox/server?challenge=${CHALLENGE}`;
  expect((await other.call("GET", path, { key: null })).status).toBe(404);
  expect((await other.call("POST", path.replace("?", "/stop?"), { key: null })).status).toBe(404);
});
