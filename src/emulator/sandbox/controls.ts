import type { Db } from "../../base/db/driver.js";
import { emptyTables } from "../../base/db/replace-contents.js";
import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import { type Cause, SERVICE } from "../../base/kernel/cause.js";
import { ApiError, fieldError } from "../../base/kernel/errors.js";
import type { Ids, Random } from "../../base/kernel/runtime.js";
import { iso, MAX_INSTANT } from "../../base/kernel/time.js";
import { VERSION } from "../../base/platform/version.js";
import { accountDetails } from "../../service/features/access/account-details.js";
import { addUsers, hashPasswords, newAccount, openAccount, usersFor } from "../../service/features/access/actions.js";
import { recordClock } from "../../service/features/history/actions.js";
import { dueWork } from "../../service/features/jobs/due-work.js";
import type { RequestLog } from "../../service/features/requests/request-log.js";
import type { ServiceSettings } from "../../service/features/service-settings.js";
import { buildTimeline } from "../../service/features/timeline/build.js";
import type { WhyControls } from "../../service/features/timeline/operations/sandbox-why.js";
import { readSources, readStory } from "../../service/features/timeline/sources.js";
import { storyOf } from "../../service/features/timeline/story.js";
import type { Reader, Tx } from "../../service/features/tx.js";
import type { Chaos } from "../../service/features/webhooks/chaos.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import { RanWork } from "../../service/jobs/ran.js";
import type { Scheduler } from "../../service/jobs/scheduler.js";
import { type Caches, endOldWork, forgetContents } from "./caches.js";
import { type ConsoleAccess, linkTo } from "./console-access.js";
import type { ClockControls, ClockState, ClockTarget, ConsoleLink, Controls } from "./control-interface.js";
import type { FaultRules } from "./fault-rules.js";
import type { KeptKeys } from "./kept-keys.js";
import type { LiveStream } from "./live-stream.js";
import type { ReceiverTests } from "./receiver-tests.js";
import type { SnapshotControls } from "./snapshot-controls.js";
import type { StartReport } from "./start-report.js";

export interface ControlParts {
  readonly caches: Caches;
  readonly reader: () => Reader;
  readonly liveStream: LiveStream;
  readonly db: Db;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly draws: { unit(cause: Cause): { readonly ids: Ids; readonly random: Random } };
  readonly settings: Pick<ServiceSettings, "passwordCost">;
  readonly requestLog: RequestLog;
  readonly keptKeys: KeptKeys;
  readonly faults: FaultRules;
  readonly chaos: Chaos;
  readonly snapshots: SnapshotControls;
  /** Null when the console is switched off. */
  readonly access: ConsoleAccess | null;
  /** The address at which this server listens, and the public address of its start. */
  readonly address: { readonly origin: string; readonly publicOrigin: string };
  readonly startReport: () => StartReport;
  readonly receiverTests: ReceiverTests;
  readonly survival: Controls["survival"];
  readonly startFrozen: boolean;
  /** Creates the forward target of this start's options. */
  readonly restoreForward: (tx: Tx, accountId: string) => void;
}

/** The tables that a reset leaves alone. It empties all others, also those that are added one day. */
const KEPT_TABLES = [
  // The clock is reset by itself. The keys here sign addresses and tokens that clients still hold.
  "settings",
  // The first account stays as clients know it; `reset` removes the others, with everything in the tables below.
  "accounts",
  "books",
  "api_keys",
  "users",
  // The forward target keeps its id and secret, because the application behind it uses them.
  "endpoints",
  // A token that was logged out must not work again.
  "revoked_tokens",
];

/** The most due work that a timeline shows. Only an object whose events go to very many endpoints has more. */
const MAX_DUE = 100;

/** Opens an account with its users, in one unit of work. The passwords are hashed before: hashing cannot run inside. */
async function openWithUsers({ uow, draws, clock, settings, keptKeys }: ControlParts, name: string) {
  const { ids, random } = draws.unit(SERVICE);
  const account = newAccount(name, { ids, random, now: clock.now() });
  const users = usersFor(account, false, random);
  const hashed = await hashPasswords(users, random, settings);
  const opened = await uow.write((tx) => {
    const opening = openAccount(tx, account);
    addUsers(tx, hashed);
    return opening;
  });
  keptKeys.keep(opened.testKey);
  keptKeys.keep(opened.liveKey);
  return { opened, users };
}

function ownAccount({ reader }: ControlParts, id: string) {
  const account = reader().accounts.byId(id);
  if (account === null) throw new Error(`account ${id} is gone`);
  return account;
}

/** The instant that a target names. Throws `invalid_request` for one that cannot be reached. */
function instantOf(target: Exclude<ClockTarget, "next">, now: number): number {
  const at = "to" in target ? target.to : now + Math.round(target.seconds * 1_000);
  const param = "to" in target ? "to" : "seconds";
  if (at < now) throw fieldError(param, `is before the emulated now, ${iso(now)}; time only goes forward`);
  if (at > MAX_INSTANT) throw fieldError(param, "goes beyond 9999-12-31");
  return at;
}

