import { parseAmount } from "../../../../kernel/money.js";
import type { AnyInput } from "../../api/input.js";

/** The requests of the actions on a charge, from the texts of their forms. Pure. */

type Texts = Readonly<Record<string, string>>;

const text = (texts: Texts, name: string): string | undefined => {
  const found = (texts[name] ?? "").trim();
  return found === "" ? undefined : found;
};

function body(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const amountIn = (texts: Texts) => parseAmount(text(texts, "amount") ?? "") ?? undefined;

export function payInput(id: string, texts: Texts): AnyInput {
  const document: Readonly<Record<string, string | null | undefined>> = {
    none: null,
    other: text(texts, "payer_document"),
  };
  const reported = document[texts.payer_kind ?? ""];
  return {
    params: { id },
    body: body({
      amount: amountIn(texts),
      payer_name: text(texts, "payer_name"),
      payer_document: reported,
      method: text(texts, "method"),
    }),
  };
}

export function failInput(id: string, texts: Texts): AnyInput {
  return { params: { id }, body: body({ reason: text(texts, "reason"), provider_error_code: text(texts, "code") }) };
}

export function refundInput(id: string, texts: Texts): AnyInput {
  return {
    params: { id },
    body: body({
      amount: amountIn(texts),
      reason: text(texts, "reason"),
      strategy: text(texts, "strategy"),
      passFeeToTenant: texts.pass_fee === "true" ? true : undefined,
      destinationKey: text(texts, "destination"),
    }),
  };
}

export function openCaseInput(id: string, texts: Texts): AnyInput {
  return {
    body: body({
      charge_id: id,
      type: text(texts, "type"),
      method: text(texts, "method"),
      amount: amountIn(texts),
      reason: text(texts, "reason"),
      response_deadline: text(texts, "deadline"),
    }),
  };
}
