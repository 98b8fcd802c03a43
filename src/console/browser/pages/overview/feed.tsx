import type { ComponentChildren } from "preact";
import { Section, Show } from "../../parts/page.js";
import { Money, Status, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { ChargeStatus } from "../charges/status.js";
import { pageId } from "../charges/subject.js";
import { toneOf } from "../med/outcome.js";
import type { Readings } from "./readings.js";

/** What happened last to money: charges, refunds and contested payments in one list, the latest first. */

const words = texts("overview");

interface Entry {
  readonly at: string;
  readonly what: string;
  readonly to: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: ComponentChildren;
  readonly customer: string | null;
}

const MOST = 10;

function entriesOf({ payments, refunds, cases }: Readings): readonly Entry[] {
  const { value } = words;
  const paid = payments.state.value.data?.data ?? [];
  const customerOf = (id: string) => paid.find((one) => one.id.endsWith(id))?.customerName ?? null;
  const entries: Entry[] = [
    ...paid.map((one) => ({
      ...{ amount: one.amount, currency: one.currency, status: <ChargeStatus of={one} /> },
      ...{ at: one.paidAt ?? one.createdAt, what: terms.value.charge, customer: one.customerName },
      to: `/console/charges/${pageId(one)}`,
    })),
    ...(refunds.state.value.data?.data ?? []).map(({ id, amount, currency, status, createdAt: at, transactionId }) => ({
      ...{ amount, currency, status: <Status status={status} />, at, what: value.refund },
      ...{ to: `/console/refunds/${id}`, customer: customerOf(transactionId) },
    })),
    ...(cases.state.value.data?.data ?? []).map((one) => ({
      ...{ amount: one.amount, currency: one.currency, status: <Status status={one.status} tone={toneOf(one)} /> },
      ...{ at: one.updated_at, what: terms.value.med_case, to: `/console/med/${one.id}` },
      customer: customerOf(one.charge_id.replace("ch_", "")),
    })),
  ];
  return entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, MOST);
}

export function Feed({ of }: { of: Readings }) {
  const entries = entriesOf(of);
  return (
    <Section title={words.value.latest}>
      {entries.length === 0 ? (
        <Show of={of.payments.state.value}>{() => <p class="hint">{words.value.no_charges}</p>}</Show>
      ) : null}
      <ul class="plain lines">
        {entries.map(({ at, what, to, amount, currency, status, customer }) => (
          <li key={to}>
            <a href={withBook(to)}>
              {what} <Money amount={amount} currency={currency} />
            </a>
            <span class="end">{status}</span>
            <span class="hint whole">
              <Time at={at} />
              {customer === null ? null : ` · ${customer}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
