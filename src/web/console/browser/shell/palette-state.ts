import { signal } from "@preact/signals";

/** The layer over the page. An operation stands for its form. */
export const overlay = signal<"palette" | "keys" | { readonly operation: string } | null>(null);

export function openPalette(): void {
  overlay.value ??= "palette";
}

export function openKeys(): void {
  overlay.value = "keys";
}

export function closeOverlay(): void {
  overlay.value = null;
}

const MOST_RECENT = 5;

/** The pages of objects that were open in this tab, the latest first. */
export const recent = signal<readonly string[]>([]);

/** Keeps the page of an object; other pages are in the menu. */
export function visited(path: string): void {
  if (!/^\/console\/(?!go\/)[a-z]+\/[^/]+$/.test(path)) return;
  recent.value = [path, ...recent.peek().filter((known) => known !== path)].slice(0, MOST_RECENT);
}
