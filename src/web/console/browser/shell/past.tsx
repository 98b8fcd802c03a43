import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { useCall } from "../api/use-call.js";
import { language, texts } from "../state/language.js";
import { type Past, pastCounts, pastOf, pastTone } from "../words/past.js";
import { duration, shortTime } from "../words/time.js";
import { type Mark, marksOf } from "../words/time-scale.js";

/** The past part of the time bar: how much happened, and what under the pointer. */

const words = texts("time_bar");
const kinds = texts("past_kinds");

/** A shop under load changes it many times a second. */
const PAUSE_MS = 3_000;
const CHANGES_PAST = ["transaction", "refund", "case", "attempt", "clock"];

/** The width of this part until it is drawn for the first time. */
const USUAL_WIDTH = 200;

const textOf = (all: readonly Past[]) =>
  pastCounts(all)
    .map(({ kind, count }) => fill(kinds.value[kind], { count }))
    .join(", ");

function About({ mark, now, x }: { mark: Mark<Past>; now: number; x: number }) {
  return (
    <div class="stack sheet time-forecast" style={{ "--x": `${x}px` }}>
      <p>
        <b>{fill(words.value.ago, { by: duration(now - mark.until) })}</b>{" "}
        <span class="hint">{shortTime(mark.until, language.value)}</span>
      </p>
      <p>{textOf(mark.entries)}</p>
    </div>
  );
}

interface Looked {
  readonly mark: Mark<Past>;
  readonly x: number;
}

function PastMark({ mark, looked }: { mark: Mark<Past>; looked: Signal<Looked | null> }) {
  const count = mark.entries.reduce((sum, one) => sum + one.count, 0);
  return (
    <span
      class={`past-mark tone-${pastTone(mark.entries)}`}
      style={{ insetInlineEnd: `${(mark.share * 100).toFixed(2)}%` }}
      onPointerEnter={({ currentTarget }) => {
        const box = currentTarget.getBoundingClientRect();
        looked.value = { mark, x: Math.round(box.left + box.width / 2) };
      }}
      onPointerLeave={() => {
        looked.value = null;
      }}
    >
      {count > 99 ? "99+" : count}
    </span>
  );
}

/** Screen readers get one sentence; the marks are under the pointer. */
export function PastPart({ now }: { now: number }) {
  const place = useRef<HTMLDivElement>(null);
  const looked = useSignal<Looked | null>(null);
  const { data } = useCall("sandbox.clock.past", { query: {} }, { on: CHANGES_PAST, pauseMs: PAUSE_MS }).state.value;
  const past = pastOf(data?.data ?? []);
  const marks = now === 0 ? [] : marksOf(past, now, place.current?.clientWidth ?? USUAL_WIDTH, "past");
  return (
    <div class="time-past" ref={place}>
      {past.length === 0 ? null : <span class="visually-hidden">{fill(words.value.past, { what: textOf(past) })}</span>}
      <div aria-hidden="true">
        {marks.map((mark) => (
          <PastMark key={mark.until} mark={mark} looked={looked} />
        ))}
      </div>
      {looked.value === null ? null : <About {...looked.value} now={now} />}
    </div>
  );
}
