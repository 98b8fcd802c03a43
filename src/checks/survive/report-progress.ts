import { ID_PREFIX } from "../../base/kernel/ids.js";
import { NO_SURVIVAL, type SurvivalNow } from "../../emulator/sandbox/survival-board.js";
import { toPlainId } from "../reconcile/orders.js";
import type { ShortenedFailure, SurviveParts } from "./run-schedules.js";

/** Reports the findings of `survive` to the emulator of the run, whose console shows them. */

function failureOf({ schedule, oracle, text, steps, parts, charge, command }: ShortenedFailure) {
  const sentences = steps.map((sentence, index) => ({ text: sentence, parts: [...(parts[index] ?? [])] }));
  const id = charge === null ? null : ID_PREFIX.charge + toPlainId(charge);
  return { schedule, oracle, text, steps: sentences, charge: id, command };
}

/** `reportSurvival` is that of the emulator. */
export function progressReporter(reportSurvival: (now: SurvivalNow) => void, planned: number) {
  let now: SurvivalNow = { ...NO_SURVIVAL, planned, state: "running" };
  const report = (news: Partial<SurvivalNow>) => {
    now = { ...now, ...news };
    reportSurvival(now);
  };
  return {
    onSoFar({ failures, ...figures }) {
      report({ ...figures, failures: failures.map(failureOf), shortening: null });
    },
    onShortening(schedule, oracle) {
      report({ shortening: { schedule, oracle } });
    },
    end: () => report({ state: "over", shortening: null }),
  } satisfies Partial<SurviveParts> & { end(): void };
}
