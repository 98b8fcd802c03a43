import { signal } from "@preact/signals";

/** A short sentence about an event away from the person's focus. It is never the only place of an outcome. */
export const notice = signal("");

const SHOWN_MS = 6_000;
let timer: ReturnType<typeof setTimeout> | null = null;

export function notify(text: string): void {
  notice.value = text;
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => {
    notice.value = "";
  }, SHOWN_MS);
}
