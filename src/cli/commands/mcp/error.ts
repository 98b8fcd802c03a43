import type { Contract } from "../../../kernel/contract.js";
import type { ErrorCode } from "../../../kernel/errors.js";
import type { PortError, PortRequest } from "../../../mcp/service-port.js";
import { isLoopback } from "../../target/safety.js";
import { EXIT } from "../../terminal/exit-codes.js";
import { type Failure, ownEnvelope } from "../../terminal/failure.js";
import { asStarted } from "../../terminal/started-as.js";

/** Failures as an agent reads them: the envelope of the service, and always a sentence with what to do next. */

const REPEAT = "Correct the arguments and call the tool again. Nothing was changed.";
const GUARD =
  "Wait until the time window of the guard has passed. On an emulator sandbox_clock_advance moves the time.";
const LATER = "Call the tool again in a moment.";
const LOGIN = "Call auth_login with the e-mail and password of a user, or ask the user to run `qa-pay login`.";

/** What to do after a refusal whose own hint says nothing. */
const NEXT: Readonly<Record<ErrorCode, string>> = {
  invalid_request: REPEAT,
  invalid_amount: REPEAT,
  unauthorized: "Ask the user for a key of this host, in QA_PAY_API_KEY or a profile of qa-pay.",
  origin_not_allowed: "Ask the user for the address that the server itself names.",
  API_KEY_ROLE_REQUIRED: "Log in with auth_login as an OWNER or ADMIN of the account.",
  "fraud.customer_velocity_exceeded": GUARD,
  "fraud.account_velocity_exceeded": GUARD,
  not_found: "Check the id: it may belong to another account or mode. A list, or sandbox_search, finds the right one.",
  idempotency_key_reused: "Leave the idempotency key out for a new request, or send the arguments of the first one.",
  EVIDENCE_NOT_UPLOADED: "Make a new ticket with med_evidence_create and upload the file to its address first.",
  EVIDENCE_SIZE_MISMATCH: "Make a new ticket with med_evidence_create that names the true size of the file.",
  payload_too_large: "Send less in one call.",
  unsupported_media_type: REPEAT,
  headers_too_large: "Send less in one call.",
  unprocessable_entity: "Read the object first: its state or balance does not allow this.",
  REFUND_NOT_SUPPORTED: "Do not repeat it: this payment cannot be refunded here.",
  rate_limited: "Call the tool again when that time has passed.",
  internal_error: LATER,
  service_unavailable: LATER,
};

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(NEXT, code);
}

/** The call that failed. */
interface FailedCall {
  readonly contract: Contract;
  /** The address of the service; null when no host could be chosen. */
  readonly baseUrl: string | null;
  readonly key: PortRequest["key"];
  /** True when the service may have got the request. */
  readonly isSent: boolean;
  /** How commands for the user begin. */
  readonly program: string;
}

/** What to do when the outcome is unknown. */
function repeated({ contract, key }: FailedCall): string {
  if (contract.method === "GET") return LATER;
  if (key === null) return "It may have been carried out. Read the object before you call the tool again.";
  const same = `the same arguments and ${key.argument} ${key.value}`;
  return `It may have been carried out. Call the tool again with ${same}: then it is carried out once.`;
}

function notThere(baseUrl: string): string {
  const start = isLoopback(baseUrl) ? "Ask the user to start it with `qa-pay serve`" : "Ask the user for its address";
  return `${start}, then call the tool again. Nothing was changed.`;
}

function hintOf(failure: Failure, call: FailedCall): string | undefined {
  const { code, hint, exitCode, wasNeverSent } = failure;
  if (wasNeverSent && call.baseUrl !== null) return notThere(call.baseUrl);
  if (exitCode === EXIT.unreachable && call.isSent) return repeated(call);
  if (code === "unauthorized" && call.contract.auth === "jwt") return LOGIN;
  const next = isKnown(code) ? NEXT[code] : undefined;
  if (code === "rate_limited") return [hint, next].filter((text) => text !== undefined).join(" ");
  return hint ?? next;
}

export function errorFor(failure: Failure, call: FailedCall): PortError {
  const hint = hintOf(failure, call);
  const { error, request_id } = failure.envelope ?? ownEnvelope(failure);
  return { error: { ...error, ...(hint === undefined ? {} : { hint: asStarted(hint, call.program) }) }, request_id };
}
