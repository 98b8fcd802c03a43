import { MAX_ATTEMPTS, MAX_RETRY, RETRY_BASE } from "./settings.js";
import { type Book, type Delivery, type Endpoint, transactionOf } from "./state.js";

/** Events and their deliveries. */

/** How the simulated receivers answer. The last part of the path of a URL is one of these names. */
export const FATES = ["takes", "late", "refuses", "gone", "closes"] as const;
export type Fate = (typeof FATES)[number];

export function fateOf(url: string): Fate {
  const name = url.split("/").at(-1) ?? "";
  const fate = FATES.find((one) => one === name);
  if (fate === undefined) throw new Error(`no fate: ${url}`);
  return fate;
}

/** The status with which a receiver answers, or null when it closes the connection. */
export function answerOf(fate: Fate, earlierAttempts: number): number | null {
  if (fate === "takes") return 204;
  if (fate === "late") return earlierAttempts === 0 ? 500 : 200;
  if (fate === "refuses") return 500;
  return fate === "gone" ? 410 : null;
}

const isLegacy = (type: string) => type.startsWith("payment.") || type.startsWith("withdrawal.");

/** Attempts the deliveries that are due at `now`. The deliveries of an endpoint that is switched off wait. */
export function attemptDue(book: Book, now: number): void {
  for (const delivery of book.deliveries) {
    while (delivery.nextAt !== null && delivery.nextAt <= now && isOpen(book, delivery)) attempt(delivery, now);
  }
}

/**
 * Tells whether a delivery goes to a URL that a resend named. It is sent whatever becomes of its endpoint, and a resend of
 * it goes to the same URL.
 */
export function isElsewhere({ url }: Delivery): boolean {
  return url.includes("/elsewhere-");
}

function isOpen(book: Book, delivery: Delivery): boolean {
  const { endpoint } = delivery;
  if (endpoint === null || isElsewhere(delivery)) return true;
  return book.endpoints.some(({ id, status }) => id === endpoint && status === "ACTIVE");
}

/** The instant of the first attempt that can be made; null when none is waiting. */
export function nextAttempt(book: Book): number | null {
  const times = book.deliveries.filter((one) => one.nextAt !== null && isOpen(book, one)).map(({ nextAt }) => nextAt);
  return times.length === 0 ? null : Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY));
}

function attempt(delivery: Delivery, now: number): void {
  const status = answerOf(fateOf(delivery.url), delivery.attempts);
  delivery.attempts += 1;
  delivery.lastStatus = status;
  delivery.nextAt = null;
  if (status !== null && status < 300) delivery.status = "DELIVERED";
  else if (delivery.attempts >= MAX_ATTEMPTS) delivery.status = "FAILED";
  else delivery.nextAt = now + Math.min(RETRY_BASE * 2 ** (delivery.attempts - 1), MAX_RETRY);
}

function queue(book: Book, endpoint: Endpoint | null, url: string, type: string, subject: string, now: number): void {
  const delivery: Delivery = {
    ...{ endpoint: endpoint?.id ?? null, url, type, subject },
    ...{ status: "PENDING", attempts: 0, lastStatus: null, nextAt: now },
  };
  book.deliveries.push(delivery);
}

function send(book: Book, type: string, subject: string, now: number, webhookUrl: string | null): void {
  if (webhookUrl !== null) {
    if (isLegacy(type)) queue(book, null, webhookUrl, type, subject, now);
    return;
  }
  for (const endpoint of book.endpoints) {
    const takes = endpoint.status === "ACTIVE" && endpoint.events.includes(type);
    if (takes) queue(book, endpoint, endpoint.url, type, subject, now);
  }
}

/** Reports a change of a transaction. A charge and its payment have the same raw id. */
export function reportEvent(book: Book, id: string, now: number, ...types: readonly string[]): void {
  const { webhookUrl } = transactionOf(book, id);
  for (const type of types) {
    book.events.push({ type, subject: id, at: now });
    send(book, type, id, now, webhookUrl);
  }
}

/** Reports a change of a case or a payout, which have no webhookUrl. */
export function reportOther(book: Book, id: string, now: number, ...types: readonly string[]): void {
  for (const type of types) {
    book.events.push({ type, subject: id, at: now });
    send(book, type, id, now, null);
  }
}

/** A new delivery of an event that was reported before. */
export function sendAgain(book: Book, earlier: Delivery, now: number, url: string | null): void {
  const endpoint = book.endpoints.find(({ id }) => id === earlier.endpoint) ?? null;
  queue(book, endpoint, url ?? earlier.url, earlier.type, earlier.subject, now);
}
