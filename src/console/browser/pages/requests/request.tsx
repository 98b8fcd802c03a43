import { fill } from "../../../../kernel/message.js";
import { pick } from "../../../../kernel/pick.js";
import { Code, Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { terms, texts } from "../../state/language.js";
import { failingFields } from "../../words/failing-fields.js";
import { Again } from "./again.js";
import { Conflict } from "./conflict.js";
import { Copies } from "./copies.js";
import { type Logged, Outcome } from "./outcome.js";

const words = texts("requests");

function Headers({ of }: { of: Readonly<Record<string, string>> }) {
  const lines = Object.entries(of).map(([name, value]) => `${name}: ${value}`);
  return lines.length === 0 ? null : <Code label={terms.value.headers} text={lines.join("\n")} />;
}

/** A body: JSON as a tree, another text as it is. */
function Body({ value, marks = [] }: { value: unknown; marks?: readonly string[] }) {
  if (value === null || value === undefined || value === "") return <p class="hint">{words.value.no_body}</p>;
  if (typeof value === "string") return <Code label={terms.value.body} text={value} />;
  return <Json label={terms.value.body} value={value} marks={marks} />;
}

/** Which fields the service complains of. Those that the body lacks cannot be marked in it. */
function Failing({ entry, fields }: { entry: Logged; fields: readonly string[] }) {
  if (fields.length === 0) return null;
  const missing = fields.filter((field) => pick(entry.request_body, field) === undefined);
  return (
    <p class="outcome outcome-bad">
      {fill(words.value.failing, { fields: fields.join(", ") })}{" "}
      {missing.length === 0 ? null : fill(words.value.not_in_body, { fields: missing.join(", ") })}
    </p>
  );
}

function Exchange({ entry }: { entry: Logged }) {
  const failing = entry.error === null ? [] : failingFields(entry.response_body);
  const marks = [...failing, ...(entry.differs ?? [])];
  return (
    <div class="two-sides">
      <Section title={words.value.request}>
        <Failing entry={entry} fields={failing} />
        <Headers of={entry.request_headers} />
        <Body value={entry.request_body} marks={marks} />
      </Section>
      <Section title={terms.value.answer} end={<Outcome status={entry.status} code={entry.error?.code ?? null} />}>
        {entry.status === 0 ? <p class="hint">{words.value.cut_long}</p> : null}
        <Headers of={entry.response_headers} />
        <Body value={entry.response_body} />
      </Section>
    </div>
  );
}

/** What can be done with a request, what was asked and answered, and how to send it from elsewhere. */
export function RequestDetails({ entry }: { entry: Logged }) {
  return (
    <>
      <Again entry={entry} />
      {entry.idempotency === "conflict" ? <Conflict entry={entry} /> : null}
      <Exchange entry={entry} />
      <Copies entry={entry} />
    </>
  );
}
