import { computed, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { OperationId } from "../../../../api/client/types.js";
import { type AnyInput, type ViewInput, withoutEmpty } from "../api/input.js";

/** The operation whose command is in the strip at the bottom of the page. */
export interface Shown {
  readonly id: string;
  readonly input: AnyInput;
}

const ofView = signal<Shown | null>(null);
const ofAction = signal<Shown | null>(null);

/** The command of the action under the pointer or the focus, else the one of the view. */
export const shown = computed(() => {
  const operation = ofAction.value ?? ofView.value;
  return operation === null ? null : { ...operation, input: withoutEmpty(operation.input) };
});

export function showAction(action: Shown | null): void {
  ofAction.value = action;
}

/** Declares the operation that shows the same as this view. A page beside the main one declares nothing. */
export function useViewCommand<Id extends OperationId>(id: Id, input: ViewInput<Id>, isMain = true): void {
  const text = JSON.stringify(input);
  useLayoutEffect(() => {
    if (!isMain) return;
    ofView.value = { id, input: JSON.parse(text) };
    ofAction.value = null;
  }, [id, text, isMain]);
}
