import type { ComponentChildren } from "preact";
import { fill } from "../../../../kernel/message.js";
import { pick } from "../../../../kernel/pick.js";
import { useCall } from "../../api/use-call.js";
import { Code, Json } from "../../parts/json.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { ObjectLink, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { failingFields } from "../../words/failing-fields.js";
import { objectPage } from "../../words/object-page.js";
import { Again } from "./again.js";
import { Conflict } from "./conflict.js";
import { Copies } from "./copies.js";
import { KeyOutcome, type Logged, Outcome } from "./outcome.js";

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

function subjectFacts({ subject }: Logged): readonly (readonly [string, ComponentChildren])[] {
  if (subject === null) return [];
  const page = objectPage(subject);
  const story = page === null ? null : <a href={withBook(page)}>{words.value.story}</a>;
  return [
    [terms.value.about, <ObjectLink key="about" id={subject} />],
    [words.value.caused, story],
  ];
}

function Details({ entry }: { entry: Logged }) {
  const { at, duration_ms, caller, id, key_fingerprint, idempotency_key, fault } = entry;
  return (
    <>
      <Facts
        of={[
          [words.value.at, <Time key="at" at={at} />],
          [terms.value.duration_real, `${duration_ms} ms`],
          [words.value.caller, caller],
          ...subjectFacts(entry),
          [words.value.request_id, <code key="id">{id}</code>],
          [words.value.idempotency_key, idempotency_key],
          [words.value.key_fingerprint, key_fingerprint],
          [words.value.fault, fault],
        ]}
      />
      <Again entry={entry} />
      {entry.idempotency === "conflict" ? <Conflict entry={entry} /> : null}
      <Exchange entry={entry} />
      <Copies entry={entry} />
    </>
  );
}

export function RequestPage({ number }: { number: string }) {
  const { state } = useCall("sandbox.requests.get", { params: { number } });
  const entry = state.value.data;
  return (
    <Page
      title={entry === null ? `#${number}` : `#${number} ${entry.method} ${entry.path}`}
      command={{ id: "sandbox.requests", input: { query: entry === null ? {} : { request: entry.id } } }}
      facts={
        entry === null ? undefined : (
          <>
            <Outcome status={entry.status} code={entry.error?.code ?? null} /> <KeyOutcome of={entry.idempotency} />
          </>
        )
      }
      above={{ href: "/console/requests", title: menuWords.value.requests }}
    >
      <Show of={state.value}>{(data) => <Details entry={data} />}</Show>
    </Page>
  );
}
