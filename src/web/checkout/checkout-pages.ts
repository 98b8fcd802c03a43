import type { Page } from "../../api/http/page.js";
import { jwks, type PayloadInput, type PrivateSigningKey, signPayload } from "../../base/pix/payload.js";
import { qrPng, qrSvg } from "../../base/pix/qr.js";
import { hasMethod, methodExpiry } from "../../service/features/transactions/catalogue.js";
import { type ChargeStatus, PUBLIC_STATUS } from "../../service/features/transactions/machine.js";
import { descriptionOf } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import { transactionAt } from "./answers.js";
import { assets } from "./assets.js";
import { card } from "./card.js";
import { type CheckoutParts, createCheckoutPages } from "./checkout.js";
import { boleto, receipt } from "./documents.js";
import { pixCodeOf } from "./method-sections.js";
import { forPayers } from "./missing.js";
import { statusNow } from "./outcome.js";

const NO_STORE = { "cache-control": "no-store" };

const qrImage: Page = {
  path: "/qr/{file}",
  render(reader, { file = "" }) {
    const [, id, kind] = /^(.+)\.(png|svg)$/.exec(file) ?? [];
    const row = transactionAt(reader, id);
    const code = row === null ? null : pixCodeOf(reader, row);
    if (code === null) return null;
    const headers = { "cache-control": "public, max-age=86400, immutable" };
    return kind === "svg"
      ? { headers: { ...headers, "content-type": "image/svg+xml" }, body: qrSvg(code) }
      : { headers: { ...headers, "content-type": "image/png" }, body: new Uint8Array(qrPng(code)) };
  },
};

const PAYLOAD_STATUS: Readonly<Record<string, PayloadInput["status"]>> = {
  pending: "ATIVA",
  paid: "CONCLUIDA",
  refunded: "CONCLUIDA",
  disputed: "CONCLUIDA",
};

/**
 * Returns the status in the signed payload. A charge that another method has paid is closed to Pix, and no Pix has
 * concluded it.
 */
function payloadStatus(row: TransactionRow, status: ChargeStatus): PayloadInput["status"] {
  const byPix = row.paid_with === null || row.paid_with === "PIX";
  return (byPix ? PAYLOAD_STATUS[status] : undefined) ?? "REMOVIDA_PELO_PSP";
}

export interface PageParts extends CheckoutParts {
  /** Loads the key that signs Pix payloads. */
  readonly signingKey: () => Promise<PrivateSigningKey>;
}

/** Returns all pages for payers, their banks, and image tags. */
export function createPages({ signingKey, ...parts }: PageParts): readonly Page[] {
  const payload: Page = {
    path: "/qr/v2/{location}",
    async render(reader, { location = "" }) {
      const hex = /^[0-9a-f]{32}$/.test(location) ? location : "";
      const row = transactionAt(reader, hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
      const account = row === null ? null : reader.accounts.byBook(row.book_id);
      if (row === null || account === null || row.provider_reference === null || !hasMethod(row, "PIX")) return null;
      // An expired charge has no payload: banks expect 410 there.
      const expiresAt = methodExpiry(row, "PIX");
      const status = PUBLIC_STATUS[statusNow(row, reader.now)];
      if (status === "expired" || (status === "pending" && expiresAt <= reader.now))
        return { status: 410, headers: { ...NO_STORE, "content-type": "text/plain" }, body: "" };
      const jws = await signPayload(await signingKey(), {
        jku: `${reader.origin}/qr/jwks`,
        revision: 0,
        txid: row.txid,
        status: payloadStatus(row, status),
        amount: row.amount,
        pixKey: account.pix_key,
        createdAt: row.created_at,
        presentedAt: reader.now,
        expiresIn: Math.ceil((expiresAt - row.created_at) / 1_000),
        payerMessage: descriptionOf(row),
      });
      return { headers: { ...NO_STORE, "content-type": "application/jose" }, body: jws };
    },
  };
  const keys: Page = {
    path: "/qr/jwks",
    async render() {
      const body = JSON.stringify(jwks(await signingKey()));
      return { headers: { ...NO_STORE, "content-type": "application/jwk-set+json" }, body };
    },
  };
  return [keys, payload, qrImage, assets, ...createCheckoutPages(parts), ...[card, boleto, receipt].map(forPayers)];
}
