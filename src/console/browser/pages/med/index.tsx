import type { OperationAnswer } from "../../../../client/types.js";
import { isUndecided } from "../../../../features/med/machine.js";
import { formatMoney } from "../../../../kernel/money.js";
import { useCall } from "../../api/use-call.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { Timeline } from "../../timeline/timeline.js";
import { CaseSteps, Deadline, DeadlineBar } from "./deadline.js";
import { useEvidence } from "./evidence.js";
import { CaseList } from "./list.js";
import { toneOf } from "./outcome.js";
import { BankSide, MerchantSide } from "./sides.js";

/** The MED desk: contested payments, with the merchant's side and the bank's side of each. */

const words = texts("med");

type Case = OperationAnswer<"med.get">;

/** What the case holds of the wallet now, from its own journals. */
function Held({ medCase }: { medCase: Case }) {
  const { state } = useCall("sandbox.ledger.list", { query: { reference: medCase.id } }, { on: ["journal"] });
  const journals = state.value.data?.data;
  if (journals === undefined) return <span>…</span>;
  if (journals.length === 0) return <span>{words.value.held_mismatch}</span>;
  const retained = journals.flatMap(({ entries }) => entries).filter(({ bucket }) => bucket === "retained");
  const held = retained.reduce((sum, { amount }) => sum + amount, 0);
  return held === 0 ? <span>{words.value.held_nothing}</span> : <Money amount={held} currency={medCase.currency} />;
}

const instant = (at: string | null) => (at === null ? null : <Time at={at} />);

function CaseFacts({ medCase }: { medCase: Case }) {
  const { value } = words;
  const { money_outcome: outcome } = medCase;
  return (
    <Section title={value.facts}>
      <Facts
        of={[
          [terms.value.type, <code>{medCase.type}</code>],
          [value.deadline, <Deadline to={medCase.response_deadline} status={medCase.status} />],
          [value.held, <Held medCase={medCase} />],
          [value.opened, instant(medCase.opened_at)],
          [value.evidence_asked, instant(medCase.evidence_requested_at)],
          [value.appealed, instant(medCase.appealed_at)],
          [value.closed, instant(medCase.closed_at)],
          [value.outcome, outcome === null ? null : value.outcomes[outcome]],
          [value.appeal_reason, medCase.appeal_reason],
        ]}
      />
    </Section>
  );
}

function MailOfCase({ id }: { id: string }) {
  const { state } = useCall("sandbox.emails", { query: { case_id: id } }, { on: ["mail"] });
  return (
    <Section title={words.value.mail}>
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{words.value.no_mail}</p>
          ) : (
            <ul class="plain">
              {data.map((mail) => (
                <li key={mail.id}>
                  <Time at={mail.created_at} /> <a href={withBook(`/console/mail/${mail.id}`)}>{mail.subject}</a>{" "}
                  <span class="hint">{mail.to}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  );
}

function CasePage({ id }: { id: string }) {
  const { state } = useCall("med.get", { params: { id } }, { on: ["case"] });
  const evidence = useEvidence(id);
  // Together, so that nothing moves while it comes.
  const medCase = evidence.state.value.data === null && evidence.state.value.error === null ? null : state.value.data;
  const page = {
    id,
    command: { id: "med.get", input: { params: { id } } },
    above: { href: "/console/med", title: menuWords.value.med },
  } as const;
  if (medCase === null) {
    return (
      <Page {...page} title={id}>
        <Show of={state.value}>{() => null}</Show>
      </Page>
    );
  }
  const { status, response_deadline: deadline, money_outcome: outcome } = medCase;
  return (
    <Page
      {...page}
      title={formatMoney(medCase.amount, medCase.currency)}
      facts={
        <>
          <Status status={status} tone={toneOf(medCase)} />
          {outcome === null ? null : <b>{words.value.won[outcome]}</b>}
          {isUndecided(status) && deadline !== null ? (
            <DeadlineBar from={medCase.opened_at} to={deadline} status={status} />
          ) : null}
        </>
      }
      line={
        <>
          {words.value.contested} <ObjectLink id={medCase.charge_id} />
          {medCase.reason === null ? null : ` · “${medCase.reason}”`}
        </>
      }
      side={
        <>
          <CaseFacts medCase={medCase} />
          <MailOfCase id={id} />
        </>
      }
    >
      <CaseSteps status={status} />
      <div class="formats">
        <MerchantSide key={`merchant ${status}`} id={id} status={status} evidence={evidence} />
        <BankSide key={`bank ${status}`} id={id} status={status} />
      </div>
      <h2>{words.value.timeline}</h2>
      <Timeline id={id} />
    </Page>
  );
}

export function Med({ id }: { id?: string }) {
  return <Split list={<CaseList open={id} />}>{id === undefined ? null : <CasePage id={id} />}</Split>;
}
