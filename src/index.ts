/** The package used as a library: an emulator inside a test process, and a typed client for it. */

export {
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorType,
  ServiceTimeoutError,
} from "./api/client/service-error.js";
export type {
  CallOptions,
  Client,
  ListItem,
  ListOperationId,
  OperationAnswer,
  OperationId,
  OperationInput,
} from "./api/client/types.js";
export { OptionError } from "./base/kernel/options.js";
export type { Difference, DifferenceCode } from "./checks/reconcile/judge.js";
export type { Reconciliation } from "./checks/reconcile/rows.js";
export type { FaultName, OracleName } from "./checks/survive/faults.js";
export type { SurviveFailure, SurviveResult } from "./checks/survive/result.js";
export type { ClientOptions } from "./programs/library/create-client.js";
export { createClient } from "./programs/library/create-client.js";
export { createEmulator, type Emulator, type EmulatorOptions } from "./programs/library/create-emulator.js";
export type { ReconcileOptions, ShopOrder } from "./programs/library/reconcile.js";
export { survive } from "./programs/library/survive.js";
export type {
  ShopEnvironment,
  SurviveOptions,
  SurviveOrder,
  SurvivePurchase,
} from "./programs/library/survive-kit.js";
export {
  type CollectedWebhook,
  type CollectOptions,
  type Collector,
  type DeliveriesOptions,
  type NextOptions,
  type TestKit,
  type WaitOptions,
  WaitTimeoutError,
} from "./programs/library/test-kit.js";
export type { ReceivedEvent as ToldEvent } from "./service/webhooks/events.js";
