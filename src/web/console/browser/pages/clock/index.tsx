import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Page, Section, Show } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Status } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { menuWords } from "../../shell/menu.js";
import { type ClockAnswer, clockSpeed, isEmulated, isFrozen, isKnown, learnClock, now } from "../../state/clock.js";
import { language, terms, texts } from "../../state/language.js";
import { CLOCK_STEPS } from "../../words/clock-steps.js";
import { type Advanced, CHANGES_DUE, DUE } from "../../words/due-work.js";
import { duration, longDay, shortTime, timeOfDay } from "../../words/time.js";
import { DueList, Ran } from "./jump.js";

/** The emulated clock: its state, ways to move it, and all work that is due. */

const words = texts("clock");

/** The clocks are read one after the other, so they never agree to the millisecond. */
const SAME_MS = 2_000;

/** What schedules its own expiry. */
const FIRST_CHARGE = { id: "charges.create", input: { body: { amount: 1990, payment_method: "pix" } } } as const;

/** The real time, renewed each second while the page is visible. */
function useRealTime(): number {
  const at = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) at.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return at.value;
}

function stateWords(): string {
  if (isFrozen.value) return words.value.frozen;
  if (clockSpeed.value > 1) return fill(words.value.fast, { factor: clockSpeed.value });
  return isEmulated.value ? words.value.moved : words.value.same;
}

/** How far the emulated time is from the real one; null for as good as nothing. */
function apart(difference: number): string | null {
  const by = duration(difference);
  if (Math.abs(difference) < SAME_MS) return null;
  return fill(difference > 0 ? words.value.ahead : words.value.behind, { by });
}

/** The emulated time beside the real one. */
function Times() {
  const real = useRealTime();
  const at = now.value;
  if (at === null) return null;
  return (
    <div>
      <p class="headline-number">{timeOfDay(at, language.value)}</p>
      <p>{longDay(at, language.value)}</p>
      <p class="hint">
        {words.value.real}: {shortTime(real, language.value)}
        <br />
        {apart(at - real)}
      </p>
    </div>
  );
}

function Move({ hasDue, onRan }: { hasDue: boolean; onRan: (answer: Advanced) => void }) {
  // The list of what ran says it. A text here would move the next button away.
  const quiet = {
    running: null,
    done: (answer: Advanced) => {
      onRan(answer);
      return null;
    },
  };
  const show = (answer: ClockAnswer) => {
    learnClock(answer);
    return stateWords();
  };
  const turn = isFrozen.value ? "resume" : "freeze";
  return (
    <>
      <Actions label={words.value.move}>
        {act("sandbox.clock.advance", {
          label: words.value.next,
          kind: "main",
          body: { to: "next" },
          disabled: hasDue ? null : words.value.nothing_due,
          ...quiet,
        })}
        {act("sandbox.clock.advance", {
          label: words.value.instant,
          ask: [{ name: "to", label: "date_and_time", hint: words.value.until_hint, required: true }],
          ...quiet,
        })}
      </Actions>
      <Actions label={words.value.steps}>
        {CLOCK_STEPS.map(({ seconds, label }) =>
          act("sandbox.clock.advance", { label: `+${label}`, kind: "small", body: { seconds }, ...quiet }),
        )}
      </Actions>
      <Actions label={words.value.pace}>
        {act(`sandbox.clock.${turn}`, { key: "turn", label: words.value[turn], kind: "small", done: show })}
        {act("sandbox.clock.speed", {
          label: words.value.speed,
          kind: "small",
          ask: [{ name: "factor", value: String(clockSpeed.value) }],
          done: show,
        })}
      </Actions>
    </>
  );
}

/** All that is due; without anything, how to schedule something. */
function Next({ of, onRan }: { of: OperationAnswer<"sandbox.clock.due">; onRan: (answer: Advanced) => void }) {
  const { data, has_more: hasMore } = of;
  if (data.length === 0) return <Empty text={words.value.empty} command={FIRST_CHARGE} />;
  const count = hasMore ? words.value.more : words.value.count;
  return (
    <Section title={words.value.due} end={<span class="hint">{fill(count, { count: data.length })}</span>}>
      <DueList entries={data} caption={words.value.due_caption} onRan={onRan} />
    </Section>
  );
}

export function Clock() {
  const { state } = useCall("sandbox.clock.due", DUE, { on: CHANGES_DUE });
  const ran = useSignal<Advanced | null>(null);
  const onRan = (answer: Advanced) => {
    learnClock(answer);
    ran.value = answer;
  };
  // Shown together, so that nothing moves while parts arrive.
  const isRead = state.value.error !== null || (state.value.data !== null && isKnown.value);
  const hasDue = (state.value.data?.data.length ?? 0) > 0;
  return (
    <Page
      title={menuWords.value.clock}
      command={{ id: "sandbox.clock.due", input: DUE }}
      facts={
        isRead && isKnown.value ? <Status status={stateWords()} tone={isEmulated.value ? "wait" : "good"} /> : undefined
      }
    >
      {isRead ? (
        <div class="stack columns">
          <div class="stack side-column side-first">
            <Section title={terms.value.emulated_time}>
              <Times />
              <Move hasDue={hasDue} onRan={onRan} />
            </Section>
            {ran.value === null ? null : (
              <Section title={terms.value.what_ran}>
                <Ran answer={ran.value} />
              </Section>
            )}
          </div>
          <div class="stack main-column">
            <Show of={state.value}>{(answer) => <Next of={answer} onRan={onRan} />}</Show>
          </div>
        </div>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
