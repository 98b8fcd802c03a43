import type { Chance } from "./chance.js";
import { AIMS, type Aim } from "./operations.js";

/** When a server is killed. */
export interface Plan {
  /** After so many answers, after it has begun to start, or at an operation that is begun after so many answers. */
  readonly at: "answers" | "start" | keyof typeof AIMS;
  readonly answers: number;
  /** Milliseconds more. */
  readonly ms: number;
  /** Counted from the answer of the operation and not from its request: what was told a moment ago must be true. */
  readonly isAnswered: boolean;
}

/** About as long as each of them takes, so that a kill falls somewhere into it. */
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

/** Every kind of moment comes again and again, however few kills there are. */
const ROTATION: readonly Plan["at"][] = [
  ...(["answers", "restore", "sell", "save", "travel", "start", "reset"] as const),
  ...(["answers", "restore", "evidence", "case", "save", "travel", "account"] as const),
  ...(["answers", "restore", "keys", "travel", "start", "reset", "sell"] as const),
];

/** The passwords of users are told once: before somebody has logged in, a start must live to tell them. */
export function planOf(kill: number, hadLogin: boolean, chance: Chance): Plan {
  const wanted = ROTATION[kill % ROTATION.length] ?? "answers";
  const at = wanted === "start" && !hadLogin ? "answers" : wanted;
  const answers = 1 + chance.below(chance.pick([10, 60, 160]));
  const isAnswered = at !== "start" && chance.happens(0.35);
  // More often near the beginning: on a fast machine an operation may be over before its usual time.
  const part = chance.fraction() ** 2;
  return { at, answers, ms: part * (isAnswered ? 2 : TAKES[at]), isAnswered };
}

/** Answers after which an operation that is waited for is waited for no longer. */
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

  /** What a client is to do now, if anything. */
  wanted(): Aim | null {
    return this.#left <= 0 && !this.#isStruck ? this.#aim : null;
  }

  sawRequest(doing: string, path: string): void {
    if (this.#left > 0 || this.#plan.isAnswered || !this.#isAim(doing, path)) return;
    // A journey first does what is due where it begins: its stops begin with what has run out of time on the way.
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
