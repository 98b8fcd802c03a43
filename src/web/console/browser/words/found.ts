import type { OperationAnswer } from "../../../../api/client/types.js";
import { capitalize } from "../../../../base/kernel/capitalize.js";
import { fill, type Params } from "../../../../base/kernel/message.js";
import { formatMoney } from "../../../../base/kernel/money.js";
import { FOUND_TEXTS } from "../../../../service/features/service-texts.js";
import { type Language, serviceTextsIn } from "../texts/index.js";
import { dayAndMonth } from "./time.js";

/** A result of the search as a line: what it is, its state, who it is about, and its day. Pure functions. */

export type Found = OperationAnswer<"sandbox.search">["data"][number];

export interface FoundLine {
  readonly text: string;
  /** The code of its state; null without one. */
  readonly status: string | null;
  readonly rest: readonly string[];
}

/** The states of charges as `/v1/charges` names them, by the code whose name the console shows. */
const STATES: Readonly<Record<string, string>> = {
  pending: "WAITING_PAYMENT",
  processing: "PROCESSING",
  paid: "PAID",
  failed: "REFUSED",
  cancelled: "CANCELLED",
  expired: "EXPIRED",
  refunded: "REFUNDED",
  disputed: "DISPUTE",
};

const CHARGES: readonly string[] = ["charge", "payment"];
const WITH_STATE: readonly string[] = [...CHARGES, "refund", "payout", "med_case"];

/** The instant at which an object was created: ids are UUIDs of version 7, which begin with it. */
export function createdAt(id: string): number | null {
  const [, high, low] = /^(?:[a-z]+_)?([\da-f]{8})-([\da-f]{4})-7/.exec(id) ?? [];
  return high === undefined ? null : Number.parseInt(`${high}${low}`, 16);
}

type Part = Found["parts"][number];

const textOf = ({ code, params }: Part, language: Language) =>
  fill((serviceTextsIn(language)?.found ?? FOUND_TEXTS)[code], params);

/** A person is named alone; any other reason for the match says what it is. */
const reasonText = (part: Part, language: Language) =>
  part.code === "payer" || part.code === "customer" ? String(part.params.text) : textOf(part, language);

const money = ({ amount, currency }: Params) => formatMoney(Number(amount), String(currency));

export function foundLine({ kind, id, parts }: Found, language: Language): FoundLine {
  const [first, ...others] = parts;
  const [second, ...behind] = others;
  const hasState = WITH_STATE.includes(kind) && second?.code === "value";
  const state = hasState ? String(second.params.value) : null;
  const at = createdAt(id);
  const title = first === undefined ? id : textOf(first, language);
  return {
    text: first !== undefined && CHARGES.includes(kind) ? money(first.params) : capitalize(title),
    status: state !== null && CHARGES.includes(kind) ? (STATES[state] ?? state) : state,
    rest: [
      ...(hasState ? behind : others).map((part) => reasonText(part, language)),
      ...(at === null ? [] : [dayAndMonth(at, language)]),
    ],
  };
}
