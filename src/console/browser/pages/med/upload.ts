import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES } from "../../../../features/med/evidence-limits.js";
import { fill } from "../../../../kernel/message.js";
import { API, call, failure, ownHeaders } from "../../api/call.js";
import { texts } from "../../state/language.js";

/** The upload of a piece of evidence, in the three steps of the service. */

const words = texts("med");

/** Why a file cannot be evidence; null for one that can. The types are those of the contract. */
export function refusalOf({ name, size, type }: Pick<File, "name" | "size" | "type">): string | null {
  if (!EVIDENCE_TYPES.some((known) => known === type)) return fill(words.value.wrong_type, { name });
  if (size > MAX_EVIDENCE_BYTES) return fill(words.value.too_large, { name });
  return size === 0 ? fill(words.value.empty_file, { name }) : null;
}

/** Announces the file, sends it to its signed address, and confirms it. Throws with the reason when a step is refused. */
export async function uploadEvidence(caseId: string, file: File): Promise<void> {
  const mime = EVIDENCE_TYPES.find((known) => known === file.type);
  if (mime === undefined) throw new Error(fill(words.value.wrong_type, { name: file.name }));
  const ticket = await call("med.evidence.create", {
    params: { id: caseId },
    body: { file_name: file.name, file_size: file.size, mime_type: mime },
  });
  // The page may speak only to addresses below the console's own, so the server takes the file there as well.
  const { pathname, search } = new URL(ticket.upload_url);
  const headers = { ...ownHeaders(), "content-type": mime };
  const answer = await fetch(API + pathname + search, { method: "PUT", headers, body: file });
  if (!answer.ok) throw await failure(answer);
  await call("med.evidence.complete", { params: { id: caseId, evidence_id: ticket.id } });
}
