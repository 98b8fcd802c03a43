import { signal } from "@preact/signals";
import { storeChoice, storedChoice } from "./stored-choices.js";

/** How much room tables take. */

export const DENSITIES = ["roomy", "tight"] as const;
export type Density = (typeof DENSITIES)[number];

export const density = signal<Density>(storedChoice("density", DENSITIES) ?? "roomy");

export function chooseDensity(chosen: Density): void {
  density.value = chosen;
  storeChoice("density", chosen);
  applyDensity();
}

export function applyDensity(): void {
  document.documentElement.dataset.density = density.value;
}
