import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Refused } from "./why.js";
import { shared } from "./words.js";

/** What was done, and what is said about it in its place. */

export interface Outcome {
  readonly isGood: boolean;
  readonly content: ComponentChildren;
}

/** Does something that may be refused. What is said about it stands in `place`, or in a place of its own. */
export function useOutcome(place: Signal<Outcome | null> | null = null) {
  const own = useSignal<Outcome | null>(null);
  const outcome = place ?? own;
  const isRunning = useSignal(false);
  /** Returns what was refused; null after a success. */
  const run = async (
    work: () => Promise<ComponentChildren>,
    running: ComponentChildren = shared.value.running,
  ): Promise<{ readonly thrown: unknown } | null> => {
    isRunning.value = true;
    outcome.value = { isGood: true, content: running };
    try {
      outcome.value = { isGood: true, content: await work() };
      return null;
    } catch (thrown) {
      outcome.value = { isGood: false, content: <Refused of={thrown} /> };
      return { thrown };
    } finally {
      isRunning.value = false;
    }
  };
  return { outcome, isRunning, run };
}

/** The place of an outcome, which screen readers announce. */
export function OutcomeText({ of: { value } }: { of: Signal<Outcome | null> }) {
  return <output class={value?.isGood === false ? "outcome outcome-bad" : "outcome"}>{value?.content}</output>;
}
