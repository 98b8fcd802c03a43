import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { fill } from "../../../../base/kernel/message.js";
import type { Message } from "../api/live.js";
import { type Resource, useCall } from "../api/use-call.js";
import { Actions } from "../parts/action.js";
import { Icon } from "../parts/icon.js";
import { useAddressWith } from "../parts/list-address.js";
import { Show } from "../parts/page.js";
import { Toggles } from "../parts/toggles.js";
import { Countdown, ObjectLink, Time } from "../parts/values.js";
import { act } from "../resource/act.js";
import { isFrozen, now } from "../state/clock.js";
import { language, texts } from "../state/language.js";
import { eventsOf } from "../words/due-work.js";
import { dueText } from "../words/service-texts.js";
import { dayName, duration, shortTime } from "../words/time.js";
import { AlarmBox } from "./alarm.js";
import { Tree, useMark } from "./branch.js";
import {
  GROUP_NAMES,
  GROUPS,
  type Group,
  type Item,
  type Row,
  rawIdsIn,
  rowsOf,
  type TimelineAnswer,
} from "./model.js";
import { causeSentence, sentence } from "./wording.js";

/** The timeline of any object: charge, payment, refund, payout or MED case. */

const words = texts("timeline");
const groupWords = texts("timeline_groups");

/** Kinds of messages that can be about any object and are rare. */
const ALWAYS: ReadonlySet<string> = new Set(["clock", "refund", "case", "mail"]);

function rawOf(id: unknown): string {
  return String(id ?? "").replace(/^[a-z]+_/, "");
}

/** True if a message is about one of the objects whose ids are known. Reads are no changes. */
function isNews({ kind, data }: Message, known: ReadonlySet<string>): boolean {
  if (ALWAYS.has(kind)) return true;
  const about = isJsonObject(data) ? data : {};
  if (kind === "request" && about.method === "GET") return false;
  return [about.id, about.subject, about.event, about.reference].some((id) => known.has(rawOf(id)));
}

/** Reads a timeline, and again after all changes of it. */
export function useTimeline(id: string, when = true): Resource<TimelineAnswer> {
  const known = useRef<ReadonlySet<string>>(new Set());
  const on = (message: Message) => isNews(message, known.current);
  const timeline = useCall("sandbox.timeline", { params: { id } }, { on, when });
  const { data } = timeline.state.value;
  known.current = data === null ? new Set([rawOf(id)]) : rawIdsIn(data);
  return timeline;
}

/** The filters that the address names as hidden. */
function useHidden(): { readonly hidden: ReadonlySet<Group>; readonly toggle: (group: Group) => void } {
  const { query, route } = useLocation();
  const address = useAddressWith();
  const named = new Set((query.hide ?? "").split(","));
  const hidden = new Set(GROUP_NAMES.filter((group) => named.has(group)));
  const toggle = (group: Group) => {
    const next = new Set(hidden);
    if (!next.delete(group)) next.add(group);
    route(address({ hide: [...next].join(",") }), true);
  };
  return { hidden, toggle };
}

function Chips({ items, hidden, toggle }: { items: readonly Item[] } & ReturnType<typeof useHidden>) {
  const present = GROUP_NAMES.filter((group) => {
    const kinds: readonly string[] = GROUPS[group];
    return items.some(({ kind }) => kinds.includes(kind));
  });
  return (
    <details class="t-filters" open={hidden.size > 0}>
      <summary>
        <Icon name="filter" /> {words.value.filters}
      </summary>
      <Toggles
        label={words.value.filters}
        of={present.map((group) => ({
          name: group,
          words: groupWords.value[group],
          isOn: !hidden.has(group),
        }))}
        onPress={toggle}
      />
    </details>
  );
}

/** Changes of the clock in a row: a thin line with the first one and, for several, their number. */
function ClockRow({ items }: { items: readonly Item[] }) {
  const [first] = items;
  const last = items.at(-1);
  const mark = useMark(items);
  if (first === undefined || last === undefined) return null;
  const isOne = items.length === 1 || items.some(({ data }) => data.move !== "advance");
  const whole = { ...first, data: { ...first.data, to: last.data.to } };
  const shown = isOne ? items : [whole];
  return (
    <li id={first.id} {...mark} class={`t-gap ${mark.class}`}>
      {shown.map((item) => (
        <span key={item.id} title={causeSentence(item, language.value)}>
          <Icon name="clock" />{" "}
          {isOne
            ? sentence(item, language.value)
            : fill(words.value.clock_moved, { count: items.length, text: sentence(item, language.value) })}
        </span>
      ))}
    </li>
  );
}

