import { createPages } from "./checkout/pages.js";
import { createSigningKeyHolder } from "./checkout/signing-key.js";
import { createConsolePages } from "./console/pages.js";
import type { Db } from "./db/driver.js";
import { keptText } from "./db/kept.js";
import { createLinkSigner } from "./db/link-signer.js";
import { type OpenDatabase, openDatabase } from "./db/open.js";
import { createSnapshots } from "./db/snapshots.js";
import { type Commit, createUnitOfWork, type UnitOfWork } from "./db/unit-of-work.js";
import { createChaos } from "./delivery/chaos.js";
import { createMailer, type Mailer } from "./delivery/mailer.js";
import { createTransport } from "./delivery/transport.js";
import { type Attempt, createDeliveryWorker, type DeliveryWorker } from "./delivery/worker.js";
import { accountStore } from "./features/access/store.js";
import { createTokens } from "./features/access/tokens.js";
import { userStore } from "./features/access/user-store.js";
import { idempotencyStore } from "./features/idempotency.js";
import { medStore } from "./features/med/store.js";
import { noticeStore } from "./features/notices/store.js";
import { payoutStore } from "./features/payouts/store.js";
import { refundStore } from "./features/refunds/store.js";
import { DEFAULT_SETTINGS, type ServiceSettings } from "./features/settings.js";
import { transactionStore } from "./features/transactions/store.js";
import type { Reader, Stores, Tx } from "./features/tx.js";
import { ledgerStore } from "./features/wallets/store.js";
import type { EventName } from "./features/webhooks/catalogue.js";
import { type ClaimedDelivery, webhookStore } from "./features/webhooks/store.js";
import { toLoggedEvent } from "./features/webhooks/wire.js";
import { createOriginCheck } from "./http/origin.js";
import { createRateLimiter } from "./http/rate-limit.js";
import { createRouter, type RouterParts } from "./http/router.js";
import { type HttpServer, takePort } from "./http/server.js";
import { createStreams } from "./http/stream.js";
import { createClock } from "./jobs/clock.js";
import { createScheduler, type Scheduler } from "./jobs/scheduler.js";
import { jobStore } from "./jobs/store.js";
import type { UserRole } from "./kernel/contract.js";
import { ID_PREFIX } from "./kernel/ids.js";
import type { Clock, Log, Random, Runtime } from "./kernel/runtime.js";
import { carryOver, createUserKeeper, type Opened, openAccounts, openForward } from "./opening.js";
import { qrBase64 } from "./pix/qr.js";
import { registry } from "./registry.js";
import { createIds, createRuntime } from "./runtime.js";
import { createControls } from "./sandbox/controls.js";
import { createFaults } from "./sandbox/faults.js";
import { createFeed, type Feed } from "./sandbox/feed.js";
import { type EventQuery, requestFilter } from "./sandbox/filters.js";
import { createRequestLog, type KeptRequest, toLoggedRequest } from "./sandbox/request-log.js";
import { createSnapshotControls } from "./sandbox/snapshots.js";
import { VERSION } from "./version.js";

/** How to make an emulator. Everything has a default; durations are milliseconds. */
export interface EmulatorOptions {
  /** A file, or `:memory:`. */
  readonly db?: string;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** API keys to accept besides those of the database, for CI. */
  readonly testKey?: string | undefined;
  readonly liveKey?: string | undefined;
  /** Signs what goes to the forward target and to webhook URLs: 64 hexadecimal digits. Made when left out. */
  readonly webhookSecret?: string | undefined;
  readonly forwardTo?: string | undefined;
  readonly forwardEvents?: readonly EventName[] | undefined;
  /** The clock stands still from the first start until it is advanced or resumed. */
  readonly frozen?: boolean;
  readonly insecureWebhookTls?: boolean;
  /** A mail server that takes the notice e-mails, such as `smtp://localhost:1025`. */
  readonly smtpUrl?: string | undefined;
  readonly settings?: Partial<ServiceSettings>;
  readonly log?: Log;
  readonly runtime?: Runtime;
}

