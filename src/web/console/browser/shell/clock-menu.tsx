import { fill } from "../../../../base/kernel/message.js";
import { asFailure, callAny } from "../api/call.js";
import { Icon } from "../parts/icon.js";
import { MenuButton } from "../parts/menu.js";
import { withBook } from "../state/book.js";
import { isFrozen, learnClock } from "../state/clock.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { notify } from "../state/notice.js";
import { CLOCK_STEPS } from "../words/clock-steps.js";
import { type Advanced, effectText } from "../words/due-work.js";
import { shortTime } from "../words/time.js";

/** Ways to move the emulated clock from every page. */

const words = texts("clock_bar");

/** What has run, as a short sentence. The answer names the first hundred tasks. */
function ranText({ now, ran, ran_count: count }: Advanced): string {
  const at = shortTime(Date.parse(now), language.value);
  if (count === 0) return fill(words.value.ran_nothing, { at });
  const rest = count > ran.length ? fill(words.value.ran_more, { count: count - ran.length }) : "";
  return `${fill(words.value.ran, { at, what: effectText(ran, "done") })}${rest}`;
}

/** Moves the clock, and says what has run. */
export async function advance(body: { readonly seconds: number } | { readonly to: string }): Promise<void> {
  try {
    const answer = await callAny("sandbox.clock.advance", { body });
    learnClock(answer);
    notify(ranText(answer));
  } catch (thrown) {
    notify(asFailure(thrown).message);
  }
}

export const toNextDue = () => advance({ to: "next" });

async function turn(id: "sandbox.clock.freeze" | "sandbox.clock.resume"): Promise<void> {
  try {
    learnClock(await callAny(id));
  } catch (thrown) {
    notify(asFailure(thrown).message);
  }
}

export function ClockMenu() {
  const { value } = words;
  const way = isFrozen.value ? ("resume" as const) : ("freeze" as const);
  return (
    <MenuButton
      class="quiet small"
      label={value.move}
      side="end"
      disabled={!connection.isWorking}
      items={[
        { key: "next", label: value.next, keys: ">", run: () => void toNextDue() },
        ...CLOCK_STEPS.map(({ seconds, label }, index) => ({
          key: label,
          label: fill(value.forward, { by: label }),
          isApart: index === 0,
          run: () => void advance({ seconds }),
        })),
        { key: "date", label: value.date, href: withBook("/console/clock"), isApart: true },
        { key: way, label: value[way], run: () => void turn(`sandbox.clock.${way}`) },
      ]}
    >
      <Icon name="player-skip-forward" />
    </MenuButton>
  );
}
