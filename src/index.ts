/** The package used as a library: an emulator inside a test process, and a typed client for it. */

export {
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorType,
  ServiceTimeoutError,
} from "./client/service-error.js";
export type {
  CallOptions,
  Client,
  ListItem,
  ListOperationId,
  OperationAnswer,
  OperationId,
  OperationInput,
} from "./client/types.js";
export type { ClientOptions } from "./library/create-client.js";
export { createClient } from "./library/create-client.js";
export { createEmulator, type Emulator, type EmulatorOptions } from "./library/create-emulator.js";
export type { ReconcileOptions, Reconciliation, ShopOrder } from "./library/reconciling.js";
export type {
  ShopEnvironment,
  SurviveOptions,
  SurviveOrder,
  SurvivePurchase,
} from "./library/survive-kit.js";
export { survive } from "./library/surviving.js";
export {
  type CollectedWebhook,
  type CollectOptions,
  type Collector,
  type DeliveriesOptions,
  type NextOptions,
  type TestKit,
  type WaitOptions,
  WaitTimeoutError,
} from "./library/test-kit.js";
export type { Difference, DifferenceCode } from "./reconcile/judge.js";
export { OptionError } from "./start/options/reading.js";
export type { FaultName, OracleName } from "./survive/faults.js";
export type { SurviveFailure, SurviveResult } from "./survive/result.js";
export type { ReceivedEvent as ToldEvent } from "./webhooks/events.js";
