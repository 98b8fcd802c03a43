import { type Language, textsIn } from "../texts/index.js";

/** Times and durations as short texts. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: Language, key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${language} ${key}`;
  const known = formats.get(name) ?? new Intl.DateTimeFormat(textsIn(language).locale, options);
  formats.set(name, known);
  return known;
}

/** `22 Nov`, in Portuguese `22 nov`: the name of a month cannot be mistaken for a day. In the time zone of the browser. */
export function dayAndMonth(at: number, language: Language): string {
  const parts = format(language, "day and month", { day: "numeric", month: "short" }).formatToParts(at);
  const part = (type: "day" | "month") => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("day")} ${shortMonth(part("month"))}`;
}

/** `Nov` of `Nov`, `nov` of `nov.`, `Sep` of `Sept`. */
export const shortMonth = (name: string) => name.slice(0, 3);

/** `22 Nov 07:57` in the time zone of the browser. */
export function shortTime(at: number, language: Language): string {
  const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return `${dayAndMonth(at, language)} ${format(language, "minute", options).format(at)}`;
}

/** `07:57:10` in the time zone of the browser. */
export function timeOfDay(at: number, language: Language): string {
  const options = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  return format(language, "time", options).format(at);
}

/** `Sunday, 29 November` in the time zone of the browser. */
export function dayName(at: number, language: Language): string {
  return format(language, "day name", { weekday: "long", day: "numeric", month: "long" }).format(at);
}

/** `Sunday, 29 November 2026` in the time zone of the browser. */
export function longDay(at: number, language: Language): string {
  return format(language, "long day", { dateStyle: "full" }).format(at);
}

/** The whole date and time with the zone, for a title. */
export function longTime(at: number, language: Language): string {
  return format(language, "long", { dateStyle: "full", timeStyle: "long" }).format(at);
}

/** A duration as its two largest units: `2 d 3 h`, `5 min 02 s`, `350 ms`. */
export function duration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  const two = (large: number, name: string, small: number, other: string) => {
    const rest = Math.floor((length % large) / small);
    return `${Math.floor(length / large)} ${name}${rest === 0 ? "" : ` ${String(rest).padStart(2, "0")} ${other}`}`;
  };
  if (length < HOUR) return two(MINUTE, "min", SECOND, "s");
  if (length < DAY) return two(HOUR, "h", MINUTE, "min");
  return two(DAY, "d", HOUR, "h");
}

const UNITS = [
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "min"],
  [SECOND, "s"],
] as const;

/** Two durations, of which the first has no unit if it is that of the second: `41` and `52 min`, `58 s` and `2 min 05 s`. */
export function span(from: number, to: number): { readonly from: string; readonly to: string } {
  const [size = SECOND, name = "s"] = UNITS.find(([unit]) => to >= unit) ?? [];
  const [low, high] = [Math.floor(from / size), Math.floor(to / size)];
  return low > 0 ? { from: String(low), to: `${high} ${name}` } : { from: duration(from), to: duration(to) };
}
