import { signal } from "@preact/signals";
import { copyText } from "../parts/copy.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { notify } from "../state/notice.js";
import { storeChoice, storedChoice } from "../state/stored-choices.js";
import { toNextDue } from "./clock-menu.js";
import { MENU } from "./menu.js";
import { openKeys, openPalette } from "./palette-state.js";
import { commandText } from "./strip.js";

/** The keys of the console. Single letters never act while a field has the focus, and can be switched off. */

export const singleKeys = signal(storedChoice("single-keys", ["on", "off"] as const) !== "off");

export function allowSingleKeys(isAllowed: boolean): void {
  singleKeys.value = isAllowed;
  storeChoice("single-keys", isAllowed ? "on" : "off");
}

/** The keys of the search in the notation of this system. */
export const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

/** The time for which `g` waits for its letter. */
const GO_MS = 1_500;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}

function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main a.row")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.focus();
}

/** Moves the focus to the next or previous mark of an error on the page. */
function moveToError(step: 1 | -1): void {
  const marks = [...document.querySelectorAll<HTMLElement>("main .status-bad")];
  const places = marks.flatMap(
    (mark) => mark.closest("tr, li, summary")?.querySelector<HTMLElement>("a, button, summary") ?? [],
  );
  const at = places.findIndex((place) => place.contains(document.activeElement));
  places[at === -1 ? 0 : (at + step + places.length) % places.length]?.focus();
}

/** Presses the page's button for a key. A disabled one does nothing. */
const press = (key: string) => document.querySelector<HTMLElement>(`main [aria-keyshortcuts="${key}"]`)?.click();

const words = texts("keyboard");

const copy = (text: string, done: string) => void copyText(text).then(() => notify(done));

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  E: () => moveToError(1),
  "?": () => openKeys(),
  "/": () => openPalette(),
  c: () => copy(commandText.value, words.value.command),
  y: () => copy(location.href, words.value.address),
  p: () => press("p"),
  ">": () => void toNextDue(),
};

/** Listens to the keys of the page. Returns a function that stops it. */
export function startKeyboard(route: (address: string) => void): () => void {
  let goUntil = 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!singleKeys.value || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const { timeStamp, key } = event;
    const page = timeStamp < goUntil ? MENU.find(({ letter }) => letter === key) : undefined;
    goUntil = key === "g" ? timeStamp + GO_MS : 0;
    if (page !== undefined) route(withBook(page.path));
    else if (KEYS[key] !== undefined) {
      event.preventDefault();
      KEYS[key]();
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
