import type { AttemptResult } from "../delivery/schedule.js";
import type { Transport } from "../delivery/transport.js";
import type { Reader } from "../features/tx.js";
import { checkWebhookUrl } from "../features/webhooks/actions.js";
import { findEndpoint } from "../features/webhooks/operations/find-endpoint.js";
import { ApiError, fieldError } from "../kernel/errors.js";
import { nearest } from "../kernel/nearest.js";
import type { Ids, RealTime } from "../kernel/runtime.js";
import type { Equipment } from "../receiver-check/check-receiver.js";
import type { Result } from "../receiver-check/judge.js";

/** Runs the checks of `webhooks test` from the server, against an endpoint or another receiver (src/receiver-check). */

/** Each check sends some forty requests. More of them at once would only disturb each other. */
const MAX_RUNNING = 2;

export interface ReceiverTest {
  readonly bookId: number;
  readonly accountId: string;
  readonly endpoint: string | undefined;
  readonly url: string | undefined;
  /** Signs in place of the secret of the endpoint, or of the account. */
  readonly secret: string | undefined;
  readonly oldSecret: string | undefined;
  /** The names of the wanted cases; all when left out. */
  readonly only: readonly string[] | undefined;
  /** Real milliseconds for each answer. */
  readonly timeoutMs: number;
}

export interface ReceiverTestOutcome {
  readonly url: string;
  /** Why nobody answers; null for a receiver that answers. */
  readonly unreachable: string | null;
  readonly results: readonly Result[];
  /** What most of the failures have in common, when that is clear. */
  readonly hint: string | null;
}

export interface ReceiverTests {
  /** Throws ApiError. */
  run(test: ReceiverTest): Promise<ReceiverTestOutcome>;
  /** Ends all tests under way. */
  stop(): void;
}

interface Parts {
  readonly reader: () => Reader;
  readonly real: RealTime;
  readonly ids: Ids;
  readonly insecureTls: boolean;
}

/** The address and the secret of a test. Throws ApiError. */
function receiverOf(reader: Reader, { bookId, accountId, endpoint, url, secret }: ReceiverTest) {
  if ((endpoint === undefined) === (url === undefined)) {
    throw fieldError("endpoint", "or url is needed, and not both: the id of an endpoint, or the address of a receiver");
  }
  if (endpoint !== undefined) {
    const row = findEndpoint(reader, bookId, endpoint);
    return { url: row.url, secret: secret ?? row.secret };
  }
  const address = checkWebhookUrl("url", url ?? "", reader.settings.strictHttps);
  return { url: address, secret: secret ?? reader.accounts.byId(accountId)?.signing_secret ?? "" };
}

async function casesOf({ only, oldSecret }: ReceiverTest) {
  const { CASES } = await import("../receiver-check/cases.js");
  const possible = CASES.filter(({ name }) => name !== "old-secret" || oldSecret !== undefined);
  for (const name of only ?? []) {
    if (possible.some((one) => one.name === name)) continue;
    if (name === "old-secret") throw fieldError("only", "names old-secret, which needs old_secret");
    const near = nearest(
      name,
      CASES.map((one) => one.name),
    );
    throw fieldError("only", `names a case that does not exist${near === undefined ? "" : `; did you mean ${near}?`}`);
  }
  return only === undefined ? possible : possible.filter(({ name }) => only.includes(name));
}

const NOT_SENT: AttemptResult = {
  ...{ statusCode: null, responseBody: "", responseHeaders: {}, retryAfterMs: null },
  ...{ error: "the server is stopping", timedOut: false, durationMs: 0 },
};

/** Transports that can be closed all at once. After that they send nothing more. */
class Transports {
  readonly #parts: Parts;
  readonly #open = new Set<Pick<Transport, "close">>();
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async factory(timeoutMs: number): Promise<() => Pick<Transport, "post" | "close">> {
    const { createTransport } = await import("../delivery/transport.js");
    const { real, insecureTls } = this.#parts;
    return () => {
      const transport = createTransport({ real, insecureTls, timeoutMs });
      this.#open.add(transport);
      const close = () => {
        this.#open.delete(transport);
        transport.close();
      };
      const post: Transport["post"] = (...sent) =>
        this.#isStopped ? Promise.resolve(NOT_SENT) : transport.post(...sent);
      return { post, close };
    };
  }

  stop(): void {
    this.#isStopped = true;
    for (const transport of this.#open) transport.close();
  }
}

function pauseOf(real: RealTime): Equipment["pause"] {
  return (ms, stop) =>
    new Promise((done) => {
      const timer = real.after(ms, done);
      stop.addEventListener("abort", () => {
        timer.cancel();
        done();
      });
    });
}

export function createReceiverTests(parts: Parts): ReceiverTests {
  const { reader, real, ids } = parts;
  const transports = new Transports(parts);
  let running = 0;

  async function check(test: ReceiverTest): Promise<ReceiverTestOutcome> {
    const { url, secret } = receiverOf(reader(), test);
    const cases = await casesOf(test);
    const { checkReceiver } = await import("../receiver-check/check-receiver.js");
    const { commonCause } = await import("../receiver-check/judge.js");
    const { createKit } = await import("../receiver-check/kit.js");
    const { signature } = await import("../delivery/signer.js");
    // Real time, as the receiver compares the timestamp of a signature with its own clock.
    const newKit = () =>
      createKit({ url, now: real.epoch(), uuid: ids.next, sign: signature, secret, oldSecret: test.oldSecret ?? "" });
    const newTransport = await transports.factory(test.timeoutMs);
    const checked = await checkReceiver(cases, { url, newKit, newTransport, pause: pauseOf(real) });
    if ("unreachable" in checked) return { url, unreachable: checked.unreachable, results: [], hint: null };
    return { url, unreachable: null, results: checked.results, hint: commonCause(checked.results) };
  }

  return {
    async run(test) {
      if (running >= MAX_RUNNING) {
        const message = `${MAX_RUNNING} receivers are being tested already. Try again when one of these tests has ended.`;
        throw new ApiError("service_unavailable", { message });
      }
      running += 1;
      try {
        return await check(test);
      } finally {
        running -= 1;
      }
    },
    stop: () => transports.stop(),
  };
}
