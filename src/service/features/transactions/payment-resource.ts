import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { decimalsOf } from "../../../base/kernel/money.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { IsoInstant, Metadata } from "../../../base/kernel/schemas.js";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import { boletoBarcode, digitableLine, freeFieldOf } from "../../../base/methods/boleto.js";
import { type CryptoNetwork, cryptoAddress } from "../../../base/methods/crypto-address.js";
import { MULTIBANCO_ENTITY, multibancoReference, sevenDigitsOf } from "../../../base/methods/multibanco.js";
import type { Reader } from "../tx.js";
import { hasMethod, METHOD_NAMES, methodExpiry, methodsOf, type PaymentMethod } from "./catalogue.js";
import { brCodeOf, metadataOf } from "./charge-resource.js";
import { answeredIn, nullableTexts } from "./details.js";
import { TRANSACTION_STATUSES } from "./machine.js";
import { showsCodes } from "./rules.js";
import type { NewTransaction } from "./store.js";

/** The payment in answers (docs/service/payments.md#the-payment), field by field, so that no other column can leak. */

export const MethodName = z.enum(METHOD_NAMES).meta({ id: "PaymentMethod" });

/** The merchant's texts. */
const TEXTS = answeredIn("payment", "");
const textsOf = nullableTexts(TEXTS);

const created = {
  id: z.string().describe("Raw id on create and read, tx_… in lists"),
  status: z.enum(TRANSACTION_STATUSES),
  amount: z.int(),
  currency: z.string(),
  paymentMethods: z.array(MethodName),
  ...byName(namesOf(TEXTS), () => z.string().nullable()),
  metadata: Metadata,
  createdAt: IsoInstant,
};

export const CreatedPayment = z.object(created).meta({ id: "CreatedPayment" });

const text = z.string().nullable();
const time = IsoInstant.nullable();

/**
 * The fields of a method are null unless the request named the method and the acquirer has issued it. Codes and links
 * become null when another method has paid, or when the method expires before the payment does.
 */
const methodFields = {
  pixQrCode: text.meta({ description: "PNG image as a data URI", contentMediaType: "image/png" }),
  pixCopyPaste: text,
  pixExpiresAt: time,
  cardRedirectUrl: text,
  mbEntity: text,
  mbReference: text,
  mbExpiresAt: time,
  boletoBarcode: text,
  boletoLine: text,
  boletoPdfUrl: text,
  boletoExpiresAt: time,
  cryptoAddress: text,
  cryptoAmount: z.number().nullable().describe("In whole units of the currency"),
  cryptoNetwork: text,
  cryptoCurrency: text,
};

export const PaymentShape = z
  .object({
    ...created,
    paidWith: MethodName.nullable(),
    ...methodFields,
    providerFee: z.int(),
    platformFee: z.int(),
    netAmount: z.int().describe("amount - providerFee - platformFee"),
    paidAt: time,
  })
  .meta({ id: "Payment" });

export function toCreatedPayment(row: NewTransaction): z.input<typeof CreatedPayment> {
  return {
    id: row.id,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    paymentMethods: methodsOf(row),
    ...textsOf(row),
    metadata: metadataOf(row),
    createdAt: iso(row.created_at),
  };
}

type MethodFields = { -readonly [Name in keyof typeof methodFields]: z.input<(typeof methodFields)[Name]> };

const NONE: MethodFields = byName(namesOf(methodFields), () => null);

const NETWORKS: Readonly<Record<string, CryptoNetwork>> = { USDT: "TRC20", USDC: "ERC20", BTC: "BITCOIN" };

/** Returns the address of a page of a transaction on this server. Its token opens the page. */
function pageOf(reader: Reader, row: NewTransaction, page: string): string {
  return `${reader.origin}/${page}?k=${row.checkout_token}`;
}

/** Returns the 44 digits of a transaction's boleto, which is due on the day on which the transaction expires. */
export function barcodeOf(row: NewTransaction): string {
  const dueAt = methodExpiry(row, "BOLETO");
  return boletoBarcode({ bank: "999", dueAt, amount: row.amount, freeField: freeFieldOf(row.id) });
}

/** Returns entity and reference, which the payer types at a cash machine. */
export function multibancoOf(row: NewTransaction): { mbEntity: string; mbReference: string } {
  const reference = multibancoReference(MULTIBANCO_ENTITY, sevenDigitsOf(row.id), row.amount);
  return { mbEntity: MULTIBANCO_ENTITY, mbReference: reference };
}

/** Returns the deadline of a payment for each method that shows one. */
const ENDS: Readonly<Partial<Record<PaymentMethod, (row: NewTransaction) => Partial<MethodFields>>>> = {
  PIX: (row) => ({ pixExpiresAt: iso(methodExpiry(row, "PIX")) }),
  MULTIBANCO: (row) => ({ mbExpiresAt: iso(methodExpiry(row, "MULTIBANCO")) }),
  BOLETO: (row) => ({ boletoExpiresAt: iso(methodExpiry(row, "BOLETO")) }),
};

/** Returns the data that a payer needs for a method: see `showsCodes`. */
const CODES: Readonly<Record<PaymentMethod, (reader: Reader, row: NewTransaction) => Partial<MethodFields>>> = {
  PIX(reader, row) {
    const account = reader.accounts.byBook(row.book_id);
    if (account === null) return {};
    const code = brCodeOf(row, account);
    return { pixQrCode: `data:image/png;base64,${reader.qrBase64(code)}`, pixCopyPaste: code };
  },
  CREDIT_CARD: (reader, row) => ({ cardRedirectUrl: pageOf(reader, row, `card/${row.id}`) }),
  // MB WAY contacts the payer on the phone, so there is nothing to show.
  MBWAY: () => ({}),
  MULTIBANCO: (_reader, row) => multibancoOf(row),
  BOLETO(reader, row) {
    const barcode = barcodeOf(row);
    return {
      boletoBarcode: barcode,
      boletoLine: digitableLine(barcode),
      boletoPdfUrl: pageOf(reader, row, `boleto/${row.id}.pdf`),
    };
  },
  CRYPTO(_reader, row) {
    const network = NETWORKS[row.currency] ?? "ERC20";
    return {
      cryptoAddress: cryptoAddress(network, row.id),
      cryptoAmount: row.amount / 10 ** decimalsOf(row.currency),
      cryptoNetwork: network,
      cryptoCurrency: row.currency,
    };
  },
};

export function codesOf(reader: Reader, row: NewTransaction, method: PaymentMethod): Partial<MethodFields> {
  return showsCodes(row, method, reader.now) ? CODES[method](reader, row) : {};
}

export function toPayment(reader: Reader, row: NewTransaction): z.input<typeof PaymentShape> {
  const issued = row.provider_reference === null ? [] : METHOD_NAMES.filter((method) => hasMethod(row, method));
  // The members are added to the new object: V8 takes three times as long for a copy with so many more.
  return Object.assign(toCreatedPayment(row), {
    paidWith: row.paid_at === null ? null : row.paid_with,
    ...NONE,
    ...Object.assign({}, ...issued.map((method) => ({ ...ENDS[method]?.(row), ...codesOf(reader, row, method) }))),
    providerFee: row.provider_fee,
    platformFee: row.platform_fee,
    netAmount: row.amount - row.provider_fee - row.platform_fee,
    paidAt: isoOrNull(row.paid_at),
  });
}

/** Returns the same payment under the id that lists and webhooks use. */
export function toListedPayment(reader: Reader, row: NewTransaction): z.input<typeof PaymentShape> {
  return { ...toPayment(reader, row), id: ID_PREFIX.transaction + row.id };
}