function clockControls({ uow, clock, scheduler, reader }: ControlParts): ClockControls {
  function change(how: (tx: Tx) => void, cause: Cause): Promise<ClockState> {
    return scheduler.exclusively(async () => {
      await uow.write(how, cause);
      scheduler.rearm();
      return clock.show();
    });
  }
  return {
    show: () => clock.show(),
    async advance(target, bookId, cause) {
      const ran = new RanWork(bookId);
      const next = () => dueWork(reader(), { bookId, limit: 1 }).entries[0]?.at ?? null;
      await scheduler.advance(target === "next" ? next : instantOf(target, clock.now()), cause, ran);
      return { ...clock.show(), ran: ran.entries, ranCount: ran.count };
    },
    freeze: (cause) =>
      change((tx) => {
        clock.freezeAt(clock.now(), tx);
        recordClock(tx, "freeze");
      }, cause),
    resume: (cause) =>
      change((tx) => {
        clock.runFrom(clock.now(), tx);
        recordClock(tx, "resume");
      }, cause),
    setSpeed: (factor, cause) =>
      change((tx) => {
        clock.setSpeed(factor, tx);
        recordClock(tx, "speed", { factor });
      }, cause),
  };
}

const NO_CONSOLE =
  "The console of this server is switched off: it was started with --no-console, or listens for other machines too and " +
  "was started without --console.";

function consoleLink({ access, address }: ControlParts, page: string | null): ConsoleLink {
  if (access === null) throw new ApiError("not_found", { message: NO_CONSOLE });
  const { token, expiresAt } = access.newLink();
  const isPublic = address.publicOrigin !== address.origin;
  return { url: linkTo(address.publicOrigin, token, page), isPublic, expiresAt };
}

function removeAccount(tx: Tx, id: string): void {
  tx.webhooks.deleteEndpointsOf(id);
  tx.users.removeOf(id);
  tx.accounts.removeKeysOf(id);
  tx.accounts.removeBooksOf(id);
  tx.accounts.remove(id);
}

function incidentOf({ reader, requestLog, clock, db }: ControlParts, bookId: number, id: string) {
  const sources = readStory(reader(), requestLog, bookId, id);
  const summary = buildTimeline(sources).map(({ at, text }) => `${at} ${text}`);
  return { subject: sources.subject, now: iso(clock.now()), ...storyOf(db, bookId, sources, summary) };
}

/** All controls, except those that are built from answers of other operations. */
export function createControls(parts: ControlParts): Omit<Controls, keyof WhyControls> {
  const { db, uow, clock, scheduler, requestLog } = parts;

  function reset(tx: Tx): void {
    emptyTables(db, KEPT_TABLES);
    // The forward target keeps its id and secret: the application behind it knows them.
    tx.webhooks.deleteAllButForward();
    tx.afterUndo(() => forgetContents(parts.caches));
    const first = tx.accounts.first();
    if (first === null) throw new Error("the account of the first start is gone");
    for (const { id } of tx.accounts.otherThan(first.id)) removeAccount(tx, id);
    forgetContents(parts.caches);
    parts.restoreForward(tx, first.id);
  }

  /** Brings the state in memory back to that after a start. */
  function forget(): void {
    parts.faults.clear();
    parts.chaos.clear();
    endOldWork(parts.caches);
  }

  return {
    version: VERSION,
    consoleLink: (page) => consoleLink(parts, page),
    settings: parts.startReport,
    account: (id) => accountDetails(parts.reader(), requestLog, id),
    ownAccount: (id) => ownAccount(parts, id),
    keyOf: parts.keptKeys.of,
    testReceiver: parts.receiverTests.run,
    survival: parts.survival,
    requests: requestLog,
    stream: parts.liveStream,
    faults: parts.faults,
    chaos: parts.chaos,
    clock: clockControls(parts),
    // Exclusively: a snapshot or a restore in between would separate the account from its users.
    openAccount: (name) => scheduler.exclusively(() => openWithUsers(parts, name)),
    snapshots: parts.snapshots,
    timeline(bookId, id) {
      const reader = parts.reader();
      const sources = readSources(reader, requestLog, bookId, id);
      const due = dueWork(reader, { bookId, subjects: sources.objects.map((one) => one.id), limit: MAX_DUE });
      const { now, frozen } = clock.show();
      return { subject: sources.subject, now, frozen, items: buildTimeline(sources), due: due.entries };
    },
    incident: (bookId, id) => incidentOf(parts, bookId, id),
    reset: () =>
      scheduler.withJobsPaused(() =>
        uow.write((tx) => {
          reset(tx);
          clock.reset(parts.startFrozen, tx);
          tx.afterCommit(forget);
        }),
      ),
  };
}
