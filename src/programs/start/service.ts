import type { H3 } from "h3";
import { createEvidenceUpload } from "../../api/http/evidence-files.js";
import type { OperationParts } from "../../api/http/operation-route.js";
import { createRateLimiter } from "../../api/http/rate-limit.js";
import { createRouter } from "../../api/http/router.js";
import type { ServerOwner } from "../../api/http/server-routes.js";
import { createStreams } from "../../api/http/stream.js";
import { registry } from "../../api/registry.js";
import type { OpenDatabase } from "../../base/db/open.js";
import { realWaiting } from "../../base/platform/real-runtime.js";
import { findMistake, findWhy } from "../../checks/why/in-service.js";
import { type ConsoleAccess, createConsoleAccess, linkTo } from "../../emulator/sandbox/console-access.js";
import type { Controls } from "../../emulator/sandbox/control-interface.js";
import { createControls } from "../../emulator/sandbox/controls.js";
import { createFaultRules } from "../../emulator/sandbox/fault-rules.js";
import { createKeptKeys } from "../../emulator/sandbox/kept-keys.js";
import { createFollowLog } from "../../emulator/sandbox/live-logs.js";
import { createLiveStream } from "../../emulator/sandbox/live-stream.js";
import { withPublishing } from "../../emulator/sandbox/publishing-controls.js";
import { createReceiverTests } from "../../emulator/sandbox/receiver-tests.js";
import { createSnapshotControls } from "../../emulator/sandbox/snapshot-controls.js";
import { streamFeeds } from "../../emulator/sandbox/stream-messages.js";
import { createSurvivalBoard } from "../../emulator/sandbox/survival-board.js";
import { createSnapshotStore } from "../../emulator/snapshots/store.js";
import type { LookupAll } from "../../service/delivery/guarded-lookup.js";
import { RequestLog } from "../../service/features/requests/request-log.js";
import type { Tx } from "../../service/features/tx.js";
import { createPages } from "../../web/checkout/checkout-pages.js";
import { createPaymentWatch } from "../../web/checkout/payment-watch.js";
import { createSigningKeyHolder } from "../../web/checkout/signing-key.js";
import { createDocsPages } from "../../web/docs/docs-pages.js";
import { type Background, createBackground } from "./background.js";
import type { Core } from "./core.js";
import { carryOver, type FirstAccount, setForward } from "./first-account.js";
import { startReporter } from "./start-reporter.js";

/** Loads the parts of the console alone, when it is opened for the first time. */
function consoleLoader(parts: OperationParts, access: ConsoleAccess): () => Promise<H3> {
  let loaded: Promise<H3> | null = null;
  return () => {
    loaded ??= import("../../web/console/gate.js").then(({ createConsole }) => createConsole(parts, registry, access));
    return loaded;
  };
}

/** The data in memory beside the database, and the open streams. */
function createMemory(core: Core, database: OpenDatabase) {
  const { clock, feeds, ids, log, random, real, settings, stores } = core;
  return {
    rateLimiter: settings.rateLimit === null ? null : createRateLimiter(settings.rateLimit, clock),
    requestLog: new RequestLog(feeds.requests.publish, real.monotonic, stores.history.lastRequest() + 1),
    faults: createFaultRules({ ids, random, clock, real }),
    liveStream: createLiveStream(ids.next(), (publish) => streamFeeds(feeds, stores, publish)),
    signingKey: createSigningKeyHolder(database.db),
    paymentWatch: createPaymentWatch({ happened: feeds.happened, clockReached: feeds.clockReached, log }),
    streams: createStreams(real),
    pageStreams: createStreams(real),
  };
}

type Memory = ReturnType<typeof createMemory>;

interface Running {
  readonly core: Core;
  readonly background: Background;
  readonly memory: Memory;
  readonly database: OpenDatabase;
  readonly account: FirstAccount;
  /** Null when the console is switched off. */
  readonly access: ConsoleAccess | null;
}

