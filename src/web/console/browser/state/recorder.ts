import { signal } from "@preact/signals";
import { type Done, stepsIn } from "../words/done.js";

/** The actions of this tab, in order: the recorder turns them into a script for bash, a fixture or a test. */

/** A person would not repeat a longer scenario. */
const MOST = 200;

/** The browser keeps it until the tab is closed, so that a reload loses nothing. */
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
