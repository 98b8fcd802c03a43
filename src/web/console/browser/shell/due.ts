import { useCall } from "../api/use-call.js";
import { deadlinesOf, type Upcoming } from "../words/due-groups.js";
import { CHANGES_DUE, DUE } from "../words/due-work.js";

/** What the frame of every page knows of due work. It reads the same as the page of the clock, so that it is sent once. */

/** The open cases. Other pages show them by the same call, so that it is sent once. */
export const OPEN_CASES = { query: { status: "open", limit: 100 } } as const;

/** A shop under load changes what is due many times a second, and the bar needs to be no newer than this. */
const PAUSE_MS = 1_000;

export function useDue() {
  const due = useCall("sandbox.clock.due", DUE, { on: CHANGES_DUE, pauseMs: PAUSE_MS });
  const cases = useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value.data?.data ?? [];
  const { data } = due.state.value;
  const entries: readonly Upcoming[] = [...(data?.data ?? []), ...deadlinesOf(cases)];
  return { entries, cases, hasMore: data?.has_more ?? false };
}
