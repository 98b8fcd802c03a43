import { fill } from "../../../kernel/message.js";
import { AttemptError } from "../parts/attempt-error.js";
import { Code } from "../parts/json.js";
import { language, texts } from "../state/language.js";
import { duration } from "../words/time.js";
import { useMark } from "./line.js";
import type { Item } from "./model.js";
import { isFailure } from "./model.js";
import { attemptPieces, exchangeOf, exchangeText, failureOf } from "./wording.js";

const words = texts("timeline");

/** The sentence about an attempt; what a network said is in its own language. */
function Outcome({ of, item }: { of: ReturnType<typeof attemptPieces>; item: Item }) {
  return (
    <>{of.map(({ name, text }) => (name === "error" ? <AttemptError key={name} of={failureOf(item)} /> : text))}</>
  );
}

/** How an attempt ended, without its number: `200 in 4 ms`. */
export function AttemptOutcome({ item }: { item: Item }) {
  const pieces = attemptPieces(item, language.value);
  return <Outcome of={pieces.slice(pieces.findIndex(({ name }) => name === "number") + 2)} item={item} />;
}

/** The most characters of an answer beside its attempt; the whole one stands in the details. */
const SHOWN_ANSWER = 100;

/** One attempt of a delivery: its outcome, and folded its request and the answer exactly as they were. */
export function Attempt({ item, since }: { item: Item; since: string }) {
  const { request, answer } = exchangeOf(item);
  const mark = useMark([item]);
  const passed = Date.parse(item.at) - Date.parse(since);
  const body = isFailure(item) ? (answer?.body ?? "") : "";
  return (
    <li id={item.id} {...mark} class={`t-attempt ${mark.class}`}>
      <p class={isFailure(item) ? "t-failed" : undefined}>
        <Outcome of={attemptPieces(item, language.value)} item={item} />
        {body === "" ? null : <code class="t-answer"> {body.slice(0, SHOWN_ANSWER)}</code>}
        {passed < 1_000 ? null : <span class="hint"> {fill(words.value.later, { time: duration(passed) })}</span>}
      </p>
      {request === undefined ? null : (
        <details class="t-details">
          <summary>{words.value.details}</summary>
          <Code label={words.value.request} text={exchangeText(request)} />
          {answer === null ? (
            <p>{words.value.no_answer}</p>
          ) : (
            <Code label={words.value.answer} text={exchangeText(answer)} />
          )}
        </details>
      )}
    </li>
  );
}
