import * as chaos from "../emulator/sandbox/operations/chaos.js";
import * as clock from "../emulator/sandbox/operations/clock.js";
import * as emulator from "../emulator/sandbox/operations/emulator.js";
import * as faults from "../emulator/sandbox/operations/faults.js";
import { sandboxTestReceiver } from "../emulator/sandbox/operations/receiver-test.js";
import * as snapshots from "../emulator/sandbox/operations/snapshots.js";
import { sandboxSurvive } from "../emulator/sandbox/operations/survive.js";
import { NOUNS } from "../service/features/index.js";
import type { Operation } from "../service/features/operation.js";
import { sandboxPayments } from "../service/features/search/operations/sandbox-payments.js";
import { sandboxSearch } from "../service/features/search/operations/sandbox-search.js";
import { sandboxIncident } from "../service/features/timeline/operations/sandbox-incident.js";
import { sandboxTimeline } from "../service/features/timeline/operations/sandbox-timeline.js";
import { sandboxProveMistake, sandboxWhy } from "../service/features/timeline/operations/sandbox-why.js";

/** The operations of no noun: those across the nouns, and those of the emulator itself. */
const OTHERS = [
  sandboxTimeline,
  sandboxIncident,
  sandboxWhy,
  sandboxProveMistake,
  sandboxPayments,
  sandboxSearch,
  emulator.sandboxRoot,
  clock.clockShow,
  clock.clockDue,
  clock.clockPast,
  clock.clockAdvance,
  clock.clockFreeze,
  clock.clockResume,
  clock.clockSpeed,
  faults.faultList,
  faults.faultAdd,
  faults.faultRemove,
  faults.faultClear,
  chaos.webhookChaos,
  chaos.showWebhookChaos,
  sandboxTestReceiver,
  sandboxSurvive,
  emulator.sandboxStream,
  snapshots.snapshotList,
  snapshots.snapshotSave,
  snapshots.snapshotRestore,
  snapshots.snapshotDelete,
  snapshots.snapshotExport,
  snapshots.snapshotImport,
  emulator.sandboxSettings,
  emulator.sandboxConsoleLink,
  emulator.sandboxReset,
] as const satisfies readonly Operation[];

/**
 * The chapters of documents and help, by the beginnings of paths. An operation is in the chapter with the longest beginning of its own
 * path. In a chapter, the operations stand in the order of the nouns, and each noun says the order of its own.
 */
export const CHAPTERS = [
  ...["/v1/charges", "/v1/wallets", "/v1/payments", "/v1/payments/{id}/refund", "/v1/payments/{id}/"],
  ...["/v1/webhooks", "/v1/med", "/v1/api-keys", "/v1/auth"],
  ...["/_sandbox", "/_sandbox/timeline", "/_sandbox/incidents", "/_sandbox/why"],
  ...["/_sandbox/charges", "/_sandbox/refunds", "/_sandbox/med-cases", "/_sandbox/payouts", "/_sandbox/ledger"],
  ...["/_sandbox/clock", "/_sandbox/collectors", "/_sandbox/faults", "/_sandbox/webhooks/chaos", "/_sandbox/webhooks"],
  ...["/_sandbox/survive", "/_sandbox/payments", "/_sandbox/search", "/_sandbox/events", "/_sandbox/requests"],
  ...["/_sandbox/stream", "/_sandbox/emails", "/_sandbox/audit", "/_sandbox/account", "/_sandbox/snapshots"],
  ...["/_sandbox/settings", "/_sandbox/console", "/_sandbox/reset"],
];

export function chapterOf({ contract }: Operation): string {
  const path = contract.path.replace("/pix/", "/");
  const beginnings = CHAPTERS.filter((beginning) => path.startsWith(beginning));
  return beginnings.toSorted((one, other) => other.length - one.length)[0] ?? "";
}

type OfNouns = (typeof NOUNS)[number]["operations"][number];

const ofNouns = NOUNS.flatMap(({ operations }): readonly OfNouns[] => operations);

/**
 * The table of contents of the product: every operation, in the order of documents and help. Router, OpenAPI document,
 * client and command line are derived from it.
 */
export const registry: readonly (OfNouns | (typeof OTHERS)[number])[] = [...ofNouns, ...OTHERS].toSorted(
  (one, other) => CHAPTERS.indexOf(chapterOf(one)) - CHAPTERS.indexOf(chapterOf(other)),
);

/** With the type of every operation, so that the client's types follow from it. */
export type Registry = typeof registry;
