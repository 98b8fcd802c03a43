import { LANGUAGES } from "../../../../base/kernel/language.js";
import type { Language } from "../texts/index.js";
import { dayAndMonth, shortMonth } from "./time.js";

/** Days as people read them here, `24 Nov 2026`, and as addresses have them, `2026-11-24`. */

/** A day of an address for people. A text that is no day stays as it is. */
export function dayText(iso: string, language: Language): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(iso) ?? [];
  if (year === undefined) return iso;
  return `${dayAndMonth(new Date(Number(year), Number(month) - 1, Number(day)).getTime(), language)} ${year}`;
}

const MONTHS = Array.from({ length: 12 }, (_none, index) => index + 1);

/** The number of the month with this name, in any language of the console; null for other words. */
function monthOf(name: string): number | null {
  const wanted = shortMonth(name).toLowerCase();
  for (const language of LANGUAGES) {
    const { format } = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
    const month = MONTHS.find((number) => shortMonth(format(Date.UTC(2026, number - 1))).toLowerCase() === wanted);
    if (month !== undefined) return month;
  }
  return null;
}

/** `24/11/2026`, `24 Nov 2026`, `24 de novembro`: the year may be left out. */
const WRITTEN = /^(\d{1,2})(?:[/.-]|\s+(?:de\s+)?)(\d{1,2}|\p{L}{3,})\.?(?:(?:[/.-]|\s+(?:de\s+)?)(\d{4}))?$/u;

/** The day in a text, in the form of an address; null for other texts. Without a year it is one of `now`. */
export function dayOf(text: string, now: Date): string | null {
  const [, day, month = "", year = String(now.getFullYear())] = WRITTEN.exec(text.trim()) ?? [];
  const number = /^\d/.test(month) ? month : String(monthOf(month) ?? "");
  const iso = day === undefined ? text.trim() : `${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${iso}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(iso) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null;
}

/** An instant as the bound of a list: a day is its first or its last moment in the zone of the reader. */
export function bound(text: string, edge: "first" | "last"): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return text;
  const next = edge === "first" ? 0 : 1;
  return new Date(new Date(Number(year), Number(month) - 1, Number(day) + next).getTime() - next).toISOString();
}
