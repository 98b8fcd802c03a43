import { type Signal, signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { useCall } from "../../api/use-call.js";
import { Section } from "../../parts/page.js";
import { book, bookHeader, withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { NextLine, PayLine } from "../../timeline/line.js";
import { isFailure } from "../../timeline/model.js";
import { useTimeline } from "../../timeline/timeline.js";
import { RECEIVER_URL } from "../../words/usual-receiver.js";
import { CreateAndPay } from "./create-and-pay.js";
import { type Readings, totalOf } from "./readings.js";

/** The first minute with a new server: one button, the code that turns green, and the line to the receiver. */

const words = texts("first_minute");

/** The charge of the first minute, by its book. It stays when the page is left and opened again. */
const made = signal<Readonly<Record<string, string>>>({});

/** A book with more payments has had its first minute, even if nobody takes its webhooks. */
const FEW = 10;

/** Where webhooks go: the endpoints that exist, or a field for the first one. */
function Target({ url }: { url: Signal<string> }) {
  const id = useId();
  const { data } = useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value;
  // Until the endpoints are read, the field holds the place, so that nothing moves.
  const first = data?.data[0];
  if (first !== undefined) return <code>{first.url}</code>;
  return (
    <span class="stack field">
      <label class="visually-hidden" for={id}>
        {words.value.receiver}
      </label>
      <input
        id={id}
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={url.value}
        onInput={({ currentTarget }) => {
          url.value = currentTarget.value;
        }}
      />
    </span>
  );
}

function Story({ id }: { id: string }) {
  const { data } = useTimeline(id).state.value;
  const isPaid = data?.items.some(({ data: { to } }) => to === "PAID") ?? false;
  const hasArrived = data?.items.some((item) => item.kind === "attempt" && !isFailure(item)) ?? false;
  return (
    <>
      <div class={isPaid ? "first-code first-code-paid" : "first-code"}>
        <img src={`/qr/${id.slice(ID_PREFIX.charge.length)}.png`} alt={words.value.code} width={160} height={160} />
      </div>
      <div class="stack">
        {data === null ? <NextLine /> : <PayLine timeline={data} />}
        <p class="flow">
          <a class="button" href={withBook(`/console/charges/${id}`)}>
            {words.value.open}
          </a>
          {hasArrived ? <b>{words.value.connected}</b> : null}
        </p>
      </div>
    </>
  );
}

export function FirstMinute({ of }: { of: Readings }) {
  const place = bookHeader(book.value);
  const id = made.value[place];
  const url = useSignal(RECEIVER_URL);
  const total = totalOf(of);
  const delivered = of.deliveries.data?.DELIVERED;
  // Data that could not be read says nothing about a step.
  if (total === null || delivered === undefined) return null;
  if (id === undefined && (delivered > 0 || total >= FEW)) return null;
  const steps = [words.value.step_create, words.value.step_pay, words.value.step_receive];
  return (
    <Section title={total === 0 ? words.value.title : words.value.title_again}>
      <div class="stack first-minute">
        <ol class="first-steps">
          {steps.map((text, index) => (
            <li key={text}>
              {text} {index === 2 ? <Target url={url} /> : null}
            </li>
          ))}
        </ol>
        <p class="flow">
          <CreateAndPay
            receiver={url}
            onCharge={(charge) => {
              made.value = { ...made.value, [place]: charge };
            }}
          />
          <a href={withBook("/console/connect")}>{words.value.connect}</a>
        </p>
      </div>
      <div class="first-story">{id === undefined ? <NextLine /> : <Story key={id} id={id} />}</div>
    </Section>
  );
}
