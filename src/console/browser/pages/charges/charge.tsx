import { type ComponentChildren, Fragment } from "preact";
import { useLocation } from "preact-iso/router";
import { CHARGE_DETAILS } from "../../../../features/transactions/details.js";
import { isSettled } from "../../../../features/transactions/machine.js";
import { formatMoney } from "../../../../kernel/money.js";
import { formatTaxId } from "../../../../kernel/tax-id.js";
import { isSettled as isAnswered, type Loaded, useCall } from "../../api/use-call.js";
import { Cause, deliveryIn, useWhy } from "../../parts/cause.js";
import { codeName } from "../../parts/codes.js";
import { Icon } from "../../parts/icon.js";
import { Facts, Page, Section, Show, Tabs } from "../../parts/page.js";
import { Countdown, IdText, Time } from "../../parts/values.js";
import { factsOf } from "../../resource/known-fields.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { TimelineView, useTimeline } from "../../timeline/timeline.js";
import { ChargeActions, MerchantActions } from "./actions.js";
import { MoneyTab } from "./money.js";
import { ObjectTab } from "./object.js";
import { PixTab } from "./pix.js";
import { Receipt } from "./receipt.js";
import { RefundsOf } from "./refund-steps.js";
import { ChargeStatus } from "./status.js";
import { expiryOf, isHeld, type Subject } from "./subject.js";

const actionWords = texts("charges_action");

const words = texts("charges_page");

/** The pages of the charge that others see, and its receipt. */
function Links({ subject: { charge, payment, rawId } }: { subject: Subject }) {
  const { value } = words;
  const links = [
    [charge?.checkout_url, value.checkout],
    [payment.boletoPdfUrl, value.boleto],
    [payment.cardRedirectUrl, value.card],
  ] as const;
  return (
    <nav class="actions" aria-label={value.links}>
      {links.map(([href, label]) =>
        href === null || href === undefined ? null : (
          <a key={label} class="button" href={href} target="_blank" rel="noreferrer">
            {label} <Icon name="external-link" />
          </a>
        ),
      )}
      {payment.paidAt === null ? null : <Receipt id={rawId} />}
    </nav>
  );
}

/** Who, how and for what, in one line. */
function Line({ subject: { payment, expiresAt } }: { subject: Subject }) {
  const { customerName, paidAt, paidWith, paymentMethods, metadata, createdAt } = payment;
  const { description } = metadata;
  const parts: readonly ComponentChildren[] = [
    customerName,
    (paidWith === null ? paymentMethods : [paidWith]).map(codeName).join(", "),
    paidAt === null ? (
      <>
        {words.value.created_at} <Time at={createdAt} />
      </>
    ) : (
      <>
        {words.value.paid_at} <Time at={paidAt} />
      </>
    ),
    expiresAt === null ? null : (
      <>
        {words.value.expires_in} <Countdown to={expiresAt} />
      </>
    ),
    typeof description === "string" ? description : null,
  ];
  return (
    <>
      {parts
        .filter((part) => part !== null && part !== undefined && part !== "")
        .map((part, index) => (
          <Fragment key={index}>
            {index === 0 ? "" : " · "}
            {part}
          </Fragment>
        ))}
    </>
  );
}

function AboutCharge({ subject }: { subject: Subject }) {
  const { charge, payment } = subject;
  const { customerName, customerDocument: document, customerEmail } = payment;
  const customer = [customerName, document && formatTaxId(document), customerEmail].filter(Boolean).join(" · ");
  const idOf = (id: string | undefined) => (id === undefined ? null : <IdText id={id} />);
  return (
    <Facts
      of={factsOf(payment, [
        { label: "customer_name", show: () => customer },
        "paymentMethods",
        ...CHARGE_DETAILS.map((label) => ({ label, show: () => charge?.[label] })),
        ...(payment.paidAt === null ? [] : (["providerFee", "platformFee", "netAmount"] as const)),
        { label: "end_to_end_id", show: () => idOf(charge?.settlement.end_to_end_id) },
        { label: "txid", show: () => idOf(charge?.pix?.txid) },
        "createdAt",
        "paidAt",
      ])}
    />
  );
}

type Refunds = Parameters<typeof RefundsOf>[0]["refunds"];