/** A dashboard user. The password is in clear text when this start made the user, else null: only its hash is kept. */
export interface EmulatorUser {
  readonly email: string;
  readonly password: string | null;
  readonly role: UserRole;
}

export interface Forward {
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
}

export interface Emulator {
  /** Where it answers: `http://127.0.0.1:<port>`, with no slash behind. */
  readonly url: string;
  /** The absolute path of its file, or `:memory:`. */
  readonly database: string;
  /** The console's address, with the token of this start. */
  readonly consoleUrl: string;
  /** In clear text when made or imported by this start, else null: only their hashes are kept. */
  readonly testKey: string | null;
  readonly liveKey: string | null;
  /** Those of the first account, and those that this start made for accounts of an older database. */
  readonly users: readonly EmulatorUser[];
  /** Signs what goes to the forward target and to the `webhookUrl` of a payment: 64 characters, used as text. */
  readonly signingSecret: string;
  /** Where events are forwarded to, and what signs them; null without `forwardTo`. */
  readonly forward: Forward | null;
  /** Each delivery as it is sent, and each attempt as it ends. */
  onSending(listener: (delivery: ClaimedDelivery) => void): () => void;
  onAttempt(listener: (attempt: Attempt) => void): () => void;
  /** Stops taking requests, ends the open ones and closes the database. Nothing that was acknowledged is lost. */
  close(): Promise<void>;
}

/** Real time that open requests have to end when the server stops. */
const CLOSING_GRACE_MS = 2_000;

const SILENT: Log = { warn: () => undefined, error: () => undefined };

/** What is told to whoever listens, as it happens. */
function createFeeds({ real, log }: Runtime) {
  return {
    requests: createFeed<KeptRequest>("requests", real, log),
    /** `seq` of each new event. */
    events: createFeed<number>("events", real, log),
    sending: createFeed<ClaimedDelivery>("deliveries", real, log),
    attempts: createFeed<Attempt>("delivery attempts", real, log),
  };
}

function createStores(db: Db): Stores {
  return {
    accounts: accountStore(db),
    idempotency: idempotencyStore(db),
    jobs: jobStore(db),
    ledger: ledgerStore(db),
    med: medStore(db),
    notices: noticeStore(db),
    payouts: payoutStore(db),
    refunds: refundStore(db),
    transactions: transactionStore(db),
    users: userStore(db),
    webhooks: webhookStore(db),
  };
}

/** What signs with a key of the database: tokens of users, and addresses that are their own credential. */
function createSigners(db: Db, random: Random, { users }: Stores) {
  const tokenKey = keptText(db, "token_key", () => random.hex(32));
  const linkKey = keptText(db, "link_key", () => random.hex(32));
  const signers = { tokens: createTokens(tokenKey, users), ...createLinkSigner(linkKey) };
  return { signers, keys: [tokenKey, linkKey] };
}

/** One object for all readers: its instant and address are those of the moment at which they are asked for. */
function createReader(common: Omit<Reader, "now" | "origin">, clock: Clock, late: { readonly origin: string }): Reader {
  return {
    ...common,
    get now() {
      return clock.now();
    },
    get origin() {
      return late.origin;
    },
  };
}

/** What is there only once everything is put together. */
interface Late {
  scheduler?: Scheduler;
  worker?: DeliveryWorker;
  mailer?: Mailer;
  origin: string;
  usersStored: () => Promise<void>;
}

/** Tells of a change that was made at `now`, once it is durable. */
function notifyOf(late: Late, events: Feed<number>, now: number, afterCommit: Commit["afterCommit"]): Tx["notify"] {
  return {
    delivery: (dueAt) =>
      afterCommit(() => {
        if (dueAt <= now) late.worker?.pump();
        else late.scheduler?.hint(dueAt);
      }),
    event: (seq) => {
      if (events.size > 0) afterCommit(() => events.publish(seq));
    },
    email: () => afterCommit(() => late.mailer?.pump()),
  };
}

