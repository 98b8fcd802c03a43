import { fill } from "../../../kernel/message.js";
import { callAny } from "../api/call.js";
import { Icon } from "../parts/icon.js";
import { MenuButton } from "../parts/menu.js";
import { withBook } from "../state/book.js";
import { type ClockAnswer, clockSpeed, isEmulated, isFrozen, learnClock, now } from "../state/clock.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { CLOCK_STEPS } from "../words/clock-steps.js";
import { shortTime } from "../words/time.js";

const words = texts("clock_bar");

async function change(id: string, input?: { readonly body: { readonly seconds: number } }): Promise<void> {
  try {
    learnClock((await callAny(id, input)) as ClockAnswer);
  } catch {
    // The connection mark says what is wrong; the clock page tells more about refusals.
  }
}

/** The emulated time, always in sight, with the quickest ways to change it. */
export function ClockBar() {
  const at = now.value;
  const going = clockSpeed.value > 1 ? `× ${clockSpeed.value}` : words.value.moved;
  const mark = isFrozen.value ? words.value.frozen : going;
  const steps = CLOCK_STEPS.map(({ seconds, label }) => ({
    key: label,
    label: fill(words.value.forward, { by: label }),
    run: () => void change("sandbox.clock.advance", { body: { seconds } }),
  }));
  const turn = isFrozen.value ? ("resume" as const) : ("freeze" as const);
  return (
    <span class="clock-bar">
      <a href={withBook("/console/clock")} title={words.value.clock} class={isEmulated.value ? "emulated" : undefined}>
        <Icon name={isFrozen.value ? "snowflake" : "clock"} /> {/* Until it is known, any time keeps its place. */}
        <span class={at === null ? "unseen" : undefined}>{shortTime(at ?? 0, language.value)}</span>
        {isEmulated.value ? <span class="clock-mark"> {mark}</span> : null}
      </a>
      <MenuButton
        label={words.value.move}
        side="end"
        disabled={!connection.isWorking}
        items={[
          ...steps,
          { key: "date", label: words.value.date, href: withBook("/console/clock"), isApart: true },
          { key: turn, label: words.value[turn], run: () => void change(`sandbox.clock.${turn}`) },
        ]}
      >
        <Icon name="player-skip-forward" />
      </MenuButton>
    </span>
  );
}