/** The emulator's own part: the controls under `/_sandbox`. */
function createEmulatorControls({ core, background, memory, database, account, access }: Running) {
  const { uow, clock, real, log, reader, settings, stores, address } = core;
  const keptKeys = createKeptKeys(reader);
  keptKeys.keep(account.testKey);
  keptKeys.keep(account.liveKey);
  const { requestLog, faults, liveStream, rateLimiter } = memory;
  const { scheduler, worker, plain } = background;
  const { signingKey, paymentWatch } = memory;
  const { secrets } = core;
  const caches = { stores, secrets, signingKey, worker, faults, requestLog, rateLimiter, liveStream, paymentWatch };
  const snapshots = createSnapshotControls({
    caches,
    store: createSnapshotStore(database.db, database.file, real),
    uow,
    clock,
    scheduler,
    background,
    usersStored: core.newUsers.stored,
    carryOver: (tx: Tx) => carryOver(tx, account, log),
  });
  const insecureTls = settings.insecureWebhookTls;
  const receiverTests = createReceiverTests({
    reader,
    real,
    ids: core.ids,
    pause: realWaiting.pause,
    insecureTls,
    plain,
  });
  const board = createSurvivalBoard(liveStream.publish);
  const withoutWhy = createControls({
    caches,
    reader,
    liveStream,
    db: database.db,
    uow,
    clock,
    scheduler,
    draws: core.draws,
    settings,
    requestLog,
    keptKeys,
    faults,
    chaos: core.chaos,
    snapshots,
    access,
    address,
    startReport: startReporter({ address, settings, real, database, liveStream }),
    receiverTests,
    survival: board.survival,
    startFrozen: settings.frozen,
    restoreForward: (tx: Tx, accountId: string) => void setForward(tx, accountId),
  });
  const controls: Controls = {
    ...withoutWhy,
    why: (caller, id) => findWhy(whyParts(), caller, id),
    proveMistake: (caller, id) => findMistake(whyParts(), caller, id),
  };
  const whyParts = () => ({ reader, controls, sending: { real, insecureTls, plain } });
  return { controls: withPublishing(controls, liveStream.publish), receiverTests, board, keptKeys };
}

/** The parts of the service that the operations need. */
function operationParts({ core, background, memory }: Running, controls: Controls): OperationParts {
  const { uow, reader, stores, ids, unguessable, clock, real, log, feeds, address, settings } = core;
  const { requestLog, faults, rateLimiter, streams, liveStream } = memory;
  const { requests, eventWritten } = feeds;
  return {
    uow,
    reader,
    controls,
    accounts: stores.accounts,
    ids,
    unguessable,
    clock,
    real,
    log,
    requestLog,
    faults,
    rateLimiter,
    address,
    traces: background.traces,
    previews: settings.preview,
    streams,
    follow: createFollowLog({ requests, eventWritten, webhooks: stores.webhooks, everything: liveStream }),
    receiveEvidence: createEvidenceUpload({ reader, uow }),
  };
}

interface FromProgram {
  readonly owner: ServerOwner | undefined;
  readonly lookup: LookupAll | undefined;
}

/** Builds a service from its parts. Nothing runs before `start`. */
export function createService(core: Core, database: OpenDatabase, account: FirstAccount, from: FromProgram) {
  const { address, clock, real, settings, unguessable } = core;
  const background = createBackground(core, from.lookup);
  const memory = createMemory(core, database);
  const access = settings.console ? createConsoleAccess(unguessable.random, real) : null;
  const running: Running = { core, background, memory, database, account, access };
  const { controls, receiverTests, board, keptKeys } = createEmulatorControls(running);
  const api = operationParts(running, controls);
  const { signingKey, paymentWatch, streams, pageStreams } = memory;
  return {
    app: createRouter({
      api,
      registry,
      pages: [
        ...createPages({ clock, watch: paymentWatch, signingKey }),
        ...createDocsPages(registry.map(({ contract }) => contract)),
      ],
      pageStreams,
      owner: from.owner,
      loadConsole: access === null ? null : consoleLoader(api, access),
    }),
    consoleUrl: access === null ? null : linkTo(address.publicOrigin, access.token, null),
    start: background.start,
    tellSurvival: board.reportSurvival,
    keepKey: keptKeys.keep,
    /** Ends the waits of open requests. */
    interrupt() {
      streams.closeAll();
      pageStreams.closeAll();
      memory.faults.stop();
      receiverTests.stop();
      // During an advance of the clock, its request stays open as long as receivers take.
      background.scheduler.interrupt();
    },
    stop: background.stop,
  };
}
