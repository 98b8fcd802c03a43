import type { Chance } from "../chance.js";
import type { Ask, Host, Loose, Reply } from "../host.js";
import type { Book, World } from "../model/state.js";

/** A step of a simulation is plain data, so that a run can be printed, shortened and repeated. */

/** Numbers and texts that a step draws; a number that chooses an object is taken modulo the number of objects. */
export type Value = string | number | boolean | null;
export type Params = Readonly<Record<string, Value>>;

export interface Run {
  readonly host: Host;
  /** Where webhooks are received. */
  readonly receivers: string;
  world: World;
  /** The states that were saved, by the name of the snapshot. */
  saved: Map<string, World>;
  /** The API keys of the books and the passwords of the owners, which the service shows once. */
  readonly keys: Map<string, string>;
  readonly owners: Map<string, { email: string; password: string }>;
  readonly secrets: Map<string, string>;
  /** Makes keys and names that are used once in a run. */
  next(): number;
}

export interface Plan {
  readonly ask: Ask;
  readonly book?: Book;
  /** The status of the answer, and the code of the error when it is a refusal. */
  readonly status: number;
  readonly code?: string;
  /** Changes the model as the answered request changed the service. */
  readonly apply?: (world: World, answer: Loose) => void;
  /** Differences between the answer and the model after `apply`. */
  readonly wrong?: (answer: Reply) => readonly string[];
  /** True if the same request can be sent again, and counts once. */
  readonly repeats?: boolean;
  /** Finds what a request made whose answer was lost; null when it made nothing. */
  readonly find?: () => Promise<Loose>;
  /** Brings the model to where the service is after a request that can stop half-way. */
  readonly catchUp?: (world: World) => Promise<void>;
  /** True if the request replaces the whole state, and so what receivers have to remember. */
  readonly replaces?: boolean;
}

export interface Kind {
  readonly name: string;
  readonly weight: number;
  draw(chance: Chance): Params;
  /** Null when nothing of this kind can be done now. */
  plan(params: Params, run: Run): Plan | null | Promise<Plan | null>;
}

export const pickOf = <Item>(items: readonly Item[], which: Value | undefined): Item | undefined =>
  items.length === 0 ? undefined : items[Number(which ?? 0) % items.length];

export const which = (chance: Chance) => chance.below(1_000);

export function bookAt(run: Run, index: Value | undefined): Book {
  const book = pickOf(run.world.books, index);
  if (book === undefined) throw new Error("the model has no book");
  return book;
}

/** The same book of another copy of the model. */
export function same(world: World, { name }: Book): Book {
  const book = world.books.find((one) => one.name === name);
  if (book === undefined) throw new Error(`no book ${name}`);
  return book;
}

export function keyOf(run: Run, { name }: Book): string {
  const key = run.keys.get(name);
  if (key === undefined) throw new Error(`no key for ${name}`);
  return key;
}

/** The other book of the same account, whose objects a key must never see. */
export function otherBook(run: Run, { account, mode }: Book): Book | undefined {
  return run.world.books.find((one) => one.account === account && one.mode !== mode);
}

export const rawId = (id: string) => id.replace(/^[a-z]+_/, "");
