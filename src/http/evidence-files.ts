import type { IncomingMessage } from "node:http";
import type { UnitOfWork } from "../db/unit-of-work.js";
import { isSignedUrl, MAX_EVIDENCE_BYTES, uploadBinding, uploadPath, viewPath } from "../features/med/evidence.js";
import type { Reader, Tx } from "../features/tx.js";
import { rawId } from "../kernel/ids.js";
import { type Exchange, header } from "./exchange.js";

/**
 * The document storage of MED evidence: what a signed address lets in and out (contract, sections 4.13 and 5.8). It is
 * no part of the API, so it answers in plain text; the address is the only credential.
 */

/** A file of unknown length is read up to here, so that its confirmation can refuse it. */
const MAX_READ = 2 * MAX_EVIDENCE_BYTES;

function plain(exchange: Exchange, status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-request-id": exchange.requestId };
  return new Response(text === "" ? null : `${text}\n`, { status, headers });
}

/** The whole body, or null when it is larger than anybody needs. */
async function readFile(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_READ) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Second step of an upload: the file itself, of exactly the type and size that the address was signed for. */
export async function receiveEvidence(
  exchange: Exchange,
  id: string,
  reader: Reader,
  uow: UnitOfWork<Tx>,
): Promise<Response> {
  const { request, search } = exchange;
  const refuse = (status: number, text: string) => {
    request.resume();
    return plain(exchange, status, text);
  };
  const row = reader.med.evidence(rawId(id, "") ?? "");
  const signed =
    row !== null && isSignedUrl(reader, uploadPath(row.id), new URLSearchParams(search), uploadBinding(row));
  if (!signed) return refuse(403, "This address is not valid, or not any more. Ask for a new one.");
  if (header(request, "content-type") !== row.mime_type) {
    return refuse(403, `This address is for Content-Type ${row.mime_type}.`);
  }
  const length = header(request, "content-length");
  if (length !== undefined && length !== String(row.file_size)) {
    return refuse(403, `This address is for Content-Length ${row.file_size}.`);
  }
  if (row.uploaded_at !== null) return refuse(403, "This file is confirmed already.");
  const content = await readFile(request);
  if (content === null) return refuse(413, `A file has at most ${MAX_EVIDENCE_BYTES} bytes.`);
  await uow.write((tx) => tx.med.storeEvidence(content, content.length, row.id));
  return plain(exchange, 200, "");
}

/** The file again, for whoever has a view address. Whatever it says it is, a browser is not to run it. */
export function showEvidence(exchange: Exchange, id: string, reader: Reader): Response {
  const row = reader.med.evidence(rawId(id, "") ?? "");
  const signed = row !== null && isSignedUrl(reader, viewPath(row.id), new URLSearchParams(exchange.search), "");
  const file = signed ? reader.med.evidenceContent(row.id) : null;
  if (row === null || file === null) return plain(exchange, 403, "This address is not valid, or not any more.");
  return new Response(file.content, {
    headers: {
      "content-type": row.mime_type,
      "content-disposition": `inline; filename*=UTF-8''${encodeURIComponent(row.file_name)}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
      "x-request-id": exchange.requestId,
    },
  });
}
