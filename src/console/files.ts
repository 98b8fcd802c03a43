import type { H3 } from "h3";
import { uploadPath } from "../features/med/evidence.js";
import { receiptOf } from "../features/transactions/operations/receipt.js";
import type { Reader } from "../features/tx.js";
import { evidenceFile, receiveEvidence } from "../http/evidence-files.js";
import type { Exchange } from "../http/exchange.js";
import { framed, NO_CONTRACT, type Run } from "../http/frame.js";
import { type OperationParts, routeOf } from "../http/operation-route.js";
import type { PageAnswer } from "../http/page.js";
import { notFound } from "../kernel/errors.js";
import { ID_PREFIX, rawId } from "../kernel/ids.js";
import { API_PREFIX, type ConsoleEntrance } from "./entrance.js";

/**
 * What the page of the console shows in frames and pictures. A browser sends no header of the page with these requests,
 * so they name no book: the session stands for all of them. Nothing here may run as a page of this origin.
 */

const COMMON = { "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

/** A notice e-mail as a mail program shows it: its own styles, and nothing from elsewhere. */
function showMail(id: string, reader: Reader): PageAnswer {
  const raw = rawId(id, ID_PREFIX.email, "");
  const mail = raw === null ? null : reader.notices.anywhere(raw);
  if (mail === null) throw notFound("e-mail", id);
  const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return { headers: { ...COMMON, ...headers }, body: mail.html };
}

function showEvidence(id: string, reader: Reader): PageAnswer {
  const raw = rawId(id, ID_PREFIX.evidence, "");
  const row = raw === null ? null : reader.med.evidence(raw);
  const file = row === null ? null : evidenceFile(row, reader);
  if (file === null) throw notFound("uploaded piece of evidence", id);
  return file;
}

async function showReceipt(id: string, reader: Reader): Promise<PageAnswer> {
  const raw = rawId(id, ID_PREFIX.transaction, ID_PREFIX.charge, "");
  const payment = raw === null ? null : reader.transactions.anywhere(raw);
  if (payment === null) throw notFound("payment", id);
  const pdf = await receiptOf(reader, payment);
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="receipt-${payment.id}.pdf"`,
    "content-security-policy": "default-src 'none'; sandbox",
  };
  return { headers: { ...COMMON, ...headers }, body: new Uint8Array(pdf) };
}

/** Adds `mail/{id}`, `files/…/{id}`, and the address of an upload, which the policy of the page allows only here. */
export function addFiles(app: H3, parts: OperationParts, entrance: ConsoleEntrance): void {
  const inSession = (run: (exchange: Exchange, id: string) => ReturnType<Run>) =>
    framed(parts, entrance, NO_CONTRACT, (exchange, { id = "" }) => {
      entrance.sessionOf(exchange);
      return run(exchange, id);
    });
  const shows = (path: string, show: (id: string, reader: Reader) => ReturnType<Run>) =>
    app.get(
      `${API_PREFIX}${path}/:id`,
      inSession((_exchange, id) => show(id, parts.reader())),
    );
  shows("/mail", showMail);
  shows("/files/evidence", showEvidence);
  shows("/files/receipt", showReceipt);
  app.put(
    API_PREFIX + routeOf(uploadPath("{id}")),
    inSession((exchange, id) => receiveEvidence(exchange, id, parts.reader(), parts.uow)),
  );
}
