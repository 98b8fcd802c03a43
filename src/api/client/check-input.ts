import type { Contract } from "../../base/kernel/contract.js";
import { keyFault } from "../../base/kernel/idempotency-key.js";
import { isJsonObject, type JsonObject } from "../../base/kernel/json.js";
import { didYouMean } from "../../base/kernel/nearest.js";
import { pick } from "../../base/kernel/pick.js";
import { isPathSegment } from "./route.js";

/**
 * Checks the form of an input, for callers whose editor does not, and the length of its idempotency key. It throws TypeError
 * before anything is sent. The service checks the values: its refusal is a ServiceError.
 */

type Names = Readonly<Record<string, readonly string[]>>;

/** The fields of each part of the input. */
function fieldsOf({ path, query, body }: Contract): Names {
  return {
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    query: Object.keys(query?.shape ?? {}),
    body: Object.keys(body?.shape ?? {}),
  };
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

/** Explains an unknown member of the input: a field that belongs in a part, or a misspelt part. */
function unknownMember(name: string, fields: Names): string {
  const home = Object.keys(fields).find((part) => fields[part]?.includes(name));
  if (home !== undefined) return `${name} belongs in ${home}: write { ${home}: { ${name} } }.`;
  const parts = Object.keys(fields).filter((part) => fields[part]?.length !== 0);
  const known = [...parts, "idempotencyKey", "signal"];
  return sentence(`the input has no member ${name}.`, didYouMean(name, known) ?? `It takes ${known.join(", ")}.`);
}

/** The problem with the form of an input; undefined when there is none. */
function faultOf(contract: Contract, input: unknown): string | undefined {
  const fields = fieldsOf(contract);
  if (!isJsonObject(input)) return "the input must be an object, such as { params, query, body }.";
  for (const name of Object.keys(input)) {
    const isKnown = name === "idempotencyKey" || name === "signal" || name in fields;
    if (!isKnown) return unknownMember(name, fields);
  }
  for (const [part, known] of Object.entries(fields)) {
    const given = input[part] ?? {};
    if (!isJsonObject(given)) return `${part} must be an object.`;
    for (const name of Object.keys(given)) {
      if (known.includes(name)) continue;
      const meant = didYouMean(name, known);
      // The service ignores an unknown field of a body, so only one that looks misspelt is refused.
      if (part !== "body" || meant !== undefined) return sentence(`${part} has no field ${name}.`, meant);
    }
  }
  const params = isJsonObject(input.params) ? input.params : {};
  for (const name of fields.params ?? []) {
    const value = params[name];
    if (value === undefined) return `params.${name} is missing: write { params: { ${name} } }.`;
    if (!isPathSegment(String(value))) return `params.${name} cannot be ${JSON.stringify(value)}.`;
  }
  return keyFaultOf(contract, input);
}

/** The problem with the idempotency key. A missing one is left to the service. */
function keyFaultOf({ idempotency }: Contract, { idempotencyKey, body }: JsonObject): string | undefined {
  if (idempotency === undefined) return undefined;
  const { kind, field } = idempotency;
  const key = field === undefined ? idempotencyKey : pick(body, field);
  return typeof key === "string" ? keyFault(kind, field ?? "idempotencyKey", key)?.toString() : undefined;
}

/** Throws TypeError for an input that does not have the form of the operation's input, or has a key of another length. */
export function checkInput(contract: Contract, input: unknown): void {
  const fault = faultOf(contract, input);
  if (fault !== undefined) throw new TypeError(`${contract.id}: ${fault}`);
}
