import { useLocation } from "preact-iso/router";
import { isSettled } from "../../../../features/transactions/machine.js";
import { useCall } from "../../api/use-call.js";
import { Facts, Page, Section, Show, Tabs } from "../../parts/page.js";
import { Countdown, Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { TimelineOf, useStory } from "../../timeline/timeline.js";
import { words as actionWords } from "./action-words.js";
import { ChargeActions } from "./actions.js";
import { MoneyTab } from "./money.js";
import { ObjectTab } from "./object.js";
import { words } from "./page-words.js";
import { PixTab } from "./pix.js";
import { Receipt } from "./receipt.js";
import { RefundsOf } from "./refund-steps.js";
import { expiryOf, isHeld, type Subject } from "./subject.js";

function Links({ subject: { charge, payment, rawId } }: { subject: Subject }) {
  const { value } = words;
  const links = [
    [charge?.checkout_url, value.checkout],
    [payment.boletoPdfUrl, value.boleto],
    [payment.cardRedirectUrl, value.card],
  ] as const;
  return (
    <nav class="links" aria-label={value.links}>
      {links.map(([href, label]) =>
        href === null || href === undefined ? null : (
          <a key={label} href={href} target="_blank" rel="noreferrer">
            {label}
          </a>
        ),
      )}
      <Receipt id={rawId} isSettled={payment.paidAt !== null} />
    </nav>
  );
}

function AboutCharge({ subject: { charge, payment } }: { subject: Subject }) {
  const { value } = words;
  const { customerName, customerDocument, customerEmail, currency, paidAt } = payment;
  const customer = [customerName, customerDocument, customerEmail].filter((text) => text !== null && text !== "");
  const { description } = payment.metadata;
  return (
    <Facts
      of={[
        [value.customer, customer.join(" · ")],
        [value.methods, payment.paymentMethods.join(", ")],
        [value.created, <Time at={payment.createdAt} />],
        [value.paid, paidAt === null ? null : <Time at={paidAt} />],
        [value.paid_with, payment.paidWith],
        [value.description, typeof description === "string" ? description : null],
        [value.expected, charge?.expected_payer_tax_id],
        [
          value.fees,
          paidAt === null ? null : (
            <>
              <Money amount={payment.providerFee} currency={currency} />,{" "}
              <Money amount={payment.platformFee} currency={currency} />
            </>
          ),
        ],
        [value.net, paidAt === null ? null : <Money amount={payment.netAmount} currency={currency} />],
      ]}
    />
  );
}

function Body({ subject, refunds }: { subject: Subject; refunds: Parameters<typeof RefundsOf>[0]["refunds"] }) {
  const { value } = words;
  const { story, charge, payment } = subject;
  const tabs = (["timeline", "object", "money", "pix"] as const).map((name) => ({ name, label: value[name] }));
  return (
    <>
      <Links subject={subject} />
      <AboutCharge subject={subject} />
      <ChargeActions subject={subject} title={value.actions} />
      {refunds.length === 0 && !isSettled(payment.status) ? null : (
        <Section title={actionWords.value.refunds}>
          <RefundsOf refunds={refunds} />
        </Section>
      )}
      <CaseFile
        story={story}
        head={{ amount: payment.amount, currency: payment.currency, status: payment.status }}
        objects={[
          ...(charge === null ? [] : [{ title: value.as_charge, value: charge }]),
          { title: value.as_payment, value: payment },
        ]}
      />
      <Tabs tabs={tabs}>
        {(tab) => {
          if (tab === "object") return <ObjectTab subject={subject} />;
          if (tab === "money") return <MoneyTab story={story} />;
          return tab === "pix" ? <PixTab subject={subject} /> : <TimelineOf story={story} />;
        }}
      </Tabs>
    </>
  );
}

function Head({ subject: { payment, expiresAt } }: { subject: Subject }) {
  return (
    <>
      <Money amount={payment.amount} currency={payment.currency} />
      <Status status={payment.status} />
      {expiresAt === null ? null : (
        <span class="hint">
          {words.value.expires_in} <Countdown to={expiresAt} />
        </span>
      )}
    </>
  );
}

/** The operation whose command shows the same as a tab that is about the charge alone. */
function commandOf(tab: string | undefined, id: string, rawId: string) {
  if (tab === "object") return { id: "payments.get", input: { params: { id: rawId } } } as const;
  if (tab === "pix" && id.startsWith("ch_")) return { id: "charges.get", input: { params: { id } } } as const;
  return { id: "sandbox.timeline", input: { params: { id } } } as const;
}

/** One charge or payment: what it is, what can happen to it, and its whole story. */
export function ChargePage({ id }: { id: string }) {
  const rawId = id.replace(/^(ch|tx)_/, "");
  const story = useStory(id);
  const on = ["transaction", "refund", "case", "clock"];
  const payment = useCall("payments.get", { params: { id: rawId } }, { on });
  const hasPix = payment.state.value.data?.paymentMethods.includes("PIX") ?? false;
  const charge = useCall("charges.get", { params: { id: `ch_${rawId}` } }, { on, when: hasPix });
  const refunds = useCall("payments.refunds", { params: { id: rawId } }, { on });
  const known = story.state.value.data;
  const subjectOf = (shown: Subject["payment"], told: Subject["story"]): Subject => ({
    ...{ id, rawId, payment: shown, story: told },
    charge: charge.state.value.data,
    isHeld: isHeld(told),
    expiresAt: expiryOf(told),
  });
  const shown = payment.state.value.data;
  const { tab } = useLocation().query;
  const page = {
    title: id,
    above: { href: "/console/charges", title: menuWords.value.charges },
    facts: shown === null || known === null ? undefined : <Head subject={subjectOf(shown, known)} />,
    children: (
      <Show of={payment.state.value}>
        {(one) => (
          <Show of={story.state.value}>
            {(told) => <Body subject={subjectOf(one, told)} refunds={refunds.state.value.data ?? []} />}
          </Show>
        )}
      </Show>
    ),
  };
  return tab === "money" ? (
    <Page {...page} command={{ id: "sandbox.ledger.list", input: { query: { reference: id } } }} />
  ) : (
    <Page {...page} command={commandOf(tab, id, rawId)} />
  );
}
