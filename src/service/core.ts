import { createLinkSigner } from "../db/link-signer.js";
import type { OpenDatabase } from "../db/open.js";
import { storedSecret } from "../db/stored-secret.js";
import { type Commit, createUnitOfWork, type UnitOfWork } from "../db/unit-of-work.js";
import { createChaos } from "../delivery/chaos.js";
import { createTokens } from "../features/access/tokens.js";
import { DEFAULT_SETTINGS, type ServiceSettings } from "../features/service-settings.js";
import type { Reader, Stores, Tx } from "../features/tx.js";
import { createServerAddress } from "../http/address.js";
import { createClock } from "../jobs/clock.js";
import type { Random } from "../kernel/runtime.js";
import { qrBase64 } from "../pix/qr.js";
import { createIds, createRuntime } from "../runtime.js";
import type { EmulatorOptions } from "./emulator-types.js";
import { createFeeds, type Feeds } from "./feeds.js";
import { createNewUsers } from "./new-users.js";
import { createStores } from "./stores.js";

/** The signers of tokens and of addresses, with the secrets of the database that they sign with. */
function createSigners(db: OpenDatabase["db"], random: Random, { users }: Stores) {
  const tokenKey = storedSecret(db, "token_key", () => random.hex(32));
  const linkKey = storedSecret(db, "link_key", () => random.hex(32));
  const signers = { tokens: createTokens(tokenKey, users), ...createLinkSigner(linkKey) };
  return { signers, secrets: [tokenKey, linkKey] };
}

/** How a unit of work tells the rest of the service what it wrote: through the feeds, after its commit. */
function reports(feeds: Feeds, { jobs }: Stores, { afterCommit }: Commit): Pick<Tx, "later" | "notify"> {
  const { jobDue, jobMade, deliveryDue, emailWritten, eventWritten, happened, journalPosted } = feeds;
  return {
    later(kind, subject, { at, bookId, history }, ...[payload = {}]) {
      const due = { due_at: at, subject, kind, book_id: bookId, history_seq: history };
      const job = { ...due, payload: JSON.stringify(payload), failures: 0 };
      jobs.insert(job);
      if (jobMade.size > 0) afterCommit(() => jobMade.publish(job));
      afterCommit(() => jobDue.publish(at));
    },
    notify: {
      delivery: (dueAt) => afterCommit(() => deliveryDue.publish(dueAt)),
      event: (seq) => {
        if (eventWritten.size > 0) afterCommit(() => eventWritten.publish(seq));
      },
      email: (mail) => afterCommit(() => emailWritten.publish(mail)),
      happened: (seq, row) => {
        if (happened.size > 0) afterCommit(() => happened.publish({ seq, ...row }));
      },
      journal: (id) => {
        if (journalPosted.size > 0) afterCommit(() => journalPosted.publish(id));
      },
    },
  };
}

/** The part of the service that waits for nothing: stores, time, units of work and their feeds. */
export function createCore(database: OpenDatabase, options: EmulatorOptions) {
  const { db } = database;
  const runtime = options.runtime ?? createRuntime(options.log);
  const { random, real, log } = runtime;
  const settings: ServiceSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  const clock = createClock(db, real);
  const ids = createIds(clock, random);
  const stores = createStores(db);
  const feeds = createFeeds(runtime);
  const chaos = createChaos(random);
  const address = createServerAddress(options.host ?? "127.0.0.1");
  const newUsers = createNewUsers(runtime, settings);
  const { signers, secrets } = createSigners(db, random, stores);
  const common = { ...stores, ...signers, settings, qrBase64, ids, random, usersStored: newUsers.stored };
  const uow: UnitOfWork<Tx> = createUnitOfWork(
    database,
    real,
    (commit, cause) => ({
      ...common,
      cause,
      now: clock.now(),
      origin: address.origin,
      afterCommit: commit.afterCommit,
      afterUndo: commit.afterUndo,
      losesMedEvent: () => chaos.losesMedEvent(),
      ...reports(feeds, stores, commit),
    }),
    log,
  );
  /** One object for all readers. Its instant and origin are read at each access. */
  const reader: Reader = {
    ...common,
    get now() {
      return clock.now();
    },
    get origin() {
      return address.origin;
    },
  };
  return {
    ...runtime,
    settings,
    clock,
    ids,
    stores,
    feeds,
    chaos,
    address,
    newUsers,
    secrets,
    uow,
    reader: () => reader,
  };
}

export type Core = ReturnType<typeof createCore>;
