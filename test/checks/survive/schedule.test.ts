import { expect, test } from "vitest";
import { isCnpj, isCpf } from "../../../src/base/kernel/tax-id.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { FAULT_NAMES, type FaultName } from "../../../src/checks/survive/faults.js";
import { type Disturbance, faultsIn, type Step, scheduleOf } from "../../../src/checks/survive/schedule.js";
import { shrink, simpler } from "../../../src/checks/survive/shrink.js";
import { partsOf, sentenceOf, wordsOf } from "../../../src/checks/survive/words.js";
import { serviceTextsIn } from "../../../src/web/console/browser/texts/index.js";
import "../../support/console-texts.js";

function schedules(seed: string, count: number, allowed: readonly FaultName[] = FAULT_NAMES) {
  const { seeded = () => expect.unreachable() } = createRuntime(undefined, seed);
  return Array.from({ length: count }, (_, at) => scheduleOf(seeded(`survive ${at + 1}`), at + 1, allowed));
}

test("the same seed creates the same schedules, and another seed others", () => {
  expect(schedules("winter", 40)).toEqual(schedules("winter", 40));
  expect(schedules("winter", 40)).not.toEqual(schedules("summer", 40));
});

test("a schedule does not depend on those before it", () => {
  const { seeded = () => expect.unreachable() } = createRuntime(undefined, "winter");
  expect(scheduleOf(seeded("survive 17"), 17, FAULT_NAMES)).toEqual(schedules("winter", 17)[16]);
});

test("a hundred schedules have every fault, and most have one to three", () => {
  const all = schedules("winter", 100).map(faultsIn);
  expect(new Set(all.flat())).toEqual(new Set(FAULT_NAMES));
  expect(all.filter(({ length }) => length >= 1 && length <= 3).length).toBeGreaterThan(80);
});

test.each(FAULT_NAMES)("%s can be chosen alone", (fault) => {
  for (const steps of schedules("alone", 10, [fault])) {
    const own = faultsIn(steps);
    // Nobody can pay too late before the time is over.
    expect(own.filter((name) => name !== "expiry")).toEqual(fault === "expiry" ? [] : [fault]);
  }
});

test("a purchase has a valid document, with letters where that is the fault", () => {
  const bought = schedules("winter", 100).flatMap((steps) => steps.filter((step) => step.do === "buy"));
  expect(bought.length).toBeGreaterThan(100);
  for (const { document, letters } of bought) {
    expect(letters ? isCnpj(document) && /[A-Z]/.test(document) : isCpf(document), document).toBe(true);
  }
});

test("each step has words, and no two disturbances have the same", () => {
  const all = schedules("winter", 200).flatMap((steps) => wordsOf(steps).map((words) => [words, steps] as const));
  for (const [words] of all) expect(words).toMatch(/^\S.*\S$/);
  const words = new Set(all.flatMap(([text]) => text.split("; ").slice(1)));
  expect(words.size).toBeGreaterThan(30);
});

test("the sentences of the steps have all their values in Portuguese too", () => {
  for (const steps of schedules("winter", 200)) {
    for (const parts of partsOf(steps))
      expect(sentenceOf(parts, serviceTextsIn("pt-BR")?.survive_steps)).not.toMatch(/[{}—]| {2}/);
  }
});

const isOf = (step: Step, fault: Disturbance["fault"]) => step.disturbed.some((one) => one.fault === fault);

test("a failure that needs one disturbance of one step is shortened to that step and the purchase", async () => {
  const wide = schedules("winter", 200).filter((steps) =>
    steps.some((step) => step.do === "pay" && isOf(step, "duplicate")),
  );
  expect(wide.length).toBeGreaterThan(3);
  for (const steps of wide) {
    const short = await shrink(steps, async (some) =>
      some.some((step) => step.do === "pay" && isOf(step, "duplicate")),
    );
    expect(short.map((step) => step.do).toSorted()).toEqual(["buy", "pay"]);
    expect(faultsIn(short)).toEqual(["duplicate"]);
    expect(short.flatMap(({ disturbed }) => disturbed)).toEqual([
      expect.objectContaining({ fault: "duplicate", copies: 1 }),
    ]);
  }
});

test("no simplification leaves an order without its purchase, or lengthens a schedule", () => {
  for (const steps of schedules("winter", 50)) {
    for (const less of simpler(steps)) {
      expect(less.length).toBeGreaterThan(0);
      expect(less.length).toBeLessThanOrEqual(steps.length);
      for (const { order } of less) expect(less.find((step) => step.order === order)?.do).toBe("buy");
    }
  }
});
