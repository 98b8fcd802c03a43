import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { parseObject } from "../../../base/kernel/json.js";
import { canReach, type StateGraph, stateGraphOf } from "../../../base/kernel/machine.js";
import { isNameOf } from "../../../base/kernel/names.js";
import { t } from "../../../base/kernel/wording.js";
import { EXIT, Failure, usage, wrongValue } from "../terminal/failure.js";
import { cell, headingOf, palette, printAnswer, timeText } from "../terminal/output.js";
import { readDuration } from "../terminal/read-value.js";
import { bodyText, joinTexts, localized, say } from "../terminal/terminal-text.js";
import type { WaitFlags } from "../tree/syntax.js";
import type { OperationCall, SendLimits } from "./show.js";

/** `--watch` and `--wait-for`: reads one object repeatedly until it has a state, or until Ctrl-C. */

const POLL_MS = 500;
const DEFAULT_TIMEOUT = "60s";

/** The states of the object that a command reads, or null when they are unknown. The tables are loaded only here. */
async function stateGraphAt({ path }: OperationSpec): Promise<StateGraph | null> {
  if (path.startsWith("/v1/med/")) {
    const { medMachine } = await import("../../../service/features/med/machine.js");
    return stateGraphOf(medMachine);
  }
  const { PUBLIC_STATUS, transactionMachine } = await import("../../../service/features/transactions/machine.js");
  if (path.startsWith("/v1/payments/")) return stateGraphOf(transactionMachine);
  if (!path.startsWith("/v1/charges/")) return null;
  return stateGraphOf(transactionMachine, (state) => (isNameOf(PUBLIC_STATUS, state) ? PUBLIC_STATUS[state] : state));
}

/** The state in the spelling of the service: `paid` gives `PAID`. Throws Failure (exit 2) for an unknown state. */
function parseState(graph: StateGraph | null, given: string): string {
  if (graph === null) return given;
  const states = [...graph.keys()];
  const found = states.find((state) => state.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw wrongValue("--wait-for", states.join(", "), given);
  return found;
}

function timeoutOf({ waitFor, timeout }: WaitFlags): number {
  if (timeout !== undefined && waitFor === undefined) throw usage(t`--timeout goes with --wait-for.`);
  return readDuration("--timeout", timeout ?? DEFAULT_TIMEOUT, t`such as 90s or 5m`);
}

/** Returns whether a failed read may be repeated: the service was not reachable, or it limited the rate (429). */
function isTemporary(error: unknown): boolean {
  return error instanceof Failure && (error.exitCode === EXIT.unreachable || error.exitCode === EXIT.rateLimited);
}

type Answer = Readonly<Record<string, unknown>>;

/** Prints what has changed in an object since it was read before. */
async function printChange(
  { io, spec, flags }: Pick<OperationCall, "io" | "spec" | "flags">,
  answer: Answer,
  before: Answer,
): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  const shown = spec.columns.flatMap((column) => {
    const now = cell(answer, column, paint, flags.utc);
    if (String(now) === String(cell(before, column, paint, flags.utc))) return [];
    if (column.path === "status") return [now];
    return [say`${headingOf(column)} ${String(now) === "" ? localized`none` : now}`];
  });
  const hidden = Object.keys(answer).filter((key) => JSON.stringify(answer[key]) !== JSON.stringify(before[key]));
  const what = shown.length > 0 ? shown : hidden;
  const at = timeText(new Date(io.now()).toISOString(), flags.utc);
  io.out(say`${paint.dim(at)}  ${joinTexts(what, "  ")}\n`);
}

/** Throws Failure (exit 1) when the object can no longer reach the state. */
function checkReachable(status: string, graph: StateGraph | null, state: string): void {
  // An object of a newer service may be in a state that is not known here.
  if (graph === null || !graph.has(status) || canReach(graph, status, state)) return;
  const message = t`It is ${status}, and ${state} cannot come after that.`;
  throw new Failure(EXIT.unexpected, "state_unreachable", message);
}

/**
 * Reads an object until it has the wanted state, or until Ctrl-C.
 *
 * @throws Failure: exit 1 when the time is over or the object can no longer reach the state, exit 2 for an unknown
 *   state, and the failure of the first read. A later read is repeated when the service is not reachable.
 */
export async function follow(call: OperationCall): Promise<void> {
  const { io, spec, flags, send } = call;
  const timeout = timeoutOf(flags);
  const graph = flags.waitFor === undefined ? null : await stateGraphAt(spec);
  const goal = flags.waitFor === undefined ? null : parseState(graph, flags.waitFor);
  const deadline = goal === null ? Number.POSITIVE_INFINITY : io.now() + timeout;
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  /** A program gets every body on one line. */
  const printBody = () => io.out(bodyText(io, `${text}\n`));
  const limits = (): SendLimits => (goal === null ? {} : { timeoutMs: Math.max(1, deadline - io.now()) });
  let text = await send(limits());
  let answer: Answer = parseObject(text);
  if (flags.watch && flags.json) printBody();
  else if (flags.watch) await printAnswer(io, spec, answer, { ...flags, quiet: true });
  for (;;) {
    const status = String(answer.status);
    if (goal !== null && status === goal) {
      if (flags.watch) return;
      return flags.json ? printBody() : printAnswer(io, spec, answer, flags);
    }
    if (goal !== null) checkReachable(status, graph, goal);
    if (io.now() >= deadline) {
      const message = t`It is still ${status} after ${flags.timeout ?? DEFAULT_TIMEOUT}, not ${goal ?? ""}.`;
      throw new Failure(EXIT.unexpected, "wait_timeout", message);
    }
    await io.pause(Math.min(POLL_MS, deadline - io.now()), stop.signal);
    if (stop.signal.aborted) {
      if (goal === null) return;
      throw new Failure(EXIT.unexpected, "cancelled", t`Stopped while it was ${status}, not ${goal}.`);
    }
    const next = await send({ ...limits(), signal: stop.signal }).catch((error: unknown) => {
      if (isTemporary(error)) return text;
      throw error;
    });
    if (next === text) continue;
    const before = answer;
    answer = parseObject(next);
    text = next;
    if (flags.watch && flags.json) printBody();
    else if (flags.watch) await printChange(call, answer, before);
  }
}
