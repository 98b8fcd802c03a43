import { isUndecided, MED_STATUSES, type MedStatus } from "../../../../../service/features/med/machine.js";
import { Items } from "../../parts/items.js";
import { useListAddress } from "../../parts/list-address.js";
import { IdText, Money, Status } from "../../parts/values.js";
import { texts } from "../../state/language.js";
import { byDeadline } from "../overview/figures.js";
import { customerOf, type Listed, Next } from "./deadline.js";

/** The cases as cards, in a column for each state. */

const words = texts("med");

function Card({ of }: { of: Listed }) {
  const address = useListAddress();
  return (
    <li class="stack sheet card">
      <strong>
        <Money amount={of.amount} currency={of.currency} />
      </strong>
      <span>{customerOf(of)}</span>
      <Next of={of} />
      <a class="row" href={address(`/console/med/${of.id}`)}>
        <IdText id={of.id} />
      </a>
    </li>
  );
}

function Column({ status, cases }: { status: MedStatus; cases: readonly Listed[] }) {
  const shown = isUndecided(status) ? byDeadline(cases) : cases;
  return (
    <section class="stack sunken board-column">
      <h2>
        <Status status={status} /> <span class="hint">{cases.length}</span>
      </h2>
      <Items of={shown} none={words.value.none}>
        {(one) => <Card key={one.id} of={one} />}
      </Items>
    </section>
  );
}

/** The columns of all states, or the one that the filter names. */
export function Board({ rows, only }: { rows: readonly Listed[]; only: string | undefined }) {
  return (
    <div class="board">
      {MED_STATUSES.filter((status) => only === undefined || status === only).map((status) => (
        <Column key={status} status={status} cases={rows.filter((row) => row.status === status)} />
      ))}
    </div>
  );
}
