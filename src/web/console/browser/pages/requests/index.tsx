import type { OperationAnswer } from "../../../../../api/client/types.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { allRoutes } from "../../facts/all-routes.js";
import { ObjectLink, Status, Time } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { objectPage } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { Outcome, RequestDetails } from "./request.js";

const words = texts("requests");

/** The parts of the API, such as `/v1/charges`: how a path begins. */
const AREAS = [...new Set(allRoutes.map(({ path }) => path.split("/").slice(0, 3).join("/")))].filter((path) =>
  path.startsWith("/v1/"),
);

const STATUSES = ["200", "201", "400", "401", "403", "404", "409", "422", "429", "500", "503"];

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

/** The refused requests by route and error, with their number. Each links to the last one. */
function ErrorGroups({ of: groups }: { of: OperationAnswer<"sandbox.requests.errors">["data"] }) {
  if (groups.length === 0) return null;
  return (
    <ul class="refused" aria-label={words.value.errors}>
      {groups.map(({ method, route, status, code, count, last_number, last_at }) => (
        <li key={`${method} ${route} ${status} ${code}`}>
          <a class="button small" href={withBook(`/console/requests/${last_number}`)}>
            {count} × <Outcome status={status} code={code} />
            <span class="path">{`${method} ${route}`}</span>
            <span class="hint">
              #{last_number} <Time at={last_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export const Requests = resource("requests", {
  list: {
    id: "sandbox.requests",
    on: ["request"],
    keyOf: ({ number }) => String(number),
    filters: [
      "method",
      { field: "path", suggestions: AREAS },
      { field: "status", suggestions: STATUSES },
      { field: "caller", suggestions: ["command", "console", "curl"] },
      { field: "q", label: "text" },
    ],
    // Beside an open request, two columns have room.
    columns: [
      {
        label: "status",
        show: ({ status, error, fault }) => <Outcome status={status} code={error?.code ?? null} fault={fault} />,
      },
      "method",
      { field: "path", isSecond: true },
      { field: "duration_ms", label: "took", isExtra: true, isNumber: true },
      { field: "caller", isExtra: true },
      { label: "key", isExtra: true, show: ({ idempotency }) => <KeyOutcome of={idempotency} /> },
      { field: "at", isExtra: true, isSecond: true },
    ],
    empty: "qa-pay charges create --amount 1990",
    above: (_address, query) => {
      const groups = useCall("sandbox.requests.errors", { query }, { on: ["request"] }).state.value;
      return { content: <ErrorGroups of={groups.data?.data ?? []} />, isRead: isSettled(groups) };
    },
  },
  object: {
    get: "sandbox.requests.get",
    title: ({ number, method, path }) => `#${number} ${method} ${path}`,
    command: (entry) => ({ id: "sandbox.requests", input: { query: entry === null ? {} : { request: entry.id } } }),
    state: ({ status, error, idempotency }) => (
      <>
        <Outcome status={status} code={error?.code ?? null} /> <KeyOutcome of={idempotency} />
      </>
    ),
    facts: [
      "at",
      "duration_ms",
      "caller",
      { label: "subject", show: ({ subject }) => subject && <ObjectLink id={subject} /> },
      {
        label: "caused",
        show: ({ subject }) => {
          const page = subject && objectPage(subject);
          return page && <a href={withBook(page)}>{words.value.story}</a>;
        },
      },
      { label: "request_id", show: ({ id }) => <code>{id}</code> },
      "idempotency_key",
      "key_fingerprint",
      "fault",
    ],
    view: (entry) => <RequestDetails entry={entry} />,
  },
});
