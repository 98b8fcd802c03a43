import type { OperationAnswer } from "../../api/client/types.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { AnyObject } from "../../base/kernel/json.js";
import { isNameOf } from "../../base/kernel/names.js";
import { pick } from "../../base/kernel/pick.js";
import { t, Wording, type Words } from "../../base/kernel/wording.js";
import { ITEM_TEXTS } from "../../service/features/service-texts.js";
import { isSettled, TRANSACTION_STATUSES } from "../../service/features/transactions/machine.js";
import { type EventName, familyOf } from "../../service/features/webhooks/catalogue.js";
import { type SentenceCode, sentence } from "../../service/features/why-codes.js";
import { type Delivery, explainDelivery } from "./deliveries.js";
import { type Evidence, findingOf, type UnprovenFinding, type WhyFinding } from "./finding.js";

/** Explains the state of a charge or payment. Pure functions. */

/** An item of a timeline. */
type Move = OperationAnswer<"sandbox.timeline">["items"][number];

export interface PaymentFacts {
  /** The payment as `GET /v1/payments/{id}` answers it. */
  readonly payment: AnyObject;
  /** Its charge; null when it has none. */
  readonly charge: AnyObject | null;
  /** Its transitions, oldest first; null where the host is no emulator. */
  readonly moves: readonly Move[] | null;
  /** The same with the steps of its refunds. */
  readonly steps: readonly Move[] | null;
  /** Its refunds; empty for a payment that was not refunded in full. */
  readonly refunds: readonly AnyObject[];
  /** The deliveries that report it as paid; null where there were too many to search. */
  readonly deliveries: readonly Delivery[] | null;
}

/** True if a payment of any host is paid, and was neither refunded nor disputed. */
export const isPaid = (status: unknown) => TRANSACTION_STATUSES.some((known) => known === status && isSettled(known));

/** True if an event reports a change to any status. */
export const isChange = (event: EventName) => event.endsWith(".status_changed");

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

function evidenceOf({ payment, steps }: PaymentFacts): Evidence[] {
  // The sentence has the instant until which it can be paid, in the time zone of the reader.
  const textOf = ({ code, params, text: what }: Move): Words => {
    if (code === "transition.create") return new Wording("created[: {amount:money}]", params);
    // A newer emulator may have another code.
    return isNameOf(ITEM_TEXTS, code) ? new Wording(ITEM_TEXTS[code], params) : what;
  };
  if (steps !== null) return steps.map((move) => ({ at: move.at, text: textOf(move) }));
  const facts = [
    { at: text(payment.createdAt), text: t`created` },
    { at: text(payment.paidAt), text: t`was paid` },
    {
      at: text(pick(payment, "metadata.failure.at")),
      text: t`ended: ${String(pick(payment, "metadata.failure.reason"))}`,
    },
  ];
  return facts.flatMap(({ at, text: what }) => (at === null ? [] : [{ at, text: what }]));
}

const UNPAID = ["EXPIRED", "WAITING_PAYMENT", "PENDING"];

/** The cause for a payment that was not accepted: too late, or of another amount. */
function fromSentBack({ payment, moves }: PaymentFacts): UnprovenFinding | null {
  const back = moves?.findLast(({ data }) => data.move === "send_back");
  if (moves === null || back === undefined || !UNPAID.includes(String(payment.status))) return null;
  const params = { amount: back.data.amount, expected: payment.amount, currency: text(payment.currency) ?? "BRL" };
  const ended = moves.findIndex(({ data }) => data.to === "EXPIRED" && data.from !== "EXPIRED");
  if (ended !== -1 && moves.indexOf(back) > ended) return findingOf("late_payment", "late_payment", params);
  return params.amount === payment.amount ? null : findingOf("wrong_amount_paid", "wrong_amount_paid", params);
}

/** Returns for each endpoint and event whether one of its deliveries arrived. */
function byOutcome(deliveries: readonly Delivery[]): { readonly open: Delivery[]; readonly done: Delivery[] } {
  const newest = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    const key = `${delivery.url ?? delivery.endpointId} ${delivery.eventType}`;
    const known = newest.get(key);
    const isReported = known?.status === "DELIVERED";
    const isBetter = delivery.status === "DELIVERED" || known === undefined || delivery.createdAt > known.createdAt;
    if (!isReported && isBetter) newest.set(key, delivery);
  }
  const done = [...newest.values()].filter(({ status }) => status === "DELIVERED");
  const open = [...newest.values()].filter(({ status }) => status !== "DELIVERED");
  // A deleted endpoint needs no webhook, as long as another endpoint got one.
  return { done, open: done.length > 0 ? open.filter(({ status }) => status !== "CANCELLED") : open };
}

/** Canonical events before legacy ones, and both before those of any change of status. */
function rankOf({ eventType }: Delivery): number {
  if (isChange(eventType)) return 2;
  return familyOf(eventType) === "canonical" ? 0 : 1;
}

