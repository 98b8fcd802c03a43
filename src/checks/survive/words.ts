import { fill, type Message } from "../../base/kernel/message.js";
import type { Disturbance, Step } from "./schedule.js";
import english from "./texts.json" with { type: "json" };

/** The steps of a schedule as sentences (src/base/kernel/message.ts): texts.json. */

export type StepTexts = typeof english;
type Code = keyof StepTexts;

/** A part of a step's sentence: its act, or a disturbance. `step` is the step that a held webhook waits for. */
export interface StepPart extends Message<Code> {
  readonly step?: Message<Code> | undefined;
}

type Coded<Text extends string> = Text extends `${infer First} ${infer Rest}` ? `${First}_${Coded<Rest>}` : Text;

const toCode = <Text extends string>(text: Text) => text.replaceAll(" ", "_") as Coded<Text>;

/** The act of a step, without its disturbances. */
function actOf(step: Step): StepPart {
  const params = { order: step.order };
  switch (step.do) {
    case "buy": {
      const company = step.letters ? { document: step.document } : {};
      return { code: "buy", params: { ...params, amount: step.amount, currency: "BRL", ...company } };
    }
    case "pay":
      return { code: `pay_${toCode(step.how)}`, params };
    case "refund":
      return { code: step.part ? "refund_part" : "refund", params };
    case "forge":
      return { code: `forge_${toCode(step.manner)}`, params: { ...params, event: step.event } };
    default:
      return { code: step.do, params };
  }
}

function disturbanceOf(one: Disturbance, steps: readonly Step[]): StepPart {
  switch (one.fault) {
    case "duplicate":
      return one.manner === "again"
        ? { code: "duplicate_again", params: { count: one.copies + 1 } }
        : { code: "duplicate_resent", params: { count: one.copies } };
    case "late":
    case "reordered": {
      const before = steps.find(({ id }) => id === one.behind);
      if (before !== undefined) return { code: `${one.fault}_after`, params: {}, step: actOf(before) };
      return { code: one.fault === "late" || one.behind === null ? one.fault : "reordered_last", params: {} };
    }
    case "lost_until_retry":
    case "cut_answer":
      return { code: one.fault, params: { count: one.attempts } };
    case "simultaneous":
      return { code: one.fault, params: { count: one.copies + 1 } };
    case "api_503":
    case "api_429":
      return { code: "api_error", params: { status: one.fault.slice(4), count: one.times } };
    case "api_lost_answer":
      return { code: one.fault, params: { count: one.times } };
    case "api_slow":
      return { code: one.fault, params: { ms: one.ms } };
    case "restart":
      return { code: `restart_${one.moment}`, params: { ms: one.ms } };
    default:
      return { code: one.fault, params: {} };
  }
}

/** The parts of each step's sentence: the act, then its disturbances. */
export function partsOf(steps: readonly Step[]): StepPart[][] {
  return steps.map((step) => [actOf(step), ...step.disturbed.map((one) => disturbanceOf(one, steps))]);
}

/** The sentence of a step. */
export function sentenceOf(parts: readonly StepPart[], texts: StepTexts = english): string {
  const textOf = ({ code, params, step }: StepPart): string =>
    fill(texts[code], { ...params, step: step && textOf(step) });
  return parts.map(textOf).join("; ");
}

/** The act of a step as a sentence. */
export const actText = (step: Step) => sentenceOf([actOf(step)]);

/** A sentence for each step, with its disturbances. */
export const wordsOf = (steps: readonly Step[]) => partsOf(steps).map((parts) => sentenceOf(parts));
