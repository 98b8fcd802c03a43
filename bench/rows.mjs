/** The rows of the table that a run prints. */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const sum = (values) => values.reduce((all, value) => all + value, 0);

/** A number with its unit, and where there are several, their median with the least and the most. */
export function formatValues(values, unit) {
  const text = (value) => value.toFixed(unit === "ms" && value < 100 ? 1 : 0);
  const range = values.length === 1 ? "" : ` (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
  return `${text(median(values))} ${unit}${range}`;
}

/**
 * A row of rounds in which qa-pay and the floor did the same in turn: each is `{ours, floor}` of `{value, cost}`, a rate or a time,
 * and milliseconds of a processor. The ratio by processor time is the one that is judged, because it hardly depends on other load.
 */
export function compareRows(name, unit, rounds, target) {
  const isRate = unit === "/s";
  const ratios = rounds.map(({ ours, floor }) => ours.value / floor.value);
  const [ourCost, floorCost] = ["ours", "floor"].map((side) => sum(rounds.map((round) => round[side].cost)));
  const processor = isRate ? floorCost / ourCost : ourCost / floorCost;
  const judged = Number.isFinite(processor) ? processor : median(ratios);
  return {
    name,
    ours: formatValues([median(rounds.map(({ ours }) => ours.value))], unit),
    floor: formatValues([median(rounds.map(({ floor }) => floor.value))], unit),
    ratio: `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    processor: Number.isFinite(processor) ? processor.toFixed(2) : "",
    target: `${isRate ? "≥" : "≤"} ${target}`,
    isReached: isRate ? judged >= target : judged <= target,
  };
}
