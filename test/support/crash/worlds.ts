/**
 * The facts about a database that clients know from answers, and which of them must, may or must not be true after snapshots
 * were saved and restored and the server was killed. These are pure functions: they read no server and no file.
 */

/** The moments of a request and of its answer, or of the loss of the answer. Moments are counted, not measured. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Values that must be the same in every answer about an object. Null means not known yet. */
export type Details = Readonly<Record<string, string | number | null>>;

export type Fact =
  /** An object was in a status: it exists, in this status or a later one. */
  | { readonly is: "at"; readonly object: string; readonly status: string; readonly details?: Details }
  /** A setting, which may change back and forth, got a value; null when the answer with the value was lost. */
  | { readonly is: "set"; readonly name: string; readonly value: string | null }
  /** The emulated clock showed this, milliseconds since the epoch. */
  | { readonly is: "time"; readonly now: number }
  /** A row that exists until all contents are replaced. */
  | { readonly is: "row"; readonly table: string; readonly id: string };

/** A fact with its time. When it is not `sure`, the answer to its request was lost. */
export interface Known extends Span {
  readonly fact: Fact;
  readonly sure: boolean;
}

/** A request that replaces or copies all contents. */
export interface Turn extends Span {
  readonly kind: "save" | "restore" | "reset";
  /** The name of the snapshot; empty for a reset. */
  readonly name: string;
  readonly sure: boolean;
  /** The real time of the request, in milliseconds since the epoch. */
  readonly at: number;
}

/** One possible state: the contents of the database and of each snapshot. */
export interface World {
  /** The turns that led to this state, in words. */
  readonly story: string;
  readonly known: readonly Known[];
  readonly snapshots: ReadonlyMap<string, readonly Known[]>;
}

/** The facts about the contents during `span`. A fact that overlaps the span may or may not be among them. */
function asOf(known: readonly Known[], { from, until }: Span): Known[] {
  return known
    .filter((one) => one.from < until)
    .map((one) => (one.until > from && one.sure ? { ...one, sure: false } : one));
}

/** The facts after contents were replaced during `span`. A fact that overlaps the span may or may not be among them. */
function since(known: readonly Known[], { from, until }: Span): Known[] {
  return known
    .filter((one) => one.until > from)
    .map((one) => (one.from < until && one.sure ? { ...one, sure: false } : one));
}

/** The objects that survive a reset: the signing key, keys and logins of the first account, and its forward target. */
const SURVIVES = /^(?:database|key|token) |^endpoint forward(?: |$)/;

function survivesReset({ fact }: Known): boolean {
  if (fact.is === "at") return SURVIVES.test(fact.object);
  return fact.is === "set" && SURVIVES.test(fact.name);
}

function afterReset(known: readonly Known[], { from, until, sure, at }: Turn): Known[] {
  const facts: Fact[] = [
    { is: "set", name: "clock frozen", value: "false" },
    { is: "set", name: "clock state", value: '{"offset":0,"frozenAt":null}' },
    { is: "time", now: at },
  ];
  return [...known.filter(survivesReset), ...facts.map((fact) => ({ fact, from, until, sure }))];
}

/** The part of a world that changes with each turn. Later facts are added at the end. */
interface Branch {
  readonly story: readonly string[];
  /** The facts about the contents at the beginning of this branch. */
  readonly base: readonly Known[];
  /** The turn that brought these contents. */
  readonly began: Span;
  readonly snapshots: ReadonlyMap<string, readonly Known[]>;
}

const contents = ({ base, began }: Branch, later: readonly Known[]): Known[] => [...base, ...since(later, began)];

function taken(branch: Branch, turn: Turn, later: readonly Known[]): Branch {
  const story = [...branch.story, turn.kind === "reset" ? "reset" : `${turn.kind} ${turn.name}`];
  const before = contents(branch, later);
  switch (turn.kind) {
    case "save":
      return { ...branch, story, snapshots: new Map([...branch.snapshots, [turn.name, asOf(before, turn)]]) };
    case "reset":
      return { ...branch, story, began: turn, base: afterReset(asOf(before, turn), turn) };
    case "restore": {
      const saved = branch.snapshots.get(turn.name);
      return saved === undefined ? branch : { ...branch, story, began: turn, base: saved };
    }
  }
}

/**
 * All possible worlds after these turns, from the known first state and the later facts. A turn whose answer was lost may or
 * may not have been carried out.
 */
export function worldsAfter(start: World, turns: readonly Turn[], later: readonly Known[]): World[] {
  const first: Branch = {
    story: [start.story],
    base: start.known,
    began: { from: 0, until: 0 },
    snapshots: start.snapshots,
  };
  const branches = turns.reduce<readonly Branch[]>(
    (all, turn) =>
      all.flatMap((branch) => {
        const next = taken(branch, turn, later);
        return turn.sure ? [next] : [branch, next];
      }),
    [first],
  );
  return branches.map((branch) => ({
    story: branch.story.join(", "),
    known: contents(branch, later),
    snapshots: branch.snapshots,
  }));
}

/** The public name of each status of a transaction. */
export const PUBLIC_STATUS: Readonly<Record<string, string>> = {
  PENDING: "pending",
  WAITING_PAYMENT: "pending",
  PROCESSING: "processing",
  PAID: "paid",
  APPROVED: "paid",
  REFUSED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
  REFUNDED: "refunded",
  CHARGEBACK: "disputed",
  DISPUTE: "disputed",
};

