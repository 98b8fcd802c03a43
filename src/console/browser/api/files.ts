import { useEffect, useState } from "preact/hooks";
import { pick } from "../../../kernel/pick.js";
import { SNAPSHOT_TYPE } from "../../../sandbox/snapshot-file.js";
import { connection } from "../state/connection.js";
import { API, answerTo, failure, ownHeaders, unreachable } from "./call.js";

/** Files, and operations whose body or answer is a file. */

async function fileAddress(path: string): Promise<string> {
  const asked = answerTo({ method: "GET", address: `/tickets${path}`, headers: ownHeaders(), body: undefined });
  return `${API}${path}?ticket=${pick(await asked, "ticket")}`;
}

/**
 * The address of a file, such as `/files/evidence/…`, for a frame, a picture or a download; undefined until it is known. A
 * browser sends no header of the page with these, so that a ticket for this one file stands in the address. A new session
 * needs a new one.
 */
export function useFileAddress(path: string): string | undefined {
  const [known, setKnown] = useState({ path: "", address: "" });
  const { isWorking } = connection;
  useEffect(() => {
    let isOver = false;
    const take = (address: string) => isOver || setKnown({ path, address });
    // A refusal shows in the state of the connection.
    if (isWorking) fileAddress(path).then(take, () => undefined);
    return () => {
      isOver = true;
    };
  }, [path, isWorking]);
  return known.path === path ? known.address : undefined;
}

/** Sends a file as a snapshot of this name. Throws CallFailed. */
export async function uploadSnapshot(name: string, file: Blob): Promise<void> {
  const headers = { ...ownHeaders(), "content-type": SNAPSHOT_TYPE };
  const address = `${API}/_sandbox/snapshots/${encodeURIComponent(name)}/file`;
  const answer = await fetch(address, { method: "PUT", headers, body: file }).catch(unreachable);
  if (!answer.ok) throw await failure(answer);
}
