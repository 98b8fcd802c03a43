import { isJsonObject } from "../../../../base/kernel/json.js";
import { withBook } from "../state/book.js";
import { Money, ObjectLink } from "./values.js";

interface About {
  /** The id of the object, with its prefix. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The amount and the customer of an event; no amount for an event without one. */
function factsOf({ payload: { data } }: Pick<About, "payload">) {
  // The older events have their object in `data`.
  const object = isJsonObject(data) && isJsonObject(data.object) ? data.object : data;
  const { amount, currency, customer } = isJsonObject(object) ? object : {};
  return {
    amount: typeof amount === "number" ? amount : null,
    currency: typeof currency === "string" ? currency : "BRL",
    name: isJsonObject(customer) && typeof customer.name === "string" ? customer.name : "",
  };
}

/** The subject of an event as a link: its amount and customer, if the event has them, else its id. */
export function SubjectLink({ of }: { of: About }) {
  const { amount, currency, name } = factsOf(of);
  if (amount === null) return <ObjectLink id={of.subject} />;
  return (
    <a
      class="cut short-line"
      href={withBook(`/console/go/${encodeURIComponent(of.subject)}`)}
      title={name === "" ? of.subject : `${name} · ${of.subject}`}
    >
      <Money amount={amount} currency={currency} />
      {name === "" ? "" : ` ${name}`}
    </a>
  );
}
