import { fill } from "../../../../../base/kernel/message.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { METHOD_NAMES } from "../../../../../service/features/transactions/catalogue.js";
import { SINGLE_FIELDS } from "../../../../../service/features/transactions/details.js";
import { transactionMachine } from "../../../../../service/features/transactions/machine.js";
import type { Sum } from "../../api/list-reader.js";
import { TwoLines } from "../../parts/two-lines.js";
import { act } from "../../resource/act.js";
import { folded } from "../../resource/form-fields.js";
import { resource } from "../../resource/resource.js";
import { terms, texts } from "../../state/language.js";
import { ChargePage } from "./charge.js";
import { ChargeStatus } from "./status.js";
import { pageId } from "./subject.js";

const words = texts("charges");

/** The plan of a new charge: the usual scenarios. The fields below them change each. */
const scenarios = () => [
  { value: '{"pay_after":5}', words: words.value.then_paid },
  { value: '{"pay_after":5,"med_after":60}', words: words.value.then_disputed },
  { value: '{"fail":"AC06"}', words: words.value.then_refused },
];

/** Creates a Pix charge. The suggested amount can be sent as it is. */
const newCharge = () =>
  act("charges.create", {
    label: words.value.new_charge,
    kind: "main",
    text: words.value.new_text,
    emits: transactionMachine.initial.emits,
    ask: [
      { name: "amount", value: "19,90" },
      { name: "customer.name", label: "customer_full_name" },
      "customer.document",
      "description",
      { name: "metadata._sandbox", label: "then", kind: "json", choices: scenarios(), none: words.value.then_waits },
      ...folded<"charges.create">(words.value.scenario, [
        { name: "metadata._sandbox.pay_after", label: "pay_after", kind: "number" },
        { name: "metadata._sandbox.amount", label: "pay_amount", kind: "money" },
        { name: "metadata._sandbox.payer_document", label: "payer_document", takesNull: true },
        { name: "metadata._sandbox.payer_name", label: "payer_name" },
        { name: "metadata._sandbox.med_after", label: "med_after", kind: "number" },
        { name: "metadata._sandbox.fail", label: "fail" },
      ]),
      ...folded<"charges.create">(terms.value.more, ["expires_in", ...SINGLE_FIELDS, "metadata"]),
    ],
    opens: true,
  });

/** The paid ones together, if the list is narrowed by days at most. */
function PaidSum({ of: sums }: { of: readonly Sum[] }) {
  if (sums.length === 0) return null;
  const count = sums.reduce((all, one) => all + one.count, 0);
  const amounts = sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(" + ");
  return (
    <span class="list-sum">
      {fill(words.value.paid_sum, { count })} · <span class="money">{amounts}</span>
    </span>
  );
}

/** The list of charges and payments. Production has the same list, except for the filters of method and text. */
export const Charges = resource("charges", {
  list: {
    id: "sandbox.payments.list",
    on: ["transaction"],
    idOf: pageId,
    tabs: "counted",
    together: { states: ["PAID", "APPROVED"], query: { settled: "true" } },
    query: { limit: "50" },
    sum: (sums, { status: _state, startDate: _from, endDate: _to, ...others }) =>
      Object.keys(others).length === 0 ? <PaidSum of={sums} /> : null,
    filters: [
      "q",
      { field: "method", choices: METHOD_NAMES },
      { field: "startDate", at: "from", kind: "date" },
      { field: "endDate", at: "to", label: "until", kind: "date" },
    ],
    columns: [
      "amount",
      { label: "status", show: (row) => <ChargeStatus of={row} /> },
      {
        label: "customer_name",
        isSecond: true,
        class: "grows",
        show: ({ customerName: name, metadata: { description } }) => (
          <TwoLines first={name} second={typeof description === "string" ? description : null} />
        ),
      },
      { field: "paymentMethods", isExtra: true },
      { field: "createdAt", class: "card-end" },
    ],
    empty: { id: "charges.create", input: { body: { amount: 1990, payment_method: "pix" } } },
    actions: () => [newCharge()],
    command: (query) =>
      (query.method ?? query.q ?? query.settled) === undefined ? { id: "payments.list", input: { query } } : null,
  },
  object: (id) => <ChargePage key={id.slice(id.indexOf("_") + 1)} id={id} />,
});
