import { createHmac } from "node:crypto";
import { bodyOf, type Loose, type TestEmulator } from "./emulator.js";

/** Helpers for tests of events and deliveries. */

/** Registers an endpoint. Returns it with its secret. */
export async function subscribe(
  emulator: TestEmulator,
  url: string,
  events: readonly string[],
  key?: string,
): Promise<Loose> {
  const given = { body: { url, events }, ...(key === undefined ? {} : { key }) };
  return bodyOf(await emulator.call("POST", "/v1/webhooks/endpoints", given));
}

/** Sends every delivery that is due. Resolves when all of them were attempted. */
export function settle(emulator: TestEmulator): Promise<Loose> {
  return emulator.sandbox("/clock/advance", { seconds: 0 });
}

/** Makes a charge, and sends every delivery that is due then. */
export async function chargeAndSettle(emulator: TestEmulator, body?: Record<string, unknown>): Promise<void> {
  await emulator.charge(body);
  await settle(emulator);
}

export function advance(emulator: TestEmulator, seconds: number): Promise<Loose> {
  return emulator.sandbox("/clock/advance", { seconds });
}

/** Deliveries of one page, newest first. */
export async function deliveries(emulator: TestEmulator, query = ""): Promise<Loose[]> {
  const answer = await emulator.call("GET", `/v1/webhooks/deliveries${query}`);
  if (answer.status !== 200) throw new Error(`no deliveries: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** The two parts of a canonical signature header. */
export function signatureParts(header: unknown): { t: number; v1: string } {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(header));
  if (match === null) throw new Error(`no canonical signature: ${String(header)}`);
  return { t: Number(match[1]), v1: String(match[2]) };
}
