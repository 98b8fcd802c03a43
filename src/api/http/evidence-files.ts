import type { IncomingMessage } from "node:http";
import { rawId } from "../../base/kernel/ids.js";
import { isSignedUrl, uploadBinding, uploadPath, viewPath } from "../../service/features/med/evidence.js";
import { MAX_EVIDENCE_BYTES } from "../../service/features/med/evidence-limits.js";
import type { EvidenceRow } from "../../service/features/med/store.js";
import type { Reader } from "../../service/features/tx.js";
import { encodingRefusal, readChunks } from "./body.js";
import { type Exchange, header } from "./exchange.js";
import type { HandlerParts } from "./handler.js";
import type { PageAnswer } from "./page.js";

/**
 * The document storage for evidence of MED cases (docs/service/med.md#evidence). A signed address is the only
 * credential. The storage is no part of the API, so it answers in plain text.
 */

/** The maximum of files that arrive at once: each is in memory twice before it is stored. */
const AT_ONCE = 8;

function plainAnswer(status: number, text: string): PageAnswer {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return { status, headers, body: text === "" ? null : `${text}\n` };
}

/** A file that has arrived. `size` is in bytes; `content` is null when the file exceeds the maximum size. */
interface UploadedFile {
  readonly size: number;
  readonly content: Buffer | null;
}

/**
 * Reads a file to its end, also when it is too large: an early stop would close the connection before the answer is
 * sent. Returns null when the file breaks off.
 */
function readFile(request: IncomingMessage): Promise<UploadedFile | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    readChunks(request, {
      take(chunk) {
        size += chunk.length;
        if (size <= MAX_EVIDENCE_BYTES) chunks.push(chunk);
        else chunks.length = 0;
      },
      end: () => resolve({ size, content: size <= MAX_EVIDENCE_BYTES ? Buffer.concat(chunks) : null }),
      onBreak: () => resolve(null),
    });
  });
}

/**
 * The refusal of a request that carries credentials; null for any other. At the real service the address is on another
 * host, which must not receive the key of a merchant.
 */
export function credentialsRefusal({ request }: Exchange): PageAnswer | null {
  const given = ["apikey", "Authorization"].filter((name) => header(request, name.toLowerCase()) !== undefined);
  if (given.length === 0) return null;
  request.resume();
  const why =
    "Neither apikey nor Authorization belongs here: the address is signed, and elsewhere it is on another host";
  return plainAnswer(403, `${why}. Leave out ${given.join(" and ")}, and send exactly the headers of upload_headers.`);
}

/**
 * Creates the second step of an upload, for one server: it accepts the file, with exactly the type and size that its
 * address was signed for.
 */
export function createEvidenceUpload({ reader, uow }: Pick<HandlerParts, "reader" | "uow">) {
  let arriving = 0;
  return async ({ request, search }: Exchange, id: string): Promise<PageAnswer> => {
    const refuse = (status: number, text: string) => {
      request.resume();
      return plainAnswer(status, text);
    };
    const row = reader().med.evidence(rawId(id, "") ?? "");
    const encoded = encodingRefusal(request);
    if (encoded !== null) return refuse(encoded.status, encoded.message);
    const signed =
      row !== null && isSignedUrl(reader(), uploadPath(row.id), new URLSearchParams(search), uploadBinding(row));
    if (!signed) return refuse(403, "This address is not valid, or not any more. Request a new one.");
    if (header(request, "content-type") !== row.mime_type) {
      return refuse(403, `This address is for Content-Type ${row.mime_type}.`);
    }
    const length = header(request, "content-length");
    if (length !== undefined && length !== String(row.file_size)) {
      return refuse(403, `This address is for Content-Length ${row.file_size}.`);
    }
    if (row.uploaded_at !== null) return refuse(403, "This file is confirmed already.");
    // A file without a content-length may have any size here; the third step, the confirmation, refuses a wrong size.
    if (arriving >= AT_ONCE) return refuse(503, "Too many files arrive at once. Send this one again.");
    arriving += 1;
    const arrived = await readFile(request).finally(() => {
      arriving -= 1;
    });
    if (arrived === null) return plainAnswer(400, "The file ended early.");
    const { size, content } = arrived;
    await uow.write((tx) => tx.med.storeEvidence(content, size, row.id));
    return plainAnswer(200, "");
  };
}

export type EvidenceUpload = ReturnType<typeof createEvidenceUpload>;

/** Encodes a text for an extended header parameter (RFC 8187), which allows fewer characters than a URL does. */
function encodeExtended(text: string): string {
  return `UTF-8''${encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

/** An uploaded file as an answer, with headers that keep a browser from running it; null when no file has arrived. */
export function evidenceFile(row: EvidenceRow, reader: Reader): PageAnswer | null {
  const file = reader.med.evidenceContent(row.id);
  if (file === null) return null;
  return {
    body: file.content,
    headers: {
      "content-type": row.mime_type,
      "content-disposition": `inline; filename*=${encodeExtended(row.file_name)}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  };
}

/** Answers a file to the holder of its view address. */
export function showEvidence(search: string, id: string, reader: Reader): PageAnswer {
  const row = reader.med.evidence(rawId(id, "") ?? "");
  const signed = row !== null && isSignedUrl(reader, viewPath(row.id), new URLSearchParams(search), "");
  const file = signed ? evidenceFile(row, reader) : null;
  return file ?? plainAnswer(403, "This address is not valid, or not any more.");
}
