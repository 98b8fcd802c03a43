import { pick } from "../../../../kernel/pick.js";
import { useCall } from "../../api/use-call.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import type { Logged } from "./outcome.js";

const words = texts("requests");

function shown(body: unknown, field: string): string {
  const value = pick(body, field);
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
      {fields.length === 0 ? (
        <p class="hint">{words.value.differs_unknown}</p>
      ) : (
        <Table
          label={words.value.conflict}
          kind="breaks"
          rows={fields}
          keyOf={(field) => field}
          columns={[
            { head: terms.value.field, cell: (field) => <code>{field}</code> },
            {
              head:
                first === undefined ? (
                  words.value.first_request
                ) : (
                  <a href={withBook(`/console/requests/${first.number}`)}>
                    {words.value.first_request} #{first.number}
                  </a>
                ),
              cell: (field) => (first === undefined ? "?" : <code>{shown(first.request_body, field)}</code>),
            },
            { head: words.value.this_request, cell: (field) => <code>{shown(entry.request_body, field)}</code> },
          ]}
        />
      )}
    </Section>
  );
}