/** The service without its HTTP face: stores, time, units of work and what runs by itself. */
function createCore(database: OpenDatabase, options: EmulatorOptions) {
  const { db } = database;
  const runtime = options.runtime ?? createRuntime(options.log ?? SILENT);
  const { random, real, log } = runtime;
  const settings: ServiceSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  const clock = createClock(db, real);
  const ids = createIds(clock, random);
  const stores = createStores(db);
  const feeds = createFeeds(runtime);
  // Units of work, worker and scheduler need each other; these are read only once everything is put together.
  const late: Late = { origin: "", usersStored: () => Promise.resolve() };
  const usersStored = () => late.usersStored();
  const { signers, keys } = createSigners(db, random, stores);
  const common = { ...stores, ...signers, settings, qrBase64, ids, random, usersStored };
  const chaos = createChaos(random);
  const uow: UnitOfWork<Tx> = createUnitOfWork(database, real, ({ afterCommit, afterUndo }) => {
    const now = clock.now();
    return {
      ...common,
      now,
      origin: late.origin,
      afterCommit,
      afterUndo,
      losesMedEvent: () => chaos.losesMedEvent(),
      later(kind, subject, dueAt, payload = {}) {
        stores.jobs.insert(dueAt, subject, kind, JSON.stringify(payload), 0);
        afterCommit(() => late.scheduler?.hint(dueAt));
      },
      notify: notifyOf(late, feeds.events, now, afterCommit),
    };
  });
  const worker = createDeliveryWorker({
    uow,
    webhooks: stores.webhooks,
    clock,
    real,
    log,
    transport: createTransport({ real, insecureTls: options.insecureWebhookTls ?? false }),
    chaos,
    retryBaseMs: settings.retryBaseMs,
    userAgent: `qa-pay/${VERSION}`,
    sending: feeds.sending.publish,
    attempted: feeds.attempts.publish,
  });
  const scheduler = createScheduler({ ...stores, uow, clock, real, log, deliveries: worker });
  const current = createReader(common, clock, late);
  const reader = (): Reader => current;
  const mailer = createMailer({ smtpUrl: options.smtpUrl, notices: stores.notices, clock, real, log });
  Object.assign(late, { worker, scheduler, mailer });
  const running = { worker, chaos, scheduler, mailer };
  return { ...runtime, ...running, settings, clock, ids, stores, feeds, uow, reader, late, keys };
}

type Core = ReturnType<typeof createCore>;

/** Account, keys, users, forward target and clock, as this start finds or makes them. */
function openStored({ uow, clock, real, stores, log, keys }: Core, options: EmulatorOptions): Promise<Opened> {
  return uow.write((tx) => {
    const known = clock.restore();
    if (options.frozen && !clock.frozen) clock.freezeAt(known ? clock.now() : real.epoch(), tx);
    else clock.persist();
    for (const key of keys) key();
    stores.webhooks.recoverClaimed();
    // A reset may take the emulated clock back to real time, but nothing takes it further.
    stores.users.forgetTokensBefore(Math.min(clock.now(), real.epoch()));
    return openAccounts({ ...tx, now: clock.now() }, options, log);
  });
}

/** Follows a live feed of one book. */
function createFollow({ feeds, stores }: Core): RouterParts["follow"] {
  return (feed, bookId, query, send) => {
    if (feed === "requests") {
      const matches = requestFilter(query);
      return feeds.requests.subscribe((entry) => {
        const isOwn = entry.bookId === bookId || entry.bookId === null;
        if (isOwn && matches(entry)) send("request", entry.id, toLoggedRequest(entry));
      });
    }
    const { type, subject }: EventQuery = query;
    return feeds.events.subscribe((seq) => {
      const event = stores.webhooks.event(seq);
      if (event === null || event.book_id !== bookId) return;
      const wanted =
        (type === undefined || event.type === type) && (subject === undefined || event.subject === subject);
      if (wanted) send("event", ID_PREFIX.event + event.id, toLoggedEvent(event));
    });
  };
}

