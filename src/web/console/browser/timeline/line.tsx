import type { ComponentChildren } from "preact";
import { fill } from "../../../../base/kernel/message.js";
import { namesOf } from "../../../../base/kernel/names.js";
import { AttemptError } from "../parts/attempt-error.js";
import { Icon } from "../parts/icon.js";
import type { IconName } from "../parts/icon-paths.js";
import { Countdown, SHAPES, Time } from "../parts/values.js";
import { objectPage } from "../shell/menu.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { targetParts } from "../words/delivery-facts.js";
import { duration, timeOfDay } from "../words/time.js";
import { answeredStatus, tookMs } from "./event-deliveries.js";
import { type Item, isFailure, type TimelineAnswer } from "./model.js";
import { BANK_TONES, RECEIVER_TONES, type Stations, type StationTone, stationsOf } from "./stations.js";
import { failureOf } from "./wording.js";

/** A charge as a line: application, qa-pay, bank, receiver, each with its milliseconds. It sums up the timeline. */

const words = texts("pay_line");

const ICONS: Readonly<Record<StationTone, IconName>> = { ...SHAPES, next: "point" };

interface StationProps {
  readonly tone: StationTone;
  readonly name: ComponentChildren;
  /** The page of what happened there. */
  readonly href?: string | null;
  readonly children: ComponentChildren;
}

function Station({ tone, name, href, children }: StationProps) {
  return (
    <li class={`station station-${tone}`}>
      <span class="station-dot">
        <Icon name={ICONS[tone]} />
      </span>
      {href === undefined || href === null ? <b>{name}</b> : <a href={withBook(href)}>{name}</a>}
      <span class="hint">{children}</span>
    </li>
  );
}

const requestPage = (request: Item | null) =>
  request?.data.logged === true ? `/console/requests/${String(request.data.number)}` : null;

function bankText({ state, after }: Stations["bank"], expiresAt: string | null) {
  if (state !== "waits") return fill(words.value.bank[state], { time: duration(after) });
  if (expiresAt === null) return words.value.bank.waits;
  return (
    <>
      {words.value.waits_for} <Countdown to={expiresAt} />
    </>
  );
}

function AttemptOutcome({ of }: { of: Item }) {
  const status = answeredStatus(of);
  const time = duration(tookMs(of) ?? 0);
  if (status !== null) return <>{fill(words.value.answered, { status, time })}</>;
  return <AttemptError of={failureOf(of)} />;
}

function receiverText({ state, event, attempt, arrived }: Stations["receiver"], next: string | null) {
  const { value } = words;
  if (state === "next") return value.next;
  if (state === "nobody") return value.nobody;
  if (state === "sending") return value.sending;
  if (state === "partly") return fill(value.partly, { arrived, all: event?.deliveries.length ?? 0 });
  if (state === "failed" && attempt !== null) return <AttemptOutcome of={attempt} />;
  if (attempt === null) return value.sending;
  if (state === "arrived" && !isFailure(attempt)) return <AttemptOutcome of={attempt} />;
  // Nobody listens there yet: what the person does next is to start the application.
  if (answeredStatus(attempt) === null) return value.start_it;
  return (
    <>
      <AttemptOutcome of={attempt} />
      {next === null ? null : (
        <>
          {" · "}
          {value.again_in} <Countdown to={next} />
        </>
      )}
    </>
  );
}

function receiverName({ event }: Stations["receiver"]) {
  const [first, ...others] = event?.deliveries ?? [];
  if (first === undefined || others.length > 0) return words.value.receiver;
  const { host, rest } = targetParts(String(first.data.url));
  return (
    <>
      {host === "" ? null : <span class="wide-only">{host}</span>}
      {rest.replace(/\/.*$/, "") || host}
    </>
  );
}

function receiverPage({ state, event }: Stations["receiver"]): string | null {
  if (state === "nobody") return "/console/connect";
  const [first, ...others] = event?.deliveries ?? [];
  return first === undefined || others.length > 0 ? null : objectPage(first.id);
}

/** The line before there is a charge. */
export function NextLine() {
  return (
    <ol class="pay-line" aria-label={words.value.label}>
      {namesOf(words.value.plan).map((name) => (
        <Station key={name} tone="next" name={words.value.plan[name]}>
          {words.value.does[name]}
        </Station>
      ))}
    </ol>
  );
}

/** The line of a charge; nothing when its timeline has lost its beginning. */
export function PayLine({ timeline }: { timeline: TimelineAnswer }) {
  const stations = stationsOf(timeline);
  const [first] = timeline.items;
  if (stations === null || first === undefined) return null;
  const { app, service, bank, receiver } = stations;
  const expires = timeline.due.find(({ kind }) => kind === "transaction.expire")?.at ?? null;
  const next = timeline.due.find(({ kind }) => kind === "delivery.attempt")?.at ?? null;
  return (
    <ol class="pay-line" aria-label={words.value.label}>
      <Station tone="good" name={words.value.senders[app.sender]} href={requestPage(app.request)}>
        {app.request?.data.path === undefined ? (
          <Time at={first.at} text={timeOfDay} />
        ) : (
          <code>{String(app.request.data.path)}</code>
        )}
      </Station>
      <Station tone="good" name="qa-pay">
        {service.status === null || service.ms === null
          ? words.value.created
          : fill(words.value.answered, { status: service.status, time: duration(service.ms) })}
      </Station>
      <Station tone={BANK_TONES[bank.state]} name={words.value.bank_name}>
        {bankText(bank, expires)}
      </Station>
      <Station tone={RECEIVER_TONES[receiver.state]} name={receiverName(receiver)} href={receiverPage(receiver)}>
        {receiverText(receiver, next)}
      </Station>
    </ol>
  );
}
