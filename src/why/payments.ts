import { formatMoney } from "../kernel/money.js";
import { pick } from "../kernel/pick.js";
import { type Delivery, explainDelivery } from "./deliveries.js";
import type { Evidence, Finding } from "./finding.js";

/** Why a charge or payment is where it is. Pure functions. */

/** A move of the history, as a timeline tells it. */
export interface Move {
  readonly at: string;
  readonly text: string;
  readonly kind: string;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PaymentFacts {
  /** The payment as `GET /v1/payments/{id}` answers it. */
  readonly payment: Readonly<Record<string, unknown>>;
  /** Its charge; null when it has none. */
  readonly charge: Readonly<Record<string, unknown>> | null;
  /** Its transitions, oldest first; null where the host is no emulator. */
  readonly moves: readonly Move[] | null;
  /** The deliveries about its being paid; null where they were too many to look through. */
  readonly told: readonly Delivery[] | null;
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

function evidenceOf({ payment, moves }: PaymentFacts): Evidence[] {
  if (moves !== null) return moves.map(({ at, text: what }) => ({ at, text: what }));
  const facts = [
    { at: text(payment.createdAt), text: "created" },
    { at: text(payment.paidAt), text: "paid" },
    { at: text(pick(payment, "metadata.failure.at")), text: `ended: ${pick(payment, "metadata.failure.reason")}` },
  ];
  return facts.flatMap(({ at, text: what }) => (at === null ? [] : [{ at, text: what }]));
}

/** The last payment that came and went back while the charge was not paid. */
function sentBack(moves: readonly Move[] | null): Move | undefined {
  return moves?.findLast(({ data }) => data.move === "send_back");
}

const FORMS: Readonly<Record<string, true>> = { EXPIRED: true, WAITING_PAYMENT: true, PENDING: true };

/** A payment that came and was not taken: too late, or of another amount. */
function fromSentBack(facts: PaymentFacts, money: (amount: number) => string): Pick<Finding, "code" | "text"> | null {
  const { payment, moves } = facts;
  const back = sentBack(moves);
  if (back === undefined || FORMS[String(payment.status)] !== true) return null;
  const came = Number(back.data.amount);
  const ended = moves?.findIndex(({ data }) => data.to === "EXPIRED" && data.from !== "EXPIRED") ?? -1;
  if (ended !== -1 && (moves?.indexOf(back) ?? -1) > ended) {
    return {
      code: "late_payment",
      text: `${money(came)} came after the charge had expired, and went back to the payer.`,
    };
  }
  if (came === payment.amount) return null;
  const wanted = money(Number(payment.amount));
  return { code: "wrong_amount_paid", text: `${money(came)} came in place of ${wanted}, and went back to the payer.` };
}

/** The state in which each endpoint is about each event: told once one of its deliveries got through. */
function tellings(told: readonly Delivery[]): { readonly open: Delivery[]; readonly done: Delivery[] } {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of told) {
    const key = `${delivery.url ?? delivery.endpointId} ${delivery.eventType}`;
    groups.set(key, [...(groups.get(key) ?? []), delivery]);
  }
  const done: Delivery[] = [];
  const open: Delivery[] = [];
  for (const group of groups.values()) {
    const good = group.find(({ status }) => status === "DELIVERED");
    const newest = group.reduce((one, other) => (other.createdAt > one.createdAt ? other : one));
    if (good !== undefined) done.push(good);
    else open.push(newest);
  }
  // An endpoint that was deleted needs to be told nothing, as long as another one was.
  return { done, open: done.length > 0 ? open.filter(({ status }) => status !== "CANCELLED") : open };
}

/** Whether the shop was told that an object is paid. `noun` is what it is called in the sentence. */
export function explainTold(
  told: readonly Delivery[] | null,
  noun: string,
  isEmulator: boolean,
  before: readonly Evidence[],
): Finding {
  if (told === null) {
    const sentence = `${noun} is paid. Its deliveries are too far back to be looked through.`;
    return { code: "unknown", text: sentence, evidence: before, command: ["webhooks", "deliveries"] };
  }
  if (told.length === 0) {
    const sentence = `${noun} is paid, and no endpoint wanted to be told of it.`;
    return { code: "paid_no_endpoint", text: sentence, evidence: before, command: ["webhooks", "endpoints", "list"] };
  }
  const { done, open } = tellings(told);
  const [first] = open;
  if (first === undefined) {
    const evidence = done.map((one) => ({
      at: one.deliveredAt ?? one.updatedAt,
      text: `${one.eventType} accepted (${one.id})`,
    }));
    const sentence = `${noun} is paid, and every endpoint accepted the webhook.`;
    return { code: "paid_and_told", text: sentence, evidence: [...before, ...evidence], command: null };
  }
  const why = explainDelivery({ delivery: first, isEmulator });
  const sentence = `${noun} is paid, but ${first.eventType} was not delivered. ${why.text}`;
  return {
    code: "paid_not_delivered",
    text: sentence,
    evidence: [...before, ...why.evidence],
    command: ["why", first.id],
  };
}

/** The causes of states that nothing else decides. */
function byStatus(facts: PaymentFacts, id: string): Omit<Finding, "evidence"> {
  const { payment, charge, moves } = facts;
  const isEmulator = moves !== null;
  const reason = text(pick(payment, "metadata.failure.reason")) ?? text(pick(charge, "metadata.failure.reason"));
  const last = moves?.findLast(
    ({ data }) => data.to !== undefined && data.to === payment.status && data.from !== data.to,
  );
  const until = text(payment.pixExpiresAt) ?? text(payment.boletoExpiresAt) ?? text(payment.mbExpiresAt);
  const simulate = (...words: string[]) => (isEmulator ? ["sandbox", ...words] : null);
  switch (String(payment.status)) {
    case "PENDING":
    case "WAITING_PAYMENT":
      return {
        code: "waiting_for_payer",
        text: `Nobody has paid it yet.${until === null ? "" : ` It can be paid until ${until}.`}`,
        command: simulate("pay", id),
      };
    case "PROCESSING":
      return last?.data.move === "challenge"
        ? { code: "waiting_for_payer", text: "The card issuer asks the payer for authentication.", command: null }
        : {
            code: "in_review",
            text: "It was paid, but the bank did not report the payer, so the money is held for review.",
            command: simulate("review", id, "--decision", "approve"),
          };
    case "EXPIRED":
      return { code: "expired", text: "Its time was over before anybody paid.", command: null };
    case "REFUSED":
      return {
        code: "provider_refused",
        text: `The provider refused it${reason === null ? "" : `: ${reason}`}.`,
        command: null,
      };
    case "CANCELLED":
      return { code: "cancelled", text: "It was cancelled before it was paid.", command: null };
    case "REFUNDED": {
      const isReturn = isEmulator
        ? last?.data.move === "return"
        : payment.paidAt === null && Boolean(pick(charge, "expected_payer_tax_id"));
      return isReturn
        ? {
            code: "payer_refused",
            text: "Another payer than the expected one paid, or a review refused the payer, so the money went back.",
            command: null,
          }
        : { code: "refunded", text: "The whole amount was refunded.", command: ["payments", "refunds", id] };
    }
    case "DISPUTE":
    case "CHARGEBACK":
      return {
        code: "disputed",
        text: "The payer contests it, and the amount is held or lost.",
        command: ["med", "list", "--charge-id", id.replace("tx_", "ch_")],
      };
    default:
      return { code: "unknown", text: `Its status is ${payment.status}.`, command: null };
  }
}

/** `id` is the id for commands, with its prefix. */
export function explainPayment(facts: PaymentFacts, id: string): Finding {
  const { payment, told, moves } = facts;
  const evidence = evidenceOf(facts);
  if (payment.status === "PAID" || payment.status === "APPROVED") {
    return explainTold(told, "It", moves !== null, evidence);
  }
  const money = (amount: number) => formatMoney(amount, text(payment.currency) ?? "BRL");
  const back = fromSentBack(facts, money);
  if (back !== null) return { ...back, evidence, command: null };
  const found = byStatus(facts, id);
  const blind = moves === null ? " What payers tried is not visible here." : "";
  return {
    ...found,
    text: found.text + (found.code === "expired" || found.code === "waiting_for_payer" ? blind : ""),
    evidence,
  };
}
