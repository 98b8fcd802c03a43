import { ID_PREFIX, UUID_FORM } from "../../kernel/ids.js";
import { MAX_AMOUNT, parseAmount } from "../../kernel/money.js";
import { formatTaxId, normalizeTaxId } from "../../kernel/tax-id.js";
import { fold } from "../../kernel/text-search.js";
import { readBrCode } from "../../pix/br-code.js";
import { isEndToEndId } from "../../pix/ids.js";

/** UUIDs or their beginnings, each with the prefix of its kind; the prefix is empty where none is given. */
type Ids = readonly { readonly prefix: string; readonly start: string }[];

const UUIDS = new RegExp(UUID_FORM, "gi");
/** A UUID or its beginning; less than eight digits would be the beginning of far too many. */
const UUID_START = /^[0-9a-f]{8}(?:-[0-9a-f]{0,4}){0,3}(?:(?<=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})-[0-9a-f]{0,12})?$/;
const PAYLOAD = /\/qr\/v2\/([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?![0-9a-f])/i;
const PREFIXES: readonly string[] = [...Object.values(ID_PREFIX), "prv_"];

/** The ids in the address of a page, of a QR image or of a payload. */
function idsInAddress(text: string): Ids {
  const payload = PAYLOAD.exec(text)?.slice(1).join("-");
  const found = payload === undefined ? (text.match(UUIDS) ?? []) : [payload];
  return [...new Set(found)].map((id) => ({ prefix: "", start: id.toLowerCase() }));
}

function idsOf(text: string): Ids {
  if (/^https?:\/\//i.test(text)) return idsInAddress(text);
  const prefix = PREFIXES.find((one) => text.toLowerCase().startsWith(one)) ?? "";
  const start = text.slice(prefix.length).toLowerCase();
  return UUID_START.test(start) ? [{ prefix, start }] : [];
}

function documentsOf(text: string): string[] {
  const bare = normalizeTaxId(text);
  // Nine digits are a Portuguese NIF.
  if (!/^(?:\d{9}|\d{11}|[\dA-Z]{12}\d{2})$/.test(bare)) return [];
  return [...new Set([bare, formatTaxId(bare), text])];
}

export type Question = ReturnType<typeof readQuestion>;

/** The meanings of a text that is not blank. It may have several: `52998224725` is a document and an amount. */
export function readQuestion(given: string) {
  const text = given.trim();
  const code = readBrCode(text);
  const txid = code?.txid ?? text;
  const amount = parseAmount(text);
  return {
    ids: code === null ? idsOf(text) : idsInAddress(code.payloadUrl ?? ""),
    endToEndId: isEndToEndId(text, "E") || isEndToEndId(text, "D") ? text : null,
    txid: /^[0-9A-Za-z]{1,35}$/.test(txid) && txid.length >= 26 ? txid : null,
    /** A tax id as it may be stored: without punctuation first. */
    documents: documentsOf(text),
    amount: amount !== null && amount > 0 && amount <= MAX_AMOUNT ? amount : null,
    text,
    /** All of these must be in one text, each anywhere. */
    words: fold(text).split(/\s+/),
  };
}
