import { ApiError, fieldError } from "../../base/kernel/errors.js";
import { ID_PREFIX, withPrefix } from "../../base/kernel/ids.js";
import { alternative } from "../../base/kernel/nearest.js";
import type { Ids, RealTime } from "../../base/kernel/runtime.js";
import { checkWebhookUrl } from "../../base/kernel/webhook-url.js";
import type { PlainLimits } from "../../service/delivery/transport.js";
import type { Reader } from "../../service/features/tx.js";
import { findEndpoint } from "../../service/features/webhooks/operations/endpoints.js";

/** Runs the checks of `webhooks test` from the server, against an endpoint or another receiver (src/emulator/receiver-check). */

/** The most checks at once. Each sends some forty requests, and more of them would only disturb each other. */
const MAX_RUNNING = 2;

interface ReceiverTest {
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

interface Parts {
  readonly reader: () => Reader;
  readonly real: RealTime;
  readonly ids: Ids;
  /** Resolves after real milliseconds, or when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly insecureTls: boolean;
  readonly plain: PlainLimits;
}

/** The address and the secret of a test. Throws ApiError. */
function receiverOf(reader: Reader, { bookId, accountId, endpoint, url, secret }: ReceiverTest) {
  if ((endpoint === undefined) === (url === undefined)) {
    throw fieldError("endpoint", "or url is needed, and not both: the id of an endpoint, or the address of a receiver");
  }
  if (endpoint !== undefined) {
    const row = findEndpoint(reader, bookId, withPrefix(ID_PREFIX.endpoint, endpoint));
    return { url: row.url, secret: secret ?? row.secret };
  }
  const address = checkWebhookUrl("url", url ?? "", reader.settings);
  return { url: address, secret: secret ?? reader.accounts.byId(accountId)?.signing_secret ?? "" };
}

async function casesOf({ only, oldSecret }: ReceiverTest) {
  const { CASES, casesFor } = await import("../receiver-check/cases.js");
  const { cases, impossible } = casesFor(only, oldSecret !== undefined);
  if (impossible === undefined) return cases;
  if (impossible === "old-secret") throw fieldError("only", "names old-secret, which needs old_secret");
  const names = CASES.map(({ name }) => name);
  throw fieldError("only", `names a case that does not exist${alternative(impossible, names)}`);
}

export type ReceiverTests = ReturnType<typeof createReceiverTests>;

/** Returns the checks of receivers, of which only a few run at once. */
export function createReceiverTests({ reader, real, ids, pause, insecureTls, plain }: Parts) {
  const stopping = new AbortController();
  let running = 0;

  /** `unreachable` says why nobody answers; it is null for a receiver that answers. */
  async function check(test: ReceiverTest) {
    const { url, secret } = receiverOf(reader(), test);
    const cases = await casesOf(test);
    const { checkReceiver } = await import("../receiver-check/check-receiver.js");
    const checked = await checkReceiver(cases, {
      url,
      secret,
      oldSecret: test.oldSecret ?? "",
      timeoutMs: test.timeoutMs,
      real,
      insecureTls,
      plain,
      uuid: ids.next,
      pause,
      stop: stopping.signal,
    });
    if ("unreachable" in checked) return { url, unreachable: checked.unreachable, results: [] };
    return { url, unreachable: null, results: checked.results };
  }

  return {
    /** Throws ApiError. */
    async run(test: ReceiverTest) {
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
    /** Ends all tests under way. */
    stop: () => stopping.abort("the server is stopping"),
  };
}
