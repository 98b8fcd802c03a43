import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Message } from "../api/live.js";
import { type Resource, useCall } from "../api/use-call.js";
import { Section, Show } from "../parts/page.js";
import { Time } from "../parts/values.js";
import { language } from "../state/language.js";
import { duration } from "../words/time.js";
import { CanBecome, Due, Now } from "./after.js";
import { Tree } from "./branch.js";
import { Line } from "./line.js";
import { GROUP_NAMES, GROUPS, type Group, type Item, type Row, rawIdsIn, rowsOf, type Story } from "./model.js";
import { causeSentence, groupWord, sentence } from "./wording.js";
import { words } from "./words.js";

/** The timeline of any object: charge, payment, refund, payout or MED case. */

/** Kinds of messages that can be about any object and are rare. */
const ALWAYS: ReadonlySet<string> = new Set(["clock", "refund", "case", "mail"]);

function rawOf(id: unknown): string {
  return String(id ?? "").replace(/^[a-z]+_/, "");
}

/** Whether a message is about one of the objects whose ids are known. A reading is no news, this page's own least. */
function isNews({ kind, data }: Message, known: ReadonlySet<string>): boolean {
  if (ALWAYS.has(kind)) return true;
  const about = data as Readonly<Record<string, unknown>>;
  if (kind === "request" && about.method === "GET") return false;
  return [about.id, about.subject, about.event, about.reference].some((id) => known.has(rawOf(id)));
}

/** Reads a timeline, and again after all that changes it. */
export function useStory(id: string): Resource<Story> {
  const known = useRef<ReadonlySet<string>>(new Set());
  const story = useCall("sandbox.timeline", { params: { id } }, { on: (message) => isNews(message, known.current) });
  const { data } = story.state.value;
  known.current = data === null ? new Set([rawOf(id)]) : rawIdsIn(data);
  return story;
}

/** The filters that the address names as hidden. */
function useHidden(): { readonly hidden: ReadonlySet<Group>; readonly toggle: (group: Group) => void } {
  const { path, query, route } = useLocation();
  const named = new Set((query.hide ?? "").split(","));
  const hidden = new Set(GROUP_NAMES.filter((group) => named.has(group)));
  const toggle = (group: Group) => {
    const next = new Set(hidden);
    if (!next.delete(group)) next.add(group);
    const wanted = new URLSearchParams(query);
    if (next.size === 0) wanted.delete("hide");
    else wanted.set("hide", [...next].join(","));
    route(wanted.size === 0 ? path : `${path}?${wanted}`, true);
  };
  return { hidden, toggle };
}

function Chips({ items, hidden, toggle }: { items: readonly Item[] } & ReturnType<typeof useHidden>) {
  const present = GROUP_NAMES.filter((group) =>
    items.some(({ kind }) => (GROUPS[group] as readonly string[]).includes(kind)),
  );
  return (
    <fieldset class="follow" aria-label={words.value.filters}>
      {present.map((group) => (
        <button key={group} type="button" class="small" aria-pressed={!hidden.has(group)} onClick={() => toggle(group)}>
          {groupWord(group, language.value)}
        </button>
      ))}
    </fieldset>
  );
}

function dayOf(at: number): string {
  return new Date(at).toDateString();
}

/** Changes of the clock in a row: one line with the first and, for several, how many there are. */
function ClockRow({ items }: { items: readonly Item[] }) {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return null;
  const isOne = items.length === 1 || items.some(({ data }) => data.move !== "advance");
  const whole = { ...first, data: { ...first.data, to: last.data.to } };
  const shown = isOne ? items : [whole];
  return (
    <>
      {shown.map((item) => (
        <li key={item.id} class="t-item t-root t-quiet">
          <Line item={item} since={null}>
            {isOne
              ? sentence(item, language.value)
              : words.value.clock_moved(items.length, sentence(item, language.value))}
            <span class="hint"> — {causeSentence(item.cause, language.value)}</span>
          </Line>
        </li>
      ))}
    </>
  );
}

function RowLine({ row }: { row: Row }) {
  if (row.kind === "tree") return <Tree branch={row.branch} because={row.because} since={null} />;
  if (row.kind === "clock") return <ClockRow items={row.items} />;
  if (row.kind === "day") {
    return (
      <li class="t-day">
        <Time at={row.at} />
      </li>
    );
  }
  const time = duration(row.milliseconds);
  return (
    <li class="t-gap">
      <span aria-hidden="true">⋯ </span>
      {row.why === "real" ? words.value.passed(time) : words.value.passed_advanced(time)}
    </li>
  );
}

const rowKey = (row: Row, index: number) => {
  if (row.kind === "tree") return row.branch.item.id;
  return row.kind === "clock" ? (row.items[0]?.id ?? index) : `${row.kind}${index}`;
};

/** Brings the item that the address marks into sight, once it is there. */
function useMarked(isThere: boolean): void {
  const { query } = useLocation();
  useEffect(() => {
    if (isThere && query.at !== undefined) document.getElementById(query.at)?.scrollIntoView({ block: "center" });
  }, [isThere, query.at]);
}

/** A timeline that was read by `useStory`. */
export function TimelineOf({ story }: { story: Story }) {
  const { hidden, toggle } = useHidden();
  useMarked(true);
  return (
    <div class="timeline">
      <Chips items={story.items} hidden={hidden} toggle={toggle} />
      <ol class="t-list t-roots" aria-label={words.value.timeline}>
        {rowsOf(story, hidden, dayOf).map((row, index) => (
          <RowLine key={rowKey(row, index)} row={row} />
        ))}
      </ol>
      <Now story={story} />
      <Section title={words.value.due}>
        <Due story={story} />
      </Section>
      <Section title={words.value.can_become}>
        <CanBecome story={story} />
      </Section>
    </div>
  );
}

/** The timeline of an object, which it reads and follows. */
export function Timeline({ id }: { id: string }) {
  const { state } = useStory(id);
  return <Show of={state.value}>{(story) => <TimelineOf story={story} />}</Show>;
}
