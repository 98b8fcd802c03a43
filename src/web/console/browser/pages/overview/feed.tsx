import { Dotted } from "../../parts/items.js";
import { Section } from "../../parts/page.js";
import { Money, Status, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { ChargeStatus } from "../charges/status.js";
import { pageId } from "../charges/subject.js";
import { toneOf } from "../med/outcome.js";
import type { Readings } from "./readings.js";

/** The latest movements of money: charges, refunds and contested payments in one list, the latest first. */

const words = texts("overview");

const MOST = 10;

function entriesOf({ payments, refunds, cases }: Readings) {
  const entries = [
    ...(payments.data?.data ?? []).map((one) => ({
      ...one,
      status: <ChargeStatus of={one} />,
      at: one.paidAt ?? one.createdAt,
      what: terms.value.charge,
      to: `/console/charges/${pageId(one)}`,
      customer: one.customerName,
    })),
    ...(refunds.data?.data ?? []).map((one) => ({
      ...one,
      status: <Status status={one.status} />,
      at: one.createdAt,
      what: words.value.refund,
      to: `/console/refunds/${one.id}`,
      customer: one.customerName,
    })),
    ...(cases.data?.data ?? []).map((one) => ({
      ...one,
      status: <Status status={one.status} tone={toneOf(one)} />,
      at: one.updated_at,
      to: `/console/med/${one.id}`,
      customer: one.customer_name,
      what: terms.value.med_case,
    })),
  ];
  return entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, MOST);
}

export function Feed({ of }: { of: Readings }) {
  const entries = entriesOf(of);
  if (entries.length === 0 && of.payments.data === null) return null;
  return (
    <Section title={words.value.latest}>
      {entries.length === 0 ? <p class="hint">{words.value.no_charges}</p> : null}
      <ul class="stack plain lines">
        {entries.map(({ at, what, to, amount, currency, status, customer }) => (
          <li key={to}>
            <a href={withBook(to)}>
              {what} <Money amount={amount} currency={currency} />
            </a>
            <span class="end">{status}</span>
            <span class="hint whole">
              <Dotted of={[<Time at={at} />, customer]} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
