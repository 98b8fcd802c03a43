import { signal } from "@preact/signals";
import type { AnyInput } from "../api/input.js";

/** What was done in this tab, in order: the recorder turns it into a script, a fixture or a test. */
export interface Done {
  readonly id: string;
  readonly input: AnyInput;
  readonly result: unknown;
}

/** More would be no scenario that a person repeats. */
const MOST = 200;

export const doneHere = signal<readonly Done[]>([]);

export function recorded(done: Done): void {
  doneHere.value = [...doneHere.value.slice(1 - MOST), done];
}

export function forgetDone(): void {
  doneHere.value = [];
}
