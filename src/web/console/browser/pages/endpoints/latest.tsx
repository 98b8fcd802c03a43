import { useCall } from "../../api/use-call.js";
import { SubjectLink } from "../../parts/event-subject.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { IdText, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { outcomeOf } from "../../words/endpoint-health.js";
import { Outcome, type Row } from "../deliveries/cells.js";

/** The latest deliveries of an endpoint: read once for its row and its page, as a strip of marks, and as a table. */

const words = texts("endpoints");

/** Returns the latest deliveries of an endpoint, newest first. */
export const useLatest = (id: string) =>
  useCall("sandbox.deliveries.list", { query: { endpoint: id, limit: 100 } }, { on: ["attempt"] }).state.value;

const MARKS = 20;
/** The width of a mark with its gap, and the heights of marks: a lower one arrived, but not at once. */
const STEP = 5;
const HEIGHTS = { good: 16, warn: 10, bad: 16, plain: 4 } as const;

/** A mark for each of the last deliveries, the newest at the right. The sentence beside it says the same. */
export function Marks({ id }: { id: string }) {
  const rows = useLatest(id).data?.data.slice(0, MARKS).toReversed() ?? [];
  return (
    <svg class="marks" width={MARKS * STEP} height={HEIGHTS.good} aria-hidden="true">
      {rows.map((row, index) => {
        const outcome = outcomeOf(row);
        const height = HEIGHTS[outcome];
        const x = (MARKS - rows.length + index) * STEP;
        return <rect key={row.id} class={outcome} x={x} y={HEIGHTS.good - height} width="3" height={height} />;
      })}
    </svg>
  );
}

const MOST_ROWS = 8;

export function LatestDeliveries({ id }: { id: string }) {
  const rows = useLatest(id).data?.data.slice(0, MOST_ROWS) ?? [];
  if (rows.length === 0) return null;
  return (
    <Section
      title={terms.value.health}
      end={<a href={withBook(`/console/webhooks?endpoint=${id}`)}>{words.value.all_deliveries}</a>}
    >
      <Table<Row>
        label={terms.value.health}
        kind="cards"
        rows={rows}
        keyOf={(row) => row.id}
        columns={[
          { head: terms.value.event_type, class: "event-name", cell: ({ eventType }) => eventType },
          { head: terms.value.last_answer, cell: (row) => <Outcome of={row} /> },
          { head: terms.value.subject, isSecond: true, class: "grows", cell: (row) => <SubjectLink of={row} /> },
          { head: terms.value.created_at, isSecond: true, cell: (row) => <Time at={row.createdAt} /> },
          {
            head: shared.value.id,
            isHead: true,
            class: "row-id",
            cell: (row) => (
              <a class="row" href={withBook(`/console/webhooks/${row.id}`)}>
                <IdText id={row.id} />
              </a>
            ),
          },
        ]}
      />
    </Section>
  );
}
