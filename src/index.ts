import { type ClientOptions, clientOf } from "./client/client.js";
import type { Client } from "./client/types.js";
import { registry } from "./registry.js";

/** The package used as a library: an emulator inside a test process, and a typed client for it. */
export type { ClientOptions } from "./client/client.js";
export { ServiceError } from "./client/service-error.js";
export type { Client, OperationAnswer, OperationId, OperationInput } from "./client/types.js";
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator.js";

/** A client with one method per operation, typed by the same contracts that the service is served from. */
export function createClient(options: ClientOptions): Client {
  return clientOf(
    registry.map((operation) => operation.contract),
    options,
  );
}
