import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { onMessages } from "../api/live.js";
import { useCall } from "../api/use-call.js";
import { texts } from "../state/language.js";

/** The numbers of objects that need attention, beside the names of the menu. They follow the stream. */

const words = texts("badges");

/** The open cases, of which the first page shows the most urgent ones: the same call, so that it is sent once. */
export const OPEN_CASES = { query: { status: "open", limit: 100 } } as const;

const refused = signal(0);

/** Counts refused requests while their page is closed. */
function useRefused(isOpen: boolean): number {
  useEffect(() => {
    if (isOpen) refused.value = 0;
    return onMessages((messages) => {
      const failed = messages.filter(({ kind, data }) => kind === "request" && Number(data.status) >= 400);
      if (!isOpen) refused.value += failed.length;
    });
  }, [isOpen]);
  return refused.value;
}

export type BadgeName = "webhooks" | "requests" | "med";

export function isBadge(name: string): name is BadgeName {
  return Object.hasOwn(words.value, name);
}

/** The numbers of the menu. `open` is the page that is open. */
export function useBadges(open: string): Readonly<Record<BadgeName, number>> {
  const stats = useCall("webhooks.stats", {}, { on: ["attempt", "event"] });
  const cases = useCall("med.list", OPEN_CASES, { on: ["case"] });
  return {
    // Deliveries that wait for their next attempt are no problem: with a frozen clock they wait forever.
    webhooks: stats.state.value.data?.FAILED ?? 0,
    requests: useRefused(open === "requests"),
    med: cases.state.value.data?.data.length ?? 0,
  };
}

export function Badge({ name, count }: { name: BadgeName; count: number }) {
  if (count === 0) return null;
  return (
    <span class={name === "med" ? "badge badge-open" : "badge"} title={fill(words.value[name], { count })}>
      {count}
      <span class="visually-hidden"> ({fill(words.value[name], { count })})</span>
    </span>
  );
}
