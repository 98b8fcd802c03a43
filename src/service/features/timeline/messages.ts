import { CONSOLE } from "../../../base/kernel/cause.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { parseObject } from "../../../base/kernel/json.js";
import type { Message, Params } from "../../../base/kernel/message.js";
import { isNameOf } from "../../../base/kernel/names.js";
import type { HistoryRow } from "../history/store.js";
import type { LoggedRequest } from "../requests/logged-request.js";
import { type CauseCode, ITEM_TEXTS, type ItemCode } from "../service-texts.js";
import { MOVED, type NounKind } from "../timeline-objects.js";
import type { Objects } from "./sources.js";

/** The text of a row of the history and its cause, as a code with parameters. */

/** The kind of the items of a row. */
export function kindOf({ noun }: HistoryRow): NounKind | "clock" | "delivery" {
  return MOVED.get(noun)?.kind ?? (noun === "clock" ? noun : "delivery");
}

/** The public id by which an item names an object that is not among those of the timeline. */
export function idElsewhere({ noun, subject }: HistoryRow): string {
  return ID_PREFIX[MOVED.get(noun)?.objects?.elsewhere ?? "delivery"] + subject;
}

/** The code of a row; null for one that is no item of its own: a resend or a release of money is shown by the items it causes. */
function codeOf(row: HistoryRow): ItemCode | null {
  const { noun, move, to_status, data } = row;
  const other = MOVED.get(noun)?.objects?.codeOf?.(move, to_status, paramsIn(data));
  const code = `${kindOf(row)}.${move}`;
  return other ?? (isNameOf(ITEM_TEXTS, code) ? code : null);
}

export function isItem(row: HistoryRow): boolean {
  return codeOf(row) !== null;
}

function paramsIn(data: string | null): Params {
  return parseObject(data ?? "{}");
}

/** Details of a move: amount, deadline, actor, reason. */
function paramsOf(row: HistoryRow, objects: Objects): Params {
  const { noun, move, subject } = row;
  const data = paramsIn(row.data);
  if (noun === "clock" && move === "speed") return { factor: data.factor };
  if (noun === "clock") return data.from === data.to ? {} : { from: data.from, to: data.to };
  return objects.find(({ id }) => id === subject)?.params(move, data) ?? {};
}

/** The message of a row of the history; null for a row that is no item of its own. */
export function moveMessage(row: HistoryRow, objects: Objects): Message<ItemCode> | null {
  const code = codeOf(row);
  return code === null ? null : { code, params: paramsOf(row, objects) };
}

/** The sender of a request: the console, or a command of our own command line. */
function senderMessage(command: string, number?: number | null): Message<CauseCode> {
  return command === CONSOLE
    ? { code: "console", params: { number } }
    : { code: "command", params: { command, number } };
}

const SERVICE: Message<CauseCode> = { code: "service", params: {} };

export function causeMessage(row: HistoryRow | undefined): Message<CauseCode> {
  if (row === undefined) return SERVICE;
  const { cause, request: number, command } = row;
  if (command !== null) return senderMessage(command, number);
  const [kind, ...rest] = cause.split(" ");
  const about = rest.join(" ");
  if (kind === "request") return { code: "request", params: { number, route: about } };
  if (kind === "page") return { code: "page", params: { path: about.replace(/^POST /, ""), number } };
  return kind === "work" ? { code: "work", params: { kind: about } } : SERVICE;
}

/** The program or the person behind a request, if the row of the history or the log knows it. */
export function clientMessage(request: LoggedRequest | undefined, command: string | null): Message<CauseCode> {
  if (command !== null) return senderMessage(command);
  const caller = request?.caller ?? null;
  if (caller === null) return { code: "client", params: {} };
  if (caller === CONSOLE) return senderMessage(caller);
  const [, named] = /^command: (.*)/.exec(caller) ?? [];
  return named === undefined ? { code: "caller", params: { name: caller } } : senderMessage(named);
}

export function requestMessage(request: LoggedRequest): Message<ItemCode> {
  const { method, path, status, idempotency, error } = request;
  const outcome = status === 0 ? "request.cut" : "request.answered";
  return {
    code: idempotency === "replayed" ? `${outcome}_again` : outcome,
    params: { method, path, status, error: error?.code },
  };
}
