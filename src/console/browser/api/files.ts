import { SNAPSHOT_TYPE } from "../../../sandbox/snapshot-file.js";
import { book, bookHeader } from "../state/book.js";
import { API, failure, unreachable } from "./call.js";

/** Operations whose body or answer is a file. */

/** The address of a snapshot's file. A link may have it too: the browser sends its session by itself. */
export function snapshotFile(name: string): string {
  return `${API}/_sandbox/snapshots/${encodeURIComponent(name)}/file`;
}

/** Sends a file as a snapshot of this name. Throws CallFailed. */
export async function uploadSnapshot(name: string, file: Blob): Promise<void> {
  const headers = { "x-qa-console": "1", "content-type": SNAPSHOT_TYPE, "x-qa-book": bookHeader(book.value) };
  const answer = await fetch(snapshotFile(name), { method: "PUT", headers, body: file }).catch(unreachable);
  if (!answer.ok) throw await failure(answer);
}
