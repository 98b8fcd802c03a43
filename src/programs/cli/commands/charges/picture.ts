import type { OperationSpec } from "../../../../api/client/describe-operations.js";
import type { OperationAnswer } from "../../../../api/client/types.js";
import { parseObject } from "../../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import { pick } from "../../../../base/kernel/pick.js";
import type { ChargeStatus, TransactionStatus } from "../../../../service/features/transactions/machine.js";
import { type Connection, withTimeout } from "../../host/connection.js";
import { isLiveKey } from "../../host/keys.js";
import { readFrom } from "../../host/read.js";
import { isForPerson, type OperationCall, showAnswer } from "../../operation/show.js";
import { cell, type Palette, palette, timeText } from "../../terminal/output.js";
import { joinTexts, say, TerminalText } from "../../terminal/terminal-text.js";

/** Adds two things to a charge on a terminal: the history of its status, and its Pix code as a QR code. */

interface Moment {
  readonly at: string;
  readonly status: string;
}

type Answer = Readonly<Record<string, unknown>>;

/** A short timeout: the history is an extra, and the person waits for it. */
const TIMEOUT_MS = 2_000;

/** Reads the history of an object from an emulator, oldest moment first. Null when the host is not an emulator. */
async function readHistory(connection: Connection, id: string): Promise<Moment[] | null> {
  // A production service does not have this route, so no request is sent.
  if (isLiveKey(connection.credential.apiKey) && !isLoopbackUrl(connection.host.url)) return null;
  const path = `/_sandbox/events?limit=100&subject=${encodeURIComponent(id)}`;
  try {
    const { data } = await readFrom<OperationAnswer<"sandbox.events">>(withTimeout(connection, TIMEOUT_MS), path);
    // Every change of a transaction has a legacy event, whose data contains the new status.
    return data.reverse().flatMap(({ created_at: at, payload }) => {
      const state = pick(payload, "data.status");
      return typeof state === "string" ? [{ at, status: state }] : [];
    });
  } catch {
    return null;
  }
}

/** Returns the history according to the object's own timestamps. */
function historyIn(answer: Answer): Moment[] {
  const moments = [
    { at: answer.created_at ?? answer.createdAt, status: "created" },
    { at: answer.paidAt, status: "paid" },
  ];
  return moments.flatMap(({ at, status }) => (typeof at === "string" ? [{ at, status }] : []));
}

/** One line for each change of the status. Several events can contain the same status, so repetitions are left out. */
async function timeline(
  spec: OperationSpec,
  moments: readonly Moment[],
  paint: Palette,
  utc = false,
): Promise<TerminalText[]> {
  const { PUBLIC_STATUS } = await import("../../../../service/features/transactions/machine.js");
  const ofCharges: Readonly<Record<string, string>> = spec.path.startsWith("/v1/charges") ? PUBLIC_STATUS : {};
  const steps = moments.map(({ at, status }) => ({ at, status: ofCharges[status] ?? status }));
  const changes = steps.filter(({ status }, index) => status !== steps[index - 1]?.status);
  const column = { header: "", path: "status", format: "status" } as const;
  return changes.map((change) => say`${paint.dim(timeText(change.at, utc))}  ${cell(change, column, paint)}`);
}

/** The statuses of a charge or payment whose payer can still pay. */
const WAITING: ReadonlySet<unknown> = new Set<ChargeStatus | TransactionStatus>([
  "pending",
  "PENDING",
  "WAITING_PAYMENT",
]);

function payableCode(answer: Answer): string | null {
  const code = pick(answer, "pix.br_code") ?? answer.pixCopyPaste;
  return WAITING.has(answer.status) && typeof code === "string" ? code : null;
}

/** Prints the history and the QR code of a charge or a payment at a terminal, after the answer itself. */
export async function showPicture({ io, spec, connection, flags }: OperationCall, answer: Answer): Promise<void> {
  if (!io.isTerminal || !io.isScreen) return;
  const paint = await palette(io, flags.color !== false);
  if (spec.method === "GET") {
    const moments = (await readHistory(connection, String(answer.id))) ?? historyIn(answer);
    const lines = await timeline(spec, moments, paint, flags.utc);
    if (lines.length > 0) io.out(say`\n${joinTexts(lines, "\n")}\n`);
  }
  const code = payableCode(answer);
  if (code === null) return;
  const { qrBlocks } = await import("../../../../base/pix/qr.js");
  const picture = qrBlocks(code);
  // White on black. Without colours, the picture is right only on a dark background.
  const hasColours = flags.color !== false && !io.env.NO_COLOR;
  const lines = picture.map((line) => TerminalText.ofProgram(hasColours ? `\u001b[97;40m${line}\u001b[0m` : line));
  const isFitting = picture.every((line) => line.length <= io.columns);
  if (isFitting) io.out(say`\n${joinTexts(lines, "\n")}\n`);
  // The person needs the code as text to copy it, unless a column of the answer has shown it.
  const isShown = spec.columns.some(({ path }) => pick(answer, path) === code);
  if (!isShown) io.out(say`\n${code}\n`);
}

/** Prints the answer to a creation, and the code that a person pays it with. */
export async function showCreated(call: OperationCall, text: string): Promise<void> {
  await showAnswer(call, text);
  if (isForPerson(call)) await showPicture(call, parseObject(text));
}
