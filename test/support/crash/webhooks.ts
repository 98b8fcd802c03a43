import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import type { Received, Receiver } from "../receiver.js";
import { hmac } from "../webhooks.js";
import type { Creation, Notebook } from "./clients.js";
import { type Known, wants } from "./worlds.js";

/** Compares the webhooks at the receivers with the deliveries in the database. */

/** The answers of the receiver to a webhook that it accepts, and to one that it refuses. */
const TAKEN = 204;
const REFUSED = 500;

/** The records of every webhook of a run. */
export class Inbox {
  readonly #receiver: Receiver;
  /** The digest of each delivery's body: every attempt must have the same body. */
  readonly #bodies = new Map<string, string>();
  /** Deliveries that were accepted at least once, and the number of refusals of each. */
  readonly taken = new Set<string>();
  readonly refused = new Map<string, number>();
  /** Told the type of each as it comes. */
  onArrival: (type: string) => void = () => undefined;
  #arrived = 0;
  #wrong: string[] = [];

  constructor(receiver: Receiver, refuses: () => boolean) {
    this.#receiver = receiver;
    receiver.respond = (got) => {
      const id = idOf(got);
      this.onArrival(got.type);
      const status = refuses() ? REFUSED : TAKEN;
      if (status === TAKEN) this.taken.add(id);
      else this.refused.set(id, (this.refused.get(id) ?? 0) + 1);
      return { status };
    };
  }

  get arrived(): number {
    return this.#arrived;
  }

  /** Adds the webhooks since the last call. Findings are added to `wrong`. */
  collect(secrets: ReadonlyMap<string, ReadonlySet<string>>): { readonly got: Received[]; readonly wrong: string[] } {
    const got = this.#receiver.received.splice(0);
    this.#arrived += got.length;
    this.#wrong = [];
    for (const one of got) this.#judge(one, secrets);
    return { got, wrong: this.#wrong };
  }

  #judge(got: Received, secrets: ReadonlyMap<string, ReadonlySet<string>>): void {
    const id = idOf(got);
    const digest = hash("sha256", `${got.path.split("?")[0]} ${got.raw}`);
    const before = this.#bodies.get(id);
    this.#bodies.set(id, digest);
    if (before !== undefined && before !== digest) this.#wrong.push(`delivery ${id} carried another body than before`);
    const name = nameOf(got);
    const isGood = [...(secrets.get(name) ?? [])].some((secret) => isSignedWith(secret, got));
    if (!isGood) this.#wrong.push(`delivery ${id} of ${got.type} to ${name} has no good signature`);
  }
}

function idOf({ headers }: Received): string {
  return String(headers["x-qa-delivery-id"]).replace("wd_", "");
}

/** The name of the endpoint in the address. */
function nameOf({ path }: Received): string {
  return path.replace("/webhooks/", "").split("?")[0] ?? "";
}

function isSignedWith(secret: string, { headers, raw }: Received): boolean {
  const given = String(headers["x-qa-signature"]);
  const [, time = "", digest = ""] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(given) ?? [];
  return time === "" ? given === `sha256=${hmac(secret, raw)}` : digest === hmac(secret, `${time}.${raw}`);
}

const lines = (db: Database.Database, query: string, ...values: unknown[]) =>
  db
    .prepare(query)
    .pluck()
    .all(...values)
    .map(String);

/** The forward target exists from the first start and gets every event. A payment's own address replaces it. */
const OUTBOX = `
  SELECT 'event ' || e.id || ', ' || e.type || ', never went to ' || COALESCE(w.url, 'its own address') FROM (
    SELECT e.seq AS event_seq, p.seq AS endpoint_seq, p.url FROM events e
      JOIN endpoints p ON p.book_id = e.book_id AND p.origin = 'forward'
      LEFT JOIN transactions t ON t.id = e.subject WHERE t.webhook_url IS NULL
    UNION ALL SELECT e.seq, p.seq, p.url FROM events e JOIN transactions t ON t.id = e.subject
      LEFT JOIN endpoints p ON p.book_id = e.book_id AND p.private = 1 AND p.url = t.webhook_url
     WHERE t.webhook_url IS NOT NULL AND e.type LIKE 'payment.%') w
    JOIN events e ON e.seq = w.event_seq
    LEFT JOIN deliveries d ON d.event_seq = w.event_seq AND d.endpoint_seq = w.endpoint_seq
   GROUP BY w.event_seq, w.endpoint_seq HAVING COUNT(d.seq) = 0`;

const ASTRAY = `
  SELECT 'event ' || e.id || ', ' || e.type || ', of a payment with an address of its own, went to ' || p.url
    FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq
    JOIN transactions t ON t.id = e.subject
   WHERE t.webhook_url IS NOT NULL AND (p.url <> t.webhook_url OR e.type NOT LIKE 'payment.%')`;

interface Copies {
  readonly event: string;
  readonly type: string;
  readonly subject: string;
  readonly name: string;
  readonly count: number;
  /** Raw ids, comma-separated. */
  readonly ids: string;
}

const COPIES = `
  SELECT e.id AS event, e.type, e.subject, p.url AS name, COUNT(*) AS count, GROUP_CONCAT(d.id) AS ids
    FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq`;

