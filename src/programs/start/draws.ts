import { type Cause, START } from "../../base/kernel/cause.js";
import type { Clock, Ids, Random, Runtime } from "../../base/kernel/runtime.js";
import { createIds } from "../../base/platform/real-runtime.js";

/**
 * The sources of ids, codes, keys and secrets. With a seed, each draw depends on its purpose, so that work in the
 * background does not change the draws of requests (docs/decisions/075-time-never-goes-back.md).
 */
export interface Draws {
  /** Draws of the service for one purpose alone. */
  of(name: string): Random;
  /** Draws of a unit of work. */
  unit(cause: Cause): { readonly ids: Ids; readonly random: Random };
  /** Ids of requests. */
  readonly requestIds: Ids;
  /** Draws that no seed decides: links of the console, login tokens. */
  readonly unguessable: { readonly ids: Ids; readonly random: Random };
  readonly isSeeded: boolean;
}

/** The first places among the ids of one millisecond: for requests, after those of the start, and for due work. */
const BEHIND_START = 0x100;
const BEHIND_REQUESTS = 0x800;

/** `before` is the newest row of the history at the start: a second start on a file continues with other draws. */
export function createDraws({ random, seeded }: Runtime, clock: Clock, before: number): Draws {
  const unguessable = { ids: createIds(clock, random), random };
  if (seeded === undefined) {
    return {
      of: () => random,
      unit: () => unguessable,
      requestIds: unguessable.ids,
      unguessable,
      isSeeded: false,
    };
  }
  const of = (name: string) => seeded(`${before} ${name}`);
  const requests = { ids: createIds(clock, of("ids of units"), BEHIND_START), random: of("units") };
  const unit = (cause: Cause) => {
    const { draws } = cause;
    if (draws === null) return requests;
    const first = cause === START ? 0 : BEHIND_REQUESTS;
    return { ids: createIds(clock, of(`ids of ${draws}`), first), random: of(draws) };
  };
  return { of, unit, requestIds: createIds(clock, of("ids of requests")), unguessable, isSeeded: true };
}
