import { signal } from "@preact/signals";
import { type Done, stepsIn } from "../words/done.js";

/** What was done in this tab, in order: the recorder turns it into a script for bash, a fixture or a test. */

/** More would be no scenario that a person repeats. */
const MOST = 200;

/** The browser keeps it for the tab until that is closed, so that a reload begins nothing anew. */
const NAME = "qa-pay-console-done";

function kept(): readonly Done[] {
  try {
    return stepsIn(sessionStorage.getItem(NAME) ?? "");
  } catch {
    // The browser may refuse its storage.
    return [];
  }
}

export const doneHere = signal<readonly Done[]>(kept());

function keep(all: readonly Done[]): void {
  doneHere.value = all;
  try {
    sessionStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // Without room in its storage, the recording lasts until the page is closed.
  }
}

export function recorded(done: Done): void {
  keep([...doneHere.value.slice(1 - MOST), done]);
}

export function forgetDone(): void {
  keep([]);
}
