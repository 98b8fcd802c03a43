import { counted } from "../kernel/counted.js";
import { formatMoney } from "../kernel/money.js";
import type { Disturbance, Step } from "./schedule.js";

/** The steps of a schedule as sentences. */

const CUSTOMERS = ["the customer", "another customer"] as const;

/** What a step is, without what disturbs it. */
export function actOf(step: Step): string {
  const who = CUSTOMERS[step.order] ?? CUSTOMERS[1];
  const of = step.order === 0 ? "" : " of the other order";
  switch (step.do) {
    case "buy":
      return `${who} buys for ${formatMoney(step.amount, "BRL")}${step.letters ? ` as the company ${step.document}` : ""}`;
    case "again":
      return `${who} comes back and buys the same order once more`;
    case "pay":
      return {
        right: `${who} pays`,
        less: `${who} pays one centavo less`,
        more: `${who} pays one centavo more`,
        "other payer": `somebody else pays${of}`,
        "too late": `${who} pays the charge whose time is over`,
        "once more": `${who} pays once more`,
      }[step.how];
    case "expire":
      return `the time of the charge${of} is over`;
    case "refund":
      return `${step.part ? "half of the money" : "all money"}${of} is given back`;
    case "dispute":
      return `the payer's bank contests the payment${of}`;
    case "forge":
      return `somebody sends a forged webhook: the charge${of} is ${step.event}, ${
        {
          "other secret": "signed with another secret",
          unsigned: "unsigned",
          "other body": "with a signature of another body",
        }[step.manner]
      }`;
    case "replay":
      return `an earlier webhook${of} comes once more with its old signature`;
  }
}

function until(behind: number | null, steps: readonly Step[]): string {
  const step = steps.find(({ id }) => id === behind);
  return step === undefined ? "after everything else" : `after this: ${actOf(step)}`;
}

const TIMES = ["", "once", "twice", "three times", "four times"] as const;

function disturbanceOf(one: Disturbance, steps: readonly Step[]): string {
  switch (one.fault) {
    case "duplicate":
      return one.manner === "again"
        ? `its webhooks come ${counted(one.copies + 1, "time")}`
        : `its webhooks are sent anew ${TIMES[one.copies]}`;
    case "late":
      return `its webhooks come late, ${until(one.behind, steps)}`;
    case "reordered":
      return `its webhooks come ${one.behind === null ? "in the opposite order" : until(one.behind, steps)}`;
    case "lost_until_retry":
      return `the first ${one.attempts === 1 ? "attempt" : `${one.attempts} attempts`} of its webhooks ${one.attempts === 1 ? "is" : "are"} lost`;
    case "simultaneous":
      return `its webhooks come at the same moment, each ${counted(one.copies + 1, "time")}`;
    case "stale":
      return "its webhooks come with an old signature first";
    case "cut_answer":
      return `the shop's answers to its webhooks are lost ${TIMES[one.attempts]}`;
    case "unknown_fields":
      return "its webhooks have a new field";
    case "unknown_values":
      return "its webhooks have a new value";
    case "api_503":
    case "api_429":
      return `the service answers ${one.fault.slice(4)} to ${counted(one.times, "request")}`;
    case "api_lost_answer":
      return `the service loses ${counted(one.times, "answer")}`;
    case "api_slow":
      return `the service answers after ${one.ms} ms`;
    case "restart":
      return `the shop is killed ${one.ms} ms after it ${one.moment === "during" ? "was asked" : "answered"}, and started again`;
  }
}

/** A sentence for each step, with what disturbs it. */
export function wordsOf(steps: readonly Step[]): string[] {
  return steps.map((step) => [actOf(step), ...step.disturbed.map((one) => disturbanceOf(one, steps))].join("; "));
}
