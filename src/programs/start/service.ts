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
import { findWhy } from "../../checks/why/in-service.js";
import { type ConsoleAccess, createConsoleAccess, linkTo } from "../../emulator/sandbox/console-access.js";
import type { Controls } from "../../emulator/sandbox/control-interface.js";
import { createControls } from "../../emulator/sandbox/controls.js";
import { createFaultRules } from "../../emulator/sandbox/fault-rules.js";
import { createFollowLog } from "../../emulator/sandbox/live-logs.js";
import { createLiveStream } from "../../emulator/sandbox/live-stream.js";
import { publishingControls } from "../../emulator/sandbox/publishing-controls.js";
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
import { createBackground } from "./background.js";
import type { Core } from "./core.js";
import { carryOver, type FirstAccount, setForward } from "./first-account.js";
import { joined } from "./joined.js";
import { startReporter } from "./start-reporter.js";

/** Loads what only the console needs, when it is opened for the first time. */
function consoleLoader(parts: OperationParts, access: ConsoleAccess): () => Promise<H3> {
  let loaded: Promise<H3> | null = null;
  return () => {
    loaded ??= import("../../web/console/gate.js").then(({ createConsole }) => createConsole(parts, registry, access));
    return loaded;
  };
}

/** What is remembered in memory beside the database, and the streams that are open. */
function createMemory(core: Core, database: OpenDatabase) {
  const { clock, feeds, ids, log, real, settings, stores } = core;
  return {
    rateLimiter: settings.rateLimit === null ? null : createRateLimiter(settings.rateLimit, clock),
    requestLog: new RequestLog(feeds.requests.publish, stores.history.lastRequest() + 1),
    faults: createFaultRules(core),
    liveStream: createLiveStream(ids.next(), (publish) => streamFeeds(feeds, stores, publish)),
    signingKey: createSigningKeyHolder(database.db),
    paymentWatch: createPaymentWatch({ ...feeds, log }),
    streams: createStreams(real),
    pageStreams: createStreams(real),
  };
}

interface FromProgram {
  readonly owner: ServerOwner | undefined;
  readonly lookup: LookupAll | undefined;
}

/** Puts a service together as one object, of which each part takes what it needs. Nothing runs before `start`. */
export function createService(
  core: Core,
  database: OpenDatabase,
  account: FirstAccount,
  { owner, lookup }: FromProgram,
) {
  const { address, feeds, log, newUsers, real, settings, stores, unguessable } = core;
  const background = createBackground(core, lookup);
  const memory = createMemory(core, database);
  const access = settings.console ? createConsoleAccess(unguessable.random, real) : null;
  const running = joined(joined(core, background), joined(memory, createSurvivalBoard(memory.liveStream.publish)));
  const parts = joined(running, {
    receiveEvidence: createEvidenceUpload(core),
    db: database.db,
    database,
    access,
    accounts: stores.accounts,
    previews: settings.preview,
    watch: memory.paymentWatch,
    receiverTests: createReceiverTests({
      ...core,
      ...background,
      insecureTls: settings.insecureWebhookTls,
      pause: realWaiting.pause,
    }),
    store: createSnapshotStore(database.db, database.file, real),
    usersStored: newUsers.stored,
    carryOver: (tx: Tx) => carryOver(tx, account, log),
    restoreForward: (tx: Tx, accountId: string) => void setForward(tx, accountId),
    startFrozen: settings.frozen,
  });
  const snapshots = createSnapshotControls(parts);
  const controls: Controls = {
    ...createControls({ ...parts, snapshots, startReport: startReporter(parts) }),
    why: (caller, id) => findWhy({ reader: core.reader, controls }, caller, id),
  };
  const served = {
    ...parts,
    controls: publishingControls(controls, memory.liveStream.publish),
    follow: createFollowLog({ ...feeds, ...stores, everything: memory.liveStream }),
  };
  return {
    app: createRouter({
      ...served,
      registry,
      pages: [...createPages(parts), ...createDocsPages(registry.map(({ contract }) => contract))],
      owner,
      loadConsole: access === null ? null : consoleLoader(served, access),
    }),
    consoleUrl: access === null ? null : linkTo(address.publicOrigin, access.token, null),
    start: background.start,
    tellSurvival: parts.tellSurvival,
    /** Ends what open requests wait for. */
    interrupt() {
      for (const streams of [memory.streams, memory.pageStreams]) streams.closeAll();
      memory.faults.stop();
      parts.receiverTests.stop();
      // While the clock is being advanced, the request for it stays open for as long as receivers take.
      background.scheduler.interrupt();
    },
    stop: background.stop,
  };
}
