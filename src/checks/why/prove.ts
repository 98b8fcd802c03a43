import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import { createTransport, type TransportOptions } from "../../service/delivery/transport.js";
import { type Sentence, sentence } from "../../service/features/why-codes.js";
import type { Attempt, Delivery, Endpoint } from "./deliveries.js";
import { type Secrets, signer, type Trial } from "./signatures.js";

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

/** A proven mistake of a receiver, and the two signatures of one instant that prove it. */
export interface Proof {
  readonly mistake: Sentence;
  /** The value of the header as the service signs it. */
  readonly right: string;
  /** The value that the receiver accepts. */
  readonly accepted: string;
  /** The text that the service signs, and the one that the receiver signs; null where that is the right one. */
  readonly text: string;
  readonly signed: string | null;
}

async function mistakeFound(
  accepts: Accepts,
  attempt: Attempt,
  secrets: Secrets,
  seconds: number,
): Promise<Proof | null> {
  const signing = signer(attempt, secrets);
  const now = String(seconds);
  const right = signing.valueIn(signing.right(now));
  const proofOf = ({ mistake, headers, signed }: Trial): Proof => ({
    mistake,
    right,
    accepted: signing.valueIn(headers),
    text: signing.text(now),
    signed,
  });
  if (await accepts(signing.wrong(now))) return null;
  if (await accepts(signing.right(now))) {
    const gap = clockGapOf(signing.t, attempt);
    const isClock = gap !== null && !(await accepts(signing.right(String(seconds + gap))));
    const mistake = sentence(isClock ? "mistake_clock" : "mistake_mended");
    return proofOf({ mistake, headers: signing.right(now), signed: null });
  }
  for (const trial of signing.trials(now)) {
    const { headers } = trial;
    if (!(await accepts(headers))) continue;
    // Each trial is repeated, because a receiver that refuses now and then must not be blamed for chance.
    const isSure =
      (await accepts(headers)) &&
      !(await accepts(signing.right(now))) &&
      (await accepts(headers)) &&
      !(await accepts(signing.wrong(now)));
    return isSure ? proofOf(trial) : null;
  }
  return null;
}

/** The secrets of an emulator. */
export interface SecretReads {
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
 * Sends a refused webhook again, signed once for each usual mistake. Returns the proven mistake of the receiver; null where its
 * answers prove none, such as when it accepts any signature.
 */
export async function provenMistake(
  delivery: Delivery,
  endpoints: readonly Endpoint[],
  reads: SecretReads,
  sending: Omit<TransportOptions, "timeoutMs">,
): Promise<Proof | null> {
  const attempt = delivery.attempts_log?.at(-1);
  const status = attempt?.response?.status ?? 0;
  const hasRefused = isRefusal(status) && !OTHER_REFUSALS.includes(status);
  if (attempt === undefined || !hasRefused || delivery.status === "DELIVERED") return null;
  const secrets = await secretsFor(delivery, endpoints, reads);
  const transport = createTransport({ ...sending, timeoutMs: PATIENCE_MS });
  const { url, body } = attempt.request;
  class NoAnswer extends Error {}
  const accepts: Accepts = async (headers) => {
    const { statusCode } = await transport.post(url, headers, body);
    if (statusCode === null) throw new NoAnswer();
    return isSuccess(statusCode);
  };
  try {
    return await mistakeFound(accepts, attempt, secrets, Math.floor(sending.real.readShownTime() / 1_000));
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  } finally {
    transport.abort();
  }
}
