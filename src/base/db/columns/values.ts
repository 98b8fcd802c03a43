import { DAY } from "../../kernel/duration.js";
import { isEmailAddress } from "../../kernel/email.js";
import { MAX_AMOUNT } from "../../kernel/money.js";
import { LAST_OF_DATE, MAX_INSTANT } from "../../kernel/time.js";
import { checkWebhookUrl } from "../../kernel/webhook-url.js";
import { charactersOf, form, like, type Rule, refersTo, whole } from "./rule.js";

/** The kinds of values that several columns have. */

const UUID = [8, 4, 4, 4, 12].map((length) => "[0-9a-f]".repeat(length)).join("-");
export const uuid = like(UUID);
export const idWith = (prefix: string) => like(`${prefix.replace("_", "[_]")}${UUID}`);
export const hex = (digits: number) => charactersOf("0-9a-f", digits);
/** More than a server can ever count. JavaScript still holds such a number after additions. */
const MOST = 1_000_000_000_000;
export const key = whole(1, MOST);
export const flag = whole(0, 1);
export const count = whole(0, MOST);
export const sum = whole(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** A sum that no answer shows. Only SQLite limits it. */
export const hiddenSum: Rule<number> = { sql: (column) => `typeof(${column}) = 'integer' AND ${column} >= 0` };
export const amount = whole(1, MAX_AMOUNT);
export const part = whole(0, MAX_AMOUNT);
/** An instant of the emulated clock. */
export const instant = whole(0, MAX_INSTANT);
/** An instant that the clock may never reach. */
export const dueAt = whole(0, LAST_OF_DATE);
/** A day, counted from 1970-01-01. A clock near that day shows the one before in São Paulo. */
export const day = whole(-1, MAX_INSTANT / DAY);
export const currency = charactersOf("A-Z", 3, 8);
export const book = refersTo<number>("books", "id");
export const endToEnd = charactersOf("0-9A-Za-z", 32);
export const status = whole(100, 999);

function fitsWebhookUrl(url: string): boolean {
  try {
    return checkWebhookUrl("url", url, null) === url;
  } catch {
    return false;
  }
}

export const webhookUrl = form((column) => `${column} LIKE 'http%'`, fitsWebhookUrl);
export const email = form((column) => `${column} GLOB '?*@?*'`, isEmailAddress);
/** A line of the head of a message: it ends where the next one would begin. */
export const line = form((column) => `instr(${column}, char(10)) = 0 AND instr(${column}, char(13)) = 0`);

const isText = (value: unknown): value is string => typeof value === "string";
export const isWhole = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);

/** True if an object has texts and lists of texts alone. */
export const areTexts = (value: Readonly<Record<string, unknown>>) =>
  Object.values(value).every((one) => isText(one) || (Array.isArray(one) && one.every(isText)));
