import { addressOf, findRoute } from "../../../api/client/route.js";
import { type HttpRequest, Unreachable } from "../../../api/client/send.js";
import { shorten } from "../../../base/kernel/errors.js";
import { isJsonObject, jsonIn } from "../../../base/kernel/json.js";
import { isLoopbackHost } from "../../../base/kernel/loopback.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { pick } from "../../../base/kernel/pick.js";
import { joinWords, t, Wording } from "../../../base/kernel/wording.js";
import type { Policy } from "../host/connection.js";
import { sendThrough } from "../host/send.js";
import { translated } from "../terminal/language.js";
import { textOf } from "../terminal/terminal-text.js";
import { routes } from "../tree/route-table.js";
import { refundValues } from "./refund-question.js";

/** The question before a change, in the words of people: "Refund R$ 129,90 to Maria Silva?". */

/** Shorter than the usual request timeout, because a person waits for the question. */
const READ_TIMEOUT_MS = 10_000;
/** A longer value would hide the question. */
const MOST_SHOWN = 80;

/** Values that must be numbers. Another value is a mistake, which the service will refuse. */
const SUMS: ReadonlySet<string> = new Set(["amount", "refund", "rest", "more", "left"]);

/** Reads with the credentials of the request that the question is about. Returns null when there is no usable answer. */
type Read = (url: string) => Promise<unknown>;

function readerFor({ headers }: HttpRequest, policy: Policy): Read {
  const own = Object.entries(headers).filter(([name]) => name === "apikey" || name === "authorization");
  return async (url) => {
    try {
      const request = { method: "GET", url, headers: { accept: "application/json", ...Object.fromEntries(own) } };
      const limits = { body: undefined, timeoutMs: READ_TIMEOUT_MS };
      const { status, text } = await sendThrough(policy, { ...request, ...limits });
      return status === 200 ? jsonIn(text) : null;
    } catch (error) {
      if (error instanceof Unreachable) return null;
      throw error;
    }
  };
}

/** The object of an answer: the answer itself, or what has the id in its list. */
function objectIn(answer: unknown, id: string | undefined): Record<string, unknown> {
  const rows = isJsonObject(answer) && Array.isArray(answer.data) ? answer.data : answer;
  const found = Array.isArray(rows) ? rows.find((row) => pick(row, "id") === id) : rows;
  return isJsonObject(found) ? found : {};
}

/** The time at the service: that of an emulator on this machine, whose clock may be far from the one here, or else `here`. */
async function timeAt(above: string, read: Read, here: number): Promise<number> {
  if (!isLoopbackHost(new URL(above).hostname)) return here;
  const now = Date.parse(String(pick(await read(`${above}/_sandbox`), "now")));
  return Number.isNaN(now) ? here : now;
}

/** The text with its values; null when one of them is not known. */
function fillText(text: string, values: Readonly<Record<string, unknown>>): string | null {
  let isWhole = true;
  const whole = text.replace(/\{([\w.]+)\}/g, (_match, path: string) => {
    const value = pick(values, path);
    if (typeof value === "number") return formatMoney(value, String(values.currency ?? "BRL"));
    isWhole &&= typeof value === "string" && value.trim() !== "" && !SUMS.has(path);
    return shorten(String(value), MOST_SHOWN);
  });
  return isWhole ? whole : null;
}

interface AskingOptions {
  /** The time here in milliseconds. */
  readonly now?: number;
  /** True if the request may be the repetition of one that was carried out. */
  readonly mayRepeat?: boolean;
}

/**
 * The question for a request. It reads the object that the request changes, to name it as people know it. Throws Failure (exit 5)
 * for a refund of more than is left.
 */
export async function questionBefore(
  request: HttpRequest,
  policy: Policy,
  { now = Number.NaN, mayRepeat = false }: AskingOptions = {},
): Promise<string> {
  const { method, url } = request;
  const { origin, pathname } = new URL(url);
  // The service may be below a path of its host.
  const [path = pathname] = /\/(?:v1|_sandbox)\/.*$/.exec(pathname) ?? [];
  const found = findRoute(routes, method, path);
  if (found === null) return textOf(t`Send ${method} ${pathname}?`);
  const { route, params } = found;
  const texts = route.questions ?? [];
  const read = readerFor(request, policy);
  const sent = jsonIn(request.body ?? "");
  const body: Record<string, unknown> = isJsonObject(sent) ? sent : {};
  const above = origin + pathname.slice(0, pathname.length - path.length);
  const reads = route.asksAbout;
  const object = reads === undefined ? {} : objectIn(await read(above + addressOf(reads, { params })), params.id);
  const values: Record<string, unknown> = { ...body, ...object, ...params };
  if (texts.some((text) => text.includes("{refund}"))) {
    const refunds = await read(`${origin}${pathname}s`);
    const facts = { asked: body.amount, payment: object, refunds, mayRepeat };
    Object.assign(values, await refundValues({ ...facts, now: () => timeAt(above, read, now) }));
  }
  const first = values.earlier instanceof Wording ? [values.earlier] : [];
  const question = texts.map((text) => fillText(translated(text), values)).find((text) => text !== null);
  if (question !== undefined) return textOf(joinWords([...first, question], " "));
  const amount = fillText("{amount}", values);
  const what = [new Wording(route.summary), ...Object.values(params), ...(amount === null ? [] : [amount])];
  return textOf(t`${joinWords(what, ", ")}?`);
}
