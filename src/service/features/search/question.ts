import { ID_PREFIX, UUID_FORM } from "../../../base/kernel/ids.js";
import { MAX_AMOUNT, parseAmount, readPrice } from "../../../base/kernel/money.js";
import { orderIn } from "../../../base/kernel/order-name.js";
import { trimPasted, unwrapId } from "../../../base/kernel/pasted-text.js";
import { formatTaxId, normalizeTaxId } from "../../../base/kernel/tax-id.js";
import { fold } from "../../../base/kernel/text-search.js";
import { readBrCode } from "../../../base/pix/br-code.js";
import { isEndToEndId } from "../../../base/pix/ids.js";
import { payloadId } from "../../../base/pix/pasted-code.js";

/** UUIDs or their beginnings, each with the prefix of its kind; the prefix is empty if there is none. */
type Ids = readonly { readonly prefix: string; readonly start: string }[];

const UUIDS = new RegExp(UUID_FORM, "gi");
/** A UUID or its beginning; less than eight digits would be the beginning of far too many. */
const UUID_START = /^[0-9a-f]{8}(?:-[0-9a-f]{0,4}){0,3}(?:(?<=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})-[0-9a-f]{0,12})?$/;
const PREFIXES: readonly string[] = [...Object.values(ID_PREFIX), "prv_"];

/** The ids in the address of a page or of a QR image. */
function idsInAddress(text: string): Ids {
  return [...new Set(text.match(UUIDS))].map((id) => ({ prefix: "", start: id.toLowerCase() }));
}

function idsOf(text: string): Ids {
  const payload = payloadId(text);
  if (payload !== null) return [{ prefix: "", start: payload }];
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
  // If trimming leaves nothing, the text is searched as it is: an empty one would be in every text.
  const text = trimPasted(given) || given;
  /** The text as an id or a code that may be in it. */
  const id = unwrapId(text);
  const txid = readBrCode(text)?.txid ?? id;
  const amount = parseAmount(text) ?? readPrice(text);
  const order = orderIn(text);
  return {
    ids: idsOf(id),
    endToEndId: isEndToEndId(id, "E") || isEndToEndId(id, "D") ? id : null,
    txid: /^[0-9A-Za-z]{1,35}$/.test(txid) && txid.length >= 26 ? txid : null,
    /** A tax id as it may be stored: without punctuation first. */
    documents: documentsOf(id),
    amount: amount !== null && amount > 0 && amount <= MAX_AMOUNT ? amount : null,
    /** The name of an order after a word such as `pedido`, or after `#`, folded. */
    order: order === null ? null : fold(order),
    text,
    /** All of these must be in one text, each anywhere. */
    words: fold(text).split(/\s+/),
  };
}