function RowLine({ row }: { row: Row }) {
  if (row.kind === "tree") return <Tree branch={row.branch} />;
  if (row.kind === "clock") return <ClockRow items={row.items} />;
  if (row.kind === "day") {
    return (
      <li class="level t-day">
        <time dateTime={row.at}>{dayName(Date.parse(row.at), language.value)}</time>
      </li>
    );
  }
  const time = duration(row.milliseconds);
  return (
    <li class="t-gap">
      <span>
        {row.why === "real" ? fill(words.value.passed, { time }) : fill(words.value.passed_advanced, { time })}
      </span>
    </li>
  );
}

const rowKey = (row: Row, index: number) => {
  if (row.kind === "tree") return row.branch.item.id;
  return row.kind === "clock" ? (row.items[0]?.id ?? index) : `${row.kind}${index}`;
};

/** The present instant and the state of the clock. */
function Now({ timeline }: { timeline: TimelineAnswer }) {
  const at = now.value === null ? timeline.now : new Date(now.value).toISOString();
  return (
    <p class="level t-now">
      <Icon name={isFrozen.value ? "snowflake" : "clock"} />
      <span>
        {words.value.now} <Time at={at} /> — {isFrozen.value ? words.value.stands : words.value.runs}
      </span>
    </p>
  );
}

const MINUTE_MS = 60_000;

/** The button that moves the clock to the instant of due work. */
function skipTo(due: TimelineAnswer["due"][number], at: number) {
  const left = Date.parse(due.at) - at;
  // Whole minutes: a label that changes each second draws the eye.
  const time = duration(left < MINUTE_MS ? left : Math.floor(left / MINUTE_MS) * MINUTE_MS);
  return act("sandbox.clock.advance", {
    label: due.kind === "transaction.expire" ? fill(words.value.skip_to_expiry, { time }) : words.value.run_now,
    key: due.kind,
    kind: "small",
    body: { to: due.at },
    emits: eventsOf(due),
    disabled: left < 0 ? words.value.is_due : null,
    done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
  });
}

/** The work that is due, each with a button that moves the clock to its instant. */
function Due({ timeline }: { timeline: TimelineAnswer }) {
  const at = now.value ?? Date.parse(timeline.now);
  if (timeline.due.length === 0) return <p class="hint">{words.value.nothing_due}</p>;
  return (
    <Actions label={words.value.due}>
      <ol class="stack t-due">
        {timeline.due.map((due) => (
          <li key={`${due.at}${due.kind}${due.subject}${due.text}`} class="flow">
            <span>
              <Icon name="clock" />{" "}
              <span title={shortTime(Date.parse(due.at), language.value)}>
                {words.value.in} <Countdown to={due.at} />
              </span>{" "}
              · {dueText(due, language.value)}
              {due.subject === timeline.subject ? null : (
                <>
                  {" "}
                  <ObjectLink id={due.subject} />
                </>
              )}
            </span>
            {skipTo(due, at)}
          </li>
        ))}
      </ol>
    </Actions>
  );
}

interface Viewed {
  readonly timeline: TimelineAnswer;
  /** True if the head of the page has the alarm already. */
  readonly isSummedUp?: boolean;
}

/** A timeline that was read by `useTimeline`. */
export function TimelineView({ timeline, isSummedUp = false }: Viewed) {
  const { hidden, toggle } = useHidden();
  const { at } = useLocation().query;
  // The item that the address marks is scrolled into view before somebody can scroll elsewhere.
  useLayoutEffect(() => {
    if (at !== undefined) document.getElementById(at)?.scrollIntoView({ block: "center" });
  }, [at]);
  return (
    <div class="stack timeline">
      {isSummedUp ? null : <AlarmBox timeline={timeline} />}
      <Chips items={timeline.items} hidden={hidden} toggle={toggle} />
      <ol aria-label={words.value.timeline}>
        {rowsOf(timeline, hidden, (at) => new Date(at).toDateString()).map((row, index) => (
          <RowLine key={rowKey(row, index)} row={row} />
        ))}
      </ol>
      <Now timeline={timeline} />
      <Due timeline={timeline} />
    </div>
  );
}

/** The timeline of an object, which it reads and follows. */
export function Timeline({ id }: { id: string }) {
  const { state } = useTimeline(id);
  return <Show of={state.value}>{(timeline) => <TimelineView timeline={timeline} />}</Show>;
}
