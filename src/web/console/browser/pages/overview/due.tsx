import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { Countdown } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { language, texts } from "../../state/language.js";
import { type DueGroup, groupsOf } from "../../words/due-groups.js";
import { effectText } from "../../words/due-work.js";
import { dueText } from "../../words/service-texts.js";
import type { Readings } from "./readings.js";

/** What comes next on the emulated clock, in the groups of the clock's page. */

const words = texts("overview");

const MOST = 5;

function Row({ group: { key, entries: of } }: { group: DueGroup }) {
  const [first] = of;
  const last = of.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <li>
      <b class="nowrap due-in">
        <Countdown to={first.at} />
      </b>
      <span class="about">
        {of.length === 1 ? (
          <a href={withBook(`/console/go/${first.subject}`)}>{dueText(first, language.value)}</a>
        ) : (
          effectText(of)
        )}
      </span>
      {act("sandbox.clock.advance", {
        key,
        label: of.length === 1 ? words.value.run : fill(words.value.run_all, { count: of.length }),
        kind: "small",
        body: { to: last.at },
        done: ({ ran_count }) => fill(words.value.ran, { count: ran_count }),
      })}
    </li>
  );
}

export function NextDue({ of }: { of: Readings }) {
  if (of.due.data === null) return null;
  const { data } = of.due.data;
  return (
    <Section title={words.value.due} end={<a href={withBook("/console/clock")}>{words.value.all_due}</a>}>
      {/* The outcome of the last run stays when nothing else is scheduled. */}
      <Actions>
        {data.length === 0 ? <p class="hint">{words.value.nothing_due}</p> : null}
        <ul class="stack plain lines">
          {groupsOf(data)
            .slice(0, MOST)
            .map((group) => (
              <Row key={group.key} group={group} />
            ))}
        </ul>
      </Actions>
    </Section>
  );
}
