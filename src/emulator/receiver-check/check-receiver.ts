import type { ClientRequest } from "node:http";
import type { AttemptError } from "../../base/kernel/attempt-errors.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { createTransport, type PlainLimits } from "../../service/delivery/transport.js";
import type { TestCase } from "./cases.js";
import { type Delivery, DeliveryMaker } from "./deliveries.js";
import { type Answer, judge, type Result } from "./judge.js";

/** Sends a receiver real and forged deliveries, as production and attackers would, and judges its answers. */

/** A receiver, and the tools of its check. A command and a server run the same checks. */
export interface CheckedReceiver {
  /** The address of the receiver. */
  readonly url: string;
  readonly secret: string;
  /** The secret before a rotation; empty when there is none. */
  readonly oldSecret: string;
  /** The id, without prefix, of a charge that all cases are about; without it each is about an invented one. */
  readonly charge?: string | undefined;
  /** Real time, because the receiver compares the timestamp of a signature with its own clock. */
  readonly real: RealTime;
  readonly uuid: () => string;
  readonly insecureTls: boolean;
  readonly plain?: PlainLimits;
  /** Real milliseconds for each answer. */
  readonly timeoutMs: number;
  /** Waits for `ms` milliseconds, or until `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<void>;
  /** Ends the check: nothing more is sent. Its reason is the text of the missing answers. */
  readonly stop?: AbortSignal;
}

/** The pause between the two parts of a body. */
const PIECE_MS = 400;

/** The place to cut a body: inside its first character of several bytes, or in the middle when there is none. */
function cutOf(body: Buffer): number {
  const wide = body.findIndex((byte) => byte > 0x7f);
  return wide === -1 ? body.length >> 1 : wide + 1;
}

/** Writes a body in two parts. */
function inPieces(text: string, pause: CheckedReceiver["pause"], stop: AbortSignal): (request: ClientRequest) => void {
  const body = Buffer.from(text);
  const cut = cutOf(body);
  return (request) =>
    request.write(body.subarray(0, cut), async () => {
      await pause(PIECE_MS, stop);
      if (!request.destroyed) request.end(body.subarray(cut));
    });
}

/** The deliveries of a case, as they are sent now. */
export function deliveriesOf(one: TestCase, receiver: Omit<CheckedReceiver, "pause">): Delivery[] {
  return one.deliveries(new DeliveryMaker({ ...receiver, now: receiver.real.epoch() }));
}

async function answersTo(one: TestCase, receiver: CheckedReceiver): Promise<Answer[]> {
  const { url, pause, stop: stopped } = receiver;
  // Each case has connections of its own, so that no case can disturb the next one.
  const transport = createTransport(receiver);
  const stop = new AbortController();
  const close = () => transport.close();
  const post = async ({ headers, body }: Delivery): Promise<Answer> => {
    if (stopped?.aborted) return { status_code: null, duration_ms: 0, error: String(stopped.reason) };
    const written = one.manner === "in pieces" ? inPieces(body, pause, stop.signal) : body;
    const { statusCode, durationMs, error } = await transport.post(url, headers, written);
    return { status_code: statusCode, duration_ms: durationMs, error };
  };
  const deliveries = deliveriesOf(one, receiver);
  stopped?.addEventListener("abort", close);
  try {
    if (one.manner === "at once") return await Promise.all(deliveries.map(post));
    const answers: Answer[] = [];
    for (const delivery of deliveries) answers.push(await post(delivery));
    return answers;
  } finally {
    stopped?.removeEventListener("abort", close);
    stop.abort();
    close();
  }
}

/**
 * Runs the cases. Two cases with different expected answers run first, usually an event and a forgery. When the
 * receiver answers neither of them, the other cases would only take time: the reason is returned in place of the results.
 */
export async function checkReceiver(
  cases: readonly TestCase[],
  receiver: CheckedReceiver,
): Promise<{ readonly results: readonly Result[] } | { readonly unreachable: AttemptError }> {
  const answers = new Map<TestCase, Answer[]>();
  const [first, ...rest] = cases;
  const probes = new Set([first, rest.find(({ expects }) => expects !== first?.expects) ?? rest[0]]);
  const ordered = [...cases.filter((one) => probes.has(one)), ...cases.filter((one) => !probes.has(one))];
  for (const [index, one] of ordered.entries()) {
    answers.set(one, await answersTo(one, receiver));
    const all = [...answers.values()].flat();
    const looked = index + 1 >= Math.min(probes.size, ordered.length);
    if (!looked || all.some(({ status_code }) => status_code !== null)) continue;
    return { unreachable: all[0]?.error ?? "no answer" };
  }
  return { results: cases.map((one) => judge(one, answers.get(one) ?? [])) };
}
