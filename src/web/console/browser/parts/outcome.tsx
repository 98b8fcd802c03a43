import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Refused } from "./why.js";
import { shared } from "./words.js";

/** A finished action, and the text about it. */

export interface ActionResult {
  readonly isGood: boolean;
  readonly content: ComponentChildren;
}

/** Runs an action that may be refused. The text about it is shown in `place`, or in a place of its own. */
export function useOutcome(place: Signal<ActionResult | null> | null = null) {
  const own = useSignal<ActionResult | null>(null);
  const outcome = place ?? own;
  const isRunning = useSignal(false);
  /** Returns the refusal; null after a success. */
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
export function OutcomeText({ of: { value } }: { of: Signal<ActionResult | null> }) {
  return <output class={value?.isGood === false ? "outcome outcome-bad" : "outcome"}>{value?.content}</output>;
}
