import { timingSafeEqual } from "node:crypto";
import { PUBLIC_STATUS } from "../features/transactions/machine.js";
import type { Reader } from "../features/tx.js";
import type { Page } from "../http/page.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { formatBrl } from "../kernel/money.js";
import { iso } from "../kernel/time.js";
import type { RequestLog } from "../sandbox/request-log.js";
import { consoleHtml } from "./console-html.js";

/** The console: a read-only view of what the service holds, for the person who runs it. Every page needs the token. */
export interface ConsoleParts {
  /** A new token for every start. It is part of the console's address. */
  readonly token: string;
  readonly requestLog: RequestLog;
}

const ROWS = 20;

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** One table of the console: its title, its head and its rows, all as text. */
interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function tablesOf(reader: Reader, bookId: number, requestLog: RequestLog): Table[] {
  const charges = reader.transactions.search({ book: bookId }, ROWS);
  const deliveries = reader.webhooks.deliveries({ book: bookId }, ROWS, 0);
  const events = reader.webhooks.events({ book: bookId }, ROWS);
  const requests = requestLog.search({ bookId, limit: ROWS, after: undefined, matches: () => true }).data;
  return [
    {
      title: "Charges",
      head: ["Created", "Charge", "Status", "Amount", "Customer"],
      rows: charges.map((row) => [
        iso(row.created_at),
        ID_PREFIX.charge + row.id,
        PUBLIC_STATUS[row.status],
        formatBrl(row.amount),
        row.customer_name ?? "",
      ]),
    },
    {
      title: "Deliveries",
      head: ["Created", "Event", "Status", "Attempts", "Last answer", "Next attempt"],
      rows: deliveries.map((row) => [
        iso(row.created_at),
        row.type,
        row.parked === 1 && row.status === "PENDING" ? "waits for its endpoint" : row.status,
        `${row.attempts} of ${row.max_attempts}`,
        row.last_error ?? String(row.last_status_code ?? ""),
        row.status === "PENDING" && row.next_attempt_at !== null ? iso(row.next_attempt_at) : "",
      ]),
    },
    {
      title: "Events",
      head: ["At", "Type", "Event", "About"],
      rows: events.map((row) => [iso(row.created_at), row.type, ID_PREFIX.event + row.id, row.subject]),
    },
    {
      title: "Requests",
      head: ["At", "Request", "Status", "ms", "Request id"],
      rows: requests.map((entry) => [
        entry.at,
        `${entry.method} ${entry.path}`,
        String(entry.status),
        String(entry.duration_ms),
        entry.id,
      ]),
    },
  ];
}

export function createConsolePages({ token, requestLog }: ConsoleParts): readonly Page[] {
  const expected = Buffer.from(token);
  const allowed = (query: URLSearchParams) => {
    const given = Buffer.from(query.get("k") ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const page: Page = {
    path: "/console",
    render(_reader, _params, query) {
      if (!allowed(query)) return null;
      const policy = `default-src 'none'; style-src 'nonce-${token}'; script-src 'nonce-${token}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
      const headers = { ...HEADERS, "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
      return { headers, body: consoleHtml(token) };
    },
  };
  const data: Page = {
    path: "/console/data",
    render(reader, _params, query) {
      if (!allowed(query)) return null;
      const mode = query.get("mode") === "live" ? "live" : "test";
      const account = reader.accounts.first();
      const book = account === null ? null : reader.accounts.book(account.id, mode);
      if (book === null) return null;
      const body = JSON.stringify({ now: iso(reader.now), mode, tables: tablesOf(reader, book.id, requestLog) });
      return { headers: { ...HEADERS, "content-type": "application/json" }, body };
    },
  };
  return [page, data];
}
