import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { onMessages } from "../api/live.js";
import { useCall } from "../api/use-call.js";
import { texts } from "../state/language.js";
import { isRetry } from "../words/due-groups.js";
import { useDue } from "./due.js";

/** The numbers of objects that need attention, beside the names of the menu. They follow the stream. */

const words = texts("badges");

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

export type BadgeName = "webhooks" | "endpoints" | "requests" | "med";

const NAMES: readonly string[] = ["webhooks", "endpoints", "requests", "med"] satisfies BadgeName[];

export const isBadge = (name: string): name is BadgeName => NAMES.includes(name);

interface Count {
  readonly count: number;
  /** True if it is no fault yet. */
  readonly isOpen: boolean;
  readonly about: string;
}

/** The numbers of the menu. `open` is the page that is open. */
export function useBadges(open: string): Readonly<Record<BadgeName, Count>> {
  const stats = useCall("webhooks.stats", {}, { on: ["attempt", "event"] });
  const { entries, cases } = useDue();
  const failed = stats.state.value.data?.FAILED ?? 0;
  const refusedNow = useRefused(open === "requests");
  const said = (text: string, count: number, isOpen = false) => ({ count, isOpen, about: fill(text, { count }) });
  const retrying = said(words.value.retrying, entries.filter(isRetry).length, true);
  return {
    webhooks: failed > 0 ? said(words.value.webhooks, failed) : retrying,
    endpoints: retrying,
    requests: said(words.value.requests, refusedNow),
    med: said(words.value.med, cases.length, true),
  };
}

export function Badge({ of: { count, isOpen, about } }: { of: Count }) {
  if (count === 0) return null;
  return (
    <span class={isOpen ? "badge warn" : "badge bad"} title={about}>
      {count}
      <span class="visually-hidden"> ({about})</span>
    </span>
  );
}
