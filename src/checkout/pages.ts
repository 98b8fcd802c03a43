import { timingSafeEqual } from "node:crypto";
import { PUBLIC_STATUS } from "../features/transactions/machine.js";
import type { TransactionRow } from "../features/transactions/store.js";
import { brCodeOf } from "../features/transactions/wire-charge.js";
import type { Reader } from "../features/tx.js";
import { rawId } from "../kernel/ids.js";
import { formatBrl } from "../kernel/money.js";
import { jwks, type PayloadInput, type PrivateSigningKey, signPayload } from "../pix/payload.js";
import { qrPng, qrSvg } from "../pix/qr.js";
import { checkoutHtml } from "./checkout-html.js";

/** What a browser, a payer's bank or an image tag fetches: no API key, no JSON envelope, only GET. */
export interface Page {
  readonly path: string;
  /** Null is a 404. */
  render(
    reader: Reader,
    params: Readonly<Record<string, string>>,
    query: URLSearchParams,
  ): PageAnswer | null | Promise<PageAnswer | null>;
}

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const NO_STORE = { "cache-control": "no-store" };

/** The charge behind a page, if it can be paid by Pix at all. */
function pixTransaction(reader: Reader, id: string | undefined): TransactionRow | null {
  const raw = rawId(id ?? "", "");
  const row = raw === null ? null : reader.transactions.anywhere(raw);
  return row === null || row.provider_reference === null ? null : row;
}

function codeOf(reader: Reader, row: TransactionRow): string | null {
  const account = reader.accounts.byBook(row.book_id);
  return account === null ? null : brCodeOf(row, account);
}

const qrImage: Page = {
  path: "/qr/{file}",
  async render(reader, { file = "" }) {
    const [, id, kind] = /^(.+)\.(png|svg)$/.exec(file) ?? [];
    const row = pixTransaction(reader, id);
    const code = row === null ? null : codeOf(reader, row);
    if (code === null) return null;
    const headers = { "cache-control": "public, max-age=86400, immutable" };
    return kind === "svg"
      ? { headers: { ...headers, "content-type": "image/svg+xml" }, body: await qrSvg(code) }
      : { headers: { ...headers, "content-type": "image/png" }, body: new Uint8Array(qrPng(code)) };
  },
};

function checkoutRow(reader: Reader, id: string | undefined, token: string | null): TransactionRow | null {
  const raw = rawId(id ?? "", "");
  const row = raw === null ? null : reader.transactions.anywhere(raw);
  if (row === null || token === null) return null;
  const expected = Buffer.from(row.checkout_token);
  const given = Buffer.from(token);
  return expected.length === given.length && timingSafeEqual(expected, given) ? row : null;
}

const SECURITY_HEADERS = {
  ...NO_STORE,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

const checkout: Page = {
  path: "/checkout/{id}",
  async render(reader, { id }, query) {
    const row = checkoutRow(reader, id, query.get("k"));
    if (row === null) return null;
    const metadata = JSON.parse(row.metadata) as { description?: unknown };
    const status = PUBLIC_STATUS[row.status];
    const code = status === "pending" ? codeOf(reader, row) : null;
    const nonce = row.checkout_token;
    return {
      headers: {
        ...SECURITY_HEADERS,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
      body: checkoutHtml({
        nonce,
        amount: formatBrl(row.amount),
        customer: row.customer_name,
        description: typeof metadata.description === "string" ? metadata.description : null,
        merchant: reader.accounts.byBook(row.book_id)?.name ?? "",
        status,
        secondsLeft: Math.max(0, Math.ceil((row.expires_at - reader.now) / 1_000)),
        code: code === null ? null : { text: code, svg: await qrSvg(code) },
        statusUrl: `/checkout/${row.id}/status?k=${row.checkout_token}`,
      }),
    };
  },
};

const checkoutStatus: Page = {
  path: "/checkout/{id}/status",
  render(reader, { id }, query) {
    const row = checkoutRow(reader, id, query.get("k"));
    if (row === null) return null;
    const headers = { ...SECURITY_HEADERS, "content-type": "application/json" };
    return { headers, body: JSON.stringify({ status: PUBLIC_STATUS[row.status] }) };
  },
};

const PAYLOAD_STATUS: Readonly<Record<string, PayloadInput["status"]>> = {
  pending: "ATIVA",
  paid: "CONCLUIDA",
  refunded: "CONCLUIDA",
  disputed: "CONCLUIDA",
};

/** The pages, given where the Pix payload's signing key comes from. */
export function createPages(signingKey: () => Promise<PrivateSigningKey>): readonly Page[] {
  const payload: Page = {
    path: "/qr/v2/{location}",
    async render(reader, { location = "" }) {
      const hex = /^[0-9a-f]{32}$/.test(location) ? location : "";
      const row = pixTransaction(reader, hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
      const account = row === null ? null : reader.accounts.byBook(row.book_id);
      if (row === null || account === null) return null;
      // An expired charge has no payload any more; banks expect 410 there.
      const status = PUBLIC_STATUS[row.status];
      if (status === "expired")
        return { status: 410, headers: { ...NO_STORE, "content-type": "text/plain" }, body: "" };
      const metadata = JSON.parse(row.metadata) as { description?: unknown };
      const jws = await signPayload(await signingKey(), {
        jku: `${reader.origin}/qr/jwks`,
        revision: 0,
        txid: row.txid,
        status: PAYLOAD_STATUS[status] ?? "REMOVIDA_PELO_PSP",
        amount: row.amount,
        pixKey: account.pix_key,
        createdAt: row.created_at,
        presentedAt: reader.now,
        expiresIn: row.expires_in,
        payerMessage: typeof metadata.description === "string" ? metadata.description : null,
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
  return [keys, payload, qrImage, checkout, checkoutStatus];
}
