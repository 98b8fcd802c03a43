import { isJsonObject } from "../../../../base/kernel/json.js";
import { Money, ObjectLink } from "./values.js";

interface About {
  /** The id of the object, with its prefix. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The subject of an event: its amount and customer, if the event has them, and the object. */
export function EventSubject({ of: { subject, payload } }: { of: About }) {
  // The older events have their object in `data`.
  const { data } = payload;
  const object = isJsonObject(data) && isJsonObject(data.object) ? data.object : data;
  const { amount, currency, customer } = isJsonObject(object) ? object : {};
  const name = isJsonObject(customer) && typeof customer.name === "string" ? customer.name : "";
  return (
    <>
      {typeof amount === "number" ? (
        <div class="short-line" title={name}>
          <Money amount={amount} currency={typeof currency === "string" ? currency : "BRL"} /> {name}
        </div>
      ) : null}
      <span class={typeof amount === "number" ? "wide-only" : undefined}>
        <ObjectLink id={subject} />
      </span>
    </>
  );
}
