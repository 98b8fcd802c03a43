import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { Time } from "../parts/values.js";
import { duration } from "../words/time.js";
import { type Item, isFailure } from "./model.js";
import { words } from "./words.js";

/** The marks of items. They are decoration: the sentence beside them says the same. */
const MARKS: Readonly<Record<string, string>> = {
  request: "▣",
  transition: "◆",
  refund: "◆",
  payout: "◆",
  med_case: "◆",
  journal: "$",
  event: "▸",
  delivery: "→",
  attempt: "•",
  email: "✉",
  clock: "◷",
};

/** The address of this page with one item marked. */
export function useItemAddress(): (id: string) => string {
  const { path, query } = useLocation();
  return (id) => `${path}?${new URLSearchParams({ ...query, at: id })}`;
}

interface LineProps {
  readonly item: Item;
  /** The instant that the reader has just seen: a child at the same instant shows no time. */
  readonly since: string | null;
  readonly children: ComponentChildren;
}

/** The line of one item: when it happened, its mark, and what it says. */
export function Line({ item, since, children }: LineProps) {
  const addressOf = useItemAddress();
  const { query } = useLocation();
  const isMarked = query.at === item.id;
  const passed = since === null ? null : Date.parse(item.at) - Date.parse(since);
  return (
    <p
      id={item.id}
      class={`t-line${isMarked ? " t-marked" : ""}${isFailure(item) ? " t-failed" : ""}`}
      aria-current={isMarked ? "true" : undefined}
    >
      {passed === null ? (
        <a class="t-time" href={addressOf(item.id)}>
          <Time at={item.at} />
        </a>
      ) : null}
      <span class="t-mark" aria-hidden="true">
        {MARKS[item.kind] ?? "·"}
      </span>
      <span class="t-text">
        {children}
        {passed === null || passed < 1_000 ? null : <span class="hint"> {words.value.later(duration(passed))}</span>}
      </span>
    </p>
  );
}
