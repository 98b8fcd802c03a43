/**
 * CPF (11 digits, a person) and CNPJ (14 characters, a company), the two Brazilian tax ids. The CNPJ may hold letters
 * in its first twelve places since July 2026 (Receita Federal, Instrução Normativa RFB 2.229/2024); numbers issued
 * before are unchanged and both kinds share one rule.
 */

/** A valid CPF for a simulated payer, taken from the examples of the Central Bank's API. */
export const SAMPLE_PAYER_CPF = "12345678909";

/** A valid CNPJ with letters for a simulated payer, the example of the Receita Federal. */
export const SAMPLE_PAYER_CNPJ = "12ABC34501DE35";

// A number must have all of its punctuation or none: a partly punctuated number is probably a typing error, and the
// developer should see it.
const CPF_FORM = String.raw`\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2}`;
const CNPJ_FORM = String.raw`[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}/[\dA-Z]{4}-\d{2}`;
const CPF_SHAPE = new RegExp(`^(?:${CPF_FORM})$`);
const CNPJ_SHAPE = new RegExp(`^(?:${CNPJ_FORM})$`);

/** The form of a CPF or CNPJ, bare or punctuated. A number of this form may still have wrong check digits. */
export const TAX_ID_PATTERN = `^(?:${CPF_FORM}|${CNPJ_FORM})$`;

const BARE_CPF_FORM = String.raw`\d{11}`;
const BARE_CNPJ_FORM = String.raw`[\dA-Z]{12}\d{2}`;
const BARE_CPF = new RegExp(`^${BARE_CPF_FORM}$`);
const BARE_CNPJ = new RegExp(`^${BARE_CNPJ_FORM}$`);

/** The form of a CPF or CNPJ without punctuation. */
export const BARE_TAX_ID_PATTERN = `^(?:${BARE_CPF_FORM}|${BARE_CNPJ_FORM})$`;
// One digit repeated has right check digits, but such numbers are never issued.
const ONE_DIGIT_REPEATED = /^(\d)\1+$/;

/**
 * A tax id in the form in which it is stored and compared: without dots, slash, hyphen or white space, letters in upper
 * case. Nothing is checked: a Portuguese NIF is accepted, too.
 */
export function normalizeTaxId(text: string): string {
  return text.replace(/[./\-\s]/g, "").toUpperCase();
}

/** True if `text` is a CPF with right check digits, bare (`52998224725`) or punctuated (`529.982.247-25`). */
export function isCpf(text: string): boolean {
  // From the right a CPF weighs 2, 3, 4 … with no end, so its cycle is longer than the number.
  return CPF_SHAPE.test(text) && hasCheckDigits(normalizeTaxId(text), 11);
}

/** True if `text` is a CNPJ with right check digits, bare (`12ABC34501DE35`) or punctuated. Its letters are capitals. */
export function isCnpj(text: string): boolean {
  // From the right a CNPJ weighs 2 to 9 and then starts over.
  return CNPJ_SHAPE.test(text) && hasCheckDigits(normalizeTaxId(text), 8);
}

export function isCpfOrCnpj(text: string): boolean {
  return isCpf(text) || isCnpj(text);
}

/** True if `text` is a CPF or CNPJ of 11 or 14 characters, without punctuation. */
export function isBareCpfOrCnpj(text: string): boolean {
  return (BARE_CPF.test(text) || BARE_CNPJ.test(text)) && isCpfOrCnpj(text);
}

/** A bare CPF or CNPJ with its usual dots, slash and hyphen, and any other text as it is. */
export function formatTaxId(text: string): string {
  if (BARE_CPF.test(text)) return text.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4");
  return BARE_CNPJ.test(text) ? text.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5") : text;
}

/**
 * A tax id as other persons than its owner may see it: `***.982.247-**` for a CPF, which is private, and
 * `12.ABC.345/01DE-35` for a CNPJ, which is public. A text that has the form of neither is hidden entirely. Check digits
 * are not checked.
 *
 * Source: BCB, Manual Operacional do DICT, on how a counterparty is displayed.
 */
export function maskTaxId(text: string): string {
  const bare = normalizeTaxId(text);
  if (BARE_CPF.test(bare)) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`;
  return BARE_CNPJ.test(bare) ? formatTaxId(bare) : "***";
}

/** True if the last two characters of a bare tax id are the right check digits. */
function hasCheckDigits(bare: string, cycle: number): boolean {
  const body = bare.length - 2;
  return (
    !ONE_DIGIT_REPEATED.test(bare) &&
    checkDigit(bare, body, cycle) === bare.charCodeAt(body) - ZERO &&
    checkDigit(bare, body + 1, cycle) === bare.charCodeAt(body + 1) - ZERO
  );
}

/** The bare tax id that begins with these 9 digits (a CPF) or these 12 characters (a CNPJ). */
export function withCheckDigits(body: string): string {
  const cycle = body.length === 9 ? 11 : 8;
  const first = body + checkDigit(body, body.length, cycle);
  return first + checkDigit(first, first.length, cycle);
}

const ZERO = 48;

/** Modulo-11 check digit of the first `length` characters; a letter counts as its ASCII code less 48 (A is 17). */
function checkDigit(bare: string, length: number, cycle: number): number {
  let sum = 0;
  for (let place = 0; place < length; place++) {
    sum += (bare.charCodeAt(length - 1 - place) - ZERO) * (2 + (place % cycle));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
