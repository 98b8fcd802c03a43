import type { ClientRequest } from "node:http";
import type { Transport } from "../delivery/transport.js";
import type { TestCase } from "./cases.js";
import { type Answer, judge, type Result } from "./judge.js";
import type { Delivery, Kit } from "./kit.js";

/** Sends a receiver of webhooks what production sends, and forged deliveries, and judges its answers. */

/** What the checks use. All of it is passed in, so that a command and a server can run the same checks. */
export interface Equipment {
  /** The address of the receiver. */
  readonly url: string;
  /** Makes a kit of the present time. */
  readonly newKit: () => Kit;
  /** Makes a transport without connections. Each case gets its own, so that no case can disturb the next one. */
  readonly newTransport: () => Pick<Transport, "post" | "close">;
  /** Waits for `ms` milliseconds, or until `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<void>;
}

/** The pause between the two parts of a body. */
const PIECE_MS = 400;

/** The place to cut a body: inside its first character of several bytes, or in the middle when there is none. */
function cutOf(body: Buffer): number {
  const wide = body.findIndex((byte) => byte > 0x7f);
  return wide === -1 ? body.length >> 1 : wide + 1;
}

/** Writes a body in two parts. */
function inPieces(text: string, pause: Equipment["pause"], stop: AbortSignal): (request: ClientRequest) => void {
  const body = Buffer.from(text);
  const cut = cutOf(body);
  return (request) =>
    request.write(body.subarray(0, cut), async () => {
      await pause(PIECE_MS, stop);
      if (!request.destroyed) request.end(body.subarray(cut));
    });
}

async function answersTo(one: TestCase, { url, newKit, newTransport, pause }: Equipment): Promise<Answer[]> {
  const transport = newTransport();
  const stop = new AbortController();
  const post = async ({ headers, body }: Delivery): Promise<Answer> => {
    const written = one.manner === "in pieces" ? inPieces(body, pause, stop.signal) : body;
    const { statusCode, durationMs, error } = await transport.post(url, headers, written);
    return { status_code: statusCode, duration_ms: durationMs, error };
  };
  const deliveries = one.deliveries(newKit());
  try {
    if (one.manner === "at once") return await Promise.all(deliveries.map(post));
    const answers: Answer[] = [];
    for (const delivery of deliveries) answers.push(await post(delivery));
    return answers;
  } finally {
    stop.abort();
    transport.close();
  }
}

/**
 * Runs the cases. Two cases with different expected answers run first, usually an event and a forgery. When the
 * receiver answers neither of them, the other cases would only take time: the reason is returned in place of the results.
 */
export async function checkReceiver(
  cases: readonly TestCase[],
  equipment: Equipment,
): Promise<{ readonly results: readonly Result[] } | { readonly unreachable: string }> {
  const answers = new Map<TestCase, Answer[]>();
  const [first, ...rest] = cases;
  const probes = new Set([first, rest.find(({ expects }) => expects !== first?.expects) ?? rest[0]]);
  const ordered = [...cases.filter((one) => probes.has(one)), ...cases.filter((one) => !probes.has(one))];
  for (const [index, one] of ordered.entries()) {
    answers.set(one, await answersTo(one, equipment));
    const all = [...answers.values()].flat();
    const looked = index + 1 >= Math.min(probes.size, ordered.length);
    if (!looked || all.some(({ status_code }) => status_code !== null)) continue;
    return { unreachable: all[0]?.error ?? "no answer" };
  }
  return { results: cases.map((one) => judge(one, answers.get(one) ?? [])) };
}
