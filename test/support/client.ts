import { clientOf } from "../../src/api/client/client.js";
import type { Client } from "../../src/api/client/types.js";
import { registry } from "../../src/api/registry.js";
import type { WaitRuntime } from "../../src/base/platform/real-runtime.js";

/** A client whose requests are answered by the test, and whose pauses take no real time. */

/** Time that passes only while a client pauses. */
export interface VirtualWaiting extends WaitRuntime {
  /** The pauses so far, in milliseconds. */
  readonly pauses: readonly number[];
}

function virtualWaiting(start = Date.UTC(2026, 10, 21, 12)): VirtualWaiting {
  const pauses: number[] = [];
  const sumPauses = () => pauses.reduce((sum, ms) => sum + ms, 0);
  return {
    pauses,
    epoch: () => start + sumPauses(),
    monotonic: sumPauses,
    fraction: () => 0.5,
    async pause(ms) {
      pauses.push(ms);
    },
  };
}

/** What the host does with one request: an answer, an error in place of one, or nothing until the client gives up. */
export type Reaction =
  | Error
  | "nothing"
  | { readonly status: number; readonly headers?: Record<string, string>; body?: unknown };

export interface Scripted {
  readonly client: Client;
  readonly waiting: VirtualWaiting;
  /** The requests that were sent, in this order. */
  readonly sent: readonly Request[];
}

/** A client for a host that reacts in this order; the last reaction stays. */
export function scriptedClient(
  reactions: readonly Reaction[],
  options: { timeoutMs?: number; maxRetries?: number } = {},
): Scripted {
  const waiting = virtualWaiting();
  const sent: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const reaction = reactions[Math.min(sent.length, reactions.length - 1)];
    sent.push(new Request(input, init));
    if (reaction === undefined || reaction instanceof Error) throw reaction ?? new Error("no reaction");
    if (reaction === "nothing") return new Promise((_answer, fail) => init?.signal?.addEventListener("abort", fail));
    const text = reaction.status === 204 ? null : JSON.stringify(reaction.body ?? {});
    return new Response(text, { status: reaction.status, headers: reaction.headers ?? {} });
  };
  const contracts = registry.map(({ contract }) => contract);
  const connection = { baseUrl: "http://service.test", apiKey: "qa_test_12345678", fetch, ...options };
  return { client: clientOf(contracts, connection, waiting), waiting, sent };
}

/** An error of the network, as fetch throws it. */
export function networkError(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`read ${code}`), { code }) });
}
