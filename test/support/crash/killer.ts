import type { Chance } from "./chance.js";
import { AIMS, type Aim } from "./operations.js";

/** The moment at which a server is killed. */
export interface Plan {
  /** After a number of answers, during the start, or during an operation that begins after a number of answers. */
  readonly at: "answers" | "start" | keyof typeof AIMS;
  readonly answers: number;
  /** Milliseconds more. */
  readonly ms: number;
  /** Counted from the answer of the operation and not from its request: an answer must be true at once. */
  readonly isAnswered: boolean;
}

/** About the time that each operation takes, so that a kill falls into it. */
const TAKES: Readonly<Record<Plan["at"], number>> = {
  answers: 4,
  start: 350,
  save: 8,
  restore: 40,
  reset: 8,
  travel: 30,
  account: 150,
  evidence: 10,
  sell: 4,
  case: 4,
  keys: 4,
};

/** The kinds of moments take turns, so that a run with few kills has all of them. */
const ROTATION: readonly Plan["at"][] = [
  ...(["answers", "restore", "sell", "save", "travel", "start", "reset"] as const),
  ...(["answers", "restore", "evidence", "case", "save", "travel", "account"] as const),
  ...(["answers", "restore", "keys", "travel", "start", "reset", "sell"] as const),
];

/** A start prints the passwords of users only once. Until a client has logged in, no start is killed before that. */
export function planOf(kill: number, hadLogin: boolean, chance: Chance): Plan {
  const wanted = ROTATION[kill % ROTATION.length] ?? "answers";
  const at = wanted === "start" && !hadLogin ? "answers" : wanted;
  const answers = 1 + chance.below(chance.pick([10, 60, 160]));
  const isAnswered = at !== "start" && chance.happens(0.35);
  // More often near the beginning: on a fast machine an operation may be over before its usual time.
  const part = chance.fraction() ** 2;
  return { at, answers, ms: part * (isAnswered ? 2 : TAKES[at]), isAnswered };
}

/** After so many answers, the killer does not wait for its operation any longer. */
const LONGEST_WAIT = 500;

/** Lets everything else go on until so many milliseconds have passed. */
export async function passes(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

/** Watches clients and receiver, and kills at the moment of its plan. */
export class Killer {
  readonly #plan: Plan;
  readonly #aim: Aim | null;
  readonly #kill: () => void;
  #left: number;
  #isTravelling = false;
  #isStruck = false;

  constructor(plan: Plan, kill: () => void) {
    this.#plan = plan;
    this.#aim = plan.at === "answers" || plan.at === "start" ? null : AIMS[plan.at];
    this.#left = plan.answers;
    this.#kill = kill;
  }

  /** The operation that a client must begin now; null for none. */
  wanted(): Aim | null {
    return this.#left <= 0 && !this.#isStruck ? this.#aim : null;
  }

  sawRequest(doing: string, path: string): void {
    if (this.#left > 0 || this.#plan.isAnswered || !this.#isAim(doing, path)) return;
    // An advance first does the work that is due already. Its stops begin with the work that becomes due later.
    if (this.#plan.at === "travel") this.#isTravelling = true;
    else this.#strike();
  }

  sawWebhook(type: string): void {
    if (this.#isTravelling && type === "charge.expired") this.#strike();
  }

  sawAnswer(doing: string, path: string): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    const isDone = (this.#isTravelling || this.#plan.isAnswered) && this.#isAim(doing, path);
    if (this.#plan.at === "answers" || isDone || this.#left < -LONGEST_WAIT) this.#strike();
  }

  #isAim(doing: string, path: string): boolean {
    return this.#aim !== null && doing === this.#aim.name && this.#aim.path.test(path);
  }

  #strike(): void {
    if (this.#isStruck) return;
    this.#isStruck = true;
    void passes(this.#plan.ms).then(this.#kill);
  }
}
