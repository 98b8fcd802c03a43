import { ID_PREFIX } from "../../../kernel/ids.js";
import { plainId } from "../../../reconcile/orders.js";
import { NO_SURVIVAL } from "../../../sandbox/survival-board.js";
import type { Emulator } from "../../../start/emulator.js";
import type { ShortenedFailure, SurviveParts } from "../../../survive/run-schedules.js";

/** Lets the console of the emulator of a run show what `survive` has found until now. */

function failureOf({ schedule, oracle, text, steps, parts, charge, command }: ShortenedFailure) {
  const sentences = steps.map((sentence, index) => ({ text: sentence, parts: [...(parts[index] ?? [])] }));
  const id = charge === null ? null : ID_PREFIX.charge + plainId(charge);
  return { schedule, oracle, text, steps: sentences, charge: id, command };
}

export function progressReporter({ tellSurvival }: Pick<Emulator, "tellSurvival">, planned: number) {
  let now = { ...NO_SURVIVAL, planned, state: "running" as "running" | "over" };
  const report = (news: Partial<typeof now>) => {
    now = { ...now, ...news };
    tellSurvival(now);
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
