import type { H3 } from "h3";
import { createPages } from "../checkout/pages.js";
import { createPaymentWatch } from "../checkout/payment-watch.js";
import { createSigningKeyHolder } from "../checkout/signing-key.js";
import { type ConsoleAccess, createConsoleAccess, linkTo } from "../console/access.js";
import type { OpenDatabase } from "../db/open.js";
import { createSnapshotStore } from "../db/snapshots/store.js";
import { createDocsPages } from "../docs-pages/pages.js";
import type { OperationParts } from "../http/operation-route.js";
import { createRateLimiter } from "../http/rate-limit.js";
import { createRouter } from "../http/router.js";
import type { HttpServer } from "../http/server.js";
import { createStreams } from "../http/stream.js";
import { registry } from "../registry.js";
import { createControls } from "../sandbox/controls.js";
import { createFaultRules } from "../sandbox/fault-rules.js";
import { createFollowLog } from "../sandbox/live-logs.js";
import { createLiveStream } from "../sandbox/live-stream.js";
import { createReceiverTests } from "../sandbox/receiver-tests.js";
import { createRequestLog } from "../sandbox/request-log.js";
import { createSnapshotControls } from "../sandbox/snapshot-controls.js";
import { streamFeeds } from "../sandbox/stream-messages.js";
import { toldControls } from "../sandbox/told-controls.js";
import type { Background } from "./background.js";
import type { Core } from "./core.js";
import type { EmulatorOptions } from "./emulator-types.js";
import { carryOver, type FirstAccount, setForward } from "./first-account.js";
import { startReporter } from "./start-reporter.js";

/** Loads what only the console needs, when it is opened for the first time. */
function consoleLoader(parts: OperationParts, access: ConsoleAccess): () => Promise<H3> {
  let loaded: Promise<H3> | null = null;
  return () => {
    loaded ??= import("../console/gate.js").then(({ createConsole }) => createConsole(parts, registry, access));
    return loaded;
  };
}

/** What only the control interface and the console use. */
function ownParts(core: Core, database: OpenDatabase, options: EmulatorOptions, boot: string) {
  const { address, random, real } = core;
  const isConsoleOn = options.console ?? address.isForThisMachine;
  return {
    receiverTests: createReceiverTests({ ...core, insecureTls: options.insecureWebhookTls ?? false }),
    access: isConsoleOn ? createConsoleAccess(random, real) : null,
    startReport: startReporter(core, database, options, boot, isConsoleOn),
  };
}

/** The streams of callers with a key, and those of payers' pages. */
function openStreams({ real, feeds, log }: Core) {
  const streams = createStreams(real);
  const pageStreams = createStreams(real);
  const paymentWatch = createPaymentWatch({ ...feeds, log });
  const closeStreams = () => {
    streams.closeAll();
    pageStreams.closeAll();
  };
  return { streams, pageStreams, paymentWatch, closeStreams };
}

/** The HTTP side of the service: operations, pages and the control interface, handed to a server that listens. */
export function startWeb(
  database: OpenDatabase,
  core: Core,
  background: Background,
  server: HttpServer,
  account: FirstAccount,
  options: EmulatorOptions,
) {
  const { address, clock, real, log, ids, random, stores, settings, feeds, newUsers } = core;
  const rateLimiter = settings.rateLimit === null ? null : createRateLimiter(settings.rateLimit, clock);
  const requestLog = createRequestLog(feeds.requests.publish, stores.history.lastRequest() + 1);
  const { closeStreams, ...open } = openStreams(core);
  const liveStream = createLiveStream(ids.next(), (publish) => streamFeeds(feeds, stores, publish));
  const faults = createFaultRules({ ids, random, clock, real });
  const signingKey = createSigningKeyHolder(database.db);
  const memory = { rateLimiter, requestLog, faults, ...open, signingKey, liveStream };
  const parts = { ...core, ...background, ...memory, db: database.db, database };
  const own = ownParts(core, database, options, liveStream.boot);
  const { access } = own;
  const snapshots = createSnapshotControls({
    ...parts,
    store: createSnapshotStore(database.db, database.file, real),
    usersStored: newUsers.stored,
    carryOver: (tx) => carryOver(tx, account, options, log),
  });
  const controls = createControls({
    ...parts,
    snapshots,
    ...own,
    startFrozen: options.frozen ?? false,
    restoreForward: (tx, accountId) => void setForward(tx, accountId, options),
  });
  const operationParts = {
    ...parts,
    accounts: stores.accounts,
    previews: settings.previews,
    controls: toldControls(controls, liveStream.publish),
    follow: createFollowLog({ ...feeds, webhooks: stores.webhooks, everything: liveStream }),
  };
  const app = createRouter({
    ...operationParts,
    registry,
    pages: [
      ...createPages({ signingKey, clock, watch: open.paymentWatch }),
      ...createDocsPages(registry.map(({ contract }) => contract)),
    ],
    loadConsole: access === null ? null : consoleLoader(operationParts, access),
  });
  server.serve(app);
  const stop = () => {
    closeStreams();
    faults.stop();
    own.receiverTests.stop();
  };
  return { stop, consoleUrl: access === null ? null : linkTo(address.publicOrigin, access.token, null) };
}
