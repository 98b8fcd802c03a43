import { issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./features/access/operations/api-keys.js";
import { login, logout } from "./features/access/operations/session.js";
import { accept, appeal, getCase, listCases } from "./features/med/operations/cases.js";
import { completeEvidence, createEvidence, listEvidence } from "./features/med/operations/evidence.js";
import type { Operation } from "./features/operation.js";
import { createRefund } from "./features/refunds/operations/create-refund.js";
import { listRefunds } from "./features/refunds/operations/list-refunds.js";
import { cancelPayment } from "./features/transactions/operations/cancel-payment.js";
import { createChargeOperation, createPixCharge } from "./features/transactions/operations/create-charge.js";
import { createPayment } from "./features/transactions/operations/create-payment.js";
import { getCharge } from "./features/transactions/operations/get-charge.js";
import { getPayment } from "./features/transactions/operations/get-payment.js";
import { listCharges } from "./features/transactions/operations/list-charges.js";
import { listPayments } from "./features/transactions/operations/list-payments.js";
import { paymentMetrics } from "./features/transactions/operations/metrics.js";
import { providerStatus } from "./features/transactions/operations/provider-status.js";
import { paymentReceipt } from "./features/transactions/operations/receipt.js";
import { resendPaymentWebhook } from "./features/transactions/operations/resend-webhook.js";
import { paymentStats } from "./features/transactions/operations/stats.js";
import { walletsBalance } from "./features/wallets/operations/balance.js";
import { walletsList } from "./features/wallets/operations/list.js";
import { createEndpoint } from "./features/webhooks/operations/create-endpoint.js";
import { removeEndpoint } from "./features/webhooks/operations/delete-endpoint.js";
import { eventCatalog } from "./features/webhooks/operations/event-catalog.js";
import { listDeliveries } from "./features/webhooks/operations/list-deliveries.js";
import { listEndpoints } from "./features/webhooks/operations/list-endpoints.js";
import { rotateEndpointSecret } from "./features/webhooks/operations/rotate-secret.js";
import { webhookStats } from "./features/webhooks/operations/stats.js";
import { updateEndpoint } from "./features/webhooks/operations/update-endpoint.js";
import {
  sandboxAccount,
  sandboxAccountDetails,
  sandboxAccounts,
  sandboxOpenAccount,
  sandboxReset,
  sandboxRoot,
} from "./sandbox/operations/account.js";
import { sandboxAudit } from "./sandbox/operations/audit.js";
import { showWebhookChaos, webhookChaos } from "./sandbox/operations/chaos.js";
import { sandboxExpire, sandboxFail, sandboxPay, sandboxReview } from "./sandbox/operations/charges.js";
import { clockAdvance, clockDue, clockFreeze, clockResume, clockShow } from "./sandbox/operations/clock.js";
import { sandboxConsoleLink } from "./sandbox/operations/console.js";
import { sandboxDeliveries, sandboxDelivery } from "./sandbox/operations/deliveries.js";
import { sandboxEmail, sandboxEmails } from "./sandbox/operations/emails.js";
import { sandboxRevealSecret } from "./sandbox/operations/endpoint-secret.js";
import { faultAdd, faultClear, faultList, faultRemove } from "./sandbox/operations/faults.js";
import { ledgerCheck, ledgerJournals } from "./sandbox/operations/ledger.js";
import {
  sandboxEvent,
  sandboxEvents,
  sandboxRequest,
  sandboxRequestErrors,
  sandboxRequests,
  sandboxStream,
} from "./sandbox/operations/logs.js";
import {
  sandboxDecideCase,
  sandboxOpenCase,
  sandboxRequestEvidence,
  sandboxWithdrawCase,
} from "./sandbox/operations/med.js";
import {
  sandboxCreatePayout,
  sandboxFailPayout,
  sandboxPayout,
  sandboxPayouts,
  sandboxPayPayout,
} from "./sandbox/operations/payouts.js";
import { sandboxTestReceiver } from "./sandbox/operations/receiver-test.js";
import { sandboxAdvanceRefund, sandboxRefund, sandboxRefunds } from "./sandbox/operations/refunds.js";
import { sandboxResend } from "./sandbox/operations/resend-delivery.js";
import { sandboxSearch } from "./sandbox/operations/search.js";
import { sandboxSettings } from "./sandbox/operations/settings.js";
import {
  snapshotDelete,
  snapshotExport,
  snapshotImport,
  snapshotList,
  snapshotRestore,
  snapshotSave,
} from "./sandbox/operations/snapshots.js";
import { sandboxTimeline } from "./sandbox/operations/timeline.js";

/**
 * The table of contents of the product: every operation, in the order in which documents and help list them. Router,
 * OpenAPI document, client and command line are derived from it.
 */
export const registry = [
  createChargeOperation,
  createPixCharge,
  getCharge,
  listCharges,
  walletsBalance,
  walletsList,
  createPayment,
  listPayments,
  paymentStats,
  paymentMetrics,
  getPayment,
  createRefund,
  listRefunds,
  cancelPayment,
  resendPaymentWebhook,
  providerStatus,
  paymentReceipt,
  createEndpoint,
  listEndpoints,
  updateEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  eventCatalog,
  listDeliveries,
  webhookStats,
  listCases,
  getCase,
  appeal,
  accept,
  listEvidence,
  createEvidence,
  completeEvidence,
  issueApiKey,
  listApiKeys,
  rotateApiKey,
  revokeApiKey,
  login,
  logout,
  sandboxRoot,
  sandboxTimeline,
  sandboxPay,
  sandboxFail,
  sandboxExpire,
  sandboxReview,
  sandboxRefunds,
  sandboxRefund,
  sandboxAdvanceRefund,
  sandboxOpenCase,
  sandboxDecideCase,
  sandboxWithdrawCase,
  sandboxRequestEvidence,
  sandboxPayouts,
  sandboxPayout,
  sandboxCreatePayout,
  sandboxPayPayout,
  sandboxFailPayout,
  ledgerJournals,
  ledgerCheck,
  clockShow,
  clockDue,
  clockAdvance,
  clockFreeze,
  clockResume,
  faultList,
  faultAdd,
  faultRemove,
  faultClear,
  showWebhookChaos,
  webhookChaos,
  sandboxDeliveries,
  sandboxDelivery,
  sandboxResend,
  sandboxRevealSecret,
  sandboxTestReceiver,
  sandboxSearch,
  sandboxEvents,
  sandboxEvent,
  sandboxRequests,
  sandboxRequestErrors,
  sandboxRequest,
  sandboxStream,
  sandboxEmails,
  sandboxEmail,
  sandboxAudit,
  sandboxAccount,
  sandboxAccounts,
  sandboxAccountDetails,
  sandboxOpenAccount,
  snapshotList,
  snapshotSave,
  snapshotRestore,
  snapshotDelete,
  snapshotExport,
  snapshotImport,
  sandboxSettings,
  sandboxConsoleLink,
  sandboxReset,
] as const satisfies readonly Operation[];

/** With the type of every operation, so that the client's types follow from it. */
export type Registry = typeof registry;
