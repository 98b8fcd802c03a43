import { type Signal, useSignal } from "@preact/signals";
import type { RefObject, TargetedPointerEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { Icon } from "../parts/icon.js";
import { withBook } from "../state/book.js";
import { clockSpeed, isEmulated, isFrozen, now } from "../state/clock.js";
import { showAction } from "../state/command.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { toneOf, type Upcoming } from "../words/due-groups.js";
import { effectText } from "../words/due-work.js";
import { dayAndMonth, duration, shortTime, timeOfDay } from "../words/time.js";
import { distanceAt, HORIZON_MS, type Mark, marksOf, shareOf, TICKS } from "../words/time-scale.js";
import { advance, ClockMenu } from "./clock-menu.js";
import { useDue } from "./due.js";
import { PastPart } from "./past.js";

/**
 * The emulated time as a bar under the head: the past is solid, with marks of what happened, and the future dotted, with a mark where something is due. The
 * knob is dragged or moved by keys to an instant; what would happen until then is shown before the clock moves.
 */

const words = texts("time_bar");

/** An instant that somebody points at. */
interface Aim {
  readonly until: number;
  /** `look` ends with the pointer, `drag` with its release; `chosen` waits for Enter or for the button. */
  readonly how: "look" | "drag" | "chosen";
}

interface Bar {
  readonly from: number;
  readonly entries: readonly Upcoming[];
  readonly hasMore: boolean;
  readonly marks: readonly Mark[];
  readonly aim: Signal<Aim | null>;
  readonly track: RefObject<HTMLDivElement | null>;
  readonly isRunning: boolean;
  readonly run: (until: number) => void;
}

/** What happens until an instant, as a sentence. */
function effectUntil({ entries, hasMore }: Bar, until: number): string {
  const reached = entries.filter(({ at }) => Date.parse(at) <= until);
  if (reached.length === 0) return words.value.nothing;
  return `${effectText(reached)}${hasMore && reached.length === entries.length ? words.value.and_more : ""}`;
}

/** The present time, with its distance from the real one. */
function Now() {
  const at = now.value;
  const { value } = words;
  const time = timeOfDay(at ?? 0, language.value);
  const [minutes, seconds] = [time.slice(0, 5), time.slice(5)];
  const distance = (at ?? 0) - Date.now();
  const by = duration(Math.round(distance / 60_000) * 60_000);
  const apart = fill(distance > 0 ? value.ahead : value.behind, { by });
  const going = clockSpeed.value > 1 ? `× ${clockSpeed.value}` : apart;
  return (
    <a
      href={withBook("/console/clock")}
      title={`${value.clock}${isEmulated.value ? ` · ${apart}` : ""}`}
      class={isEmulated.value ? "level time-now wait" : "level time-now"}
    >
      <Icon name={isFrozen.value ? "snowflake" : "clock"} />
      {/* Until it is known, any time keeps its place. */}
      <span class={at === null ? "unseen" : undefined}>
        <span class="time-date">{dayAndMonth(at ?? 0, language.value)} </span>
        {minutes}
        <span class="time-seconds">{seconds}</span>
      </span>
      {isEmulated.value ? <span class="time-apart">{isFrozen.value ? value.frozen : going}</span> : null}
    </a>
  );
}

const PERCENT = (share: number) => `${(share * 100).toFixed(2)}%`;

/** The line with its marks. Screen readers hear them at the knob. */
function Track({ marks, aim, from }: Bar) {
  const aimed = aim.value;
  return (
    <div class="time-line" aria-hidden="true">
      {TICKS.map(({ ms, label }) => (
        <span key={label} class="time-tick" style={{ insetInlineStart: PERCENT(shareOf(ms)) }}>
          {label}
        </span>
      ))}
      {marks.map((mark) => (
        <span
          key={mark.until}
          class={`time-mark tone-${toneOf(mark.entries)}${mark.entries.length === 1 ? " time-dot" : ""}`}
          style={{ insetInlineStart: `max(20px, ${PERCENT(mark.share)})` }}
        >
          {mark.entries.length === 1 ? null : mark.entries.length}
        </span>
      ))}
      {aimed === null ? null : (
        <span class="time-ghost" style={{ insetInlineStart: PERCENT(shareOf(aimed.until - from)) }} />
      )}
    </div>
  );
}

/** What would happen, below the place that is pointed at. */
function Forecast(bar: Bar) {
  const { aim, from, track, run } = bar;
  const aimed = aim.value;
  const box = track.current?.getBoundingClientRect();
  if (aimed === null || box === undefined) return null;
  const { until, how } = aimed;
  const x = Math.round(box.left + box.width * shareOf(until - from));
  return (
    <div class="stack sheet time-forecast" style={{ "--x": `${x}px` }}>
      <p>
        <b>{fill(words.value.in, { by: duration(until - from) })}</b>{" "}
        <span class="hint">{shortTime(until, language.value)}</span>
      </p>
      <p>{effectUntil(bar, until)}</p>
      {how === "drag" ? <p class="hint">{words.value.release}</p> : null}
      {how === "chosen" ? (
        <p class="flow">
          <button type="button" class="main small" onClick={() => run(until)}>
            {words.value.go}
          </button>
          <span class="hint keys-hint">{words.value.keys}</span>
        </p>
      ) : null}
    </div>
  );
}

/** The next place to which a key moves; null for now, undefined for another key. */
function stepOf(key: string, { marks, from, aim }: Bar): number | null | undefined {
  const at = aim.value?.until ?? from;
  const stops = marks.length > 0 ? marks.map(({ until }) => until) : TICKS.map(({ ms }) => from + ms);
  const ticks = TICKS.map(({ ms }) => from + ms);
  const after = (all: readonly number[]) => all.find((one) => one > at) ?? at;
  const before = (all: readonly number[]) => all.findLast((one) => one < at) ?? null;
  if (key === "ArrowRight" || key === "ArrowUp") return after(stops);
  if (key === "ArrowLeft" || key === "ArrowDown") return before(stops);
  if (key === "PageUp") return after(ticks);
  if (key === "PageDown") return before(ticks);
  if (key === "End") return from + HORIZON_MS;
  return key === "Home" || key === "Escape" ? null : undefined;
}

function Knob(bar: Bar) {
  const { from, aim, run, isRunning } = bar;
  const until = aim.value?.until ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && until !== null) run(until);
    else {
      const next = stepOf(event.key, bar);
      if (next === undefined) return;
      aim.value = next === null || next <= from ? null : { until: next, how: "chosen" };
    }
    event.preventDefault();
  };
  const said =
    until === null
      ? words.value.at_now
      : `${fill(words.value.in, { by: duration(until - from) })}: ${effectUntil(bar, until)}`;
  return (
    <div
      class="time-knob"
      role="slider"
      tabIndex={0}
      aria-label={words.value.knob}
      aria-valuemin={0}
      aria-valuemax={HORIZON_MS / 1_000}
      aria-valuenow={until === null ? 0 : Math.round((until - from) / 1_000)}
      aria-valuetext={said}
      aria-busy={isRunning}
      onKeyDown={onKeyDown}
    />
  );
}

