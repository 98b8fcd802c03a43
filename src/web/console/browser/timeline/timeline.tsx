import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isJsonObject } from "../../../../base/kernel/json.js";
import type { Machine } from "../../../../base/kernel/machine.js";
import { fill } from "../../../../base/kernel/message.js";
import { medMachine } from "../../../../service/features/med/machine.js";
import { payoutMachine } from "../../../../service/features/payouts/machine.js";
import { refundMachine } from "../../../../service/features/refunds/machine.js";
import { transactionMachine } from "../../../../service/features/transactions/machine.js";
import type { Message } from "../api/live.js";
import { type Resource, useCall } from "../api/use-call.js";
import { Actions } from "../parts/action.js";
import { Icon } from "../parts/icon.js";
import { useAddressWith } from "../parts/list-address.js";
import { Section, Show } from "../parts/page.js";
import { Toggles } from "../parts/toggles.js";
import { Countdown, ObjectLink, Status, Time } from "../parts/values.js";
import { act } from "../resource/act.js";
import { isFrozen, now } from "../state/clock.js";
import { language, texts } from "../state/language.js";
import { eventsOf } from "../words/due-work.js";
import { dueText } from "../words/service-texts.js";
import { dayName, duration, shortTime } from "../words/time.js";
import { AttemptText, Tree, useMark } from "./branch.js";
import {
  GROUP_NAMES,
  GROUPS,
  type Group,
  type Item,
  type Row,
  rawIdsIn,
  rowsOf,
  statusIn,
  type TimelineAnswer,
  webhooksOf,
} from "./model.js";
import { causeSentence, type MovedKind, moveWord, sentence } from "./wording.js";

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

interface Viewed {
  readonly timeline: TimelineAnswer;
  /** The delivery that the head of the page already describes. */
  readonly told?: string | null | undefined;
}

/** The problem of the object's webhooks, its reason, and the remedy. */
function Trouble({ timeline, told }: Viewed) {
  const { all, failing, lastFailure } = webhooksOf(timeline.items, told);
  const next = timeline.due.find(({ kind }) => kind === "delivery.attempt");
  if (lastFailure === null) return null;
  return (
    <div class="t-trouble">
      <Icon name="alert-triangle" />
      <p>
        <strong>{fill(words.value.not_arrived, { failing: failing.length, all })}</strong> {words.value.last_failure}{" "}
        <AttemptText item={lastFailure} isShort={true} />.
        {next === undefined ? null : (
          <>
            {" "}
            {words.value.next_try} <Countdown to={next.at} />.
          </>
        )}
      </p>
      {next === undefined
        ? null
        : act("sandbox.clock.advance", {
            label: words.value.run_next,
            kind: "small",
            body: { to: next.at },
            done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
          })}
    </div>
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
        <span key={item.id}>
          <Icon name="clock" />{" "}
          {isOne
            ? sentence(item, language.value)
            : fill(words.value.clock_moved, { count: items.length, text: sentence(item, language.value) })}
          <span class="hint"> — {causeSentence(item, language.value)}</span>
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
      <li class="t-day">
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
    <p class="t-now">
      <Icon name={isFrozen.value ? "snowflake" : "clock"} />
      <span>
        {words.value.now} <Time at={at} /> — {isFrozen.value ? words.value.stands : words.value.runs}
      </span>
    </p>
  );
}

/** The work that is due, each with a button that moves the clock to its instant. */
function Due({ timeline }: { timeline: TimelineAnswer }) {
  const at = now.value ?? Date.parse(timeline.now);
  if (timeline.due.length === 0) return <p class="hint">{words.value.nothing_due}</p>;
  return (
    <Actions label={words.value.due}>
      <ol class="stack t-due">
        {timeline.due.map((due) => (
          <li key={`${due.at}${due.kind}${due.subject}${due.text}`}>
            <span>
              <Icon name="clock" /> {words.value.in} <Countdown to={due.at} /> · <Time at={due.at} /> ·{" "}
              {dueText(due, language.value)}
              {due.subject === timeline.subject ? null : (
                <>
                  {" "}
                  <ObjectLink id={due.subject} />
                </>
              )}
            </span>
            {act("sandbox.clock.advance", {
              label: fill(words.value.jump, { time: shortTime(Date.parse(due.at), language.value) }),
              kind: "small",
              body: { to: due.at },
              emits: eventsOf(due),
              disabled: Date.parse(due.at) < at ? words.value.is_due : null,
              done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
            })}
          </li>
        ))}
      </ol>
    </Actions>
  );
}

type Moved = { readonly machine: Machine<string, string, string>; readonly kind: MovedKind };

/** The machine of an object and the kind of its moves, by the prefix of its id. */
const MOVED: Readonly<Record<string, Moved>> = {
  rf_: { machine: refundMachine, kind: "refund" },
  po_: { machine: payoutMachine, kind: "payout" },
  med_: { machine: medMachine, kind: "med_case" },
  ch_: { machine: transactionMachine, kind: "transition" },
  tx_: { machine: transactionMachine, kind: "transition" },
};

/** The possible moves of the state machine from the object's state. */
function CanBecome({ timeline: { subject, items } }: { timeline: TimelineAnswer }) {
  const { machine, kind } = MOVED[/^[a-z]+_/.exec(subject)?.[0] ?? ""] ?? {};
  const state = kind === undefined ? null : statusIn(items, kind);
  if (machine === undefined || kind === undefined || state === null) return null;
  const moves = Object.entries(machine.transitions).filter(([, { from }]) => from.includes(state));
  if (moves.length === 0) return <p class="hint">{words.value.final}</p>;
  return (
    <ul class="stack">
      {moves.map(([move, { to, emits }]) => (
        <li key={move}>
          <Status status={to} /> {moveWord(kind, move, language.value)}{" "}
          <span class="hint">{fill(words.value.sends, { events: emits.join(", ") })}</span>
        </li>
      ))}
    </ul>
  );
}

/** A timeline that was read by `useTimeline`. */
export function TimelineView({ timeline, told }: Viewed) {
  const { hidden, toggle } = useHidden();
  const { at } = useLocation().query;
  // The item that the address marks is scrolled into view before somebody can scroll elsewhere.
  useLayoutEffect(() => {
    if (at !== undefined) document.getElementById(at)?.scrollIntoView({ block: "center" });
  }, [at]);
  return (
    <div class="stack timeline">
      <Trouble timeline={timeline} told={told} />
      <Chips items={timeline.items} hidden={hidden} toggle={toggle} />
      <ol aria-label={words.value.timeline}>
        {rowsOf(timeline, hidden, (at) => new Date(at).toDateString()).map((row, index) => (
          <RowLine key={rowKey(row, index)} row={row} />
        ))}
      </ol>
      <Now timeline={timeline} />
      <Due timeline={timeline} />
      <Section title={words.value.can_become}>
        <CanBecome timeline={timeline} />
      </Section>
    </div>
  );
}

/** The timeline of an object, which it reads and follows. */
export function Timeline({ id }: { id: string }) {
  const { state } = useTimeline(id);
  return <Show of={state.value}>{(timeline) => <TimelineView timeline={timeline} />}</Show>;
}
