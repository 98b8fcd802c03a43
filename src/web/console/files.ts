import type { H3 } from "h3";
import { evidenceFile } from "../../api/http/evidence-files.js";
import { type Exchange, jsonAnswer, type Sent } from "../../api/http/exchange.js";
import { sendFile } from "../../api/http/file-handler.js";
import { NO_CONTRACT, type Run, withFrame } from "../../api/http/frame.js";
import { type OperationParts, routeOf } from "../../api/http/operation-route.js";
import type { PageAnswer } from "../../api/http/page.js";
import { rowById } from "../../base/kernel/errors.js";
import type { ConsoleAccess } from "../../emulator/sandbox/console-access.js";
import { SNAPSHOT_TYPE } from "../../emulator/sandbox/snapshot-file.js";
import { uploadPath } from "../../service/features/med/evidence.js";
import { receiptOf } from "../../service/features/transactions/operations/payments.js";
import type { Reader } from "../../service/features/tx.js";
import { API_PREFIX, type ConsoleEntrance } from "./entrance.js";

/**
 * The files that the console's page shows in frames and pictures, or offers as downloads. A browser sends no header of
 * the page with these requests, so they name no book: the session stands for all of them. A ticket, valid for one path,
 * replaces the part of the session that the page keeps. Nothing here may run as a page of this origin.
 */

/** The prefix of a file's path that leads to its ticket. */
const TICKETS = "/tickets";

const COMMON = { "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

/** A notice e-mail as a mail program shows it: its own styles, and nothing from elsewhere. */
function showMail(id: string, reader: Reader): PageAnswer {
  const mail = rowById("email", id, reader.emails.anywhere, { isBare: true });
  const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return { headers: { ...COMMON, ...headers }, body: mail.html };
}

function showEvidence(id: string, reader: Reader): PageAnswer {
  const find = (raw: string) => {
    const row = reader.med.evidence(raw);
    return row === null ? null : evidenceFile(row, reader);
  };
  return rowById("evidence", id, find, { isBare: true, more: " with an uploaded file" });
}

async function showReceipt(id: string, reader: Reader): Promise<PageAnswer> {
  const payment = rowById(["transaction", "charge"], id, reader.transactions.anywhere, { isBare: true });
  const pdf = await receiptOf(reader, payment);
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="receipt-${payment.id}.pdf"`,
    "content-security-policy": "default-src 'none'; sandbox",
  };
  return { headers: { ...COMMON, ...headers }, body: new Uint8Array(pdf) };
}

/** A snapshot as a file. It is sent piece by piece, as it may be large. */
async function sendSnapshot(exchange: Exchange, name: string, { controls }: OperationParts): Promise<Sent> {
  return sendFile(exchange, { name: `${name}.db`, content: await controls.snapshots.open(name) }, SNAPSHOT_TYPE);
}

/**
 * Adds `mail/{id}`, `files/…/{id}`, the tickets for them, and the address of an upload, which the page's policy allows
 * only here.
 */
export function addFiles(app: H3, parts: OperationParts, entrance: ConsoleEntrance, access: ConsoleAccess): void {
  const inSession = (run: (exchange: Exchange, id: string) => ReturnType<Run>) =>
    withFrame(parts, entrance, NO_CONTRACT, (exchange, { id = "" }) => {
      entrance.sessionOfFile(exchange);
      return run(exchange, id);
    });
  const shows = (path: string, show: (id: string, reader: Reader, exchange: Exchange) => ReturnType<Run>) =>
    app.get(
      `${API_PREFIX}${path}/:id`,
      inSession((exchange, id) => show(id, parts.reader(), exchange)),
    );
  shows("/mail", showMail);
  shows("/files/evidence", showEvidence);
  shows("/files/receipt", showReceipt);
  shows("/files/snapshot", (name, _reader, exchange) => sendSnapshot(exchange, name, parts));
  const ticket: Run = (exchange) => {
    const made = access.ticketFor(entrance.sessionOf(exchange), exchange.path.slice(TICKETS.length));
    return jsonAnswer(200, JSON.stringify({ ticket: made }));
  };
  app.get(`${API_PREFIX}${TICKETS}/**`, withFrame(parts, entrance, NO_CONTRACT, ticket));
  app.put(
    API_PREFIX + routeOf(uploadPath("{id}")),
    inSession((exchange, id) => parts.receiveEvidence(exchange, id)),
  );
}
