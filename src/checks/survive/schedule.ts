import type { Random } from "../../base/kernel/runtime.js";
import { withCheckDigits } from "../../base/kernel/tax-id.js";
import type { FaultName } from "./faults.js";

/** Draws the steps of a schedule. They follow from a seed and a number alone. Pure functions. */

/** A disturbance of a step: of its requests to the service, or of its webhooks. */
export type Disturbance =
  | { readonly fault: "duplicate"; readonly copies: number; readonly manner: "again" | "resent" }
  /** Held back until the step `behind` is over; null until all others are. */
  | { readonly fault: "late"; readonly behind: number | null }
  /** Without `behind` the webhooks of the step change places among themselves. */
  | { readonly fault: "reordered"; readonly behind: number | null }
  | { readonly fault: "lost_until_retry"; readonly attempts: number }
  | { readonly fault: "simultaneous"; readonly copies: number }
  | { readonly fault: "stale" }
  | { readonly fault: "cut_answer"; readonly attempts: number }
  | { readonly fault: "unknown_fields" | "unknown_values" }
  | { readonly fault: "api_503" | "api_429" | "api_lost_answer"; readonly times: number }
  | { readonly fault: "api_slow"; readonly ms: number }
  /** The shop is killed while it works on the purchase, or on the `nth` webhook. */
  | { readonly fault: "restart"; readonly moment: "during"; readonly ms: number; readonly nth: number }
  /** The shop is killed only after it answered every webhook; killed earlier, a later webhook could hide what it lost. */
  | { readonly fault: "restart"; readonly moment: "answered"; readonly ms: number };

interface StepParts {
  /** The number of the step. It stays when other steps are left out. */
  readonly id: number;
  /** The number of the order. */
  readonly order: number;
  readonly disturbed: readonly Disturbance[];
}

export type ForgedEvent = "paid" | "expired" | "refunded";

export type Action =
  | { readonly do: "buy"; readonly amount: number; readonly document: string; readonly letters: boolean }
  /** The customer comes back and buys the same order once more. */
  | { readonly do: "again" }
  | { readonly do: "pay"; readonly how: "right" | "less" | "more" | "other payer" | "too late" | "once more" }
  | { readonly do: "expire" }
  | { readonly do: "refund"; readonly part: boolean }
  | { readonly do: "dispute" }
  | { readonly do: "forge"; readonly event: ForgedEvent; readonly manner: "other secret" | "unsigned" | "other body" }
  /** A genuine webhook is sent once more with its old signature. */
  | { readonly do: "replay" };

export type Step = StepParts & Action;

/** The faults that steps are by themselves. */
const OWN_FAULTS: Readonly<Partial<Record<Action["do"] | Extract<Action, { do: "pay" }>["how"], FaultName>>> = {
  expire: "expiry",
  dispute: "dispute",
  forge: "forged",
  replay: "stale",
  less: "other_amount",
  more: "other_amount",
  "other payer": "other_payer",
  "too late": "late_payer",
  "once more": "paid_twice",
};

/** The fault that a step is by itself. */
export function faultOf(step: Step): FaultName | null {
  if (step.do === "buy") return step.letters ? "letters_in_cnpj" : null;
  if (step.do === "refund") return step.part ? "partial_refund" : "refund";
  return OWN_FAULTS[step.do === "pay" ? step.how : step.do] ?? null;
}

/** The faults of a schedule, each once. */
export function faultsIn(steps: readonly Step[]): FaultName[] {
  const all = steps.flatMap((step) => [faultOf(step), ...step.disturbed.map(({ fault }) => fault)]);
  return [...new Set(all.filter((fault) => fault !== null))];
}

/** Random choices. */
function choices(random: Random) {
  /** A whole number from `from` to `to`, both included. */
  const whole = (from: number, to: number) => from + Math.floor(random.fraction() * (to - from + 1));
  return {
    draws: (probability: number) => random.fraction() < probability,
    whole,
    one: <Thing>(of: readonly Thing[]) => of[whole(0, of.length - 1)] as Thing,
  };
}

type RandomChoices = ReturnType<typeof choices>;

const AMOUNTS = [100, 990, 1_990, 1_999, 4_990, 10_000, 123_456] as const;

function purchaseOf(chance: RandomChoices, letters: boolean): Action {
  const digits = (count: number) => Array.from({ length: count }, () => chance.whole(0, 9)).join("");
  const letter = () => String.fromCharCode(65 + chance.whole(0, 25));
  const body = letters ? `${digits(2)}${letter()}${letter()}${digits(1)}${letter()}${digits(2)}0001` : `1${digits(8)}`;
  const amount = chance.draws(0.5) ? chance.one(AMOUNTS) : chance.whole(100, 50_000);
  return { do: "buy", amount, document: withCheckDigits(body), letters };
}

/** The acts of the customer, the payer and the bank, before anything is disturbed. */
function storyOf(chance: RandomChoices, has: (fault: FaultName) => boolean): Action[] {
  const acts: Action[] = [purchaseOf(chance, has("letters_in_cnpj"))];
  const needsMoney = has("refund") || has("partial_refund") || has("dispute") || has("paid_twice");
  const pay: Action = { do: "pay", how: "right" };
  if (has("other_amount")) acts.push({ do: "pay", how: chance.one(["less", "more"]) });
  if (has("other_payer")) {
    acts.push({ do: "pay", how: "other payer" });
    if (needsMoney || chance.draws(0.5)) acts.push({ do: "again" }, pay);
  } else if (has("expiry") || has("late_payer")) {
    acts.push({ do: "expire" });
    if (has("late_payer")) acts.push({ do: "pay", how: "too late" });
    if (needsMoney || chance.draws(0.7)) acts.push({ do: "again" }, pay);
  } else if (needsMoney || !(has("other_amount") || has("forged")) || chance.draws(0.5)) acts.push(pay);
  if (has("paid_twice")) {
    if (chance.draws(0.7)) acts.push({ do: "again" });
    acts.push({ do: "pay", how: "once more" });
  }
  if (has("partial_refund")) acts.push({ do: "refund", part: true });
  if (has("refund")) acts.push({ do: "refund", part: false });
  if (has("dispute") && !has("refund")) acts.push({ do: "dispute" });
  if (has("forged")) {
    const at = chance.whole(1, acts.length);
    const isPaid = acts.slice(0, at).includes(pay);
    const event = isPaid ? chance.one<ForgedEvent>(["refunded", "expired", "paid"]) : "paid";
    acts.splice(at, 0, { do: "forge", event, manner: chance.one(["other secret", "unsigned", "other body"]) });
  }
  return acts;
}

