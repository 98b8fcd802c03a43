import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
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
import { duration, longTime } from "../../words/time.js";
import { DueList, Ran } from "./jump.js";

/** The emulated clock: its state, ways to move it, and all work that is due. */

const words = texts("clock");

/** The clocks are read one after the other, so they never agree to the millisecond. */
const SAME_MS = 2_000;

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

function Times() {
  const real = useRealTime();
  const at = now.value;
  if (at === null) return null;
  const difference = at - real;
  const isSame = Math.abs(difference) < SAME_MS;
  const by = duration(difference);
  const apart = difference > 0 ? fill(words.value.ahead, { by }) : fill(words.value.behind, { by });
  return (
    <div>
      <p class="clock-now">{longTime(at, language.value)}</p>
      <p class="hint">
        {words.value.real}: {longTime(real, language.value)}
        {isSame ? null : ` · ${apart}`}
      </p>
    </div>
  );
}

function Move({ hasDue, onRan }: { hasDue: boolean; onRan: (answer: Advanced) => void }) {
  const done = (answer: Advanced) => {
    onRan(answer);
    return longTime(Date.parse(answer.now), language.value);
  };
  const show = (answer: ClockAnswer) => {
    learnClock(answer);
    return stateWords();
  };
  const turn = isFrozen.value ? "resume" : "freeze";
  return (
    <Section title={words.value.move}>
      <Actions label={words.value.move}>
        {CLOCK_STEPS.map(({ seconds, label }) => act("sandbox.clock.advance", { label, body: { seconds }, done }))}
        {act("sandbox.clock.advance", {
          label: words.value.next,
          body: { to: "next" },
          disabled: hasDue ? null : words.value.nothing_due,
          done,
        })}
        {act("sandbox.clock.advance", {
          label: words.value.instant,
          ask: [{ name: "to", label: "date_and_time", hint: words.value.until_hint, required: true }],
          done,
        })}
        {act(`sandbox.clock.${turn}`, { key: "turn", label: words.value[turn], done: show })}
        {act("sandbox.clock.speed", {
          label: words.value.speed,
          ask: [{ name: "factor", value: String(clockSpeed.value) }],
          done: show,
        })}
      </Actions>
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
        <>
          <Times />
          <Move hasDue={hasDue} onRan={onRan} />
          {ran.value === null ? null : (
            <Section title={terms.value.what_ran}>
              <Ran answer={ran.value} />
            </Section>
          )}
          <Section title={words.value.due}>
            <Show of={state.value}>
              {({ data, has_more: hasMore }) =>
                data.length === 0 ? (
                  <Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />
                ) : (
                  <>
                    <DueList entries={data} caption={words.value.due_caption} onRan={onRan} />
                    {hasMore ? <p class="hint">{fill(words.value.more, { count: data.length })}</p> : null}
                  </>
                )
              }
            </Show>
          </Section>
        </>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
