import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { formatTaxId } from "../../../../../base/kernel/tax-id.js";
import { detailsIn, SINGLE_DETAILS } from "../../../../../service/features/transactions/details.js";
import { call } from "../../api/call.js";
import { isSettled as isAnswered, useCall } from "../../api/use-call.js";
import { Cause, deliveryIn, useWhy } from "../../parts/cause.js";
import { codeName } from "../../parts/codes.js";
import { Icon } from "../../parts/icon.js";
import { Dotted } from "../../parts/items.js";
import { Facts, Page, Section, Show, Tabs, titleWithout } from "../../parts/page.js";
import { Countdown, IdText, Time } from "../../parts/values.js";
import { Refused } from "../../parts/why.js";
import { factsOf, labelOf } from "../../resource/known-fields.js";
import type { PageCommand } from "../../resource/object-page.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { TimelineView, useTimeline } from "../../timeline/timeline.js";
import { download } from "../../words/download.js";
import { ChargeActions, MerchantActions } from "./actions.js";
import { MoneyTab, ObjectTab } from "./object.js";
import { PixTab } from "./pix.js";
import { RefundsOf } from "./refund-steps.js";
import { ChargeStatus } from "./status.js";
import { expiryOf, isHeld, type Subject } from "./subject.js";

const actionWords = texts("charges_action");
const words = texts("charges_page");

/** Downloads the receipt of a settled payment. */
function Receipt({ id }: { id: string }) {
  const problem = useSignal<unknown>(null);
  const get = async () => {
    problem.value = null;
    try {
      const { base64, contentType } = await call("payments.receipt", { params: { id } });
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      download(`receipt-${id}.pdf`, contentType, bytes);
    } catch (thrown) {
      problem.value = thrown;
    }
  };
  return (
    <>
      <button type="button" onClick={() => void get()}>
        <Icon name="download" /> {words.value.receipt}
      </button>
      {problem.value === null ? null : (
        <output class="outcome outcome-bad">
          <Refused of={problem.value} />
        </output>
      )}
    </>
  );
}

