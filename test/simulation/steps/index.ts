import type { Chance } from "../chance.js";
import { ACCESS } from "./access.js";
import { CREATING } from "./creating.js";
import { MONEY } from "./money.js";
import type { Kind, Params } from "./plan.js";
import { RARE } from "./rare.js";
import { REFUSED } from "./refused.js";
import { STATE } from "./state.js";
import { WEBHOOKS } from "./webhooks.js";

/** All kinds of steps, and how a run is drawn from a seed. */

const KINDS: readonly Kind[] = [...CREATING, ...MONEY, ...WEBHOOKS, ...STATE, ...REFUSED, ...ACCESS];

/** Faults while a step is carried out. */
export type Disturbance =
  /** The process ends before its statement with this number. */
  | { readonly how: "kill"; readonly at: number }
  /** The statement with this number fails. */
  | { readonly how: "fail"; readonly at: number }
  /** A fault rule takes the request. */
  | { readonly how: "fault"; readonly effect: Readonly<Record<string, string | number>> }
  /** Webhooks are sent with a wrong signature or time. */
  | { readonly how: "chaos"; readonly setting: string };

export interface Step {
  readonly kind: string;
  readonly params: Params;
  readonly disturbance: Disturbance | null;
}

const EFFECTS = [{ status: 503 }, { status: 500 }, { drop: "before" }, { drop: "after" }, { drop: "after" }] as const;

function drawDisturbance(chance: Chance): Disturbance | null {
  const how = chance.weighted([
    { how: "none", weight: 74 },
    { how: "kill", weight: 8 },
    { how: "fail", weight: 7 },
    { how: "fault", weight: 7 },
    { how: "chaos", weight: 4 },
  ] as const).how;
  // Early statements are those of the request, later ones those of its deliveries.
  if (how === "kill" || how === "fail") return { how, at: 1 + chance.below(chance.pick([6, 20, 60])) };
  if (how === "fault") return { how, effect: chance.pick(EFFECTS) };
  return how === "chaos" ? { how, setting: chance.pick(["corrupt_signature", "stale_timestamp"]) } : null;
}

export function drawStep(chance: Chance): Step {
  const kind = chance.weighted(KINDS);
  return { kind: kind.name, params: kind.draw(chance), disturbance: drawDisturbance(chance) };
}

/** A step of this kind, with nothing that goes wrong. */
export function drawKind(chance: Chance, kind: string): Step {
  return { kind, params: kindOf(kind).draw(chance), disturbance: null };
}

export function kindOf(kind: string): Kind {
  const found = [...KINDS, ...RARE].find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`no kind of step is called ${kind}`);
  return found;
}
