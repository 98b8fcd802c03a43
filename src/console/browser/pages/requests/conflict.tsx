import { useCall } from "../../api/use-call.js";
import { Section } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { memberAtPath } from "../../words/failing-fields.js";
import type { Logged } from "./outcome.js";

const words = texts("requests");

function shown(body: unknown, field: string): string {
  const value = memberAtPath(body, field);
  return value === undefined ? words.value.absent : JSON.stringify(value);
}

/** The fields in which a request differs from the first one with its idempotency key, side by side. */
export function Conflict({ entry }: { entry: Logged }) {
  const key = entry.idempotency_key ?? "";
  const { state } = useCall("sandbox.requests", { query: { q: key, limit: 100 } }, { when: key !== "" });
  const found = state.value.data?.data ?? [];
  const first = found.find(({ idempotency, idempotency_key }) => idempotency === "new" && idempotency_key === key);
  const fields = entry.differs ?? [];
  return (
    <Section title={words.value.conflict}>
      {fields.length === 0 ? <p class="hint">{words.value.differs_unknown}</p> : null}
      {fields.length === 0 ? null : (
        <TableFrame label={words.value.conflict} kind="breaks">
          <table>
            <caption class="visually-hidden">{words.value.conflict}</caption>
            <thead>
              <tr>
                <th scope="col">{terms.value.field}</th>
                <th scope="col">
                  {first === undefined ? (
                    words.value.first_request
                  ) : (
                    <a href={withBook(`/console/requests/${first.number}`)}>
                      {words.value.first_request} #{first.number}
                    </a>
                  )}
                </th>
                <th scope="col">{words.value.this_request}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field}>
                  <th scope="row">
                    <code>{field}</code>
                  </th>
                  <td>{first === undefined ? "?" : <code>{shown(first.request_body, field)}</code>}</td>
                  <td>
                    <code>{shown(entry.request_body, field)}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Section>
  );
}
