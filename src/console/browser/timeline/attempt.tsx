import { Code } from "../parts/json.js";
import { language } from "../state/language.js";
import { Line } from "./line.js";
import type { Item } from "./model.js";
import { isFailure } from "./model.js";
import { attemptParts } from "./wording.js";
import { words } from "./words.js";

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** The most characters of an answer beside its attempt; the whole one stands in the details. */
const SHOWN_ANSWER = 100;

/** One attempt of a delivery: its outcome, and folded its request and the answer exactly as they were. */
export function Attempt({ item, since }: { item: Item; since: string }) {
  const request = item.data.request as Sent | undefined;
  const answer = item.data.response as Answer | null | undefined;
  const body = isFailure(item) ? (answer?.body ?? "") : "";
  const { before, outcome, lang, after } = attemptParts(item, language.value);
  return (
    <li class="t-item">
      <Line item={item} since={since}>
        {before}
        <span lang={lang}>{outcome}</span>
        {after}
        {body === "" ? null : <code class="t-answer"> {body.slice(0, SHOWN_ANSWER)}</code>}
      </Line>
      {request === undefined ? null : (
        <details class="t-details">
          <summary>{words.value.details}</summary>
          <Code
            label={words.value.request}
            text={`POST ${request.url}\n${headerLines(request.headers)}\n\n${request.body}`}
          />
          {answer === null || answer === undefined ? (
            <p>{words.value.no_answer}</p>
          ) : (
            <Code
              label={words.value.answer}
              text={`${answer.status}\n${headerLines(answer.headers)}\n\n${answer.body}`}
            />
          )}
        </details>
      )}
    </li>
  );
}
