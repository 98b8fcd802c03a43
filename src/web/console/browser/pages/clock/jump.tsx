import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { onMessages } from "../../api/live.js";
import { Countdown, ObjectLink, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { now } from "../../state/clock.js";
import { language, terms, texts } from "../../state/language.js";
import { withoutScheme } from "../../words/delivery-facts.js";
import { type Advanced, type Due, eventsOf, grouped, kindWords, reachedBy } from "../../words/due-work.js";
import { dueText } from "../../words/service-texts.js";

/** The way to the instant of due work: the work until then, the progress of the clock, and the results. */

const words = texts("clock_jump");

/** The effect of an entry: the server's words, the events if they are known before, and the object. */
function Cause({ entry }: { entry: Due }) {
  const events = eventsOf(entry);
  return (
    <>
      <span>{dueText(entry, language.value)}</span>
      {events === undefined ? null : (
        <div class="hint">
          {words.value.sends} {events.join(", ")}
        </div>
      )}{" "}
      <ObjectLink id={entry.subject} />
    </>
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
      <p>{fill(words.value.before, { count: entries.length })}</p>
      <progress max={entries.length} value={done} aria-label={terms.value.done} />
      <ol class="due-steps stack">
        {entries.map((entry, index) => (
          <li key={`${index} ${entry.at}`}>
            {index < done ? <span aria-hidden="true">✓ </span> : null}
            <strong>{kindWords(entry.kind)}</strong> <Time at={entry.at} /> <Cause entry={entry} />
          </li>
        ))}
      </ol>
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
        <ol class="due-steps stack">
          {ran.map((entry, index) => (
            <li key={`${index} ${entry.at}`}>
              <strong>{kindWords(entry.kind)}</strong> <Time at={entry.at} /> {dueText(entry, language.value)}{" "}
              {entry.made_on_the_way ? <span class="hint">({words.value.on_the_way})</span> : null}{" "}
              <ObjectLink id={entry.subject} />
            </li>
          ))}
        </ol>
      )}
      {ran.length < count ? <p class="hint">{fill(words.value.first, { count: ran.length })}</p> : null}
    </div>
  );
}

/** The targets of delivery attempts, each place once with its number; empty for other work. */
function targets(of: readonly Due[]): string {
  const places = grouped(of, ({ params: { url } }) => (typeof url === "string" ? withoutScheme(url) : ""));
  const named = places.filter(([place]) => place !== "");
  return named.map(([place, own]) => (named.length === 1 ? place : `${place} (${own.length})`)).join(", ");
}

/** The work of one instant: a single entry is shown in full, several when somebody opens them. */
function Work({ of }: { of: readonly Due[] }) {
  const [first] = of;
  if (of.length === 1 && first !== undefined) {
    return (
      <div>
        <strong>{kindWords(first.kind)}</strong>
        <br />
        <Cause entry={first} />
      </div>
    );
  }
  return (
    <details>
      {/* In few words, such as `12 × delivery attempt → 127.0.0.1:3000/hook`. */}
      <summary>
        {grouped(of, ({ kind }) => kind).map(([kind, own], index) => {
          const places = targets(own);
          return (
            <span key={kind}>
              {index === 0 ? null : ", "}
              {own.length === 1 ? null : `${own.length} × `}
              <strong>{kindWords(kind)}</strong>
              {places === "" ? null : ` → ${places}`}
            </span>
          );
        })}
      </summary>
      <ul class="stack">
        {of.map((entry, index) => (
          <li key={`${index} ${entry.subject}`}>
            <Cause entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface DueListProps {
  readonly entries: readonly Due[];
  /** Everything that is due, if the rows are only a part of it. */
  readonly all?: readonly Due[] | undefined;
  readonly caption: string;
  readonly onRan: (answer: Advanced) => void;
}

/** Due work, soonest first: a row for each instant, with the button that runs everything up to it. */
export function DueList({ entries, all = entries, caption, onRan }: DueListProps) {
  const done = (answer: Advanced) => {
    onRan(answer);
    return null;
  };
  /** If the button runs more than the row shows, a list of all of it comes first. */
  const run = (at: string, count: number) => {
    const given = all.filter((one) => Date.parse(one.at) <= Date.parse(at));
    const label = given.length === count ? fill(words.value.run, { count }) : words.value.up_to;
    const told = given.length === count ? {} : { title: words.value.title, text: <Preview entries={given} /> };
    return act("sandbox.clock.advance", { key: at, label, kind: "small", body: { to: at }, done, ...told });
  };
  return (
    <ol class="plain due-list" aria-label={caption}>
      {grouped(entries, ({ at }) => at).map(([at, own]) => (
        <li key={at}>
          <span>
            <b>
              <Countdown to={at} />
            </b>
            <br />
            <span class="hint">
              <Time at={at} />
            </span>
          </span>
          <Work of={own} />
          {run(at, own.length)}
        </li>
      ))}
    </ol>
  );
}
