import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { Json } from "../parts/json.js";
import { Status } from "../parts/values.js";
import { withBook } from "../state/book.js";
import { language } from "../state/language.js";
import { Attempt } from "./attempt.js";
import { Line, useItemAddress } from "./line.js";
import { type Branch, burstOf, type Item, isFailure, itemsIn, partsOf } from "./model.js";
import { causeSentence, sentence } from "./wording.js";
import { words } from "./words.js";

/** An item of a timeline with everything that came from it, as nested lists. */

/** The page of an item inside the console. */
function pageOf({ kind, id, data }: Item): string | null {
  if (kind === "event") return `/console/events/${id}`;
  if (kind === "delivery") return `/console/deliveries/${id}`;
  if (kind === "email") return `/console/mail/${id}`;
  return kind === "request" && data.logged === true ? `/console/requests/${String(data.number)}` : null;
}

function Linked({ item, children }: { item: Item; children: ComponentChildren }) {
  const page = pageOf(item);
  return page === null ? <span>{children}</span> : <a href={withBook(page)}>{children}</a>;
}

/** Particulars of an item that its sentence does not say. */
function particularsOf({ kind, data }: Item): unknown {
  if (kind === "event") return data.object;
  if (kind === "request") return data.logged === true ? data : null;
  const { move: _move, from: _from, to: _to, ...rest } = data;
  const isMoved = kind === "transition" || kind === "refund" || kind === "payout" || kind === "med_case";
  return isMoved && Object.keys(rest).length > 0 ? rest : null;
}

function Particulars({ item }: { item: Item }) {
  const value = particularsOf(item);
  if (value === null || value === undefined) return null;
  const label = item.kind === "event" ? words.value.event_data : words.value.particulars;
  return (
    <details class="t-details">
      <summary>{label}</summary>
      <Json label={label} value={value} />
    </details>
  );
}

/** Where a delivery goes, the outcome of each attempt, and how it stands. */
function Delivery({ item, children }: Branch) {
  const dots = children.map((attempt) => (isFailure(attempt.item) ? "✕" : "✓")).join(" ");
  const { url, status } = item.data;
  return (
    <>
      <span aria-hidden="true">→ </span>
      <Linked item={item}>{String(url)}</Linked> <span aria-hidden="true">{dots}</span>{" "}
      <Status status={String(status)} />
    </>
  );
}

function Attempts({ of: { children, item } }: { of: Branch }) {
  if (children.length === 0) return null;
  return (
    <ol class="t-list">
      {children.map((attempt, index) => (
        <Attempt key={attempt.item.id} item={attempt.item} since={children[index - 1]?.item.at ?? item.at} />
      ))}
    </ol>
  );
}

/** An event with its deliveries. A single delivery stands in the line of the event. */
function Event({ branch, since }: { branch: Branch; since: string | null }) {
  const [only, ...more] = branch.children;
  const isOne = only !== undefined && more.length === 0 && only.item.kind === "delivery";
  return (
    <li class="t-item">
      <Line item={branch.item} since={since}>
        <Linked item={branch.item}>{branch.item.text}</Linked> {isOne ? <Delivery {...only} /> : null}
      </Line>
      <Particulars item={branch.item} />
      {isOne ? <Attempts of={only} /> : <Branches of={branch.children} since={branch.item.at} />}
    </li>
  );
}

function burstText(branches: readonly Branch[]): string {
  const { events, deliveries, arrived, failedAttempts, journals, mails } = burstOf(branches);
  const { value } = words;
  const sent = deliveries === 0 ? value.no_deliveries : value.deliveries(deliveries);
  const outcome = arrived === deliveries ? value.all_arrived : value.arrived(arrived);
  return [
    ...journals.map((journal) => sentence(journal, language.value)),
    ...(events.length === 0 ? [] : [events.join(", ")]),
    ...(events.length === 0 && deliveries === 0 ? [] : [deliveries === 0 ? sent : `${sent}, ${outcome}`]),
    ...(failedAttempts === 0 ? [] : [value.failed_attempts(failedAttempts)]),
    ...(mails === 0 ? [] : [value.mails(mails)]),
  ].join(" · ");
}

/** Money, events and mails of a move: one line while all is well, open when something failed. */
function Burst({ of, since }: { of: readonly Branch[]; since: string }) {
  const { query } = useLocation();
  if (of.length === 0) return null;
  const isWanted = of.flatMap(itemsIn).some(({ id }) => id === query.at);
  return (
    <details class="t-burst" open={isWanted || of.some(({ isFailed }) => isFailed)}>
      <summary>{burstText(of)}</summary>
      <Branches of={of} since={since} />
    </details>
  );
}

/** Items below another one. */
function Branches({ of, since }: { of: readonly Branch[]; since: string }) {
  if (of.length === 0) return null;
  return (
    <ol class="t-list">
      {of.map((branch) => (
        <Twig key={branch.item.id} branch={branch} since={since} />
      ))}
    </ol>
  );
}

function Twig({ branch, since }: { branch: Branch; since: string }) {
  const { item } = branch;
  if (item.kind === "event") return <Event branch={branch} since={since} />;
  if (item.kind === "attempt") return <Attempt item={item} since={since} />;
  if (item.kind !== "delivery") return <Tree branch={branch} because={null} since={since} />;
  return (
    <li class="t-item">
      <Line item={item} since={since}>
        {String(item.data.type)} <Delivery {...branch} />
      </Line>
      <Attempts of={branch} />
    </li>
  );
}

function Because({ item }: { item: Item }) {
  const addressOf = useItemAddress();
  return (
    <span class="hint">
      {" "}
      {words.value.because} <a href={addressOf(item.id)}>{sentence(item, language.value)}</a>
    </span>
  );
}

/** The status that a step leads to; null for an item that is no step or keeps the status. */
function leadsTo({ kind, data: { from, to } }: Item): string | null {
  return kind !== "clock" && typeof to === "string" && from !== to ? to : null;
}

interface TreeProps {
  readonly branch: Branch;
  /** The earlier item that made this one due. */
  readonly because: Item | null;
  /** The instant of the item above; null for an item that stands by itself. */
  readonly since: string | null;
}

/** A step with its burst and its later steps. */
export function Tree({ branch, because, since }: TreeProps) {
  const { item } = branch;
  if (item.kind === "event") return <Event branch={branch} since={since} />;
  const { steps, burst } = partsOf(branch);
  const text = sentence(item, language.value);
  const cause = since === null ? causeSentence(item.cause, language.value) : null;
  return (
    <li class={since === null ? "t-item t-root" : "t-item"}>
      <Line item={item} since={since}>
        <strong class={item.kind === "request" || item.kind === "journal" ? "t-plain" : undefined}>
          <Linked item={item}>{text}</Linked>
        </strong>
        {leadsTo(item) === null ? null : (
          <>
            {" "}
            <Status status={leadsTo(item) ?? ""} />
          </>
        )}
        {cause === null ? null : <span class="hint"> — {cause}</span>}
        {because === null ? null : <Because item={because} />}
      </Line>
      <Particulars item={item} />
      <Burst of={burst} since={item.at} />
      <Branches of={steps} since={item.at} />
    </li>
  );
}