/** Pixels around a mark within which the pointer means the mark, and beyond which a press is a drag. */
const NEAR = 10;
const DRAG = 4;

/** The handlers of the pointer: to look, to drag, and to run up to a mark. */
function usePointer({ from, marks, aim, track, run }: Bar) {
  const pressed = useRef<number | null>(null);
  const placeOf = ({ clientX }: { clientX: number }) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined) return { until: from, mark: undefined };
    const share = (clientX - box.left) / box.width;
    const mark = marks.find((one) => Math.abs(one.share - share) * box.width < NEAR);
    return { until: mark?.until ?? from + distanceAt(share), mark };
  };
  type Pointer = TargetedPointerEvent<HTMLDivElement>;
  const isDrag = ({ clientX }: Pointer) => pressed.current !== null && Math.abs(clientX - pressed.current) > DRAG;
  return {
    onPointerDown(event: Pointer) {
      if (event.button !== 0) return;
      pressed.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.querySelector<HTMLElement>("[role=slider]")?.focus();
      event.preventDefault();
    },
    onPointerMove(event: Pointer) {
      const { until } = placeOf(event);
      if (isDrag(event)) aim.value = until <= from ? null : { until, how: "drag" };
      else if (pressed.current === null && event.pointerType === "mouse" && aim.value?.how !== "chosen") {
        aim.value = until <= from ? null : { until, how: "look" };
      }
    },
    onPointerUp(event: Pointer) {
      const { until, mark } = placeOf(event);
      const wasDrag = isDrag(event);
      if (pressed.current === null) return;
      pressed.current = null;
      if (until <= from && mark === undefined) aim.value = null;
      else if ((wasDrag && aim.value !== null) || (!wasDrag && mark !== undefined && event.pointerType === "mouse")) {
        run(until);
      } else if (!wasDrag) aim.value = { until, how: "chosen" };
    },
    onPointerCancel() {
      pressed.current = null;
      aim.value = null;
    },
    onPointerLeave() {
      if (aim.value?.how === "look") aim.value = null;
    },
    onKeyDown({ key }: KeyboardEvent) {
      // Escape during a drag leaves the clock where it is.
      if (key === "Escape") pressed.current = null;
    },
  };
}

/** The nearest instants may be over before the request arrives, and the service refuses to go back. */
const SOON_MS = 2_000;

function targetOf(until: number): { readonly seconds: number } | { readonly to: string } {
  const left = until - (now.peek() ?? 0);
  return left < SOON_MS ? { seconds: Math.max(0, Math.ceil(left / 1_000)) } : { to: new Date(until).toISOString() };
}

/** The width of the bar until it is drawn for the first time. */
const USUAL_WIDTH = 800;

export function TimeBar() {
  const { entries, hasMore } = useDue();
  const aim = useSignal<Aim | null>(null);
  const isRunning = useSignal(false);
  const track = useRef<HTMLDivElement>(null);
  const from = now.value ?? 0;
  const run = (until: number) => {
    aim.value = null;
    if (isRunning.value || !connection.isWorking) return;
    isRunning.value = true;
    void advance(targetOf(until)).finally(() => {
      isRunning.value = false;
    });
  };
  const marks = marksOf(entries, from, track.current?.clientWidth ?? USUAL_WIDTH);
  const bar: Bar = { from, entries, hasMore, marks, aim, track, isRunning: isRunning.value, run };
  const until = aim.value === null || aim.value.how === "look" ? null : aim.value.until;
  useEffect(() => {
    showAction(until === null ? null : { id: "sandbox.clock.advance", input: { body: targetOf(until) } });
  }, [until]);
  return (
    <section
      class={isRunning.value ? "level time-bar time-running" : "level time-bar"}
      aria-label={words.value.label}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) aim.value = null;
      }}
    >
      <Now />
      <PastPart now={from} />
      {/* The pointer may press anywhere on the line; keys move the knob. */}
      <div class="time-track" {...usePointer(bar)}>
        <div class="time-future" ref={track}>
          <Knob {...bar} />
          <Track {...bar} />
        </div>
      </div>
      <Forecast {...bar} />
      <ClockMenu />
    </section>
  );
}
