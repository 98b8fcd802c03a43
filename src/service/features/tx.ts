import type { Commit } from "../../base/db/unit-of-work.js";
import type { Cause } from "../../base/kernel/cause.js";
import type { Ids, Random } from "../../base/kernel/runtime.js";
import type { Tokens } from "./access/tokens.js";
import type { NewHistory } from "./history/store.js";
import type { ServiceSettings } from "./service-settings.js";

/**
 * The statements about all tables. Each noun adds the type of its own store here, in the `index.ts` of its folder
 * (`declare module`), because the actions of a noun need this type before the list of all nouns is known.
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are in the folders of the nouns.
export interface Stores {}

/** The payloads of due work, by its kind. Each noun adds its own here, too. */
// biome-ignore lint/suspicious/noEmptyInterface: its members are in the folders of the nouns.
export interface JobPayloads {}
export type JobKind = keyof JobPayloads;

/** The arguments of a job behind its instant: none for a kind without a payload. */
type PayloadArgument<Kind extends JobKind> =
  JobPayloads[Kind] extends Record<string, never> ? [] : [payload: JobPayloads[Kind]];

export interface Reader extends Stores {
  /** The emulated instant, milliseconds since the epoch. */
  readonly now: number;
  readonly settings: ServiceSettings;
  readonly ids: Ids;
  /** The address of this server, without a slash at the end. */
  readonly origin: string;
  /** Returns the PNG of a QR code in base64, for `--qr base64`. */
  readonly qrBase64: (text: string) => string;
  readonly tokens: Tokens;
  /** Resolves when the users that this start created are stored. Hashing their passwords takes a moment. */
  readonly usersStored: () => Promise<void>;
  /** Returns a keyed digest of a text, for addresses that need no API key. */
  readonly sign: (text: string) => string;
  readonly isSignature: (text: string, signature: string) => boolean;
}

/** The parts of a unit of work. All its changes are committed together, or none of them. */
export interface Tx extends Reader, Commit {
  readonly random: Random;
  readonly cause: Cause;
  /** Schedules work of `kind` for the object `subject`. It is stored as a row, so it outlives the process. */
  schedule<Kind extends JobKind>(kind: Kind, subject: string, due: Due, ...payload: PayloadArgument<Kind>): void;
  /** Decides at random whether the next event of a MED case is not published (webhook chaos, `lose_med`). */
  losesMedEvent(of: string): boolean;
  /** Notifies the delivery worker, the live streams and the background work of nouns of changes, after the commit. */
  readonly notify: {
    delivery(dueAt: number): void;
    event(seq: number): void;
    news(message: News): void;
    onHistory(seq: number, row: NewHistory): void;
    journal(id: number): void;
  };
}

/** A message of the stream of everything. It is small: ids and what has changed. */
export interface News {
  /** Null for news that all accounts share, such as the clock. */
  readonly bookId: number | null;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Due {
  /** Emulated milliseconds. */
  readonly at: number;
  readonly bookId: number;
  /** The `seq` in the history. */
  readonly history: number;
}

/**
 * An object that inherits all members of `shared`, and overrides them by its own. Copying the thirty members of a unit
 * of work takes longer than writing three rows.
 */
export function extendShared<Shared extends object, Own extends object>(shared: Shared, own: Own) {
  return Object.assign(Object.create(shared) as Omit<Shared, keyof Own>, own);
}
