import type { GlobalFlags } from "../../../../api/client/flags.js";
import type { Totals } from "../../../../checks/reconcile/reconcile.js";
import type { Rush } from "../../../../checks/rush/rush.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, palette } from "../../terminal/output.js";
import { say, type TerminalText } from "../../terminal/terminal-text.js";
import { formatCounts } from "../differences.js";

/** Prints what `rush` measured and found, for people. */

const SHOWN = 20;

type PrintedRush = Rush & { readonly seed: string; readonly wasStopped: boolean };

const figures = ({ p50, p95, p99 }: Rush["buy_ms"]) =>
  p50 === null ? "none" : `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`;

function printDifferences(io: Io, paint: Palette, differences: NonNullable<Rush["differences"]>): void {
  const [first] = differences;
  if (first === undefined) return;
  for (const { code, text } of differences.slice(0, SHOWN)) {
    io.out(say`${paint.bad("✗")} ${paint.strong(code)}\n  ${text}\n`);
  }
  if (differences.length > SHOWN) io.out(say`… and ${differences.length - SHOWN} more; --json has all.\n`);
  // It is the same for all of them.
  io.out(say`\n  ${first.command}\n\n`);
}

/** When and why the shop refused first. */
function refusalText({ refused, first_refusal: first }: Rush): string {
  return first === null
    ? String(refused)
    : `${refused}, the first after ${(first.at_ms / 1_000).toFixed(1)} s: ${first.order} ${first.text}`;
}

function verdict(paint: Palette, { differences, orders }: Rush, counts: Totals["counts"]): TerminalText | string {
  if (differences === null) return paint.bad("Orders and payments were not compared.");
  if (differences.length > 0) return paint.bad(formatCounts(differences.length, counts));
  return orders === 0 ? "No order was placed, so there is nothing to compare." : "Orders and payments agree.";
}

/** Prints a run for a person: the differences first, then the figures. */
export async function printRush(
  io: Io,
  rush: PrintedRush,
  counts: Totals["counts"],
  flags: GlobalFlags,
): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  const { first_failure: failure, limits, rate, undelivered, refused, fulfilled_twice: twice } = rush;
  const markBad = (text: string, isBad: boolean) => (isBad ? paint.bad(text) : text);
  printDifferences(io, paint, rush.differences ?? []);
  if (rush.wasStopped) io.out(say`Stopped. Until then:\n`);
  io.out(say`orders     ${rush.orders}, ${rush.paid} paid, ${rate.reached} of ${rate.asked} orders/s\n`);
  io.out(say`buying     ${figures(rush.buy_ms)}\n`);
  io.out(say`webhooks   ${rush.deliveries}: ${figures(rush.latency_ms)}\n`);
  io.out(say`retries    ${rush.retries}${failure === null ? "" : `; the first failure was ${failure}`}\n`);
  const left = undelivered === 0 ? "" : `, ${undelivered} not delivered in the end`;
  io.out(say`backlog    at most ${rush.backlog} at one moment${markBad(left, undelivered > 0)}\n`);
  io.out(say`refused    ${markBad(refusalText(rush), refused > 0)}\n`);
  if (twice > 0) io.out(say`twice      ${paint.bad(`${twice} orders were fulfilled more than once`)}\n`);
  for (const limit of limits) io.out(say`limit      ${limit}\n`);
  io.out(say`seed       ${rush.seed}\n\n${verdict(paint, rush, counts)}\n`);
}
