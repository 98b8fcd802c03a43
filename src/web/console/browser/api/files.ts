import { useEffect, useState } from "preact/hooks";
import { pick } from "../../../../base/kernel/pick.js";
import { SNAPSHOT_TYPE } from "../../../../emulator/sandbox/snapshot-file.js";
import { connection } from "../state/connection.js";
import { API, answerTo, asFailure, type CallFailed, failure, ownHeaders, unreachable } from "./call.js";

/** Files, and operations whose body or answer is a file. */

async function fileAddress(path: string): Promise<string> {
  const asked = answerTo({ method: "GET", address: `/tickets${path}`, headers: ownHeaders(), body: undefined });
  return `${API}${path}?ticket=${pick(await asked, "ticket")}`;
}

interface FileAddress {
  /** Undefined until it is known. */
  readonly address: string | undefined;
  /** The reason why there is no address. */
  readonly error: CallFailed | null;
  readonly retry: () => void;
}

/**
 * The address of a file, such as `/files/evidence/…`, for a frame, a picture or a download. A browser sends no header
 * of the page with these, so the address has a ticket for this one file. A new session needs a new ticket.
 */
export function useFileAddress(path: string): FileAddress {
  const [known, setKnown] = useState<Omit<FileAddress, "retry"> & { readonly path: string }>();
  const [turn, setTurn] = useState(0);
  const { isWorking } = connection;
  useEffect(() => {
    let isOver = false;
    const take = (address: string | undefined, error: CallFailed | null) =>
      isOver || setKnown({ path, address, error });
    if (isWorking) {
      fileAddress(path).then(
        (address) => take(address, null),
        (thrown) => take(undefined, asFailure(thrown)),
      );
    }
    return () => {
      isOver = true;
    };
  }, [path, isWorking, turn]);
  const retry = () => setTurn(turn + 1);
  return known?.path === path ? { ...known, retry } : { address: undefined, error: null, retry };
}

/** Sends a file as a snapshot of this name. Throws CallFailed. */
export async function uploadSnapshot(name: string, file: Blob): Promise<void> {
  const headers = { ...ownHeaders(), "content-type": SNAPSHOT_TYPE };
  const address = `${API}/_sandbox/snapshots/${encodeURIComponent(name)}/file`;
  const answer = await fetch(address, { method: "PUT", headers, body: file }).catch(unreachable);
  if (!answer.ok) throw await failure(answer);
}
