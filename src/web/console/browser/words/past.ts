import type { OperationAnswer } from "../../../../api/client/types.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import type { Tone } from "./codes.js";

/** What has happened, as the time bar counts it. Pure functions. */

type Happened = OperationAnswer<"sandbox.clock.past">["data"][number];

/** What people count, the worst first: a mark has the colour of its worst part. */
const KINDS = {
  failed: { tone: "bad", of: ["delivery.give_up"] },
  case: { tone: "warn", of: ["med_case.create"] },
  pay: { tone: "good", of: ["transaction.settle", "transaction.approve"] },
  refund: { tone: "plain", of: ["refund.create"] },
  expire: { tone: "plain", of: ["transaction.expire"] },
  create: { tone: "plain", of: ["transaction.create"] },
} as const satisfies Readonly<Record<string, { readonly tone: Tone; readonly of: readonly string[] }>>;

export type PastKind = keyof typeof KINDS;

const NAMES = Object.keys(KINDS).filter((name): name is PastKind => isNameOf(KINDS, name));

export interface Past {
  readonly kind: PastKind;
  readonly at: string;
  readonly count: number;
}

/** What happened of the kinds that people count. Other moves are a part of these, or were made by the person. */
export function pastOf(happened: readonly Happened[]): readonly Past[] {
  return happened.flatMap(({ kind: move, at, count }) => {
    const kind = NAMES.find((name) => KINDS[name].of.some((known) => known === move));
    return kind === undefined ? [] : [{ kind, at, count }];
  });
}

/** The number of each kind, the worst kind first. */
export function pastCounts(all: readonly Past[]): readonly { readonly kind: PastKind; readonly count: number }[] {
  return NAMES.flatMap((kind) => {
    const count = all.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);
    return count === 0 ? [] : [{ kind, count }];
  });
}

export function pastTone(all: readonly Past[]): Tone {
  const [worst] = pastCounts(all);
  return worst === undefined ? "plain" : KINDS[worst.kind].tone;
}
