/** Heights of bars. Pure functions. */

/** If one value is so many times the usual one, an even scale would make all others invisible. */
const OUTLIER = 20;

/** True if one value is much larger than the usual one, so that heights must follow the square root. */
export function hasOutlier(values: readonly number[]): boolean {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return (sorted.at(-1) ?? 0) > OUTLIER * usual;
}

/** Each value as a height between 0 and `most`. The largest is the whole height; a value that is not 0 can be seen. */
export function heights(values: readonly number[], most: number): readonly number[] {
  const largest = Math.max(...values, 0);
  const power = hasOutlier(values) ? 0.5 : 1;
  return values.map((value) => (value <= 0 ? 0 : Math.max(1, Math.round((value / largest) ** power * most))));
}
