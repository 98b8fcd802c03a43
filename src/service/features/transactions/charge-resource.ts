import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { parseObject } from "../../../base/kernel/json.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { IsoInstant, Metadata } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { brCode } from "../../../base/pix/br-code.js";
import type { AccountRow } from "../access/store.js";
import type { Reader } from "../tx.js";
import { CHARGE_METHODS, chargeMethod, defaultMethod, methodExpiry } from "./catalogue.js";
import { answeredIn, presentTexts } from "./details.js";
import { CHARGE_STATUSES, PUBLIC_STATUS } from "./machine.js";
import { isOffered } from "./rules.js";
import type { NewTransaction } from "./store.js";

/** The merchant's texts, by their place in the charge. */
const CUSTOMER = answeredIn("charge", "customer");
const OTHERS = answeredIn("charge", "");

/**
 * The public charge (docs/service/charges.md#the-charge). It is built field by field, so that no other column can leak.
 * The payer's full document, fees and provider data are left out.
 */
export const Charge = z
  .object({
    id: z.string().regex(/^ch_/),
    object: z.literal("charge"),
    amount: z.int(),
    currency: z.string(),
    status: z.enum(CHARGE_STATUSES),
    payment_method: z.enum(CHARGE_METHODS),
    customer: z.object(byName(namesOf(CUSTOMER), () => z.string().optional())),
    pix: z
      .object({
        br_code: z.string().optional(),
        qr_code_url: z.string().optional(),
        qr_code_base64: z.string().optional().meta({ contentMediaType: "image/png", contentEncoding: "base64" }),
        expires_at: IsoInstant,
        txid: z.string().optional(),
      })
      .optional(),
    checkout_url: z.string(),
    settlement: z.object({ end_to_end_id: z.string().optional() }),
    metadata: Metadata,
    ...byName(namesOf(OTHERS), () => z.string().optional()),
    created_at: IsoInstant,
  })
  .meta({ id: "Charge" });

/** The host of the payload address in a BR Code. Strict decoders refuse a port, a scheme and `localhost`. */
const PAYLOAD_HOST = "pix.qa-pay.test";

/** Returns the 32 hex digits in the address of a charge's Pix payload. */
function payloadLocation(transactionId: string): string {
  return transactionId.replaceAll("-", "");
}

export function brCodeOf(row: NewTransaction, account: AccountRow): string {
  return brCode({
    payloadUrl: `${PAYLOAD_HOST}/qr/v2/${payloadLocation(row.id)}`,
    amount: row.amount,
    merchantName: account.name,
    merchantCity: account.city,
  });
}

/** The id that the provider has bound to the Pix of a charge; empty when it binds none. */
function boundTxid({ script, txid }: NewTransaction): { txid?: string } {
  return script !== null && parseObject(script).txid === false ? {} : { txid };
}

function pixBlock(reader: Reader, row: NewTransaction): NonNullable<z.input<typeof Charge>["pix"]> {
  const expires_at = iso(methodExpiry(row, "PIX"));
  const account = row.provider_reference === null ? null : reader.accounts.byBook(row.book_id);
  if (account === null) return { expires_at };
  const code = brCodeOf(row, account);
  const image =
    reader.settings.qr === "base64"
      ? { qr_code_base64: reader.qrBase64(code) }
      : { qr_code_url: `${reader.origin}/qr/${row.id}.png` };
  return { br_code: code, ...image, expires_at, ...boundTxid(row) };
}

/** Returns the request's metadata with the informative blocks of the service (docs/service/charges.md#metadata). */
export function metadataOf(row: NewTransaction): Record<string, unknown> {
  const metadata: Record<string, unknown> = row.metadata === "{}" ? {} : parseObject(row.metadata);
  if (row.failure !== null) metadata.failure = parseObject(row.failure);
  if (row.med !== null) metadata.med = parseObject(row.med);
  return metadata;
}

const customerOf = presentTexts(CUSTOMER);
const othersOf = presentTexts(OTHERS);

export function toCharge(reader: Reader, row: NewTransaction): z.input<typeof Charge> {
  return {
    id: ID_PREFIX.charge + row.id,
    object: "charge",
    amount: row.amount,
    currency: row.currency,
    status: PUBLIC_STATUS[row.status],
    payment_method: chargeMethod(row.paid_with ?? defaultMethod(row)),
    customer: customerOf(row),
    ...(isOffered(row, "PIX", reader.now) ? { pix: pixBlock(reader, row) } : {}),
    checkout_url: `${reader.origin}/checkout/${row.id}?k=${row.checkout_token}`,
    settlement: row.end_to_end_id === null ? {} : { end_to_end_id: row.end_to_end_id },
    metadata: metadataOf(row),
    ...othersOf(row),
    created_at: iso(row.created_at),
  };
}
