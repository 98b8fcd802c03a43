import { isJsonObject } from "../../base/kernel/json.js";
import type { EventName } from "../features/webhooks/catalogue.js";
import type { CanonicalName, CanonicalObject, LegacyData, LegacyName } from "../openapi/webhooks.js";
import type { ReceivedEvent } from "./events.js";
import samples from "./samples.json" with { type: "json" };

/** Events as a running service has sent them, for the tests of a receiver. `npm run docs` records them anew. */

/** Some members of an object, of the objects in it too. */
type Partly<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Member in keyof Value]?: Partly<Value[Member]> | undefined }
    : Value;

type DataOf<Name extends EventName> = Name extends CanonicalName
  ? CanonicalObject<Name>
  : Name extends LegacyName
    ? LegacyData<Name>
    : never;

export interface SampleOptions<Name extends EventName = EventName> {
  /**
   * Members that replace those of the event's object: of `data.object` in a canonical event, of `data` in a legacy one.
   * Objects in it are laid over in the same way; lists and null replace what is there.
   */
  readonly data?: Partly<DataOf<Name>> | undefined;
}

type Members = Readonly<Record<string, unknown>>;

function laidOver(under: Members, over: Members): Members {
  const entries = Object.entries(over).flatMap(([name, value]) => {
    const below = under[name];
    if (value === undefined) return [];
    return [[name, isJsonObject(below) && isJsonObject(value) ? laidOver(below, value) : value] as const];
  });
  return Object.fromEntries([...Object.entries(under), ...entries]);
}

/**
 * Returns an event as the service sends it, whole, with `data` laid over its object. It is the same at every call.
 * `String(event)` is its body: the text that is sent and signed.
 *
 * @throws TypeError for an event that does not exist.
 */
export function sampleEvent<const Name extends EventName>(
  type: Name,
  { data }: SampleOptions<Name> = {},
): ReceivedEvent<Name> {
  if (!Object.hasOwn(samples, type)) {
    throw new TypeError(`There is no event ${String(type)}. There are ${Object.keys(samples).join(", ")}.`);
  }
  const recorded: Members = samples[type];
  const isCanonical = "type" in recorded;
  const whole: Members = isCanonical ? { data: { object: data } } : { data };
  const event = JSON.parse(JSON.stringify(laidOver(recorded, whole))) as ReceivedEvent<Name>;
  return Object.defineProperty(event, "toString", { value: () => JSON.stringify(event) });
}