const DISTURBABLE: readonly Action["do"][] = ["buy", "pay", "expire", "refund", "dispute"];

/** Returns the number of a step that a fault can disturb: mostly one about money. */
function chooseDisturbedStep(chance: RandomChoices, steps: readonly Step[], purchase: number): number {
  const candidates = steps.filter((step) => DISTURBABLE.includes(step.do));
  const later = candidates.filter((step) => step.do !== "buy");
  return chance.one(later.length === 0 || chance.draws(purchase) ? candidates.slice(0, 1) : later).id;
}

function behindOf(chance: RandomChoices, steps: readonly Step[], at: number): number | null {
  const later = steps.slice(steps.findIndex(({ id }) => id === at) + 1);
  return later.length === 0 || chance.draws(0.3) ? null : chance.one(later).id;
}

/** A disturbance of step `at`; null for a fault that is a step of its own. */
function disturbance(chance: RandomChoices, fault: FaultName, steps: readonly Step[], at: number): Disturbance | null {
  switch (fault) {
    case "duplicate":
      return { fault, copies: chance.whole(1, 2), manner: chance.one(["again", "resent"]) };
    case "late":
      return { fault, behind: behindOf(chance, steps, at) };
    case "reordered":
      return { fault, behind: chance.draws(0.4) ? null : behindOf(chance, steps, at) };
    case "lost_until_retry":
      return { fault, attempts: chance.whole(1, 4) };
    case "simultaneous":
      return { fault, copies: chance.whole(1, 3) };
    case "cut_answer":
      return { fault, attempts: chance.whole(1, 2) };
    case "stale":
    case "unknown_fields":
    case "unknown_values":
      return { fault };
    case "api_503":
    case "api_429":
    case "api_lost_answer":
      return { fault, times: chance.one([1, 1, 2, 6]) };
    case "api_slow":
      return { fault, ms: chance.whole(50, 400) };
    case "restart": {
      const moment = chance.one(["during", "answered"] as const);
      const ms = chance.one([0, 0, 1, 3, 10, 30, 100]);
      const nth = chance.whole(0, 2);
      return moment === "during" ? { fault, moment, ms, nth } : { fault, moment, ms };
    }
    default:
      return null;
  }
}

/** How often a fault disturbs the purchase, and not what happens later. */
function purchaseShare(fault: FaultName): number {
  if (fault.startsWith("api_")) return 0.7;
  return fault === "restart" ? 0.4 : 0.15;
}

/** Draws one to three faults, seldom four. The first one follows from the number, so that each fault comes equally often. */
function drawFaults(chance: RandomChoices, number: number, allowed: readonly FaultName[]): FaultName[] {
  const first = allowed[(number - 1) % allowed.length] as FaultName;
  const wanted = chance.one([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4]);
  const faults = new Set([first]);
  for (let tries = 0; faults.size < Math.min(wanted, allowed.length) && tries < 20; tries++)
    faults.add(chance.one(allowed));
  return [...faults];
}

/** Adds a second customer, whose steps come between those of the first. */
function addSecondCustomer(chance: RandomChoices, steps: readonly Step[]): Step[] {
  const all = [...steps];
  const acts: Action[] = [purchaseOf(chance, false), { do: "pay", how: "right" }];
  let at = 0;
  for (const [index, act] of acts.entries()) {
    at = chance.whole(at, all.length);
    all.splice(at, 0, { ...act, id: steps.length + index, order: 1, disturbed: [] });
    at += 1;
  }
  return all;
}

/** The steps of a schedule. `random` must follow from the seed and the number. */
export function scheduleOf(random: Random, number: number, allowed: readonly FaultName[]): readonly Step[] {
  const chance = choices(random);
  const faults = drawFaults(chance, number, allowed);
  const has = (fault: FaultName) => faults.includes(fault);
  const acts = storyOf(chance, has);
  if (has("stale") && chance.draws(0.5)) acts.push({ do: "replay" });
  // A customer whose payment does not show up comes back.
  if ((has("late") || has("lost_until_retry")) && chance.draws(0.4)) {
    const paid = acts.findIndex((act) => act.do === "pay" && act.how === "right");
    if (paid > 0) acts.splice(paid + 1, 0, { do: "again" });
  }
  let steps: Step[] = acts.map((act, id) => ({ ...act, id, order: 0, disturbed: [] }));
  if (chance.draws(0.15)) steps = addSecondCustomer(chance, steps);
  for (const fault of faults) {
    if (fault === "stale" && steps.some((step) => step.do === "replay")) continue;
    const at = chooseDisturbedStep(chance, steps, purchaseShare(fault));
    const one = disturbance(chance, fault, steps, at);
    if (one === null) continue;
    steps = steps.map((step) => (step.id === at ? { ...step, disturbed: [...step.disturbed, one] } : step));
  }
  return steps;
}