function Side({ subject, refunds }: { subject: Subject; refunds: Refunds }) {
  const { timeline, charge, payment } = subject;
  return (
    <>
      <ChargeActions subject={subject} />
      <Section title={terms.value.details}>
        <AboutCharge subject={subject} />
      </Section>
      {refunds.length === 0 && !isSettled(payment.status) ? null : (
        <Section title={actionWords.value.refunds}>
          <RefundsOf refunds={refunds} />
        </Section>
      )}
      <CaseFile
        timeline={timeline}
        head={{ amount: payment.amount, currency: payment.currency, status: payment.status }}
        objects={[
          ...(charge === null ? [] : [{ title: words.value.as_charge, value: charge }]),
          { title: words.value.as_payment, value: payment },
        ]}
      />
    </>
  );
}

function Views({ subject, told }: { subject: Subject; told: string | null }) {
  const { timeline } = subject;
  const tabs = (["timeline", "object", "money", "pix"] as const).map((name) => ({ name, label: words.value[name] }));
  return (
    <Tabs tabs={tabs}>
      {(tab) => {
        if (tab === "object") return <ObjectTab subject={subject} />;
        if (tab === "money") return <MoneyTab timeline={timeline} />;
        return tab === "pix" ? <PixTab subject={subject} /> : <TimelineView timeline={timeline} told={told} />;
      }}
    </Tabs>
  );
}

/** The operation whose command shows the same as a tab that is about the charge alone. */
function commandOf(tab: string | undefined, id: string, rawId: string) {
  if (tab === "object") return { id: "payments.get", input: { params: { id: rawId } } } as const;
  if (tab === "pix" && id.startsWith("ch_")) return { id: "charges.get", input: { params: { id } } } as const;
  return { id: "sandbox.timeline", input: { params: { id } } } as const;
}

/** One charge or payment: what it is, what can happen to it, and its whole timeline. */
export function ChargePage({ id }: { id: string }) {
  const rawId = id.replace(/^(ch|tx)_/, "");
  const timeline = useTimeline(id);
  const on = ["transaction", "refund", "case", "clock"];
  const payment = useCall("payments.get", { params: { id: rawId } }, { on });
  const hasPix = payment.state.value.data?.paymentMethods.includes("PIX") ?? false;
  const charge = useCall("charges.get", { params: { id: `ch_${rawId}` } }, { on, when: hasPix });
  const refunds = useCall("payments.refunds", { params: { id: rawId } }, { on });
  const known = timeline.state.value.data;
  const why = useWhy(id, known).value;
  const shown = payment.state.value.data;
  const { data: asCharge, error: noCharge } = charge.state.value;
  // All of it together, so that nothing moves while it comes.
  const isCharge = !hasPix || asCharge !== null || noCharge !== null;
  const subject: Subject | null =
    shown === null || known === null || !isCharge || !isAnswered(why)
      ? null
      : {
          ...{ id, rawId, payment: shown, timeline: known, charge: asCharge },
          ...{ isHeld: isHeld(known), expiresAt: expiryOf(known) },
        };
  const { tab } = useLocation().query;
  const missing: Loaded<unknown> = shown === null ? payment.state.value : timeline.state.value;
  const page = {
    title: subject === null ? id : formatMoney(subject.payment.amount, subject.payment.currency),
    id,
    above: { href: "/console/charges", title: menuWords.value.charges },
    ...(subject === null
      ? { children: <Show of={missing}>{() => null}</Show> }
      : {
          facts: <ChargeStatus of={subject.payment} />,
          line: <Line subject={subject} />,
          cause: why.data === null ? null : <Cause of={why.data} />,
          actions: (
            <>
              <MerchantActions subject={subject} />
              <Links subject={subject} />
            </>
          ),
          side: <Side subject={subject} refunds={refunds.state.value.data ?? []} />,
          children: <Views subject={subject} told={why.data === null ? null : deliveryIn(why.data)} />,
        }),
  };
  return tab === "money" ? (
    <Page {...page} command={{ id: "sandbox.ledger.list", input: { query: { reference: id } } }} />
  ) : (
    <Page {...page} command={commandOf(tab, id, rawId)} />
  );
}