/** The pages of the charge for other people, and its receipt. */
function Links({ subject: { charge, payment, rawId } }: { subject: Subject }) {
  const links = [
    [charge?.checkout_url, words.value.checkout],
    [payment.boletoPdfUrl, words.value.boleto],
    [payment.cardRedirectUrl, words.value.card],
  ] as const;
  return (
    <nav class="actions" aria-label={words.value.links}>
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

/** Customer, method and purpose in one line. */
function Line({ subject: { payment, expiresAt } }: { subject: Subject }) {
  const { customerName, paidAt, paidWith, paymentMethods, metadata, createdAt } = payment;
  const { description } = metadata;
  return (
    <Dotted
      of={[
        customerName,
        (paidWith === null ? paymentMethods : [paidWith]).map(codeName).join(", "),
        <>
          {paidAt === null ? words.value.created_at : words.value.paid_at} <Time at={paidAt ?? createdAt} />
        </>,
        expiresAt && (
          <>
            {words.value.expires_in} <Countdown to={expiresAt} />
          </>
        ),
        typeof description === "string" ? description : null,
      ]}
    />
  );
}

function factsOfCharge({ charge, payment }: Subject) {
  const { customerName, customerDocument: document, customerEmail } = payment;
  const customer = [customerName, document && formatTaxId(document), customerEmail].filter(Boolean).join(" · ");
  const idOf = (id: string | undefined) => (id === undefined ? null : <IdText id={id} />);
  const details = charge === null ? detailsIn("payment", payment) : detailsIn("charge", charge);
  return [
    ...factsOf(payment, [{ label: "customer_name", show: () => customer }, "paymentMethods"]),
    ...SINGLE_DETAILS.map((column) => [labelOf(column), details[column]] as const),
    ...factsOf(payment, [
      ...(payment.providerFee + payment.platformFee === 0
        ? []
        : (["providerFee", "platformFee", "netAmount"] as const)),
      { label: "end_to_end_id", show: () => idOf(charge?.settlement.end_to_end_id) },
      { label: "txid", show: () => idOf(charge?.pix?.txid) },
      "createdAt",
      "paidAt",
    ]),
  ];
}

function Side({ subject }: { subject: Subject }) {
  const { timeline, charge, payment, refunds } = subject;
  const asPayment = { title: words.value.as_payment, value: payment };
  const objects = charge === null ? [asPayment] : [{ title: words.value.as_charge, value: charge }, asPayment];
  return (
    <>
      <ChargeActions subject={subject} />
      <Section title={terms.value.details}>
        <Facts of={factsOfCharge(subject)} />
      </Section>
      {refunds.length === 0 ? null : (
        <Section title={actionWords.value.refunds}>
          <RefundsOf refunds={refunds} />
        </Section>
      )}
      <CaseFile timeline={timeline} head={payment} objects={objects} />
    </>
  );
}

/** The operation whose command shows the same as a tab. */
function commandOf(tab: string | undefined, id: string, rawId: string) {
  if (tab === "money") return { id: "sandbox.ledger.list", input: { query: { reference: id } } } as const;
  if (tab === "object") return { id: "payments.get", input: { params: { id: rawId } } } as const;
  if (tab === "pix" && id.startsWith(ID_PREFIX.charge))
    return { id: "charges.get", input: { params: { id } } } as const;
  return { id: "sandbox.timeline", input: { params: { id } } } as const;
}

/** Reads all of a charge or payment; missing parts are listed while its subject is null. */
function useSubject(id: string) {
  const rawId = id.replace(/^(ch|tx)_/, "");
  const on = ["transaction", "refund", "case", "clock"];
  const timeline = useTimeline(id).state.value;
  const payment = useCall("payments.get", { params: { id: rawId } }, { on }).state.value;
  const hasPix = payment.data?.paymentMethods.includes("PIX") ?? false;
  const charge = useCall("charges.get", { params: { id: ID_PREFIX.charge + rawId } }, { on, when: hasPix }).state.value;
  const refunds = useCall("payments.refunds", { params: { id: rawId } }, { on }).state.value.data ?? [];
  const why = useWhy(id, timeline.data).value;
  const missing = payment.data === null ? payment : timeline;
  // Shown together, so that nothing moves while parts arrive.
  const isRead = (!hasPix || isAnswered(charge)) && isAnswered(why);
  if (payment.data === null || timeline.data === null || !isRead) return { rawId, why, missing, subject: null };
  const subject: Subject = {
    id,
    rawId,
    refunds,
    payment: payment.data,
    timeline: timeline.data,
    charge: charge.data,
    isHeld: isHeld(timeline.data),
    expiresAt: expiryOf(timeline.data),
  };
  return { rawId, why, missing, subject };
}

/** One charge or payment: its data, the possible actions, and its whole timeline. */
export function ChargePage({ id }: { id: string }) {
  const { rawId, why, missing, subject } = useSubject(id);
  const { tab } = useLocation().query;
  const page = {
    id,
    above: { href: "/console/charges", title: menuWords.value.charges },
    command: commandOf(tab, id, rawId) as PageCommand,
  };
  if (subject === null) {
    return (
      <Page {...page} title={titleWithout(id, missing)}>
        <Show<unknown> of={missing}>{() => null}</Show>
      </Page>
    );
  }
  const { payment, timeline } = subject;
  const views = {
    timeline: () => <TimelineView timeline={timeline} told={why.data && deliveryIn(why.data)} />,
    object: () => <ObjectTab subject={subject} />,
    money: () => <MoneyTab timeline={timeline} />,
    pix: () => <PixTab subject={subject} />,
  };
  return (
    <Page
      {...page}
      title={formatMoney(payment.amount, payment.currency)}
      facts={<ChargeStatus of={payment} />}
      line={<Line subject={subject} />}
      cause={why.data && <Cause of={why.data} />}
      actions={
        <>
          <MerchantActions subject={subject} />
          <Links subject={subject} />
        </>
      }
      side={<Side subject={subject} />}
    >
      <Tabs names={words.value} of={views} />
    </Page>
  );
}
