import type { HttpRequest } from "../../client/send.js";
import { parseDuration } from "../../kernel/duration.js";
import type { Machine } from "../../kernel/machine.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { cell, palette, printAnswer, timeText } from "../terminal/output.js";
import { bodyText, joined, say } from "../terminal/terminal-text.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import type { GlobalFlags } from "../tree/flags.js";
import type { WaitFlags } from "../tree/syntax.js";

/** `--watch` and `--wait-for`: one object, read again and again. */

const POLL_MS = 500;
const DEFAULT_TIMEOUT = "60s";

/** The states of a noun, and which can come right after each. */
type Life = ReadonlyMap<string, ReadonlySet<string>>;

/** `project` maps the states of the machine to those that the service shows. */
function lifeFrom(machine: Machine<string, string, string>, project = (state: string) => state): Life {
  const life = new Map(machine.states.map((state) => [project(state), new Set<string>()]));
  for (const { from, to } of Object.values(machine.transitions)) {
    for (const state of from) life.get(project(state))?.add(project(to));
  }
  return life;
}

/** What is known of the states that a command shows. The tables of the service are plain data, loaded only here. */
async function lifeOf({ path }: OperationSpec): Promise<Life | null> {
  if (path.startsWith("/v1/med/")) {
    const { medMachine } = await import("../../features/med/machine.js");
    return lifeFrom(medMachine);
  }
  const { PUBLIC_STATUS, transactionMachine } = await import("../../features/transactions/machine.js");
  if (path.startsWith("/v1/payments/")) return lifeFrom(transactionMachine);
  if (!path.startsWith("/v1/charges/")) return null;
  return lifeFrom(transactionMachine, (state) => PUBLIC_STATUS[state as keyof typeof PUBLIC_STATUS]);
}

/** Whether `wanted` can still come. A state that is not in the table may lead anywhere. */
function canReach(life: Life | null, from: string, wanted: string): boolean {
  if (life === null || !life.has(from)) return true;
  const seen = new Set<string>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const next of life.get(state) ?? []) {
      if (next === wanted) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** The state as the service writes it: `paid` finds `PAID`. */
function wantedState(life: Life | null, given: string): string {
  if (life === null) return given;
  const states = [...life.keys()];
  const found = states.find((state) => state.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw usage(`--wait-for takes ${states.join(", ")}, not ${given}.`);
  return found;
}

function timeoutOf({ waitFor, timeout }: WaitFlags): number {
  if (timeout !== undefined && waitFor === undefined) throw usage("--timeout goes with --wait-for.");
  const ms = parseDuration(timeout ?? DEFAULT_TIMEOUT);
  if (ms === null) throw usage(`--timeout takes a duration such as 90s or 5m, not ${timeout}.`);
  return ms;
}

/** A service that is away or busy for a moment has not said no. */
function isPassing(error: unknown): boolean {
  return error instanceof Failure && (error.exitCode === EXIT.unreachable || error.exitCode === EXIT.rateLimited);
}

type Answer = Readonly<Record<string, unknown>>;

interface Printer {
  first(text: string, answer: Answer): Promise<void>;
  change(text: string, answer: Answer, before: Answer): Promise<void>;
}

/** Programs get every body on a line of its own, people the first one whole and then what became different. */
async function printerFor(io: Io, spec: OperationSpec, flags: GlobalFlags): Promise<Printer> {
  if (flags.json) {
    const line = async (text: string) => io.out(bodyText(io, `${text}\n`));
    return { first: line, change: line };
  }
  const paint = await palette(io, flags.color !== false);
  return {
    first: (_text, answer) => printAnswer(io, spec, answer, { ...flags, quiet: true }),
    async change(_text, answer, before) {
      const shown = spec.columns.flatMap((column) => {
        const now = cell(answer, column, paint, flags.utc);
        if (String(now) === String(cell(before, column, paint, flags.utc))) return [];
        if (column.path === "status") return [now];
        return [say`${column.header} ${String(now) === "" ? "none" : now}`];
      });
      const hidden = Object.keys(answer).filter((key) => JSON.stringify(answer[key]) !== JSON.stringify(before[key]));
      const what = shown.length > 0 ? shown : hidden;
      const at = timeText(new Date(io.now()).toISOString(), flags.utc);
      io.out(say`${paint.dim(at)}  ${joined(what, "  ")}\n`);
    },
  };
}

/** How long a read may take. */
export type ReadLimits = Pick<HttpRequest, "timeoutMs" | "signal">;

interface Goal {
  readonly life: Life | null;
  readonly state: string;
}

/** Throws Failure (exit 1) when waiting has become pointless. */
function checkReachable(status: string, { life, state }: Goal): void {
  if (canReach(life, status, state)) return;
  const message = `It is ${status}, and ${state} cannot come after that.`;
  throw new Failure(EXIT.unexpected, "state_unreachable", message);
}

/**
 * Reads an object until it has the state that is wanted, or until Ctrl-C. `read` answers its body as text.
 *
 * @throws Failure: exit 1 when the time is over or the state can no longer come, exit 2 for a state that does not exist,
 *   and whatever the first read is refused with. Later reads are repeated when nobody answers.
 */
export async function follow(
  io: Io,
  spec: OperationSpec,
  read: (limits: ReadLimits) => Promise<string>,
  flags: GlobalFlags & WaitFlags,
): Promise<void> {
  const timeout = timeoutOf(flags);
  const life = flags.waitFor === undefined ? null : await lifeOf(spec);
  const goal = flags.waitFor === undefined ? null : { life, state: wantedState(life, flags.waitFor) };
  const deadline = goal === null ? Number.POSITIVE_INFINITY : io.now() + timeout;
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const printer = await printerFor(io, spec, flags);
  const limits = (): ReadLimits => (goal === null ? {} : { timeoutMs: Math.max(1, deadline - io.now()) });
  let text = await read(limits());
  let answer = JSON.parse(text) as Answer;
  if (flags.watch) await printer.first(text, answer);
  for (;;) {
    const status = String(answer.status);
    if (goal !== null && status === goal.state) {
      if (flags.watch) return;
      return flags.json ? printer.first(text, answer) : printAnswer(io, spec, answer, flags);
    }
    if (goal !== null) checkReachable(status, goal);
    if (io.now() >= deadline) {
      const message = `It is still ${status} after ${flags.timeout ?? DEFAULT_TIMEOUT}, not ${goal?.state}.`;
      throw new Failure(EXIT.unexpected, "wait_timeout", message);
    }
    await io.pause(Math.min(POLL_MS, deadline - io.now()), stop.signal);
    if (stop.signal.aborted) {
      if (goal === null) return;
      throw new Failure(EXIT.unexpected, "cancelled", `Stopped while it was ${status}, not ${goal.state}.`);
    }
    const next = await read({ ...limits(), signal: stop.signal }).catch((error: unknown) => {
      if (isPassing(error)) return text;
      throw error;
    });
    if (next === text) continue;
    const before = answer;
    answer = JSON.parse(next) as Answer;
    text = next;
    if (flags.watch) await printer.change(text, answer, before);
  }
}
