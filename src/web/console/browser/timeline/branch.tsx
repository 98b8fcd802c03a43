import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { fill } from "../../../../base/kernel/message.js";
import { AttemptError } from "../parts/attempt-error.js";
import { Icon } from "../parts/icon.js";
import type { IconName } from "../parts/icon-paths.js";
import { Code, Json } from "../parts/json.js";
import { useAddressWith } from "../parts/list-address.js";
import { SHAPES, Status, Time, type Tone } from "../parts/values.js";
import { objectPage } from "../shell/menu.js";
import { withBook } from "../state/book.js";
import { language, terms, texts } from "../state/language.js";
import { toneOfCode } from "../words/codes.js";
import { withoutScheme } from "../words/delivery-facts.js";
import { duration, timeOfDay } from "../words/time.js";
import { type Branch, type Item, isFailure, itemsIn, nodeOf, partsOf } from "./model.js";
import { attemptPieces, causeSentence, exchangeOf, exchangeText, failureOf, sentence } from "./wording.js";

/** A cause of a timeline as a node, with all its effects as rows: money, events with their deliveries, mail. */

const words = texts("timeline");
const workWords = texts("timeline_work");

/** The pictures of items. They are decoration: the sentence beside them says the same. */
const ICONS_OF: Readonly<Record<string, IconName>> = {
  request: "terminal-2",
  transition: "receipt-2",
  refund: "arrow-back-up",
  payout: "cash",
  med_case: "scale",
  journal: "wallet",
  event: "bolt",
  email: "mail",
  clock: "clock",
};

/** The colour of a step's picture: that of the state to which it leads. */
const toneOf = (item: Item): Tone => (isFailure(item) ? "bad" : toneOfCode(String(item.data.to)));

/** True if the address marks one of these items. */
export function useMark(items: readonly Item[]): { readonly "aria-current"?: "true"; readonly class: string } {
  const { query } = useLocation();
  return items.some(({ id }) => id === query.at) ? { "aria-current": "true", class: "t-marked" } : { class: "" };
}

/** The sentence about an attempt, or without its number: `200 in 4 ms`. A network error is in its own language. */
export function AttemptText({ item, isShort = false }: { item: Item; isShort?: boolean }) {
  const pieces = attemptPieces(item, language.value);
  const shown = isShort ? pieces.slice(pieces.findIndex(({ name }) => name === "number") + 2) : pieces;
  return shown.map(({ name, text }) => (name === "error" ? <AttemptError key={name} of={failureOf(item)} /> : text));
}

/** The maximum of characters of an answer beside its attempt; the whole one is in the details. */
const SHOWN_ANSWER = 100;

/** One attempt of a delivery: its outcome, and folded its request and the answer exactly as they were. */
function Attempt({ item, since }: { item: Item; since: string }) {
  const { request, answer } = exchangeOf(item);
  const mark = useMark([item]);
  const passed = Date.parse(item.at) - Date.parse(since);
  const body = isFailure(item) ? (answer?.body ?? "") : "";
  return (
    <li id={item.id} {...mark} class={`t-attempt ${mark.class}`}>
      <p class={isFailure(item) ? "t-failed" : undefined}>
        <AttemptText item={item} />
        {body === "" ? null : <code class="t-answer"> {body.slice(0, SHOWN_ANSWER)}</code>}
        {passed < 1_000 ? null : <span class="hint"> {fill(words.value.later, { time: duration(passed) })}</span>}
      </p>
      {request === undefined ? null : (
        <details class="t-details">
          <summary>{words.value.details}</summary>
          <Code label={words.value.request} text={exchangeText(request)} />
          {answer === null ? <p>{words.value.no_answer}</p> : null}
          {answer === null ? null : <Code label={words.value.answer} text={exchangeText(answer)} />}
        </details>
      )}
    </li>
  );
}

/** The page of an item inside the console. */
function pageOf({ kind, id, data }: Item): string | null {
  if (kind === "event" || kind === "delivery" || kind === "email") return objectPage(id);
  return kind === "request" && data.logged === true ? `/console/requests/${String(data.number)}` : null;
}

function Linked({ item, children }: { item: Item; children: ComponentChildren }) {
  const page = pageOf(item);
  return page === null ? <span>{children}</span> : <a href={withBook(page)}>{children}</a>;
}

/** The reason of a step in the words of a person: who requested it, or what made it due and how long before. */
function CauseOf({ item, parent }: { item: Item; parent: Item | null }) {
  const address = useAddressWith();
  if (item.cause_code !== "work" || parent === null) return <>{causeSentence(item, language.value)}</>;
  const { kind } = item.cause_params;
  const table: Readonly<Record<string, string>> = workWords.value;
  const by = table[String(kind)] ?? workWords.value.other;
  const time = duration(Date.parse(item.at) - Date.parse(parent.at));
  const after = parent.code === "transition.create" ? words.value.after_creation : words.value.after_step;
  return (
    <>
      {by}, <a href={address({ at: parent.id })}>{fill(after, { time, step: sentence(parent, language.value) })}</a>
    </>
  );
}

