import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { isUndecided, medMachine } from "../../../../../service/features/med/machine.js";
import { transactionMachine } from "../../../../../service/features/transactions/machine.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Dotted, Items } from "../../parts/items.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Facts, Section, Show } from "../../parts/page.js";
import { TwoLines } from "../../parts/two-lines.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { factsOf, type Shown } from "../../resource/known-fields.js";
import { resource } from "../../resource/resource.js";
import { OPEN_CASES } from "../../shell/due.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { Timeline } from "../../timeline/timeline.js";
import { Mail, shortSubject } from "../mail/index.js";
import { Board } from "./board.js";
import { CaseSteps, customerOf, DeadlineBar, Next, OpenCases } from "./deadline.js";
import { toneOf } from "./outcome.js";
import { BankSide, MerchantSide, Over, useEvidence } from "./sides.js";
import { MedViews } from "./views.js";

/** The MED desk: contested payments as a list or a board, with the merchant's side and the bank's side of each. */

const words = texts("med");

type Case = OperationAnswer<"med.get">;

/** The contested payment of a case, which knows its customer. */
const usePayment = (of: Case | null) =>
  useCall("payments.get", { params: { id: of?.charge_id.replace(ID_PREFIX.charge, "") ?? "" } }, { when: of !== null });

/** The payer, the payment and the reason of a case. */
function Line({ of }: { of: Case }) {
  const customer = usePayment(of).state.value.data?.customerName ?? null;
  const charge = (
    <>
      {words.value.contested} <ObjectLink id={of.charge_id} />
    </>
  );
  return <Dotted of={[customer, charge, of.reason && `“${of.reason}”`]} />;
}

/** The money of the wallet that the case holds now, from its own journals. */
function Held({ medCase }: { medCase: Case }) {
  const { state } = useCall("sandbox.ledger.list", { query: { reference: medCase.id } }, { on: ["journal"] });
  const journals = state.value.data?.data;
  if (journals === undefined) return <span>…</span>;
  if (journals.length === 0) return <span>{words.value.held_mismatch}</span>;
  const retained = journals.flatMap(({ entries }) => entries).filter(({ bucket }) => bucket === "retained");
  const held = retained.reduce((sum, { amount }) => sum + amount, 0);
  return held === 0 ? <span>{words.value.held_nothing}</span> : <Money amount={held} currency={medCase.currency} />;
}

const FACTS: readonly Shown<Case>[] = [
  { label: "held", show: (one) => <Held medCase={one} /> },
  "opened_at",
  "evidence_requested_at",
  "appealed_at",
  "closed_at",
  "appeal_reason",
];

function MailOfCase({ id }: { id: string }) {
  const { state } = useCall("sandbox.emails", { query: { case_id: id } }, { on: ["mail"] });
  return (
    <Section title={words.value.mail}>
      <Show of={state.value}>
        {({ data }) => (
          <Items of={data} none={words.value.no_mail}>
            {(mail) => (
              <li key={mail.id}>
                <Time at={mail.created_at} />{" "}
                <a href={withBook(`/console/med/${mail.id}`)}>{shortSubject(mail.subject)}</a>{" "}
                <span class="hint">{mail.to}</span>
              </li>
            )}
          </Items>
        )}
      </Show>
    </Section>
  );
}

function HeadOfCase({ of }: { of: Case }) {
  const { status, response_deadline: deadline, money_outcome: outcome } = of;
  return (
    <>
      <Status status={status} tone={toneOf(of)} />
      {outcome === null ? null : <b>{words.value.won[outcome]}</b>}
      {status === "open" && deadline !== null ? <DeadlineBar from={of.opened_at} to={deadline} /> : null}
    </>
  );
}

/** The cases that wait for the merchant, which other parts of the frame read too. */
function OpenSum() {
  const { data } = useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value;
  const address = useAddressWith();
  if (data === null || data.data.length === 0 || data.has_more) return null;
  return (
    <a class="list-sum wide-only" href={address({ status: "open" })}>
      <OpenCases of={data.data} />
    </a>
  );
}

const { dispute } = transactionMachine.transitions;

const Cases = resource("med", {
  list: {
    id: "sandbox.med.list",
    on: ["case"],
    filters: ["status"],
    sum: () => <OpenSum />,
    columns: [
      "amount",
      {
        label: "status",
        show: (row) => <Status status={row.status} tone={isUndecided(row.status) ? toneOf(row) : "plain"} />,
      },
      {
        label: "customer_name",
        isSecond: true,
        class: "grows",
        show: (row) => <TwoLines first={customerOf(row)} second={row.reason} />,
      },
      { label: "next_step", class: "card-end", show: (row) => <Next of={row} /> },
      { field: "opened_at", isExtra: true },
    ],
    empty: "qa-pay trigger med_case.created",
    command: (query) => ({ id: "med.list", input: { query } }),
    views: () => <MedViews />,
    view: (list, { view, status }) => (view === "board" ? <Board rows={list.state.value.rows} only={status} /> : null),
    actions: () => [
      act("sandbox.med.open", {
        label: terms.value.open_med_case,
        text: words.value.open_about,
        emits: [...medMachine.initial.emits, ...dispute.emits],
        ask: [
          "charge_id",
          { name: "type", value: "med" },
          { name: "method", label: "alleged", value: "other" },
          "amount",
          { name: "reason", kind: "long" },
          { name: "response_deadline", hint: "2026-12-01T12:00:00Z" },
        ],
        opens: true,
      }),
    ],
  },
  object: {
    get: "med.get",
    on: ["case"],
    isRead: (id, one) => [useEvidence(id), usePayment(one)].every(({ state }) => isSettled(state.value)),
    state: (medCase) => <HeadOfCase of={medCase} />,
    line: (medCase) => <Line of={medCase} />,
    side: (medCase) => (
      <>
        <Section title={words.value.facts}>
          <Facts of={factsOf(medCase, FACTS)} />
        </Section>
        <MailOfCase id={medCase.id} />
      </>
    ),
    view: (medCase) => {
      const { id, status } = medCase;
      return (
        <>
          <CaseSteps status={status} />
          {isUndecided(status) ? (
            <div class="formats">
              <MerchantSide key={`merchant ${status}`} id={id} status={status} />
              <BankSide key={`bank ${status}`} id={id} status={status} />
            </div>
          ) : (
            <Over of={medCase} />
          )}
          <h2>{words.value.timeline}</h2>
          <Timeline id={id} />
        </>
      );
    },
  },
});

/** The cases and the e-mails about them: two lists of one page, and the pages of their objects. */
export function Med({ id }: { id?: string }) {
  const { view } = useLocation().query;
  const isMail = id === undefined ? view === "mail" : id.startsWith(ID_PREFIX.email);
  const shown = id === undefined ? {} : { id };
  return isMail ? <Mail {...shown} /> : <Cases {...shown} />;
}
