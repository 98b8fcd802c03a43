import type { GlobalFlags } from "../../../../../api/client/flags.js";
import { addressOf, isPathSegment } from "../../../../../api/client/route.js";
import type { HttpAnswer, HttpRequest } from "../../../../../api/client/send.js";
import { MINUTE } from "../../../../../base/kernel/duration.js";
import type { Connection } from "../../../host/connection.js";
import { mayBeSent } from "../../../host/consent.js";
import { requireKey } from "../../../host/credential.js";
import { printAnswerHead } from "../../../host/print.js";
import { requireEmulator, unknownKeyHint } from "../../../host/read.js";
import { EXIT, Failure, refusalOf, usage } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";

/** The route of a snapshot's file, as the commands that write and read such files call it. */

/** A file may be large and the connection slow. */
const FILE_MS = 15 * MINUTE;

/** The request for the file of a snapshot. Throws Failure (exit 2) for a name that cannot be part of an address. */
export function fileRequest(
  connection: Connection,
  name: string,
  method: "GET" | "PUT",
  headers: Readonly<Record<string, string>>,
): HttpRequest {
  if (!isPathSegment(name)) throw usage(`${JSON.stringify(name)} cannot be a name.`);
  const url = connection.host.url + addressOf("/_sandbox/snapshots/{name}/file", { params: { name } });
  const timeoutMs = connection.policy.timeoutMs ?? FILE_MS;
  return { method, url, headers: { ...headers, apikey: requireKey(connection) }, body: undefined, timeoutMs };
}

/** Returns false with --dry-run. Throws Failure when the host is no emulator, and when the user does not agree. */
export async function isConfirmed(
  io: Io,
  connection: Connection,
  request: HttpRequest,
  flags: GlobalFlags,
): Promise<boolean> {
  if (!(await mayBeSent(io, connection.policy, request, flags))) return false;
  await requireEmulator(connection);
  return true;
}

interface ExpectedAnswer {
  readonly answer: HttpAnswer;
  readonly expected: number;
}

/** Throws Failure for an answer that is not the expected success. */
export function checkAnswer(
  io: Io,
  connection: Connection,
  { answer, expected }: ExpectedAnswer,
  flags: GlobalFlags,
): void {
  printAnswerHead(io, answer, flags);
  const { status, text } = answer;
  if (status === expected) return;
  if (status < 300) {
    throw new Failure(EXIT.unreachable, "unexpected_answer", `The host answered ${status} in place of ${expected}.`);
  }
  throw refusalOf(status, text, status === 401 ? unknownKeyHint(connection) : undefined);
}
