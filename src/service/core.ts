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

type Reports = Pick<Tx, "later" | "notify">;

/** How a unit of work tells the rest of the service what it wrote: through the feeds, after its commit. */
function reports(feeds: Feeds, { jobs }: Stores, { afterCommit }: Commit): Reports {
  const { jobDue, jobMade, deliveryDue, emailWritten, eventWritten, happened, journalPosted } = feeds;
  return {
    later(kind, subject, { at, bookId, history }, ...[payload = {}]) {
      const text = JSON.stringify(payload);
      const job = { due_at: at, subject, kind, payload: text, failures: 0, book_id: bookId, history_seq: history };
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

/** The same for all units of one transaction. */
function sharedReports(feeds: Feeds, stores: Stores): (commit: Commit) => Reports {
  let shared: { readonly commit: Commit; readonly reports: Reports } | undefined;
  return (commit) => {
    if (shared?.commit !== commit) shared = { commit, reports: reports(feeds, stores, commit) };
    return shared.reports;
  };
}

type OwnOfUnit = "cause" | "now" | "origin" | keyof Reports;

/**
 * What a unit of work may use. Every unit has such an object of its own, so the members are written out: a spread of so
 * many takes a hundred times as long.
 */
function unitOf(common: Omit<Tx, OwnOfUnit | keyof Commit>, own: Pick<Tx, OwnOfUnit>, commit: Commit): Tx {
  return {
    accounts: common.accounts,
    history: common.history,
    idempotency: common.idempotency,
    jobs: common.jobs,
    ledger: common.ledger,
    med: common.med,
    notices: common.notices,
    payouts: common.payouts,
    refunds: common.refunds,
    search: common.search,
    transactions: common.transactions,
    users: common.users,
    webhooks: common.webhooks,
    settings: common.settings,
    ids: common.ids,
    qrBase64: common.qrBase64,
    tokens: common.tokens,
    usersStored: common.usersStored,
    sign: common.sign,
    isSignature: common.isSignature,
    random: common.random,
    losesMedEvent: common.losesMedEvent,
    cause: own.cause,
    now: own.now,
    origin: own.origin,
    later: own.later,
    notify: own.notify,
    afterCommit: commit.afterCommit,
    afterUndo: commit.afterUndo,
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
  const address = createServerAddress(options.host ?? "127.0.0.1", options.publicUrl);
  const newUsers = createNewUsers(runtime, settings);
  const { signers, secrets } = createSigners(db, random, stores);
  const reportsOf = sharedReports(feeds, stores);
  const losesMedEvent = () => chaos.losesMedEvent();
  const common = {
    ...stores,
    ...signers,
    settings,
    qrBase64,
    ids,
    random,
    usersStored: newUsers.stored,
    losesMedEvent,
  };
  const uow: UnitOfWork<Tx> = createUnitOfWork(
    database,
    real,
    (commit, cause) => {
      const { later, notify } = reportsOf(commit);
      return unitOf(common, { later, notify, cause, now: clock.now(), origin: address.publicOrigin }, commit);
    },
    log,
  );
  /** One object for all readers. Its instant and origin are read at each access. */
  const reader: Reader = {
    ...common,
    get now() {
      return clock.now();
    },
    get origin() {
      return address.publicOrigin;
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