/** The statuses that come directly after each status, by kind of object. */
const NEXT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  transaction: {
    pending: ["processing", "paid", "failed", "expired", "cancelled", "refunded"],
    processing: ["paid", "failed", "expired", "cancelled", "refunded"],
    paid: ["refunded", "disputed"],
    disputed: ["paid"],
  },
  refund: { PENDING: ["IN_PROGRESS"], IN_PROGRESS: ["REFUNDED", "FAILED"] },
  payout: { pending: ["paid", "failed"] },
  case: { open: ["appealed", "accepted", "closed"], appealed: ["rejected", "closed"] },
  evidence: { announced: ["uploaded"], uploaded: ["confirmed"] },
  endpoint: { there: ["deleted"] },
  key: { works: ["revoked"] },
};

/** Whether an object that was in one status may be in another now. */
function canBecome(kind: string, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const status of seen) for (const next of NEXT[kind]?.[status] ?? []) seen.add(next);
  return seen.has(to);
}

/** The contents that were found in a database. */
export interface Found {
  readonly objects: ReadonlyMap<string, { readonly status: string; readonly details: Details }>;
  readonly settings: ReadonlyMap<string, string>;
  readonly now: number;
  /** The newest row of each table whose rows stay, with its id. */
  readonly newest: readonly (readonly [table: string, id: string])[];
  has(table: string, id: string): boolean;
}

/** Objects that the service creates by itself, so they may appear at any time. */
const OF_THE_SERVICE = /^(?:return|case of) /;

type At = Extract<Fact, { is: "at" }>;

function wrongObject({ object, status, details = {} }: At, found: Found): string[] {
  const there = found.objects.get(object);
  if (there === undefined) return [`${object} was told to be ${status} and is gone`];
  const kind = object.split(" ")[0] ?? "";
  const wrong = Object.entries(details)
    .filter(([name, value]) => value !== null && there.details[name] !== value)
    .map(([name, value]) => `${object} was told to have ${name} ${value} and has ${there.details[name]}`);
  if (canBecome(kind, status, there.status)) return wrong;
  return [...wrong, `${object} was told to be ${status} and is ${there.status}`];
}

const NOW: Span = { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/**
 * The values that a setting may have had during `span`. A change counts until a later change is certain. The order of two
 * overlapping changes is unknown.
 */
function possibleValues(known: readonly Known[], name: string, span: Span = NOW): ReadonlySet<string | null> {
  const changes = known.flatMap(({ fact, ...one }) =>
    fact.is === "set" && fact.name === name && one.from < span.until ? [{ ...one, value: fact.value }] : [],
  );
  const isOver = ({ until }: Span) =>
    changes.some((later) => later.sure && later.from > until && later.until < span.from);
  return new Set(changes.filter((change) => !isOver(change)).map(({ value }) => value));
}

function wrongSettings(known: readonly Known[], found: Found): string[] {
  const names = new Set(known.flatMap(({ fact }) => (fact.is === "set" ? [fact.name] : [])));
  return [...names].flatMap((name) => {
    const values = possibleValues(known, name);
    const value = found.settings.get(name);
    // The removal of an endpoint is reported for the endpoint itself.
    const isGone = value === undefined && name.startsWith("endpoint ");
    if (isGone || values.has(null) || (value !== undefined && values.has(value))) return [];
    return [`${name} was told to be ${[...values].join(" or ")} and is ${value}`];
  });
}

/** The differences between the found contents and the known facts, one sentence each. */
export function differences(known: readonly Known[], found: Found): string[] {
  const wrong: string[] = [];
  const asked = new Set(known.flatMap(({ fact }) => (fact.is === "at" ? [fact.object] : [])));
  for (const object of found.objects.keys()) {
    if (!asked.has(object) && !OF_THE_SERVICE.test(object)) wrong.push(`${object} is there, which cannot be`);
  }
  for (const { fact, sure } of known) {
    if (!sure) continue;
    if (fact.is === "at") wrong.push(...wrongObject(fact, found));
    if (fact.is === "time" && fact.now > found.now) wrong.push(`the clock went back by ${fact.now - found.now} ms`);
    if (fact.is === "row" && !found.has(fact.table, fact.id)) wrong.push(`${fact.id} of ${fact.table} is gone`);
  }
  return [...wrong, ...wrongSettings(known, found)];
}

/** The found contents as facts, which are true from now on. */
export function factsOf(found: Found, moment: number): Known[] {
  const facts: Fact[] = [
    ...[...found.objects].map(([object, { status, details }]): Fact => ({ is: "at", object, status, details })),
    ...[...found.settings].map(([name, value]): Fact => ({ is: "set", name, value })),
    ...found.newest.map(([table, id]): Fact => ({ is: "row", table, id })),
    { is: "time", now: found.now },
  ];
  return facts.map((fact) => ({ fact, from: moment, until: moment, sure: true }));
}

/** Whether an endpoint must get an event that was created during `span`; null when clients cannot know. */
export function wants(known: readonly Known[], endpoint: string, type: string, span: Span): boolean | null {
  const life = known.filter(({ fact }) => fact.is === "at" && fact.object === endpoint);
  const isEnd = ({ fact }: Known) => fact.is === "at" && fact.status === "deleted";
  if (life.every((one) => one.from > span.until)) return false;
  if (life.some((one) => isEnd(one) && one.sure && one.until < span.from)) return false;
  if (life.some((one) => isEnd(one) && one.from < span.until)) return null;
  if (!life.some((one) => one.sure && one.until < span.from)) return null;
  const isSubscribed = (events: string | null) => events?.split(",").includes(type) ?? false;
  const answers = new Set(
    [...possibleValues(known, `${endpoint} status`, span)].flatMap((status) =>
      [...possibleValues(known, `${endpoint} events`, span)].map(
        (events) => status === "ACTIVE" && isSubscribed(events),
      ),
    ),
  );
  return answers.size === 1 ? [...answers][0] === true : null;
}
