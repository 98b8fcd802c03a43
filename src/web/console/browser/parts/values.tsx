import type { ComponentChildren } from "preact";
import { formatMoney } from "../../../../base/kernel/money.js";
import { withBook } from "../state/book.js";
import { isFrozen, now } from "../state/clock.js";
import { language } from "../state/language.js";
import { type Tone, toneOfCode } from "../words/codes.js";
import { shortId } from "../words/short-id.js";
import { duration, longTime, shortTime } from "../words/time.js";
import { codeName } from "./codes.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icon-paths.js";

export { type Tone, toneOfCode } from "../words/codes.js";

/** Single values as shown in tables and heads. */

/** An amount in the smallest unit of its currency, in the notation of Brazil. */
export function Money({
  amount,
  currency = "BRL",
  signed = false,
}: {
  amount: number;
  currency?: string;
  signed?: boolean;
}) {
  const text = formatMoney(Math.abs(amount), currency);
  const plus = signed ? "+" : "";
  return <span class="money">{amount < 0 ? `−${text}` : plus + text}</span>;
}

/** An emulated instant, short. Its title has the whole date, the instant in UTC and the distance from now. */
export function Time({ at, text = shortTime }: { at: string; text?: typeof shortTime }) {
  const instant = Date.parse(at);
  const distance = now.value === null ? "" : `\n${duration(instant - now.value)}`;
  return (
    <time dateTime={at} title={`${longTime(instant, language.value)}\n${at}${distance}`}>
      {text(instant, language.value)}
    </time>
  );
}

/** The time until an emulated instant. It stands still while the clock does. */
export function Countdown({ to }: { to: string }) {
  const left = now.value === null ? null : Date.parse(to) - now.value;
  return (
    <time dateTime={to} title={to} class={isFrozen.value ? "frozen" : undefined}>
      {left === null ? shortTime(Date.parse(to), language.value) : `${left < 0 ? "−" : ""}${duration(left)}`}
    </time>
  );
}

/**
 * An id. In a table only its prefix and its end are seen. Its text is whole everywhere, for screen readers and for a
 * search in the page. Elsewhere, where space is short, its beginning is cut and never its end, which distinguishes ids.
 */
export function IdText({ id }: { id: string }) {
  return (
    <span class="cut id" title={id} data-short={shortId(id)}>
      <bdi dir="ltr">{id}</bdi>
    </span>
  );
}

/** A link to the page of any object, by its id. */
export function ObjectLink({ id }: { id: string }) {
  return (
    <a href={withBook(`/console/go/${encodeURIComponent(id)}`)}>
      <IdText id={id} />
    </a>
  );
}

/** The picture of each state. */
export const SHAPES: Readonly<Record<Tone, IconName>> = {
  good: "check",
  bad: "x",
  wait: "clock",
  warn: "alert-triangle",
  plain: "point",
};

/** A status as word, shape and colour. Its API code is the title. */
export function Status({
  status,
  tone = toneOfCode(status),
  children,
}: {
  status: string;
  tone?: Tone;
  children?: ComponentChildren;
}) {
  const name = codeName(status);
  return (
    <span class={`status status-${tone}`} title={children === undefined && name !== status ? status : undefined}>
      <Icon name={SHAPES[tone]} /> {children ?? name}
    </span>
  );
}

export function HttpStatus({ status }: { status: number | null }) {
  if (status === null || status === 0) return <Status status="—" tone="bad" />;
  if (status < 300) return <Status status={String(status)} tone="good" />;
  return <Status status={String(status)} tone={status < 400 ? "plain" : "bad"} />;
}
