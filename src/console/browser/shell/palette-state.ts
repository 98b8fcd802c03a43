import { signal } from "@preact/signals";

export const isPaletteOpen = signal(false);

export function openPalette(): void {
  isPaletteOpen.value = true;
}

/** Whether the sheet of keys is open. */
export const areKeysOpen = signal(false);

export function openKeys(): void {
  areKeysOpen.value = true;
}

/** The operation whose form is open. */
export const openOperation = signal<string | null>(null);

const MOST_RECENT = 5;

/** The pages of objects that were open in this tab, the latest first. */
export const recent = signal<readonly string[]>([]);

/** Keeps the page of an object; other pages are in the menu. */
export function visited(path: string): void {
  if (!/^\/console\/(?!go\/)[a-z]+\/[^/]+$/.test(path)) return;
  recent.value = [path, ...recent.peek().filter((known) => known !== path)].slice(0, MOST_RECENT);
}
