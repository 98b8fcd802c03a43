import type { Contract } from "../../../../base/kernel/contract.js";
import type { ErrorCode } from "../../../../base/kernel/errors.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import type { PortError, PortRequest } from "../../../mcp/service-port.js";
import { EXIT, type Failure, ownEnvelope } from "../../terminal/failure.js";
import { asStarted } from "../../terminal/program-command.js";
import nextSteps from "./next-steps.json" with { type: "json" };

/** Turns failures into errors for an agent: the envelope of the service, always with what to do next. */

const LOGIN = "Call auth_login with the e-mail and password of a user, or ask the user to run `qa-pay login`.";

/** The next step after a refusal without a useful hint of its own. */
const NEXT: Readonly<Record<ErrorCode, string>> = nextSteps;

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(NEXT, code);
}

/** The call that failed. */
export interface FailedCall {
  readonly contract: Pick<Contract, "method" | "auth">;
  /** The address of the service; null when no host could be chosen. */
  readonly baseUrl: string | null;
  readonly key: PortRequest["key"];
  /** True when the service may have got the request. */
  readonly isSent: boolean;
  /** True if the agent can start the server itself. */
  readonly mayStart: boolean;
  /** How commands for the user begin. */
  readonly program: string;
}

/** Returns what to do when the outcome is unknown. */
function repeatHint({ contract, key }: FailedCall): string {
  if (contract.method === "GET") return NEXT.service_unavailable;
  if (key === null) return "It may have been carried out. Read the object before you call the tool again.";
  const same = `the same arguments and ${key.argument} ${key.value}`;
  return `It may have been carried out. Call the tool again with ${same}: then it is carried out once.`;
}

function notThere(baseUrl: string): string {
  const start = isLoopbackUrl(baseUrl)
    ? "Ask the user to start it with `qa-pay serve`"
    : "Ask the user for its address";
  return `${start}, then call the tool again. Nothing was changed.`;
}

const START =
  "Call emulator_start, or ask the user to start the server with `qa-pay serve`, then call the tool again. Nothing was changed.";

function hintOf(failure: Failure, call: FailedCall): string | undefined {
  const { code, exitCode, wasNeverSent } = failure;
  const hint = failure.hint === undefined ? undefined : String(failure.hint);
  const isAbsent = wasNeverSent || (call.baseUrl === null && ["no_server", "unreachable"].includes(code));
  if (isAbsent && call.mayStart) return START;
  if (wasNeverSent && call.baseUrl !== null) return notThere(call.baseUrl);
  if (exitCode === EXIT.unreachable && call.isSent) return repeatHint(call);
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
