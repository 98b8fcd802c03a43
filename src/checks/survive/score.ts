import { FAULT_NAMES, type FaultName } from "./faults.js";
import type { FaultCount } from "./result.js";

/** The score of a run, as a person reads it: the same in the terminal, in the report and in the console. */

export interface FaultScore extends FaultCount {
  readonly name: FaultName;
}

export interface Score {
  /** The faults that some schedule had. */
  readonly met: readonly FaultScore[];
  /** How many of these happened to the shop in some schedule. */
  readonly tried: number;
  /** How many of those it survived in every schedule. */
  readonly survived: number;
}

export function scoreOf(faults: Readonly<Partial<Record<string, FaultCount>>>): Score {
  const met = FAULT_NAMES.flatMap((name): FaultScore[] => {
    const count = faults[name];
    return count === undefined || count.schedules === 0 ? [] : [{ name, ...count }];
  });
  const tried = met.filter((one) => one.could_show > 0);
  return { met, tried: tried.length, survived: tried.filter(({ failed }) => failed === 0).length };
}
