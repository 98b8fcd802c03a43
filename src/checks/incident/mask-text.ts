import { isCnpj, isCpf } from "../../base/kernel/tax-id.js";
import { changeBrCode } from "../../base/pix/br-code.js";
import { pixKeyType } from "../../base/pix/keys.js";
import type { KnownValues, ValuePattern } from "./known-values.js";

/** Masks personal data in one text: known values, and anything with the form of a document, an address or a phone number. */

const CPF = String.raw`\d{3}\.?\d{3}\.?\d{3}-?\d{2}`;
const CNPJ = String.raw`[\dA-Z]{12}\d{2}|[\dA-Za-z]{2}\.[\dA-Za-z]{3}\.[\dA-Za-z]{3}\/[\dA-Za-z]{4}-\d{2}`;
const DOCUMENT = `(?<![0-9A-Za-z])(?:${CPF}|${CNPJ})(?![0-9A-Za-z])`;
const EMAIL = String.raw`[\w.!#$%&'*+\/=?^{|}~-]{1,64}(?:@|%40)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,9}[A-Za-z]{2,24}`;
/** With or without the country and the usual signs; a number abroad begins with a plus. */
const PHONE =
  String.raw`(?<![0-9A-Za-z.-])(?:(?:\+?55[\s.-]?)?(?:\([1-9]{2}\)|[1-9]{2})[\s.-]?(?:9\d{4}|[2-5]\d{3})[\s.-]?\d{4}` +
  String.raw`|\+[1-9]\d{7,14})(?![0-9A-Za-z])`;
const MOBILE = /^[1-9]{2}9\d{8}$/;
const IMAGE = /(?:data:image\/[\w.+-]{1,20};base64,[A-Za-z0-9+/=]{0,9999999}|iVBORw0KGgo[A-Za-z0-9+/=]{0,9999999})/g;

export type TextMask = ReturnType<typeof textMask>;

/** `isFree`: a text by people, in which a word of a name always means that name. */
export function textMask(values: KnownValues) {
  const { make } = values;
  /** Eleven digits are a CPF, or a phone with its area. */
  function documentOrPhone(found: string): string {
    if (isCpf(found) || isCnpj(found.toUpperCase())) return make.document(found);
    return MOBILE.test(found) ? make.phone(found) : found;
  }
  const findings: readonly ValuePattern[] = [
    ...values.findings(),
    { pattern: EMAIL, replace: make.email },
    { pattern: DOCUMENT, replace: documentOrPhone },
    { pattern: PHONE, replace: make.phone },
  ];
  const everywhere = searchFor(findings.filter(({ inFreeTextOnly }) => inFreeTextOnly !== true));
  const inFreeText = searchFor(findings);

  function brCode(id: string, value: string): string {
    if (id === "59") return values.inCode("merchant", value);
    if (id === "60") return values.inCode("city", value);
    // The key of a static code, and its message to the payer.
    if (id === "26-01") return pixKeyType(value) === null ? value : values.replacementOf("key", value);
    return id === "26-02" ? inFreeText(value) : value;
  }

  /** Returns the text with new BR Codes, and the rest of it changed by `replaced`. */
  function aroundCodes(text: string, replaced: (part: string) => string): string {
    let left = text;
    let masked = "";
    for (let from = 0; ; ) {
      const at = left.indexOf("000201", from);
      if (at === -1) return masked + replaced(left);
      const found = changeBrCode(left.slice(at), brCode);
      from = at + 1;
      if (found === null) continue;
      masked += replaced(left.slice(0, at)) + found.code;
      left = left.slice(at + found.length);
      from = 0;
    }
  }

  return (text: string, isFree: boolean): string =>
    aroundCodes(text.replace(IMAGE, ""), isFree ? inFreeText : everywhere);
}

/** One search for all patterns, so that a replacement is not searched again. */
function searchFor(findings: readonly ValuePattern[]): (text: string) => string {
  const pattern = new RegExp(findings.map((one) => `(${one.pattern})`).join("|"), "giu");
  return (text) =>
    text.replace(pattern, (found: string, ...groups: unknown[]) => {
      const at = groups.slice(0, findings.length).findIndex((group) => group !== undefined);
      return findings[at]?.replace(found) ?? found;
    });
}
