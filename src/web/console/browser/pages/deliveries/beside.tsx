import type { ComponentChildren } from "preact";
import { parseSignature } from "../../../../../base/kernel/webhook-signature.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { IdText, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { differingHeaders } from "../../words/delivery-facts.js";
import { type Attempt, type Delivery, hasArrived, headerOf } from "./facts.js";

/** A failed delivery beside the last one of the same endpoint that arrived. */

const words = texts("deliveries");

/** Reads the last delivery of the same endpoint that arrived; null when there is none. */
export function useLastGood(delivery: Delivery | null) {
  const endpoint = delivery?.endpointId ?? null;
  const isWanted = endpoint !== null && delivery?.status !== "DELIVERED";
  const query = { endpoint: endpoint ?? "", status: "DELIVERED", limit: 1 } as const;
  const list = useCall("sandbox.deliveries.list", { query }, { on: ["attempt"], when: isWanted }).state.value;
  const id = list.data?.data[0]?.id ?? null;
  const whole = useCall("sandbox.deliveries.get", { params: { id: id ?? "" } }, { when: id !== null }).state.value;
  return {
    isRead: !isWanted || (isSettled(list) && (id === null || isSettled(whole))),
    delivery: id === null ? null : whole.data,
  };
}

interface Line {
  readonly name: string;
  readonly one: ComponentChildren;
  readonly other: ComponentChildren;
}

const form = (attempt: Attempt) => (parseSignature(headerOf(attempt))?.family === "legacy" ? "sha256=…" : "t=…,v1=…");

function linesOf(one: Attempt, other: Attempt): readonly Line[] {
  const pair = (name: string, show: (of: Attempt) => ComponentChildren): Line => {
    return { name, one: show(one), other: show(other) };
  };
  const value = (text: string | undefined) => (text === undefined ? "—" : <code>{text}</code>);
  const headers = (of: readonly (readonly [string, string | undefined, string | undefined])[]) =>
    of.map(([name, left, right]) => ({ name, one: value(left), other: value(right) }));
  return [
    pair(terms.value.answer, (of) => <AnswerMark status={of.response?.status ?? null} of={of} />),
    pair(words.value.sent_at, ({ at }) => <Time at={at} />),
    pair(terms.value.duration_real, ({ duration_ms }) => `${duration_ms} ms`),
    ...(form(one) === form(other) ? [] : [pair("X-QA-Signature", (of) => <code>{form(of)}</code>)]),
    ...headers(differingHeaders(one.request.headers, other.request.headers)),
    ...(one.response === null ? [] : headers(differingHeaders(one.response.headers, other.response?.headers ?? {}))),
  ];
}

/** The two attempts in columns, with the headers that differ. */
export function BesideGood({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const good = useLastGood(delivery).delivery;
  const other = good?.attempts_log.findLast(hasArrived);
  if (delivery.endpointId === null) return null;
  if (good === null || other === undefined) return <p class="hint">{words.value.none_arrived}</p>;
  return (
    <Section title={words.value.beside}>
      <Table
        label={words.value.beside}
        kind="breaks"
        rows={linesOf(attempt, other)}
        keyOf={({ name }) => name}
        columns={[
          { head: terms.value.field, cell: ({ name }) => name },
          { head: `${words.value.this_one}: ${delivery.eventType}`, cell: ({ one }) => one },
          {
            head: (
              <>
                {good.eventType}{" "}
                <a href={withBook(`/console/webhooks/${good.id}`)}>
                  <IdText id={good.id} />
                </a>
              </>
            ),
            cell: ({ other: shown }) => shown,
          },
        ]}
      />
    </Section>
  );
}
