import type { RequestParts } from "../../api/client/route.js";
import type { Contract, Preview } from "../../base/kernel/contract.js";
import type { ErrorEnvelope } from "../../base/kernel/errors.js";
import type { AmountForm, Column, ShopStatus } from "../../checks/reconcile/names.js";
import type { Mode } from "../../service/features/access/catalogue.js";
import type { AnswerShape } from "../../service/openapi/answer-shape.js";

/** The service as the tools use it. The command line implements it with host, key and policy. */

/** The possibilities of the session at its host, as far as they are known now. */
export interface HostContext {
  /** The address of the service; null while no host can be chosen. */
  readonly host: string | null;
  /** The kind of the API key; null without a key, or for a key of an unknown kind. */
  readonly mode: Mode | null;
  /** True when the host has answered that it is an emulator. It may become true later, as when it starts after the session. */
  readonly isEmulator: boolean;
  /** The previews that the host serves, among those of the session. */
  readonly previews: readonly Preview[];
  /** Why no change is sent, as a sentence; null when changes are sent. */
  readonly readOnly: string | null;
  /** True if the session goes to the server of its folder, which may be started: nothing else names a host. */
  readonly mayStart: boolean;
}

/** One call of an operation, ready to be sent. */
export interface PortRequest extends RequestParts {
  readonly contract: Contract;
  /** The name of the argument with the idempotency key and its value; null for an operation without one. */
  readonly key: { readonly argument: string; readonly value: string } | null;
  readonly answer: AnswerShape;
}

/** A call of an operation whose body or answer is a file of this machine. */
export interface FileCall {
  readonly contract: Contract;
  /** The name of the snapshot. */
  readonly name: string;
  /** The path of the file; undefined for the default of the operation. */
  readonly file: string | undefined;
}

export interface WhyQuestion {
  readonly id: string;
  /** True if a webhook may be sent again to a receiver on this machine, to prove its mistake. */
  readonly prove: boolean;
}

/** The orders of a shop, and how they are written. */
export interface ReconcileQuestion {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly amounts?: AmountForm | undefined;
  readonly map?: Readonly<Partial<Record<Column, string>>> | undefined;
  readonly status?: Readonly<Partial<Record<ShopStatus, readonly string[]>>> | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly order_field?: string | undefined;
}

/** A failed call: the error envelope of the service, with what to do next in `hint`. */
export interface PortError {
  readonly error: Omit<ErrorEnvelope["error"], "type"> & { readonly type: string; readonly hint?: string };
  /** Null when no answer of the service carried an id. */
  readonly request_id: string | null;
}

/** The JSON text of the answer (empty for an answer without content), or the error. */
export type PortAnswer = { readonly text: string; readonly requestId: string | null } | { readonly failure: PortError };

export interface ServicePort {
  /** Sends a request to the host when that is not known yet. Does not throw. */
  situation(): Promise<HostContext>;
  /** `readOnly` of the situation, without a request to the host. Does not throw. */
  readOnly(): Promise<string | null>;
  /** Sends a request. `signal` ends the exchange. Does not throw for a refusal. */
  send(request: PortRequest, signal: AbortSignal): Promise<PortAnswer>;
  /** Writes or reads a file of this machine. Does not throw for a refusal. */
  moveFile(call: FileCall): Promise<PortAnswer>;
  /** Finds why an object is in its present state. Does not throw for a refusal. */
  why(question: WhyQuestion): Promise<PortAnswer>;
  /** Compares orders with the payments of the host. Does not throw for a refusal, nor for rows that cannot be read. */
  reconcile(question: ReconcileQuestion, signal: AbortSignal): Promise<PortAnswer>;
  /** Starts the server of the folder unless it runs. `signal` ends one that is still starting. Does not throw for a refusal. */
  startEmulator(signal: AbortSignal): Promise<PortAnswer>;
  /** A new random text, for an idempotency key. */
  random(): string;
}