/** Details of an item that its sentence leaves out. */
function particularsOf({ kind, data }: Item): unknown {
  if (kind === "event") return data.object ?? null;
  if (kind === "request") return data.logged === true ? data : null;
  const { move: _move, from: _from, to: _to, ...rest } = data;
  const isMoved = kind === "transition" || kind === "refund" || kind === "payout" || kind === "med_case";
  return isMoved && Object.keys(rest).length > 0 ? rest : null;
}

function Particulars({ item }: { item: Item }) {
  const value = particularsOf(item);
  if (value === null) return null;
  const label = item.kind === "event" ? words.value.event_data : terms.value.details;
  return (
    <details class="t-details">
      <summary>{label}</summary>
      <Json label={label} value={value} />
    </details>
  );
}

/** The state of a delivery: it has arrived, an attempt has failed, or there was none yet. */
function toneOfDelivery({ item, children }: Branch): Tone {
  if (item.data.status === "DELIVERED") return "good";
  return children.some((attempt) => isFailure(attempt.item)) ? "bad" : "wait";
}

/** An event on its way to one endpoint: a line whose outcome opens to the payload and the attempts. */
function DeliveryRow({ event, delivery }: { event: Item | null; delivery: Branch }) {
  const mark = useMark([...(event === null ? [] : [event]), ...itemsIn(delivery)]);
  const isOpen = useSignal(mark["aria-current"] === "true");
  const tone = toneOfDelivery(delivery);
  const { children } = delivery;
  const last = children.at(-1)?.item;
  const { url, status, type } = delivery.item.data;
  const inside = `in-${delivery.item.id}`;
  return (
    <li id={delivery.item.id} {...mark} class={`t-row t-row-${tone} ${mark.class}`}>
      <div class="level">
        <Icon name={SHAPES[tone]} />
        <span class="t-text" title={String(url)}>
          {event === null ? String(type) : <Linked item={event}>{event.text}</Linked>}{" "}
          <span aria-hidden="true">→ </span>
          <Linked item={delivery.item}>{withoutScheme(String(url))}</Linked>
        </span>
        <RowEnd inside={inside} isOpen={isOpen}>
          {last === undefined ? <Status status={String(status)} /> : <AttemptText item={last} isShort={true} />}
          {children.length < 2 ? null : ` · ${fill(words.value.attempts, { count: children.length })}`}
        </RowEnd>
      </div>
      <div id={inside} class="t-inside" hidden={!isOpen.value}>
        {event === null ? null : <Particulars item={event} />}
        <ol class="stack t-list">
          {children.map(({ item }, index) => (
            <Attempt key={item.id} item={item} since={children[index - 1]?.item.at ?? delivery.item.at} />
          ))}
        </ol>
      </div>
    </li>
  );
}

/** The button at the end of a row, which shows and hides its inside. */
function RowEnd({
  inside,
  isOpen,
  children,
}: {
  inside: string;
  isOpen: Signal<boolean>;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="t-end"
      aria-expanded={isOpen.value}
      aria-controls={inside}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <span>{children}</span>
      <Icon name={isOpen.value ? "chevron-down" : "chevron-right"} />
    </button>
  );
}

/** Any other effect of a step: one line, with its own effects below. An event that nobody wants opens to its payload. */
function PlainRow({ branch }: { branch: Branch }) {
  const { item, children } = branch;
  const mark = useMark([item]);
  const isOpen = useSignal(false);
  const isUnsent = item.kind === "event" && children.length === 0;
  const inside = `in-${item.id}`;
  return (
    <>
      <li id={item.id} {...mark} class={`t-row ${mark.class}`}>
        <div class="level">
          <Icon name={ICONS_OF[item.kind] ?? "point"} />
          <span class="t-text">
            <Linked item={item}>{sentence(item, language.value)}</Linked>
          </span>
          {isUnsent ? (
            <RowEnd inside={inside} isOpen={isOpen}>
              {words.value.no_deliveries}
            </RowEnd>
          ) : null}
        </div>
        {isUnsent ? (
          <div id={inside} class="t-inside" hidden={!isOpen.value}>
            <Particulars item={item} />
          </div>
        ) : null}
      </li>
      {children.map((child) => (
        <Row key={child.item.id} branch={child} />
      ))}
    </>
  );
}