/** No endpoint gets an event twice without a requested resend. */
function repeated(db: Database.Database, resent: ReadonlySet<string>): string[] {
  const rows = db.prepare(`${COPIES} GROUP BY d.event_seq, d.endpoint_seq HAVING COUNT(*) > 1`).all() as Copies[];
  return rows
    .filter(({ subject, ids }) => !resent.has(subject) && !ids.split(",").some((id) => resent.has(id)))
    .map(({ event, type, count, name }) => `event ${event}, ${type}, went ${count} times to ${name}`);
}

/** No endpoint gets an event that it did not subscribe to. */
function unwanted(db: Database.Database, subscriptions: Notebook["subscriptions"]): string[] {
  const rows = db
    .prepare(
      `SELECT DISTINCT e.type, p.url FROM deliveries d JOIN events e ON e.seq = d.event_seq
         JOIN endpoints p ON p.seq = d.endpoint_seq WHERE p.private = 0 AND p.origin = 'api'`,
    )
    .all() as { type: string; url: string }[];
  return rows
    .filter(({ type, url }) => !subscriptions.get(url.split("/webhooks/")[1]?.split("?")[0] ?? "")?.has(type))
    .map(({ type, url }) => `${type} went to ${url}, which never wanted it`);
}

/** Each event of a new object must have arrived once at each subscribed endpoint of its book, and at no other. */
function wrongCopies(
  db: Database.Database,
  known: readonly Known[],
  creations: readonly Creation[],
  { modes, resent }: Notebook,
): string[] {
  const endpoints = [
    ...new Set(
      known.flatMap(({ fact }) => (fact.is === "at" && /^endpoint crash-/.test(fact.object) ? [fact.object] : [])),
    ),
  ];
  const find = db.prepare(
    `${COPIES} WHERE e.subject = ? AND e.type = ? AND p.url || '?' LIKE '%/webhooks/' || ? || '?%'`,
  );
  const wrong: string[] = [];
  for (const creation of creations.filter(({ subject }) => !resent.has(subject))) {
    for (const endpoint of endpoints) {
      const name = endpoint.slice("endpoint ".length);
      if (modes.get(name) !== creation.mode) continue;
      for (const type of creation.types) {
        const isWanted = wants(known, endpoint, type, creation);
        if (isWanted === null) continue;
        const { count, ids } = find.get(creation.subject, type, name) as Copies;
        const isResent = ids?.split(",").some((id) => resent.has(id)) ?? false;
        if (!isResent && count !== (isWanted ? 1 : 0)) {
          wrong.push(`${type} about ${creation.subject} went ${count} times to ${endpoint}, wanted: ${isWanted}`);
        }
      }
    }
  }
  return wrong;
}

/** Every webhook that was sent is stored, unless the contents were replaced: nothing is sent before it is durable. */
function neverStored(db: Database.Database, got: readonly Received[]): string[] {
  const find = db.prepare(
    "SELECT e.id, e.type, e.data FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.id = ?",
  );
  return got.flatMap((one) => {
    const row = find.get(idOf(one)) as { id: string; type: string; data: string } | undefined;
    if (row === undefined) return [`delivery ${idOf(one)} of ${one.type} was sent and is not there`];
    const isCanonical = one.body.object === "event";
    const data = JSON.stringify(isCanonical ? one.body.data.object : one.body.data);
    const isSame = one.type === row.type && data === row.data && (!isCanonical || one.body.id === `evt_${row.id}`);
    return isSame ? [] : [`delivery ${idOf(one)} carried something else than event ${row.id}`];
  });
}

/** Deliveries that are DELIVERED in the database although no receiver accepted them. */
function neverTaken(db: Database.Database, { taken, refused }: Inbox): string[] {
  const done = lines(db, "SELECT id FROM deliveries WHERE status = 'DELIVERED'").filter((id) => !taken.has(id));
  const failed = db.prepare("SELECT id, max_attempts FROM deliveries WHERE status = 'FAILED'").all() as {
    id: string;
    max_attempts: number;
  }[];
  return [
    ...done.map((id) => `delivery ${id} is DELIVERED and was never taken`),
    ...failed
      .filter(({ id, max_attempts }) => (refused.get(id) ?? 0) < max_attempts)
      .map(({ id, max_attempts }) => `delivery ${id} is FAILED and was refused less than ${max_attempts} times`),
  ];
}

export interface WebhookCheck {
  readonly db: Database.Database;
  readonly known: readonly Known[];
  readonly notebook: Notebook;
  readonly inbox: Inbox;
}

export function wrongWebhooks({ db, known, notebook, inbox }: WebhookCheck): string[] {
  const { got, wrong } = inbox.collect(notebook.secrets);
  const { turns, creations } = notebook;
  const last = turns.at(-1);
  const present = creations.filter(({ from }) => last === undefined || from > last.until);
  return [
    ...wrong,
    ...(notebook.isReplaced() ? [] : neverStored(db, got)),
    ...neverTaken(db, inbox),
    ...lines(db, OUTBOX),
    ...lines(db, ASTRAY),
    ...repeated(db, notebook.resent),
    ...unwanted(db, notebook.subscriptions),
    ...wrongCopies(db, known, present, notebook),
  ];
}
