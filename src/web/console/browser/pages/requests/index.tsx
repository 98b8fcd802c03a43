import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { namesOf } from "../../../../../base/kernel/names.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Icon } from "../../parts/icon.js";
import { Dotted } from "../../parts/items.js";
import { useAddressWith } from "../../parts/list-address.js";
import { MenuButton } from "../../parts/menu.js";
import { Facts, Section } from "../../parts/page.js";
import { ObjectLink, Status, Time } from "../../parts/values.js";
import { factsOf, type Shown } from "../../resource/known-fields.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { shortId } from "../../words/short-id.js";
import { Again, Outcome, RequestDetails } from "./request.js";

const words = texts("requests");

/** The spans of real time, by their names in the address. */
const SPANS = { "1m": "60", "1h": "3600" } as const;

const CALLERS = { app: "app", cli: "cli", console: "console" } as const;

const STATUSES = ["200", "201", "400", "401", "403", "404", "409", "422", "429", "500", "503"];

type Logged = OperationAnswer<"sandbox.requests.get">;

const KEY_TONES = { new: "plain", replayed: "wait", conflict: "bad" } as const;

/** The effect of the idempotency key. */
function KeyOutcome({ of }: { of: OperationAnswer<"sandbox.requests.get">["idempotency"] }) {
  if (of === null) return null;
  return (
    <Status status={of} tone={KEY_TONES[of]}>
      {words.value[`idempotency_${of}`]}
    </Status>
  );
}

const useRefused = (query: Readonly<Record<string, string>>) =>
  useCall("sandbox.requests.errors", { query }, { on: ["request"] }).state.value;

/** The refused requests by route and error, with their number, behind a button. Each item opens the last one. */
function Refused({ query }: { query: Readonly<Record<string, string>> }) {
  const groups = useRefused(query).data?.data ?? [];
  if (groups.length === 0) return null;
  return (
    <MenuButton
      class="small"
      side="end"
      title={words.value.errors}
      items={groups.map(({ method, route, status, code, count, last_number: last }) => ({
        key: `${method} ${route} ${status} ${code}`,
        href: withBook(`/console/requests/${last}`),
        label: (
          <>
            {count} × <Outcome status={status} code={code} /> <span class="cut path">{`${method} ${route}`}</span>
          </>
        ),
      }))}
    >
      <Icon name="alert-triangle" />
      {fill(words.value.refused, { count: groups.reduce((sum, { count }) => sum + count, 0) })}
    </MenuButton>
  );
}

/** The views of the list that people want most. */
function Views() {
  const { caller = "", since = "" } = useLocation().query;
  const address = useAddressWith();
  const view = (given: { caller: string; since: string }, name: string) => (
    <a href={address(given)} aria-current={given.caller === caller && given.since === since ? "page" : undefined}>
      {name}
    </a>
  );
  return (
    <nav class="views" aria-label={words.value.views}>
      {view({ caller: "", since: "" }, words.value.all)}
      {view({ caller: "app", since: "1m" }, words.value.app_last_minute)}
    </nav>
  );
}

/** Who sent a request: the kind, and the program or the command. */
function Caller({ of: { caller, caller_kind: kind } }: { of: Pick<Logged, "caller" | "caller_kind"> }) {
  const name = kind === "console" ? "" : (caller ?? "").replace(/^command: /, "");
  const { [kind]: word } = words.value.callers;
  return (
    <span class="cut short-line" title={name}>
      {word}
      {name === "" ? null : <span class="hint"> {name}</span>}
    </span>
  );
}

const FACTS: readonly Shown<Logged>[] = [
  { label: "request_id", show: ({ id }) => <code>{id}</code> },
  "idempotency_key",
  "key_fingerprint",
  "fault",
];

export const Requests = resource("requests", {
  list: {
    id: "sandbox.requests",
    on: ["request"],
    keyOf: ({ number }) => String(number),
    filters: () => [
      "q",
      {
        field: "caller_kind",
        at: "caller",
        isInSight: true,
        sends: CALLERS,
        choices: namesOf(CALLERS).map((value) => ({ value, words: words.value.callers[value] })),
      },
      {
        field: "within_seconds",
        at: "since",
        isInSight: true,
        sends: SPANS,
        none: words.value.spans.all,
        choices: namesOf(SPANS).map((value) => ({ value, words: words.value.spans[value] })),
      },
      { field: "status", choices: STATUSES },
    ],
    hidesId: true,
    views: () => <Views />,
    end: (query) => <Refused query={query} />,
    // On a phone their button takes a line, so the rows wait for it.
    above: (_address, query) => ({ isRead: isSettled(useRefused(query)), content: null }),
    // Beside an open request, two columns have room.
    columns: [
      {
        label: "status",
        show: ({ status, error, fault, idempotency }) => (
          <>
            <Outcome status={status} code={error?.code ?? null} fault={fault} />
            {idempotency === "new" ? null : <KeyOutcome of={idempotency} />}
          </>
        ),
      },
      "method",
      { field: "path", isSecond: true, class: "grows" },
      { field: "duration_ms", label: "took", class: "late", isNumber: true },
      { label: "caller", class: "late", show: (row) => <Caller of={row} /> },
      { field: "at", class: "card-end" },
    ],
    empty: { id: "charges.create", input: { body: { amount: 1990, payment_method: "pix" } } },
  },
  object: {
    get: "sandbox.requests.get",
    // The whole path stands in each form of the code below.
    title: ({ number, method, path }) => `#${number} ${method} ${path.replace(/[a-z]+_[\da-f-]{36}/g, shortId)}`,
    command: (entry) => ({ id: "sandbox.requests", input: { query: entry === null ? {} : { request: entry.id } } }),
    state: ({ status, error, idempotency }) => (
      <>
        <Outcome status={status} code={error?.code ?? null} /> <KeyOutcome of={idempotency} />
      </>
    ),
    line: ({ caller, caller_kind, at, duration_ms: took, subject }) => (
      <Dotted
        of={[
          <Caller of={{ caller, caller_kind }} />,
          <Time at={at} />,
          `${new Intl.NumberFormat(language.value).format(took)} ms`,
          subject && (
            <>
              {terms.value.subject.toLowerCase()} <ObjectLink id={subject} />
            </>
          ),
        ]}
      />
    ),
    side: (entry) => (
      <>
        <Section title={words.value.again}>
          <Again entry={entry} />
        </Section>
        <Section title={terms.value.details}>
          <Facts of={factsOf(entry, FACTS)} />
        </Section>
      </>
    ),
    view: (entry) => <RequestDetails entry={entry} />,
  },
});
