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

/** `22/11 07:57:10` in the time zone of the browser. */
export function shortTime(at: number, language: Language): string {
  const day = format(language, "day", { day: "2-digit", month: "2-digit" }).format(at);
  return `${day} ${timeOfDay(at, language)}`;
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
