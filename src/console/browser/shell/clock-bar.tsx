import { callAny } from "../api/call.js";
import { withBook } from "../state/book.js";
import { isEmulated, isFrozen, learnClock, now } from "../state/clock.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { shortTime } from "../words/time.js";

const words = texts(
  { clock: "Emulated clock", frozen: "frozen", moved: "not real time", advance: "Advance", by: "Advance the clock" },
  {
    clock: "Relógio emulado",
    frozen: "parado",
    moved: "não é a hora real",
    advance: "Avançar",
    by: "Avançar o relógio",
  },
);

const STEPS = [
  { seconds: 60, label: "+1 min" },
  { seconds: 600, label: "+10 min" },
  { seconds: 3_600, label: "+1 h" },
  { seconds: 86_400, label: "+1 d" },
] as const;

async function advance(seconds: number): Promise<void> {
  try {
    learnClock((await callAny("sandbox.clock.advance", { body: { seconds } })) as { now: string; frozen: boolean });
  } catch {
    // The connection mark says what is wrong; the clock page tells more about refusals.
  }
}

function ClockIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" />
      <path d={isFrozen.value ? "M6.2 5.5v5M9.8 5.5v5" : "M8 4.5V8l2.5 1.5"} />
    </svg>
  );
}

/** The emulated time, always in sight, with the quickest way to change it. */
export function ClockBar() {
  const at = now.value;
  const mark = isFrozen.value ? words.value.frozen : words.value.moved;
  return (
    <span class="clock-bar">
      <a href={withBook("/console/clock")} title={words.value.clock} class={isEmulated.value ? "emulated" : undefined}>
        <ClockIcon /> {at === null ? "…" : shortTime(at, language.value)}
        {isEmulated.value ? <span class="clock-mark"> {mark}</span> : null}
      </a>
      <select
        aria-label={words.value.by}
        value=""
        disabled={!connection.isWorking}
        onChange={({ currentTarget }) => {
          const seconds = Number(currentTarget.value);
          currentTarget.value = "";
          if (seconds > 0) void advance(seconds);
        }}
      >
        <option value="">{words.value.advance}</option>
        {STEPS.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}
