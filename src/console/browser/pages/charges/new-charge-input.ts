import { parseAmount } from "../../../../kernel/money.js";
import type { AnyInput } from "../../api/input.js";

/** The request of the form for a new charge, from the texts of its fields. Pure. */

export type Texts = Readonly<Record<string, string>>;

function textOf(texts: Texts, name: string): string | undefined {
  const text = (texts[name] ?? "").trim();
  return text === "" ? undefined : text;
}

function numberOf(texts: Texts, name: string): number | undefined {
  const text = textOf(texts, name);
  return text === undefined ? undefined : Number(text);
}

function amountOf(texts: Texts, name: string): number | undefined {
  return parseAmount(textOf(texts, name) ?? "") ?? undefined;
}

/** An object without the members that are undefined; undefined when none is left. */
function filled(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function metadataOf(texts: Texts): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(textOf(texts, "metadata") ?? "{}");
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    // The form does not send a text that is no JSON. The command strip shows the form while it is written.
    return {};
  }
}

/** `metadata._sandbox`: what is to happen by itself. */
function scriptOf(texts: Texts): Readonly<Record<string, unknown>> | undefined {
  const document = textOf(texts, "payer_document");
  return filled({
    pay_after: numberOf(texts, "pay_after"),
    amount: amountOf(texts, "pay_amount"),
    payer_document: document === "null" ? null : document,
    payer_name: textOf(texts, "payer_name"),
    med_after: numberOf(texts, "med_after"),
    fail: textOf(texts, "fail"),
  });
}

export function newChargeInput(texts: Texts): AnyInput {
  const customer = filled({ name: textOf(texts, "name"), document: textOf(texts, "document") });
  const metadata = filled({ ...metadataOf(texts), _sandbox: scriptOf(texts) });
  const body = filled({
    amount: amountOf(texts, "amount"),
    payment_method: "pix",
    description: textOf(texts, "description"),
    expires_in: numberOf(texts, "expires_in"),
    customer,
    expected_payer_tax_id: textOf(texts, "expected"),
    metadata,
  });
  return { body: body ?? {} };
}

/** An instant that a list takes as a bound: a date is its first or its last moment in the zone of the reader. */
export function bound(text: string | undefined, edge: "first" | "last"): string | undefined {
  const trimmed = text?.trim() ?? "";
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed) ?? [];
  if (day === undefined) return trimmed === "" ? undefined : trimmed;
  const first = new Date(Number(year), Number(month) - 1, Number(day));
  if (edge === "first") return first.toISOString();
  return new Date(new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime() - 1).toISOString();
}
