import type { OperationAnswer } from "../../../../client/types.js";
import { useCall } from "../../api/use-call.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { Timeline } from "../../timeline/timeline.js";
import { Deadline } from "./deadline.js";
import { CaseList } from "./list.js";
import { BankSide, MerchantSide } from "./sides.js";
import { words } from "./words.js";

/** The MED desk: contested payments, with the merchant's side and the bank's side of each. */

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
          [value.charge, <ObjectLink id={medCase.charge_id} />],
          [value.type, <code>{medCase.type}</code>],
          [value.deadline, <Deadline to={medCase.response_deadline} status={medCase.status} />],
          [value.held, <Held medCase={medCase} />],
          [value.opened, instant(medCase.opened_at)],
          [value.evidence_asked, instant(medCase.evidence_requested_at)],
          [value.appealed, instant(medCase.appealed_at)],
          [value.closed, instant(medCase.closed_at)],
          [value.outcome, outcome === null ? null : value.outcomes[outcome]],
          [value.reason, medCase.reason],
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
  const medCase = state.value.data;
  return (
    <Page
      title={id}
      command={{ id: "med.get", input: { params: { id } } }}
      above={{ href: "/console/med", title: menuWords.value.med }}
      facts={
        medCase === null ? undefined : (
          <>
            <Money amount={medCase.amount} currency={medCase.currency} />
            <Status status={medCase.status} />
          </>
        )
      }
    >
      <Show of={state.value}>
        {(found) => (
          <>
            <CaseFacts medCase={found} />
            <MerchantSide id={found.id} status={found.status} />
            <BankSide id={found.id} status={found.status} />
            <MailOfCase id={found.id} />
            <h2>{words.value.timeline}</h2>
            <Timeline id={found.id} />
          </>
        )}
      </Show>
    </Page>
  );
}

export function Med({ id }: { id?: string }) {
  return <Split list={<CaseList open={id} />}>{id === undefined ? null : <CasePage id={id} />}</Split>;
}
