import type { Tls } from "../../api/http/server.js";
import type { ServerOwner } from "../../api/http/server-routes.js";
import type { Log, Runtime } from "../../base/kernel/runtime.js";
import type { SurvivalNow } from "../../emulator/sandbox/survival-board.js";
import type { Attempt, AttemptRequest } from "../../service/delivery/attempt.js";
import type { LookupAll } from "../../service/delivery/guarded-lookup.js";
import type { SettingsInput } from "../../service/features/service-settings.js";
import type { ClaimedDelivery } from "../../service/features/webhooks/store.js";
import type { StartFacts } from "./start-facts.js";

/** The options of a start: settings, each of which has a default, and values that only programs can pass. */
export interface EmulatorOptions extends SettingsInput {
  /** Without it no command can recognize or stop this server. */
  readonly owner?: ServerOwner;
  readonly log?: Log;
  readonly runtime?: Runtime;
  /** Resolves the names in `http://` addresses of webhooks, in place of the machine. */
  readonly lookup?: LookupAll;
  /** Answers by TLS with this certificate, which is for localhost. */
  readonly tls?: Tls | undefined;
}

export interface Emulator extends StartFacts {
  /** The API key in clear text if this start created or imported it. Otherwise null: only its hash is stored. */
  readonly testKey: string | null;
  /** The same for the live book. */
  readonly liveKey: string | null;
  /** The source of ids, keys and secrets; null without a seed. */
  readonly randomSeed: string | null;
  /** The time of the emulated clock, in milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `listener` for each delivery as it is sent. Returns a function that stops it. */
  onSending(listener: (delivery: ClaimedDelivery) => void): () => void;
  /** Calls `listener` for each attempt as it ends. Returns a function that stops it. */
  onAttempt(listener: (attempt: Attempt) => void): () => void;
  /** Calls `listener` for each webhook that a collector receives. Returns a function that stops it. */
  onCollected(listener: (webhook: AttemptRequest) => void): () => void;
  /** Calls `listener` after each event that was written, of any account and mode. Returns a function that stops it. */
  onEvent(listener: () => void): () => void;
  /** Keeps the results of a run of `survive`, for the console. */
  reportSurvival(now: SurvivalNow): void;
  /** Keeps an API key of an earlier start in memory, so that the console can show it. */
  keepKey(key: string | null): void;
  /** Accepts no more requests, ends the open ones and closes the database. No acknowledged change is lost. */
  close(): Promise<void>;
}
