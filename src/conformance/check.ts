import type { IncomingHttpHeaders } from "node:http";
import type { HttpAnswer, HttpRequest } from "../client/send.js";
import type { RealTime } from "../kernel/runtime.js";
import texts from "./checks.json" with { type: "json" };

/** The vocabulary of conformance: what a check is, and what it sees of the host. */

/**
 * What a check needs. `write`: it creates objects. `emulator`: it also needs the simulators of the emulator.
 * `receiver`: the host must be able to send webhooks to this machine. `other_key`: the key of the other mode.
 */
export type Need = "write" | "emulator" | "receiver" | "other_key";

export interface Check {
  readonly name: string;
  /** The section of the interface specification that says it, by its number. */
  readonly section: string;
  /** One sentence: what must be true. */
  readonly about: string;
  readonly needs?: readonly Need[];
  /** The specification leaves it open: a difference is told, and does not fail. */
  readonly isWarning?: true;
  /** It looks at the answers to all other checks, so it runs after them. */
  readonly isLast?: true;
  /** Returns what was seen, in a few words. Throws Deviation or Skip. */
  readonly run: (host: Host) => Promise<string> | string;
}

/** One request of a check, and its answer. */
export interface CheckedExchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body; undefined when it is no JSON. */
  readonly json: unknown;
  /** True when the request had the key of the run, so that the same command shows the same answer. */
  readonly isOwn: boolean;
}

