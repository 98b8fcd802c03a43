import { useSignal } from "@preact/signals";
import { apiLine, asSent, curlLine, inputOf } from "../../../../../api/client/request-text.js";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { pick } from "../../../../../base/kernel/pick.js";
import { hasKey, sendAgain } from "../../api/send-again.js";
import { useCall } from "../../api/use-call.js";
import { allRoutes } from "../../facts/all-routes.js";
import { Code, Json } from "../../parts/json.js";
import { OutcomeText, useOutcome } from "../../parts/outcome.js";
import { Section } from "../../parts/page.js";
import { Snippets } from "../../parts/snippets.js";
import { Table } from "../../parts/table.js";
import { HttpStatus, Status } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { withBook } from "../../state/book.js";
import { connection } from "../../state/connection.js";
import { terms, texts } from "../../state/language.js";
import { clientCall } from "../../words/client-code.js";
import { failingFields } from "../../words/failing-fields.js";
import { powerShellLine, reasonNotToSend, vitestText } from "../../words/request-lines.js";

/** One request of the log: the request, its answer, and ways to send it again, from here and from elsewhere. */

const words = texts("requests");

type Logged = OperationAnswer<"sandbox.requests.get">;

/** The status of a request with its error code. Status 0 is a connection that was cut. A fault is the id of a rule that hit it. */
export function Outcome({
  status,
  code,
  fault = null,
}: {
  status: number;
  code: string | null;
  fault?: string | null;
}) {
  return (
    <span class="flow outcome-line">
      {status === 0 ? (
        <Status status="0" tone="bad">
          {words.value.cut}
        </Status>
      ) : (
        <HttpStatus status={status} />
      )}{" "}
      {code}
      {fault === null ? null : (
        <span title={fault}>
          <Status status={terms.value.fault} tone="warn" />
        </span>
      )}
    </span>
  );
}

/** The fields in which a request differs from the first one with its idempotency key, side by side. */
function Conflict({ entry: { idempotency_key: key, request_body: body, differs } }: { entry: Logged }) {
  const { state } = useCall("sandbox.requests", { query: { q: key ?? "", limit: 100 } }, { when: key !== null });
  const first = state.value.data?.data.find((one) => one.idempotency === "new" && one.idempotency_key === key);
  const { conflict, first_request: firstRequest, this_request: thisRequest, absent } = words.value;
  const shown = (of: unknown, field: string) => {
    const value = pick(of, field);
    return <code>{value === undefined ? absent : JSON.stringify(value)}</code>;
  };
  const link = first && (
    <a href={withBook(`/console/requests/${first.number}`)}>
      {firstRequest} #{first.number}
    </a>
  );
  return (
    <Section title={conflict}>
      {(differs ?? []).length === 0 ? (
        <p class="hint">{words.value.differs_unknown}</p>
      ) : (
        <Table
          label={conflict}
          kind="breaks"
          rows={differs ?? []}
          keyOf={(field) => field}
          columns={[
            { head: terms.value.field, cell: (field) => <code>{field}</code> },
            { head: link ?? firstRequest, cell: (field) => (first ? shown(first.request_body, field) : "?") },
            { head: thisRequest, cell: (field) => shown(body, field) },
          ]}
        />
      )}
    </Section>
  );
}

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

/** The fields that the service rejects. Missing fields cannot be marked in the body. */
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
  return (
    <div class="two-sides">
      <Section title={words.value.request}>
        <Failing entry={entry} fields={failing} />
        <Headers of={entry.request_headers} />
        <Body value={entry.request_body} marks={[...failing, ...(entry.differs ?? [])]} />
      </Section>
      <Section title={terms.value.answer} end={<Outcome status={entry.status} code={entry.error?.code ?? null} />}>
        {entry.status === 0 ? <p class="hint">{words.value.cut_long}</p> : null}
        <Headers of={entry.response_headers} />
        <Body value={entry.response_body} />
      </Section>
    </div>
  );
}

/** The reason why the request cannot be sent again now; null when it can. */
function obstacle(entry: Logged): string | null {
  if (!connection.isWorking) return shared.value.cut_off;
  const reason = reasonNotToSend(asSent(entry, allRoutes));
  return reason === null ? null : words.value[reason];
}

/** Buttons that send the request again: with its idempotency key, which must replay the answer, and with a new one. */
export function Again({ entry }: { entry: Logged }) {
  const body = useSignal<unknown>(null);
  const { outcome, isRunning, run } = useOutcome();
  const why = obstacle(entry);
  const withKey = hasKey(entry);
  const send = async (key: string | null) => {
    body.value = null;
    const { status, isReplayed, number, body: answered } = await sendAgain(entry, key);
    body.value = answered;
    return (
      <>
        <HttpStatus status={status} /> {fill(words.value.again_done, { status })}{" "}
        {isReplayed ? words.value.replayed : null}{" "}
        {withKey && !isReplayed && status < 300 ? words.value.not_replayed : null}{" "}
        {number === null ? null : (
          <a href={withBook(`/console/requests/${number}`)}>{fill(words.value.new_request, { number })}</a>
        )}
      </>
    );
  };
  const isOff = why !== null || isRunning.value;
  const button = (label: string, key: () => string | null) => (
    <button
      type="button"
      aria-disabled={isOff ? "true" : undefined}
      aria-describedby={why === null ? undefined : "why-not-again"}
      onClick={() => isOff || void run(() => send(key()))}
    >
      {label}
    </button>
  );
  return (
    <>
      <div class="flow actions">
        {withKey ? button(words.value.new_key, () => crypto.randomUUID()) : null}
        {button(withKey ? words.value.same_key : words.value.again, () => null)}
      </div>
      {why === null ? null : (
        <p id="why-not-again" class="hint">
          {why}
        </p>
      )}
      <OutcomeText of={outcome} />
      {typeof body.value === "object" && body.value !== null ? (
        <Json label={words.value.new_answer} value={body.value} />
      ) : null}
    </>
  );
}

/** The request as text for a shell, a program and a test. */
function Copies({ entry }: { entry: Logged }) {
  const baseUrl = location.origin;
  const request = asSent(entry, allRoutes);
  const called = inputOf(entry, allRoutes);
  const curl = curlLine(request, baseUrl);
  const api = apiLine(request, baseUrl);
  const client = called === null ? words.value.note_no_client : clientCall(called.route.id, called.route, called.input);
  return (
    <Section title={words.value.copy_as}>
      <Snippets
        label={words.value.copy_as}
        of={[
          { name: "curl", text: curl.line, notes: curl.notes },
          { name: "PowerShell", text: powerShellLine(request, baseUrl).line, notes: curl.notes },
          { name: "qa-pay api", text: api.line, notes: api.notes },
          { name: "Client", text: client },
          { name: "Vitest", text: vitestText(entry, request) },
        ]}
      />
    </Section>
  );
}

/** The request and its answer, and ways to send it from elsewhere. */
export function RequestDetails({ entry }: { entry: Logged }) {
  return (
    <>
      {entry.idempotency === "conflict" ? <Conflict entry={entry} /> : null}
      <Exchange entry={entry} />
      <Copies entry={entry} />
    </>
  );
}
