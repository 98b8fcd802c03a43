import { Unreachable } from "../../api/client/send.js";
import { once } from "../../base/kernel/once.js";
import { pick } from "../../base/kernel/pick.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { answerText } from "./answer.js";
import { bySection, type Check, type CheckOutcome, type Host, type Need } from "./check.js";
import { type HostAccess, hostAccess } from "./host.js";
import { type CheckedExchange, Deviation, type Facts, type RunContext, Skip } from "./run-context.js";
import { knownShapes } from "./shapes.js";
import { createTestObjects } from "./test-objects.js";
import { createWebhookStory } from "./webhook-story.js";

/** Runs the checks against a host. */

/** The host is not the service at all, so no check can say anything about it. */
export class UnknownHost extends Error {
  override readonly name = "UnknownHost";
}

/** The host is the service and refuses the key. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";

  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super("the key is refused");
  }
}

const BALANCE = "/v1/wallets/balance";
const UNKNOWN_FACTS: Facts = { isEmulator: false, isClockRunning: true };

/** True if an answer can only be that of the service, right or wrong in its details. */
function isOfService({ json }: CheckedExchange): boolean {
  if (typeof pick(json, "error.code") === "string" && typeof pick(json, "error.type") === "string") return true;
  if (pick(json, "available") !== undefined && pick(json, "currency") !== undefined) return true;
  return Array.isArray(json) && json.some((one) => typeof pick(one, "event") === "string");
}

/**
 * Identifies the host at the address. Throws UnknownHost when it is not the service, KeyRefused when it does not know the key,
 * and Unreachable without an answer.
 */
async function recognise(host: HostAccess): Promise<void> {
  const balance = await host.get(BALANCE);
  if (balance.status === 401 && isOfService(balance)) throw new KeyRefused(balance.status, balance.text);
  if (isOfService(balance)) return;
  const others = [await host.get("/v1/webhooks/event-catalog", { key: "none" }), await host.get("/v1/wallets")];
  if (others.some(isOfService)) return;
  const { baseUrl } = host.context;
  throw new UnknownHost(`${baseUrl} is not the service: GET ${BALANCE} answered ${answerText(balance)}.`);
}

/** Returns the emulator's description of itself. Other hosts refuse the request. */
async function factsOf(host: HostAccess): Promise<Facts> {
  const about = await host.get("/_sandbox");
  if (about.status !== 200 || pick(about.json, "emulator") !== "qa-pay") return UNKNOWN_FACTS;
  const clock = await host.get("/_sandbox/clock");
  return { isEmulator: true, isClockRunning: pick(clock.json, "frozen") !== true };
}

/** Returns why a check is skipped here; null when it runs. */
function skipReason({ needs = [] }: Check, { context, facts }: Host): string | null {
  const reasons: Readonly<Record<Need, string | null>> = {
    write: context.canWrite ? null : "it creates objects, so it needs --write",
    emulator: facts.isEmulator ? null : "only an emulator can bring it about",
    // The webhook scenario itself shows whether the host reaches this machine.
    receiver: null,
    other_key: context.otherKey === null ? "it needs the key of the other mode (--other-key)" : null,
  };
  return needs.map((need) => reasons[need]).find((reason) => reason !== null) ?? null;
}

type DescribeExchange = (seen: CheckedExchange) => string;

async function outcomeOf(check: Check, host: Host, look: DescribeExchange): Promise<Omit<CheckOutcome, "ms">> {
  const base = { check, isWarned: false, expected: check.about, look: "" };
  const reason = skipReason(check, host);
  if (reason !== null) return { ...base, status: "skipped", seen: reason };
  try {
    return { ...base, status: "passed", seen: await check.run(host) };
  } catch (error) {
    if (error instanceof Skip) return { ...base, status: "skipped", seen: error.message };
    // Nobody answers any more: every further check would say the same.
    if (error instanceof Unreachable && !error.isLost) throw error;
    const isWarned = check.isWarning === true;
    const status = isWarned ? "passed" : "failed";
    if (!(error instanceof Deviation)) {
      const text = reasonOf(error).replace(/\.$/, "");
      return { ...base, isWarned, status, seen: text };
    }
    const { seen, expected = check.about, exchange } = error;
    return { ...base, isWarned, status, expected, seen, look: exchange === undefined ? "" : look(exchange) };
  }
}

/** `undone` collects the undo steps for the end of the run. */
function createHost(context: RunContext, facts: Facts, undone: (() => Promise<void>)[]): Host {
  const access = hostAccess(context, facts, undone);
  const objects = createTestObjects(access);
  return { ...access, shapes: knownShapes(), objects, webhooks: once(() => createWebhookStory(access, objects)) };
}

/** Removes the objects of the run, the newest first. An object that cannot be removed stays; its name says where it is from. */
async function undo(undone: readonly (() => Promise<void>)[]): Promise<void> {
  for (const one of undone.toReversed()) {
    try {
      await one();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
}

export interface RunOptions {
  readonly checks: readonly Check[];
  /** Returns the command or place that shows an exchange to a person. */
  readonly look: (seen: CheckedExchange, facts: Facts) => string;
  /** True ends the run after the present check. Its objects are removed. */
  readonly isStopped: () => boolean;
}

/**
 * Runs the checks one after the other. Returns their outcomes by section. Throws UnknownHost, KeyRefused, or Unreachable
 * without an answer.
 */
export async function checkHost(
  context: RunContext,
  { checks, look, isStopped }: RunOptions,
): Promise<readonly CheckOutcome[]> {
  const scout = hostAccess(context, UNKNOWN_FACTS, []);
  await recognise(scout);
  const facts = await factsOf(scout);
  const undone: (() => Promise<void>)[] = [];
  const host = createHost(context, facts, undone);
  const outcomes: CheckOutcome[] = [];
  try {
    const [first, last] = [checks.filter(({ isLast }) => !isLast), checks.filter(({ isLast }) => isLast)];
    // Alone, the checks of all answers would have nothing to look at.
    if (first.length === 0) await recognise(host);
    for (const check of [...first, ...last]) {
      if (isStopped()) break;
      const begin = context.real.monotonic();
      const outcome = await outcomeOf(check, host, (seen) => look(seen, facts));
      outcomes.push({ ...outcome, ms: context.real.monotonic() - begin });
    }
  } finally {
    await undo(undone);
  }
  return outcomes.sort((one, other) => bySection(one.check.section, other.check.section));
}
