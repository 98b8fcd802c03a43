import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { onMessages } from "../../api/live.js";
import { ObjectLink, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { isFrozen, now } from "../../state/clock.js";
import { language, terms, texts } from "../../state/language.js";
import { type Due, type DueGroup, groupsOf } from "../../words/due-groups.js";
import { type Advanced, effectText, eventsOf, reachedBy } from "../../words/due-work.js";
import { dueText } from "../../words/service-texts.js";
import { duration, span } from "../../words/time.js";

/** The way to the instant of due work: the work until then, the progress of the clock, and the results. */

const words = texts("clock_jump");

/** The time until a group runs. It stands still while the clock does. */
function When({ from, to }: DueGroup) {
  const at = now.value;
  if (at === null) return <Time at={new Date(from).toISOString()} />;
  const [first, last] = [Math.max(0, from - at), Math.max(0, to - at)];
  const { from: low, to: high } = span(first, last);
  // Within a minute of hours away both have the same number.
  const isOne = duration(first) === duration(last) || high.startsWith(`${low} `);
  return (
    <time dateTime={new Date(from).toISOString()} class={isFrozen.value ? "frozen" : undefined}>
      {isOne ? fill(words.value.in, { by: duration(first) }) : fill(words.value.between, { from: low, to: high })}
    </time>
  );
}

/** Work with its object. The endpoint of an attempt stands above it. */
function Entry({ of, hasTime }: { of: Due; hasTime: boolean }) {
  const { number, type } = of.params;
  return (
    <>
      {hasTime ? <Time at={of.at} /> : null}{" "}
      {of.kind === "delivery.attempt" ? fill(words.value.attempt, { number, type }) : dueText(of, language.value)}{" "}
      <ObjectLink id={of.subject} />
    </>
  );
}

interface EntriesProps {
  readonly of: DueGroup;
  /** True if the time of the first entry stands beside it. */
  readonly isTimed?: boolean;
  readonly children: ComponentChildren;
}

/** What a group does, and below it its entries, each with its object. They are folded if there are several. */
function Entries({ of: { entries }, isTimed = false, children }: EntriesProps) {
  const [first] = entries;
  return (
    <div>
      {children}
      {entries.length === 1 && first !== undefined ? (
        <div class="hint">
          <Entry of={first} hasTime={!isTimed} />
        </div>
      ) : (
        <details class="hint">
          <summary>{fill(words.value.show, { count: entries.length })}</summary>
          <ul class="stack plain due-entries">
            {entries.map((entry, index) => (
              <li key={`${index} ${entry.subject}`}>
                <Entry of={entry} hasTime />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The effect of a group, and the endpoint of its webhooks. */
function Effect({ of, tense = "due" }: { of: DueGroup; tense?: "due" | "done" }) {
  return (
    <>
      <b>{effectText(of.entries, tense)}</b>
      {of.place === "" ? null : ` → ${of.place}`}
    </>
  );
}

/** The events that a group sends, if its kind defines them. */
function Sends({ of: { entries } }: { of: DueGroup }) {
  const events = [...new Set(entries.flatMap((entry) => eventsOf(entry) ?? []))];
  return events.length === 0 ? null : (
    <div class="hint">
      {words.value.sends} {events.join(", ")}
    </div>
  );
}

/** The work that a jump runs. While the clock moves, finished work is ticked off. */
function Preview({ entries }: { entries: readonly Due[] }) {
  const reached = useSignal(now.peek() ?? 0);
  useEffect(
    () =>
      onMessages((messages) => {
        reached.value = reachedBy(reached.peek(), messages);
      }),
    [],
  );
  const done = entries.filter(({ at }) => Date.parse(at) <= reached.value).length;
  return (
    <>
      <p>{words.value.before}</p>
      <progress max={entries.length} value={done} aria-label={terms.value.done} />
      <ul class="stack plain due-steps">
        {groupsOf(entries).map((group) => (
          <li key={group.key}>
            <Entries of={group}>
              {group.to <= reached.value ? <span aria-hidden="true">✓ </span> : null}
              <Effect of={group} />, <When {...group} />
            </Entries>
            <Sends of={group} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The results of an advance, with links. */
export function Ran({ answer }: { answer: Advanced }) {
  const { ran, ran_count: count } = answer;
  return (
    <div class="stack">
      <output>{fill(words.value.ran, { count })}</output>
      {ran.length === 0 ? null : (
        <ul class="stack plain due-steps">
          {groupsOf(ran).map((group) => (
            <li key={group.key}>
              <Entries of={group}>
                <Effect of={group} tense="done" />
                {group.entries.every((one) => one.made_on_the_way) ? (
                  <span class="hint"> ({words.value.on_the_way})</span>
                ) : null}
              </Entries>
            </li>
          ))}
        </ul>
      )}
      {ran.length < count ? <p class="hint">{fill(words.value.first, { count: ran.length })}</p> : null}
    </div>
  );
}

interface DueListProps {
  readonly entries: readonly Due[];
  /** Everything that is due, if the rows are only a part of it. */
  readonly all?: readonly Due[] | undefined;
  readonly caption: string;
  readonly onRan: (answer: Advanced) => void;
}

/** Due work, soonest first: a row for what happens alike within minutes, with the button that runs everything up to it. */
export function DueList({ entries, all = entries, caption, onRan }: DueListProps) {
  const done = (answer: Advanced) => {
    onRan(answer);
    return null;
  };
  /** If the button runs more than the row shows, a list of all of it comes first. */
  const run = ({ key, to, entries: own }: DueGroup) => {
    const given = all.filter((one) => Date.parse(one.at) <= to);
    const label = given.length === own.length ? fill(words.value.run, { count: own.length }) : words.value.up_to;
    const told = given.length === own.length ? {} : { title: words.value.title, text: <Preview entries={given} /> };
    const body = { to: new Date(to).toISOString() };
    return act("sandbox.clock.advance", { key, label, kind: "small", body, done, ...told });
  };
  return (
    <ul class="stack plain due-list" aria-label={caption}>
      {groupsOf(entries).map((group) => (
        <li key={group.key}>
          <div>
            <b>
              <When {...group} />
            </b>
            <div class="hint">
              <Time at={new Date(group.from).toISOString()} />
            </div>
          </div>
          <Entries of={group} isTimed>
            <Effect of={group} />
          </Entries>
          {run(group)}
        </li>
      ))}
    </ul>
  );
}
