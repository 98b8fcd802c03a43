import { createServerAddress, type ServerAddress } from "../../api/http/address.js";
import type { OpenDatabase } from "../../base/db/open.js";
import { createLinkSigner, storedSecret } from "../../base/db/stored-secret.js";
import { type Commit, UnitOfWork } from "../../base/db/unit-of-work.js";
import { type Cause, SERVICE } from "../../base/kernel/cause.js";
import type { Runtime } from "../../base/kernel/runtime.js";
import { qrBase64 } from "../../base/pix/qr.js";
import { createTokens } from "../../service/features/access/tokens.js";
import type { ServiceSettings } from "../../service/features/service-settings.js";
import { createStores, forgetRows } from "../../service/features/stores.js";
import { extendShared, type Reader, type Stores, type Tx } from "../../service/features/tx.js";
import { Chaos } from "../../service/features/webhooks/chaos.js";
import { createClock, type EmulatedClock } from "../../service/jobs/clock.js";
import { createDraws, type Draws } from "./draws.js";
import { createFeeds, type Feeds } from "./feeds.js";
import { createNewUsers } from "./new-users.js";

/** The signers of tokens and of addresses, with their secrets from the database. No seed decides a token. */
function createSigners(db: OpenDatabase["db"], { unguessable, of }: Draws, { users }: Stores) {
  const tokenKey = storedSecret(db, "token_key", () => unguessable.random.hex(32));
  const linkKey = storedSecret(db, "link_key", () => of("link key").hex(32));
  const { sign, isSignature } = createLinkSigner(linkKey);
  return { signers: { tokens: createTokens(tokenKey, users), sign, isSignature }, secrets: [tokenKey, linkKey] };
}

type Reports = Pick<Tx, "schedule" | "notify">;

/** The reports of a unit of work to the rest of the service: through the feeds, after its commit. */
function reports(feeds: Feeds, { jobs }: Stores, { afterCommit }: Commit): Reports {
  const { jobDue, jobMade, deliveryDue, eventWritten, happened, journalPosted, news } = feeds;
  return {
    schedule(kind, subject, { at, bookId, history }, ...[payload = {}]) {
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
      news: (message) => afterCommit(() => news.publish(message)),
      onHistory: (seq, row) => {
        if (happened.size > 0) afterCommit(() => happened.publish({ seq, ...row }));
      },
      journal: (id) => {
        if (journalPosted.size > 0) afterCommit(() => journalPosted.publish(id));
      },
    },
  };
}

/** The parts that readers and units of work share. */
type SharedByReaders = Omit<Reader, "now" | "origin">;

/** One object for all readers. Its instant and origin are read at each access. */
function readerOf(
  common: SharedByReaders,
  clock: Pick<EmulatedClock, "now">,
  address: Pick<ServerAddress, "publicOrigin">,
): Reader {
  return {
    ...common,
    get now() {
      return clock.now();
    },
    get origin() {
      return address.publicOrigin;
    },
  };
}

interface UnitParts {
  readonly clock: EmulatedClock;
  readonly stores: Stores;
  readonly draws: Draws;
  readonly feeds: Feeds;
  readonly chaos: Chaos;
  readonly address: ServerAddress;
}

/** Returns the function that begins a unit of work. */
function beginsUnits(common: SharedByReaders, { clock, stores, draws, feeds, chaos, address }: UnitParts) {
  const losesMedEvent = (of: string) => chaos.losesMedEvent(of);
  const forget = () => forgetRows(stores);
  return (commit: Commit, cause: Cause): Tx => {
    const { afterCommit, afterUndo } = commit;
    afterUndo(forget);
    const { ids, random } = draws.unit(cause);
    const { schedule, notify } = reports(feeds, stores, commit);
    const { publicOrigin: origin } = address;
    const now = clock.now();
    const own = { cause, now, origin, afterCommit, afterUndo, ids, random, losesMedEvent, schedule, notify };
    return extendShared(common, own);
  };
}

/** The part of the service that waits for no events: stores, time, units of work and their feeds. */
export function createCore(database: OpenDatabase, runtime: Runtime, settings: ServiceSettings, isTls = false) {
  const { real, log } = runtime;
  const clock = createClock(database.db, real, log);
  const stores = createStores(database.db);
  const draws = createDraws(runtime, clock, stores.history.last());
  const { requestIds: ids, unguessable } = draws;
  const { random } = draws.unit(SERVICE);
  const feeds = createFeeds(runtime);
  const chaos = new Chaos(draws.of);
  const address = createServerAddress(settings, isTls);
  const newUsers = createNewUsers(runtime, settings);
  const { signers, secrets } = createSigners(database.db, draws, stores);
  // A reader has the stores beside its own parts. A part with the name of a store does not compile here.
  const ownParts: Omit<SharedByReaders, keyof Stores> = {
    settings,
    ids: unguessable.ids,
    qrBase64,
    tokens: signers.tokens,
    usersStored: newUsers.stored,
    sign: signers.sign,
    isSignature: signers.isSignature,
  };
  const common: SharedByReaders = { ...stores, ...ownParts };
  const begin = beginsUnits(common, { clock, stores, draws, feeds, chaos, address });
  // A unit that runs again would draw other values.
  const uow = new UnitOfWork<Tx>(database, real, begin, { log, mayRunAgain: !draws.isSeeded });
  const reader = readerOf(common, clock, address);
  return {
    real,
    log,
    settings,
    clock,
    ids,
    random,
    unguessable,
    draws,
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