/** What the command gives to the checks. */
export interface RunContext {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key of the same account in the other mode; null when it is unknown. */
  readonly otherKey: string | null;
  /** Whether the checks may create objects. */
  readonly canWrite: boolean;
  /** How long to wait for a webhook, in real milliseconds. */
  readonly webhookWaitMs: number;
  /** Sends one request. Throws Unreachable without an answer. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => string;
  readonly real: RealTime;
}

/** The host as checks see it: requests, what is known about it, and the objects that checks share. */

export interface AskOptions {
  /** The key of the run when left out, another text, or none. */
  readonly key?: "other" | "none" | { readonly text: string };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A body that is sent unchanged, in place of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the host is, as far as its answers tell. */
export interface Facts {
  readonly isEmulator: boolean;
  /** False when the clock of the emulator stands still: what is due later never happens. */
  readonly isClockRunning: boolean;
}

export interface Host {
  readonly context: RunContext;
  readonly facts: Facts;
  readonly shapes: Shapes;
  readonly objects: TestObjects;
  /** Runs the webhook scenario once, and returns what happened. */
  readonly webhooks: () => Promise<WebhookStory>;
  /** All exchanges with /v1 so far, except those that were answered 429 and then repeated. */
  readonly exchanges: readonly CheckedExchange[];
  /** Answers 429, in the order in which they came. */
  readonly limited: readonly CheckedExchange[];
  /** A short text that the names of all objects of this run contain. */
  readonly run: string;
  ask(method: string, path: string, options?: AskOptions): Promise<CheckedExchange>;
  get(path: string, options?: AskOptions): Promise<CheckedExchange>;
  /** Sends a file to a signed address, without a key. Returns the status. */
  upload(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number>;
  /** An idempotency key that no other request uses. */
  newKey(): string;
  /** What the end of the run undoes, in the reverse order. */
  atEnd(undo: () => Promise<void>): void;
}

export interface Shapes {
  /** Throws Deviation when the body differs from what `route`, such as `GET /v1/payments/{id}`, answers with `status`. */
  check(seen: CheckedExchange, route: string, status?: number): void;
  /** What is wrong with the payload of an event; null when nothing is. */
  eventIssues(event: string, payload: unknown): string | null;
}

/**
 * The objects that checks share. Each is made or looked up once, at its first use. When that fails, the checks that need
 * the object are skipped, because the check of its creation tells the difference.
 */

export interface CreatedCharge {
  readonly id: string;
  /** The id without `ch_`. */
  readonly raw: string;
  readonly created: CheckedExchange;
}

export interface TestObjects {
  /** The body of a charge that a person recognises. `purpose` is shown in the description. */
  chargeBody(purpose: string): Readonly<Record<string, unknown>>;
  /** Creates a charge, under a new idempotency key when none is given. The end of the run cancels it. */
  createCharge(body: unknown, path?: string, key?: string): Promise<CheckedExchange>;
  /** A new charge. */
  charge(): Promise<CreatedCharge>;
  /** A new charge that its payer has paid; on an emulator only. */
  paidCharge(): Promise<CreatedCharge>;
  /** The body of a payment that a person recognises, with a new idempotency key. */
  paymentBody(): Readonly<Record<string, unknown>>;
  /** Creates a payment. The end of the run cancels it. */
  createPayment(body: unknown): Promise<CheckedExchange>;
  /** The first page of payments; with --write it has two or more. */
  payments(): Promise<readonly unknown[]>;
  /** The raw id of a payment that can be read. */
  paymentId(): Promise<string>;
  /** The first page of MED cases; with --write on an emulator it has two or more. */
  medCases(): Promise<readonly unknown[]>;
  /** Opens a MED case about a new paid charge; on an emulator only. */
  openCase(purpose: string): Promise<{ readonly id: string; readonly chargeId: string }>;
}

/** A receiver of webhooks on this machine, for the time of a run. */

export interface Received {
  /** The last part of the path: which endpoint it was sent to. */
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  /** The body; undefined when it is no JSON. */
  readonly json: unknown;
  /** The name of the event, as the body tells it. */
  readonly type: string;
  /** When it arrived, in monotonic milliseconds. */
  readonly at: number;
}

/** What happened to the webhooks of one charge: it was created, cancelled, and its events were sent again. */
export interface WebhookStory {
  readonly charge: CreatedCharge;
  /** False when not even the first event arrived. */
  readonly isHeard: boolean;
  /** The registrations of both endpoints. `main` refuses some deliveries at first, `control` accepts all. */
  readonly main: WebhookTarget;
  readonly control: WebhookTarget;
  /** The deliveries about the charge to one endpoint, in the order of arrival. */
  of(endpoint: WebhookTarget, type?: string): readonly Received[];
  /** The same, without what the order to send again brought. */
  beforeResend(endpoint: WebhookTarget, type: string): readonly Received[];
  /** The answer to the order to send again; null when it was not given. */
  readonly resent: CheckedExchange | null;
  /** The list of deliveries to `main` at the end. */
  readonly log: CheckedExchange;
  /** The first delivery to `control` after its secret was exchanged, with the new secret; null when none arrived. */
  readonly rotated: { readonly delivery: Received | null; readonly secret: string };
}

/** An endpoint that the run has registered. */
export interface WebhookTarget {
  readonly id: string;
  /** The last part of its address. */
  readonly name: string;
  readonly secret: string;
}

/** How checks are declared, and how a check ends. What each of them says stands in checks.json, by the sections of the specification. */

type Texts = typeof texts;

/** Unique, in small letters with hyphens. Scripts choose checks by it, so it does not change. */
export type CheckName = { [Section in keyof Texts]: keyof Texts[Section]["checks"] }[keyof Texts];

/** The sections of the interface specification, by number. docs/guides/conformance.md has the same list. */
export const SECTIONS: Readonly<
  Record<string, { readonly title: string; readonly checks: Readonly<Record<string, string>> }>
> = texts;

/** A section as a heading: its number and its title. */
export function sectionTitle(section: string): string {
  return `${section} ${SECTIONS[section]?.title ?? ""}`.trimEnd();
}

/** Orders sections as the specification does: 4.9 before 4.10. */
export function bySection(one: string, other: string): number {
  const [a = 0, b = 0] = one.split(".").map(Number);
  const [c = 0, d = 0] = other.split(".").map(Number);
  return a - c || b - d;
}

type Run = Check["run"];

/** What a check needs that the others beside it do not, and how else it differs. */
type CheckOverrides = Pick<Check, "run"> & Partial<Check>;

export function needing(needs: readonly Need[], run: Run): CheckOverrides {
  return { needs, run };
}

/** The specification leaves it open. */
export function warning(run: Run): CheckOverrides {
  return { isWarning: true, run };
}

/** Checks by their names. Most of them need this. */
export function checks(
  needs: readonly Need[],
  byName: { readonly [Name in CheckName]?: Run | CheckOverrides },
): readonly Check[] {
  return Object.entries(byName).map(([name, given]) => {
    const [section = "", { checks: sentences = {} } = {}] =
      Object.entries(SECTIONS).find(([, { checks: all }]) => Object.hasOwn(all, name)) ?? [];
    const special = typeof given === "function" ? { run: given } : given;
    return { name, section, about: sentences[name] ?? "", needs, ...special };
  });
}

export type Status = "passed" | "failed" | "skipped";

/** The result of a check for a program. */
export interface Result {
  readonly name: string;
  readonly section: string;
  readonly status: Status;
  /** What was expected, what was seen, and how to look further. That of a warning begins with `Warning:`. */
  readonly detail: string;
}

/** The result of a check with its parts, for a person. */
export interface CheckOutcome {
  readonly check: Check;
  readonly status: Status;
  /** True when the host differs in something that is only a warning. The status is `passed` then. */
  readonly isWarned: boolean;
  readonly expected: string;
  /** What was seen; for a skipped check the reason. */
  readonly seen: string;
  /** A command or a place that shows more; empty when there is none. */
  readonly look: string;
}

/** The host does something else than it should. */
export class Deviation extends Error {
  override readonly name = "Deviation";

  constructor(
    readonly seen: string,
    /** The exchange that shows it. */
    readonly exchange?: CheckedExchange,
    /** What was expected in this place, when it is more exact than the sentence of the check. */
    readonly expected?: string,
  ) {
    super(seen);
  }
}

/** The check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = "Skip";
}

/** The result for programs: the parts of the outcome as one text. */
export function resultOf({ check: { name, section }, status, isWarned, expected, seen, look }: CheckOutcome): Result {
  if (status === "skipped") return { name, section, status, detail: `Skipped: ${seen}.` };
  const further = look === "" ? "" : ` Look further: ${look}`;
  const detail = `${isWarned ? "Warning: " : ""}Expected: ${expected} Seen: ${seen}.${further}`;
  return { name, section, status, detail };
}