/** A refund may be older than an attempt. */
const byTime = (evidence: readonly Evidence[]) =>
  evidence.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** True if the shop got a webhook that reports the object as paid. */
export function explainDelivered(
  deliveries: readonly Delivery[] | null,
  isEmulator: boolean,
  before: readonly Evidence[],
): WhyFinding {
  if (deliveries === null) {
    return { ...findingOf("unknown", "paid_told_unknown", {}, ["webhooks", "deliveries"]), evidence: before };
  }
  if (deliveries.length === 0) {
    const list = ["webhooks", "endpoints", "list"];
    return { ...findingOf("paid_no_endpoint", "paid_told_nobody", {}, list), evidence: before };
  }
  const { done, open } = byOutcome(deliveries);
  // Events that say "paid" come before events of any changed status.
  const [first] = [...open].sort((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) {
    const evidence = done.map((one) => ({
      at: one.deliveredAt ?? one.updatedAt,
      text: t`${one.eventType} accepted (${one.id})`,
    }));
    return { ...findingOf("paid_and_told", "paid_told"), evidence: byTime([...before, ...evidence]) };
  }
  const why = explainDelivery({ delivery: first, isEmulator });
  return {
    code: "paid_not_delivered",
    sentences: [sentence("paid_not_told", { event: first.eventType, delivery: first.id }), ...why.sentences],
    evidence: byTime([...before, ...why.evidence]),
    command: ["why", first.id],
  };
}

/** The reasons of refunds that the service makes by itself, and their sentences. */
const RETURNS: Readonly<Record<string, SentenceCode>> = {
  payer_document_mismatch: "other_payer",
  review_rejected: "payer_rejected",
};

/** The sentence about a refund because of its payer; undefined for another refund. */
export const sentenceOfReturn = (reason: unknown): SentenceCode | undefined =>
  typeof reason === "string" && Object.hasOwn(RETURNS, reason) ? RETURNS[reason] : undefined;

/** The causes of states that nothing else decides. */
function byStatus({ payment, charge, moves, refunds }: PaymentFacts, id: string): UnprovenFinding {
  const isEmulator = moves !== null;
  const failureOf = (name: string) =>
    text(pick(payment, `metadata.failure.${name}`)) ?? text(pick(charge, `metadata.failure.${name}`));
  const reason = failureOf("reason");
  const last = moves?.findLast(
    ({ data }) => data.to !== undefined && data.to === payment.status && data.from !== data.to,
  );
  const until = text(payment.pixExpiresAt) ?? text(payment.boletoExpiresAt) ?? text(payment.mbExpiresAt);
  const simulate = (...words: string[]) => (isEmulator ? ["sandbox", ...words] : null);
  switch (String(payment.status)) {
    case "PENDING":
    case "WAITING_PAYMENT":
      return findingOf("waiting_for_payer", "waiting_for_payer", { until_at: until }, simulate("pay", id));
    case "PROCESSING":
      return last?.data.move === "challenge"
        ? findingOf("waiting_for_payer", "waiting_for_issuer")
        : findingOf("in_review", "in_review", {}, simulate("review", id, "--decision", "approve"));
    case "EXPIRED":
      return findingOf("expired");
    case "REFUSED":
      return findingOf("provider_refused", "provider_refused", {
        reason,
        provider_code: failureOf("providerErrorCode"),
      });
    case "CANCELLED":
      return findingOf("cancelled");
    case "REFUNDED": {
      const list = ["payments", "refunds", id];
      const sentBack = refunds.flatMap(({ reason: why }) => sentenceOfReturn(why) ?? []);
      if (sentBack[0] !== undefined) return findingOf("payer_refused", sentBack[0], {}, list);
      const isReturn = isEmulator
        ? last?.data.move === "return"
        : payment.paidAt === null && Boolean(pick(charge, "expected_payer_tax_id"));
      return isReturn ? findingOf("payer_refused") : findingOf("refunded", "refunded", {}, list);
    }
    case "DISPUTE":
    case "CHARGEBACK":
      return findingOf("disputed", "disputed", {}, [
        "med",
        "list",
        "--charge-id",
        id.replace(ID_PREFIX.transaction, ID_PREFIX.charge),
      ]);
    default:
      return findingOf("unknown", "status", { status: payment.status });
  }
}

/** `id` is the id for commands, with its prefix. */
export function explainPayment(facts: PaymentFacts, id: string): WhyFinding {
  const { payment, deliveries, moves } = facts;
  const evidence = evidenceOf(facts);
  if (isPaid(payment.status)) {
    return explainDelivered(deliveries, moves !== null, evidence);
  }
  const found = fromSentBack(facts) ?? byStatus(facts, id);
  const isBlind = moves === null && (found.code === "expired" || found.code === "waiting_for_payer");
  const sentences = isBlind ? [...found.sentences, sentence("payers_not_visible")] : found.sentences;
  return { ...found, sentences, evidence };
}
