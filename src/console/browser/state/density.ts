import { signal } from "@preact/signals";
import { keep, keptChoice } from "./kept.js";

/** How much room tables take. */

export const DENSITIES = ["roomy", "tight"] as const;
export type Density = (typeof DENSITIES)[number];

export const density = signal<Density>(keptChoice("density", DENSITIES) ?? "roomy");

export function chooseDensity(chosen: Density): void {
  density.value = chosen;
  keep("density", chosen);
  applyDensity();
}

export function applyDensity(): void {
  document.documentElement.dataset.density = density.value;
}