function Row({ branch }: { branch: Branch }) {
  const { item, children } = branch;
  if (item.kind === "delivery") return <DeliveryRow event={null} delivery={branch} />;
  if (item.kind === "attempt") return <Attempt item={item} since={item.at} />;
  const isSent = item.kind === "event" && children.some((child) => child.item.kind === "delivery");
  if (!isSent) return <PlainRow branch={branch} />;
  return (
    <>
      {children.map((child) =>
        child.item.kind === "delivery" ? (
          <DeliveryRow key={child.item.id} event={item} delivery={child} />
        ) : (
          <Row key={child.item.id} branch={child} />
        ),
      )}
    </>
  );
}

function Rows({ of }: { of: readonly Branch[] }) {
  return of.length === 0 ? null : (
    <ul class="sheet t-rows">
      {of.map((branch) => (
        <Row key={branch.item.id} branch={branch} />
      ))}
    </ul>
  );
}

/** The step, and its new state if that differs from the old one. */
function Title({ item, children }: { item: Item; children?: ComponentChildren }) {
  const { from, to } = item.data;
  return (
    <p class={isFailure(item) ? "flow t-title t-failed" : "flow t-title"}>
      <strong>
        <Linked item={item}>{sentence(item, language.value)}</Linked>
      </strong>
      {item.kind !== "clock" && typeof to === "string" && from !== to ? <Status status={to} /> : null}
      <span class="hint">{children}</span>
    </p>
  );
}

/** A step that followed another one at once, inside its node. */
function Step({ branch, since }: { branch: Branch; since: Item }) {
  const { item } = branch;
  const { steps, burst } = partsOf(branch);
  const passed = Date.parse(item.at) - Date.parse(since.at);
  const mark = useMark([item]);
  const isOpen = useSignal(false);
  const inside = `in-${item.id}`;
  const later = passed < 1_000 ? null : fill(words.value.later, { time: duration(passed) });
  return (
    <div id={item.id} {...mark} class={`stack ${mark.class}`}>
      <div class="flow">
        <NodeIcon item={item} isOpen={isOpen} inside={inside} />
        <Title item={item}>{item.cause_code === "work" ? <CauseOf item={item} parent={since} /> : later}</Title>
      </div>
      <Inside item={item} isOpen={isOpen} id={inside} />
      <Rows of={burst} />
      {steps.map((step) => (
        <Step key={step.item.id} branch={step} since={item} />
      ))}
    </div>
  );
}

/** The details behind the picture of a step. */
function Inside({ item, isOpen, id }: { item: Item; isOpen: Signal<boolean>; id: string }) {
  const particulars = particularsOf(item);
  return particulars === null ? null : (
    <div id={id} hidden={!isOpen.value}>
      <Json label={terms.value.details} value={particulars} />
    </div>
  );
}

interface NodeIconProps {
  readonly item: Item;
  readonly isOpen: Signal<boolean>;
  /** The id of the details, which it shows and hides. */
  readonly inside: string;
}

/** The picture of a node. Its details, if it has any, are behind it. */
function NodeIcon({ item, isOpen, inside }: NodeIconProps) {
  const look = `t-icon t-icon-${toneOf(item)}`;
  const picture = <Icon name={ICONS_OF[item.kind] ?? "point"} />;
  if (particularsOf(item) === null) return <span class={look}>{picture}</span>;
  return (
    <button
      type="button"
      class={look}
      title={terms.value.details}
      aria-label={terms.value.details}
      aria-expanded={isOpen.value}
      aria-controls={inside}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      {picture}
    </button>
  );
}

/** A cause with its effects. A request that led to one step is shown beside the step. */
export function Tree({ branch }: { branch: Branch }) {
  const { item, parent } = branch;
  const { head, request, burst, steps } = nodeOf(branch);
  const address = useAddressWith();
  const mark = useMark(request === null ? [head] : [head, request]);
  const isOpen = useSignal(false);
  const inside = `in-${head.id}`;
  return (
    <li class="t-node">
      <a class="t-time" href={address({ at: head.id })}>
        <Time at={item.at} text={timeOfDay} />
      </a>
      <NodeIcon item={head} isOpen={isOpen} inside={inside} />
      <div id={head.id} {...mark} class={`stack t-body ${mark.class}`}>
        <Title item={head}>
          {request === null ? null : (
            <span id={request.id}>
              <Linked item={request}>{sentence(request, language.value)}</Linked> ·{" "}
            </span>
          )}
          <CauseOf item={item} parent={parent} />
        </Title>
        <Inside item={head} isOpen={isOpen} id={inside} />
        <Rows of={burst} />
        {steps.map((step) => (
          <Step key={step.item.id} branch={step} since={head} />
        ))}
      </div>
    </li>
  );
}