function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Gives the core its HTTP face. */
function startHttp(database: OpenDatabase, core: Core, server: HttpServer, opened: Opened, options: EmulatorOptions) {
  const { uow, clock, real, log, ids, stores, settings, reader } = core;
  core.late.origin = originOf(server.host, server.port);
  const rateLimiter = settings.rateLimit === null ? null : createRateLimiter(settings.rateLimit, clock);
  const requestLog = createRequestLog((entry) => core.feeds.requests.publish(entry));
  const streams = createStreams(real);
  const faults = createFaults({ ids, random: core.random, clock, real });
  const consoleToken = core.random.token(18);
  const signingKey = createSigningKeyHolder(database.db);
  const snapshots = createSnapshotControls({
    ...core,
    store: createSnapshots(database.db, database.file, real),
    signingKey,
    faults,
    requestLog,
    rateLimiter,
    usersStored: () => core.late.usersStored(),
    carryOver: (tx) => carryOver(tx, opened, options, log),
  });
  const controls = createControls({
    ...core,
    db: database.db,
    requestLog,
    faults,
    rateLimiter,
    snapshots,
    startFrozen: options.frozen ?? false,
    restoreForward: (tx, accountId) => void openForward(tx, accountId, options),
  });
  const app = createRouter({
    registry,
    pages: [...createPages(signingKey), ...createConsolePages({ token: consoleToken, requestLog })],
    accounts: stores.accounts,
    previews: settings.previews,
    uow,
    reader,
    controls,
    ids,
    clock,
    real,
    log,
    requestLog,
    faults,
    streams,
    rateLimiter,
    checkOrigin: createOriginCheck(server.host, server.port),
    follow: createFollow(core),
  });
  server.serve(app);
  return { streams, faults, consoleUrl: `${core.late.origin}/console?k=${consoleToken}` };
}

/** Puts the whole service together and starts it. The only module that knows every other. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const database = openDatabase(options.db ?? ":memory:");
  let taken: HttpServer | null = null;
  try {
    const core = createCore(database, options);
    const { host = "127.0.0.1", port = 0 } = options;
    // Before anything is stored: keys and passwords are shown once, by the start that makes them.
    const server = await takePort({ host, port, real: core.real, ids: core.ids });
    taken = server;
    const opened = await openStored(core, options);
    core.late.usersStored = createUserKeeper(core, opened.newUsers);
    const { streams, faults, consoleUrl } = startHttp(database, core, server, opened, options);
    core.scheduler.start();
    core.worker.pump();
    core.mailer.pump();
    void core.late.usersStored();

    async function close(): Promise<void> {
      streams.closeAll();
      faults.stop();
      // A journey of the clock would keep its request open for as long as receivers take.
      core.scheduler.interrupt();
      await server.close(CLOSING_GRACE_MS);
      await core.scheduler.stop();
      await core.worker.stop();
      await core.mailer.stop();
      await core.late.usersStored();
      // One last unit of work: every write that was asked for before it is committed when it returns.
      const written = core.uow.write(() => undefined);
      await written.catch((reason) => core.log.error("nothing could be written at the end", reason));
      database.close();
    }
    let closing: Promise<void> | null = null;
    const { testKey, liveKey, users, signingSecret, forward } = opened;
    return {
      url: core.late.origin,
      database: database.file,
      consoleUrl,
      testKey,
      liveKey,
      users,
      signingSecret,
      forward,
      onSending: core.feeds.sending.subscribe,
      onAttempt: core.feeds.attempts.subscribe,
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await taken?.close(0);
    database.close();
    throw error;
  }
}
