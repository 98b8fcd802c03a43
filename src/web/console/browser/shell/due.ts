import { useCall } from "../api/use-call.js";
import { deadlinesOf, type Upcoming } from "../words/due-groups.js";
import { CHANGES_DUE, DUE } from "../words/due-work.js";
import { OPEN_CASES } from "./badges.js";

/** What the frame of every page knows of due work. It reads the same as the page of the clock, so that it is sent once. */

/** A shop under load changes what is due many times a second, and the bar needs to be no newer than this. */
const PAUSE_MS = 1_000;

export function useDue() {
  const due = useCall("sandbox.clock.due", DUE, { on: CHANGES_DUE, pauseMs: PAUSE_MS });
  const cases = useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value.data?.data ?? [];
  const { data } = due.state.value;
  const entries: readonly Upcoming[] = [...(data?.data ?? []), ...deadlinesOf(cases)];
  return { entries, hasMore: data?.has_more ?? false };
}
