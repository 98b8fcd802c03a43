import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import type { TestCli } from "./cli.js";
import type { Loose } from "./emulator.js";

/** Receivers that check deliveries in different ways, and the results of `webhooks test` for them. */

export const SECRET = "0123456789abcdef".repeat(4);
export const OLD_SECRET = "fedcba9876543210".repeat(4);

export interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly body: Loose;
  readonly type: string;
}

/** The status of the answer; null when the handler answers itself or never answers. */
export type Handler = (got: Got, response: ServerResponse) => number | null | Promise<number | null>;

interface Place {
  readonly url: string;
  readonly received: readonly Got[];
  /** Resolves when the first part of a body has arrived. */
  readonly piece: Promise<void>;
  close(): Promise<void>;
}

const places: Place[] = [];
export async function closeReceivers(): Promise<void> {
  for (const place of places.splice(0)) await place.close();
}

export async function receiver(handler: Handler): Promise<Place> {
  const received: Got[] = [];
  let sawPiece = () => {};
  const piece = new Promise<void>((resolve) => {
    sawPiece = resolve;
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      sawPiece();
    });
    request.on("end", async () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const type = String(request.headers["x-qa-event-type"]);
      const got = { headers: request.headers, chunks, text, body: JSON.parse(text), type };
      received.push(got);
      const status = await handler(got, response);
      if (status !== null) response.writeHead(status).end();
    });
  });
  const port = await listenOnLoopback(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const place = { url: `http://127.0.0.1:${port}/webhooks`, received, piece, close };
  places.push(place);
  return place;
}

interface Checks {
  readonly secrets?: readonly string[];
  /** The text that the signature is checked against; by default the body. */
  readonly signed?: (got: Got) => string;
  /** Seconds that a timestamp may be old, and ahead. */
  readonly past?: number;
  readonly ahead?: number;
  /** True if the event says which of the two forms it must be signed in. */
  readonly anyForm?: boolean;
}

/** True if a delivery is genuine by docs/service/webhooks.md#signatures, or by a check with a mistake in it. */
export function isGenuine(got: Got, checks: Checks = {}): boolean {
  const header = String(got.headers["x-qa-signature"] ?? "");
  const text = checks.signed?.(got) ?? got.text;
  const legacy = checks.anyForm ? header.startsWith("sha256=") : got.type.startsWith("payment.");
  const parts = (legacy ? /^sha256=()([0-9a-f]{64})$/ : /^t=(\d+),v1=([0-9a-f]{64})$/).exec(header);
  if (parts === null) return false;
  const [, t = "", digest = ""] = parts;
  const age = Date.now() / 1_000 - Number(t);
  if (!legacy && (age > (checks.past ?? 300) || -age > (checks.ahead ?? 300))) return false;
  return (checks.secrets ?? [SECRET]).some((secret) => {
    const expected = createHmac("sha256", secret).update(legacy ? text : `${t}.${text}`);
    return timingSafeEqual(Buffer.from(digest, "hex"), expected.digest());
  });
}

/** Refuses deliveries that are not genuine, and passes genuine ones to `then`. */
export function genuine(then: (got: Got) => number = () => 204, checks: Checks = {}): Handler {
  return (got) => (isGenuine(got, checks) ? then(got) : 401);
}

export async function runTest(cli: TestCli, url: string, ...words: string[]) {
  return cli.run(["webhooks", "test", url, "--secret", SECRET, ...words]);
}

/** The results of `--json`, by case. */
export async function runAndJudge(cli: TestCli, handler: Handler, ...words: string[]) {
  const place = await receiver(handler);
  const { code, out, err } = await runTest(cli, place.url, "--json", ...words);
  if (err !== "") throw new Error(`the command says ${err}`);
  const report = JSON.parse(out) as Loose;
  const cases = Object.fromEntries(report.cases.map((one: Loose) => [one.name, one])) as Record<string, Loose>;
  const failed = report.cases.filter(({ verdict }: Loose) => verdict === "failed").map(({ name }: Loose) => name);
  return { code, report, cases, failed: failed as string[], place };
}
