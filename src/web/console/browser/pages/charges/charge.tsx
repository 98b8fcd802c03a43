import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { fill } from "../../../../../base/kernel/message.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { reasonOf } from "../../../../../base/kernel/reason.js";
import { formatTaxId } from "../../../../../base/kernel/tax-id.js";
import { detailsIn, SINGLE_DETAILS } from "../../../../../service/features/transactions/details.js";
import { isWaiting } from "../../../../../service/features/transactions/machine.js";
import { call } from "../../api/call.js";
import { isSettled as isAnswered, useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { CauseText, useWhy } from "../../parts/cause.js";
import { codeName } from "../../parts/codes.js";
import { Icon } from "../../parts/icon.js";
import { Dotted } from "../../parts/items.js";
import type { MenuItem } from "../../parts/menu.js";
import { MoreActions } from "../../parts/more-actions.js";
import { Facts, Page, Section, Show, Tabs, titleWithout } from "../../parts/page.js";
import { IdText, Time } from "../../parts/values.js";
import { factsOf, labelOf } from "../../resource/known-fields.js";
import type { PageCommand } from "../../resource/object-page.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { AlarmBox } from "../../timeline/alarm.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { PayLine } from "../../timeline/line.js";
import { statusIn } from "../../timeline/model.js";
import { TimelineView, useTimeline } from "../../timeline/timeline.js";
import { download } from "../../words/download.js";
import type { WhyAnswer } from "../../words/service-texts.js";
import { ChargeActions, merchantMoves, payMove } from "./actions.js";
import { MoneyTab, ObjectTab } from "./object.js";
import { PixTab } from "./pix.js";
import { RefundsOf } from "./refund-steps.js";
import { ChargeStatus } from "./status.js";
import { isHeld, type Subject } from "./subject.js";

const actionWords = texts("charges_action");
const words = texts("charges_page");

/** Downloads the receipt of a settled payment. */
async function saveReceipt(id: string): Promise<void> {
  try {
    const { base64, contentType } = await call("payments.receipt", { params: { id } });
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    download(`receipt-${id}.pdf`, contentType, bytes);
  } catch (thrown) {
    notify(reasonOf(thrown));
  }
}

/** The buttons in the head: what the merchant can do, the payer's page, and all else behind one button. */
function HeadActions({ subject }: { subject: Subject }) {
  const { charge, payment, rawId } = subject;
  const { main, more } = merchantMoves(subject);
  const link = (key: "boleto" | "card", href: string | null) =>
    href === null ? [] : [{ key, label: words.value[key], icon: "external-link" as const, href, isElsewhere: true }];
  const also: MenuItem[] = [
    ...(payment.paidAt === null
      ? []
      : [
          { key: "receipt", label: words.value.receipt, icon: "download" as const, run: () => void saveReceipt(rawId) },
        ]),
    ...link("boleto", payment.boletoPdfUrl),
    ...link("card", payment.cardRedirectUrl),
  ];
  return (
    <Actions>
      {main}
      {charge?.checkout_url === undefined ? null : (
        <a class="button" href={charge.checkout_url} target="_blank" rel="noreferrer">
          {words.value.checkout} <Icon name="external-link" />
        </a>
      )}
      {more.length + also.length === 0 ? null : <MoreActions key="more" label="" of={more} also={also} />}
    </Actions>
  );
}

/** Customer, method and purpose in one line. */
function Line({ subject: { payment } }: { subject: Subject }) {
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
        typeof description === "string" ? description : null,
      ]}
    />
  );
}

/** Fees that are not zero, and then what is left. */
function feesOf(payment: Subject["payment"]) {
  const fees = (["providerFee", "platformFee"] as const).filter((name) => payment[name] !== 0);
  return fees.length === 0 ? [] : [...fees, "netAmount" as const];
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
      ...(payment.providerFee + payment.platformFee === 0 ? [] : feesOf(payment)),
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

/** The states that the line does not explain by itself. */
const EXPLAINED: readonly string[] = [
  "provider_refused",
  "in_review",
  "payer_refused",
  "late_payment",
  "wrong_amount_paid",
];

/** What the alarm box says already, or says better. */
const IN_ALARM: readonly string[] = ["paid_not_told", "next_attempt", "last_attempt"];

/** The amount of a dispute, and whether it is held or lost; nothing without a dispute. */
function Dispute({ timeline: { items } }: Subject) {
  const status = statusIn(items, "med_case");
  const opened = items.findLast(({ kind, data }) => kind === "med_case" && data.move === "create");
  if (status === null || opened === undefined) return null;
  const { amount = 0, currency = "BRL" } = opened.params;
  const state = status === "open" || status === "appealed" ? "disputed" : "dispute_lost";
  return <p class="cause">{fill(words.value[state], { amount, currency })}</p>;
}

/** What happened in one line of stations, the alarm if there is one, and a sentence where these are not enough. */
function Summary({ subject, why }: { subject: Subject; why: WhyAnswer | null }) {
  const { timeline, payment } = subject;
  const told = why?.code === "paid_not_delivered" ? why.sentences.filter(({ code }) => !IN_ALARM.includes(code)) : [];
  return (
    <>
      <PayLine timeline={timeline} />
      {why !== null && EXPLAINED.includes(why.code) ? (
        <p class="cause">
          <CauseText of={why} />
        </p>
      ) : null}
      {payment.status === "DISPUTE" || payment.status === "CHARGEBACK" ? <Dispute {...subject} /> : null}
      <AlarmBox
        timeline={timeline}
        {...(why === null || told.length === 0 ? {} : { reason: <CauseText of={{ ...why, sentences: told }} /> })}
      />
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

const withoutPrefix = (id: string) => id.replace(/^(ch|tx)_/, "");

/** Reads all of a charge or payment; missing parts are listed while its subject is null. */
function useSubject(id: string) {
  const rawId = withoutPrefix(id);
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
  };
  return { rawId, why, missing, subject };
}

/** A charge has one address, whichever form of its id leads to it. */
function useOneAddress(given: string, id: string): void {
  const { path, query, route } = useLocation();
  useLayoutEffect(() => {
    if (given === id) return;
    const search = new URLSearchParams(query).toString();
    route(path.replace(given, id) + (search === "" ? "" : `?${search}`), true);
  }, [given, id]);
}

/** One charge or payment: its data, the possible actions, and its whole timeline. */
export function ChargePage({ id: given }: { id: string }) {
  const id = ID_PREFIX.charge + withoutPrefix(given);
  useOneAddress(given, id);
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
    timeline: () => <TimelineView timeline={timeline} isSummedUp={true} />,
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
      cause={<Summary subject={subject} why={why.data} />}
      actions={<HeadActions subject={subject} />}
      side={<Side subject={subject} />}
    >
      <Tabs names={words.value} of={views} />
      {isWaiting(payment.status) ? (
        <div class="pay-bar">
          <Actions>{payMove(subject)}</Actions>
        </div>
      ) : null}
    </Page>
  );
}
