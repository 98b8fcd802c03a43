import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { createTransport } from "../../service/delivery/transport.js";
import { type Sentence, sentence } from "../../service/features/why-codes.js";
import type { Attempt, Delivery, Endpoint } from "./deliveries.js";
import { type Secrets, signer } from "./signatures.js";

/** How long a receiver may take for each trial. */
const PATIENCE_MS = 5_000;

type Headers = Readonly<Record<string, string>>;
/** True if the receiver accepts the webhook with these headers. Throws for one that does not answer. */
type Accepts = (headers: Headers) => Promise<boolean>;

/** Returns the seconds between the instant of an attempt and the clock of the receiver; null when its answer had no date. */
function clockGapOf(t: number | null, { response }: Attempt): number | null {
  const headers = Object.entries(response?.headers ?? {});
  const date = headers.find(([name]) => name.toLowerCase() === "date")?.[1];
  const gap = (t ?? Number.NaN) - Date.parse(String(date)) / 1_000;
  return Number.isNaN(gap) ? null : Math.round(gap);
}

async function mistakeFound(
  accepts: Accepts,
  attempt: Attempt,
  secrets: Secrets,
  seconds: number,
): Promise<Sentence | null> {
  const signing = signer(attempt, secrets);
  const now = String(seconds);
  if (await accepts(signing.wrong(now))) return null;
  if (await accepts(signing.right(now))) {
    const gap = clockGapOf(signing.t, attempt);
    const isClock = gap !== null && !(await accepts(signing.right(String(seconds + gap))));
    return sentence(isClock ? "mistake_clock" : "mistake_mended");
  }
  for (const { mistake, headers } of signing.trials(now)) {
    if (!(await accepts(headers))) continue;
    // Each trial is repeated, because a receiver that refuses now and then must not be blamed for chance.
    const isSure =
      (await accepts(headers)) &&
      !(await accepts(signing.right(now))) &&
      (await accepts(headers)) &&
      !(await accepts(signing.wrong(now)));
    return isSure ? mistake : null;
  }
  return null;
}

/** The secrets of an emulator. */
interface SecretReads {
  ofAccount(): Promise<string>;
  /** Returns the secret of an endpoint and the one before its last rotation; none where the host does not show them. */
  ofEndpoint(id: string): Promise<readonly unknown[]>;
}

/** The secret of the delivery's endpoint, and other secrets that its receiver may use by mistake. */
async function secretsFor({ endpointId }: Delivery, all: readonly Endpoint[], reads: SecretReads): Promise<Secrets> {
  let own = await reads.ofAccount();
  const known = [{ mistake: sentence("mistake_account_secret"), secret: own }];
  for (const { id, url } of all) {
    const [secret, previous] = await reads.ofEndpoint(id);
    if (typeof secret !== "string") continue;
    known.push({ mistake: sentence("mistake_other_endpoint", { id, url }), secret });
    if (id !== endpointId) continue;
    own = secret;
    if (typeof previous === "string") known.push({ mistake: sentence("mistake_previous_secret"), secret: previous });
  }
  return { own, others: known.filter(({ secret }) => secret !== own) };
}

/** These statuses mean a wrong address or too many webhooks, and not a wrong signature. */
const OTHER_REFUSALS: readonly number[] = [404, 405, 410, 429];

/**
 * Sends a refused webhook again, signed once for each usual mistake. Returns the mistake of the receiver; null where its
 * answers prove none, such as when it accepts any signature.
 */
export async function provenMistake(
  delivery: Delivery,
  endpoints: readonly Endpoint[],
  reads: SecretReads,
  real: RealTime,
): Promise<Sentence | null> {
  const attempt = delivery.attempts_log?.at(-1);
  const status = attempt?.response?.status ?? 0;
  const hasRefused = isRefusal(status) && !OTHER_REFUSALS.includes(status);
  if (attempt === undefined || !hasRefused || delivery.status === "DELIVERED") return null;
  const secrets = await secretsFor(delivery, endpoints, reads);
  const transport = createTransport({ real, insecureTls: false, timeoutMs: PATIENCE_MS });
  const { url, body } = attempt.request;
  class NoAnswer extends Error {}
  const accepts: Accepts = async (headers) => {
    const { statusCode } = await transport.post(url, headers, body);
    if (statusCode === null) throw new NoAnswer();
    return isSuccess(statusCode);
  };
  try {
    return await mistakeFound(accepts, attempt, secrets, Math.floor(real.readShownTime() / 1_000));
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  } finally {
    transport.abort();
  }
}
