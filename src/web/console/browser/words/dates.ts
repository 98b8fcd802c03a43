/** Days as people write them here, `24/11/2026`, and as addresses have them, `2026-11-24`. */

/** A day of an address for people. A text that is no day stays as it is. */
export function dayText(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(iso) ?? [];
  return year === undefined ? iso : `${day}/${month}/${year}`;
}

const WRITTEN = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}))?$/;

/** The day in a text, in the form of an address; null for other texts. Without a year it is one of `now`. */
export function dayOf(text: string, now: Date): string | null {
  const [, day, month, year = String(now.getFullYear())] = WRITTEN.exec(text.trim()) ?? [];
  const iso = day === undefined ? text.trim() : `${year}-${month?.padStart(2, "0")}-${day.padStart(2, "0")}`;
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
