import * as apiKeys from "./features/access/operations/api-keys.js";
import * as sandboxAccounts from "./features/access/operations/sandbox-accounts.js";
import * as session from "./features/access/operations/session.js";
import * as sandboxEmails from "./features/emails/operations/sandbox-emails.js";
import * as cases from "./features/med/operations/cases.js";
import * as evidence from "./features/med/operations/evidence.js";
import * as sandboxCases from "./features/med/operations/sandbox-cases.js";
import type { Operation } from "./features/operation.js";
import * as sandboxPayouts from "./features/payouts/operations/sandbox-payouts.js";
import * as refunds from "./features/refunds/operations/refunds.js";
import * as sandboxRefunds from "./features/refunds/operations/sandbox-refunds.js";
import * as sandboxRequests from "./features/requests/operations/sandbox-requests.js";
import { sandboxPayments } from "./features/search/operations/sandbox-payments.js";
import { sandboxSearch } from "./features/search/operations/sandbox-search.js";
import { sandboxIncident } from "./features/timeline/operations/sandbox-incident.js";
import { sandboxTimeline } from "./features/timeline/operations/sandbox-timeline.js";
import { sandboxWhy } from "./features/timeline/operations/sandbox-why.js";
import * as charges from "./features/transactions/operations/charges.js";
import * as payments from "./features/transactions/operations/payments.js";
import * as sandboxCharges from "./features/transactions/operations/sandbox-charges.js";
import * as statistics from "./features/transactions/operations/statistics.js";
import * as sandboxLedger from "./features/wallets/operations/sandbox-ledger.js";
import * as wallets from "./features/wallets/operations/wallets.js";
import * as collectors from "./features/webhooks/operations/collectors.js";
import * as deliveries from "./features/webhooks/operations/deliveries.js";
import * as endpoints from "./features/webhooks/operations/endpoints.js";
import * as sandboxWebhooks from "./features/webhooks/operations/sandbox-webhooks.js";
import * as chaos from "./sandbox/operations/chaos.js";
import * as clock from "./sandbox/operations/clock.js";
import * as emulator from "./sandbox/operations/emulator.js";
import * as faults from "./sandbox/operations/faults.js";
import { sandboxTestReceiver } from "./sandbox/operations/receiver-test.js";
import * as snapshots from "./sandbox/operations/snapshots.js";
import { sandboxSurvive } from "./sandbox/operations/survive.js";

/**
 * The table of contents of the product: every operation, in the order in which documents and help list them. Router,
 * OpenAPI document, client and command line are derived from it.
 */
export const registry = [
  charges.createChargeOperation,
  charges.createPixCharge,
  charges.getCharge,
  charges.listCharges,
  wallets.walletsBalance,
  wallets.walletsList,
  payments.createPayment,
  payments.listPayments,
  statistics.paymentStats,
  statistics.paymentMetrics,
  payments.getPayment,
  refunds.createRefund,
  refunds.listRefunds,
  payments.cancelPayment,
  payments.resendPaymentWebhook,
  payments.providerStatus,
  payments.paymentReceipt,
  endpoints.createEndpoint,
  endpoints.listEndpoints,
  endpoints.updateEndpoint,
  endpoints.removeEndpoint,
  endpoints.rotateEndpointSecret,
  endpoints.eventCatalog,
  deliveries.listDeliveries,
  deliveries.webhookStats,
  cases.listCases,
  cases.getCase,
  cases.appeal,
  cases.accept,
  evidence.listEvidence,
  evidence.createEvidence,
  evidence.completeEvidence,
  apiKeys.issueApiKey,
  apiKeys.listApiKeys,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  session.login,
  session.logout,
  emulator.sandboxRoot,
  sandboxTimeline,
  sandboxIncident,
  sandboxWhy,
  sandboxCharges.sandboxPay,
  sandboxCharges.sandboxFail,
  sandboxCharges.sandboxExpire,
  sandboxCharges.sandboxReview,
  sandboxRefunds.sandboxRefunds,
  sandboxRefunds.sandboxRefund,
  sandboxRefunds.sandboxAdvanceRefund,
  sandboxCases.sandboxOpenCase,
  sandboxCases.sandboxDecideCase,
  sandboxCases.sandboxWithdrawCase,
  sandboxCases.sandboxRequestEvidence,
  sandboxPayouts.sandboxPayouts,
  sandboxPayouts.sandboxPayout,
  sandboxPayouts.sandboxCreatePayout,
  sandboxPayouts.sandboxPayPayout,
  sandboxPayouts.sandboxFailPayout,
  sandboxLedger.ledgerJournals,
  sandboxLedger.ledgerBalances,
  sandboxLedger.ledgerCheck,
  clock.clockShow,
  clock.clockDue,
  clock.clockAdvance,
  clock.clockFreeze,
  clock.clockResume,
  clock.clockSpeed,
  collectors.createCollector,
  collectors.collectedWebhooks,
  collectors.deleteCollector,
  faults.faultList,
  faults.faultAdd,
  faults.faultRemove,
  faults.faultClear,
  chaos.webhookChaos,
  chaos.showWebhookChaos,
  sandboxWebhooks.sandboxDeliveries,
  sandboxWebhooks.sandboxDelivery,
  sandboxWebhooks.sandboxResend,
  sandboxWebhooks.sandboxRevealSecret,
  sandboxTestReceiver,
  sandboxSurvive,
  sandboxPayments,
  sandboxSearch,
  sandboxWebhooks.sandboxEvents,
  sandboxWebhooks.sandboxEvent,
  sandboxRequests.sandboxRequests,
  sandboxRequests.sandboxRequestErrors,
  sandboxRequests.sandboxRequest,
  emulator.sandboxStream,
  sandboxEmails.sandboxEmails,
  sandboxEmails.sandboxEmail,
  sandboxAccounts.sandboxAudit,
  sandboxAccounts.sandboxAccount,
  sandboxAccounts.sandboxAccounts,
  sandboxAccounts.sandboxAccountDetails,
  sandboxAccounts.sandboxOpenAccount,
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

/** With the type of every operation, so that the client's types follow from it. */
export type Registry = typeof registry;
