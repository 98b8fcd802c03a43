import * as chaos from "../emulator/sandbox/operations/chaos.js";
import * as clock from "../emulator/sandbox/operations/clock.js";
import * as emulator from "../emulator/sandbox/operations/emulator.js";
import * as faults from "../emulator/sandbox/operations/faults.js";
import { sandboxTestReceiver } from "../emulator/sandbox/operations/receiver-test.js";
import * as snapshots from "../emulator/sandbox/operations/snapshots.js";
import { sandboxSurvive } from "../emulator/sandbox/operations/survive.js";
import * as apiKeys from "../service/features/access/operations/api-keys.js";
import * as sandboxAccounts from "../service/features/access/operations/sandbox-accounts.js";
import * as session from "../service/features/access/operations/session.js";
import * as sandboxEmails from "../service/features/emails/operations/sandbox-emails.js";
import * as cases from "../service/features/med/operations/cases.js";
import * as evidence from "../service/features/med/operations/evidence.js";
import * as sandboxCases from "../service/features/med/operations/sandbox-cases.js";
import type { Operation } from "../service/features/operation.js";
import * as sandboxPayouts from "../service/features/payouts/operations/sandbox-payouts.js";
import * as refunds from "../service/features/refunds/operations/refunds.js";
import * as sandboxRefunds from "../service/features/refunds/operations/sandbox-refunds.js";
import * as sandboxRequests from "../service/features/requests/operations/sandbox-requests.js";
import { sandboxPayments } from "../service/features/search/operations/sandbox-payments.js";
import { sandboxSearch } from "../service/features/search/operations/sandbox-search.js";
import { sandboxIncident } from "../service/features/timeline/operations/sandbox-incident.js";
import { sandboxTimeline } from "../service/features/timeline/operations/sandbox-timeline.js";
import { sandboxWhy } from "../service/features/timeline/operations/sandbox-why.js";
import * as charges from "../service/features/transactions/operations/charges.js";
import * as payments from "../service/features/transactions/operations/payments.js";
import * as sandboxCharges from "../service/features/transactions/operations/sandbox-charges.js";
import * as statistics from "../service/features/transactions/operations/statistics.js";
import * as sandboxLedger from "../service/features/wallets/operations/sandbox-ledger.js";
import * as wallets from "../service/features/wallets/operations/wallets.js";
import * as collectors from "../service/features/webhooks/operations/collectors.js";
import * as deliveries from "../service/features/webhooks/operations/deliveries.js";
import * as endpoints from "../service/features/webhooks/operations/endpoints.js";
import * as sandboxWebhooks from "../service/features/webhooks/operations/sandbox-webhooks.js";

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
