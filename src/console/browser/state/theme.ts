import { signal } from "@preact/signals";
import { storeChoice, storedChoice } from "./stored-choices.js";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(storedChoice("theme", THEMES) ?? "auto");

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  storeChoice("theme", chosen);
  applyTheme();
}

/** The styles read the theme from an attribute, because the policy of the page forbids inline styles. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}
