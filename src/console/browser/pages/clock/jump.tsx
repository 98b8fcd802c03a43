import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { onMessages } from "../../api/live.js";
import { FormAction } from "../../parts/action.js";
import { TableFrame } from "../../parts/table-frame.js";
import { Countdown, ObjectLink, Time } from "../../parts/values.js";
import { now } from "../../state/clock.js";
import { language, texts } from "../../state/language.js";
import { dueTexts } from "../../words/due-texts.js";
import { serviceText } from "../../words/service-text.js";
import { type Advanced, type Due, eventsOf, kindWords, reachedBy } from "./due.js";

/** The way to the instant of due work: what will run until then, how far the clock came, and what ran. */

const words = texts(
  {
    jump: "Jump",
    title: "Jump to this instant",
    before: (count: number) =>
      count === 1
        ? "This runs, and what it makes due on the way:"
        : `These ${count} run, and what they make due on the way:`,
    done: "done",
    ran: (count: number) => {
      if (count === 0) return "Nothing ran.";
      return count === 1 ? "1 thing ran:" : `${count} things ran:`;
    },
    first: (count: number) => `The first ${count} of them.`,
    on_the_way: "became due on the way",
    sends: "Sends",
  },
  {
    jump: "Saltar",
    title: "Saltar para este instante",
    before: (count) =>
      count === 1
        ? "Isto é executado, e o que vencer no caminho por causa dele:"
        : `Estes ${count} são executados, e o que vencer no caminho por causa deles:`,
    done: "feito",
    ran: (count) => {
      if (count === 0) return "Nada foi executado.";
      return count === 1 ? "1 coisa foi executada:" : `${count} coisas foram executadas:`;
    },
    first: (count) => `As primeiras ${count}.`,
    on_the_way: "venceu no caminho",
    sends: "Envia",
  },
);

/** What an entry will cause: the words of the server, and the events where they are known before. */
function Cause({ entry }: { entry: Due }) {
  const events = eventsOf(entry);
  return (
    <>
      <span>{serviceText(dueTexts(language.value), entry)}</span>
      {events.length === 0 ? null : (
        <span class="hint due-events">
          {words.value.sends} {events.join(", ")}
        </span>
      )}
    </>
  );
}

/** The work that a jump runs. While the clock travels, what is behind it is ticked off. */
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
      <p>{words.value.before(entries.length)}</p>
      <progress max={entries.length} value={done} aria-label={words.value.done} />
      <ol class="due-steps">
        {entries.map((entry, index) => (
          <li key={`${index} ${entry.at}`}>
            {index < done ? <span aria-hidden="true">✓ </span> : null}
            <strong>{kindWords(entry.kind)}</strong> <Time at={entry.at} /> <Cause entry={entry} />{" "}
            <ObjectLink id={entry.subject} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The button of an entry. `entries` are all that are due up to it, and it is the last one. */
function Jump({ entries, onRan }: { entries: readonly Due[]; onRan: (answer: Advanced) => void }) {
  const last = entries.at(-1);
  if (last === undefined) return null;
  return (
    <FormAction
      id="sandbox.clock.advance"
      label={words.value.jump}
      title={words.value.title}
      kind="small"
      text={<Preview entries={entries} />}
      fields={[]}
      input={() => ({ body: { to: last.at } })}
      done={(answer) => {
        onRan(answer);
        return null;
      }}
    />
  );
}

/** What an advance did, with links. */
export function Ran({ answer }: { answer: Advanced }) {
  const { ran, ran_count: count } = answer;
  return (
    <div class="ran">
      <output>{words.value.ran(count)}</output>
      {ran.length === 0 ? null : (
        <ol class="due-steps">
          {ran.map((entry, index) => (
            <li key={`${index} ${entry.at}`}>
              <strong>{kindWords(entry.kind)}</strong> <Time at={entry.at} />{" "}
              {serviceText(dueTexts(language.value), entry)}{" "}
              {entry.made_on_the_way ? <span class="hint">({words.value.on_the_way})</span> : null}{" "}
              <ObjectLink id={entry.subject} />
            </li>
          ))}
        </ol>
      )}
      {ran.length < count ? <p class="hint">{words.value.first(ran.length)}</p> : null}
    </div>
  );
}

interface DueTableProps {
  readonly entries: readonly Due[];
  readonly caption: string;
  readonly onRan: (answer: Advanced) => void;
}

const heads = texts(
  { at: "At", left: "In", what: "What", causes: "What it causes", about: "About", go: "Go" },
  { at: "Em", left: "Falta", what: "O quê", causes: "O que causa", about: "Sobre", go: "Ir" },
);

/** Due work, soonest first, each with the button that runs everything up to it. */
export function DueTable({ entries, caption, onRan }: DueTableProps) {
  return (
    <TableFrame label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.value.left}</th>
            <th scope="col" class="extra">
              {heads.value.at}
            </th>
            <th scope="col">{heads.value.what}</th>
            <th scope="col" class="extra">
              {heads.value.causes}
            </th>
            <th scope="col">{heads.value.go}</th>
            <th scope="col">{heads.value.about}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={`${entry.at} ${entry.kind} ${entry.subject} ${entry.text}`}>
              <th scope="row">
                <Countdown to={entry.at} />
              </th>
              <td class="extra">
                <Time at={entry.at} />
              </td>
              <td>{kindWords(entry.kind)}</td>
              <td class="extra">
                <Cause entry={entry} />
              </td>
              <td>
                <Jump entries={entries.filter(({ at }) => Date.parse(at) <= Date.parse(entry.at))} onRan={onRan} />
              </td>
              <td>
                <ObjectLink id={entry.subject} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
