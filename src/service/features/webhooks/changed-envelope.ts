import { isJsonObject, type JsonObject, parsedObject } from "../../../base/kernel/json.js";

/**
 * Bodies that change as those of a service do in time: a field that is new, a value that is new
 * (docs/decisions/028-webhook-chaos.md).
 */

export const BODY_CHANGES = ["unknown_fields", "unknown_values"] as const;

/** The kinds of chaos of an attempt, from the column that has them. */
export function chaosKinds(column: string | null | undefined): readonly string[] {
  return column?.split(",") ?? [];
}

/** The fields with a closed list of values. The first one that a body has gets a new value: by the status, receivers decide. */
const CLOSED = ["payment_method", "type", "pix_key_type", "previousStatus", "status"];

/** The object that an event is about, in the envelope of either family. */
function objectOf(body: JsonObject): JsonObject {
  const data = isJsonObject(body.data) ? body.data : {};
  return isJsonObject(data.object) ? data.object : data;
}

function setNewValue(object: JsonObject): void {
  const destination = isJsonObject(object.destination) ? object.destination : {};
  for (const name of CLOSED) {
    const holder = [object, destination].find((one) => typeof one[name] === "string");
    if (holder === undefined) continue;
    const isUpper = holder[name] === String(holder[name]).toUpperCase();
    holder[name] = isUpper ? "A_NEW_VALUE" : "a_new_value";
    return;
  }
}

/** Returns the body of an attempt with these kinds of chaos. The same kinds always give the same bytes. */
export function changedBody(body: string, kinds: readonly string[]): string {
  if (!BODY_CHANGES.some((kind) => kinds.includes(kind))) return body;
  const changed = parsedObject(body);
  const object = objectOf(changed);
  if (kinds.includes("unknown_values")) setNewValue(object);
  if (kinds.includes("unknown_fields")) object.a_new_field = "a new value";
  return JSON.stringify(changed);
}
