import { bareId, kindOfArgument, toAcceptedField, toAcceptedId } from "../../api/client/accepted-id.js";
import { isHeaderText, isPathSegment, requestOf, routeOf } from "../../api/client/route.js";
import type { Contract } from "../../base/kernel/contract.js";
import { withCarried } from "../../base/kernel/exact-numbers.js";
import { withoutAddress } from "../../base/kernel/page-address.js";
import type { AnswerShape } from "../../service/openapi/answer-shape.js";
import { constantsOf } from "../../service/openapi/fields.js";
import { type Argument, type ArgumentPlace, asText } from "./arguments.js";
import type { PortRequest } from "./service-port.js";
import { WrongArguments } from "./wrong-arguments.js";

/** Turns the arguments of a call into a request. */

function requireSegment(tool: string, name: string, value: string): void {
  if (isPathSegment(value)) return;
  throw new WrongArguments(name, `${JSON.stringify(value)} cannot be the ${name}.`, `Call ${tool} again with an id.`);
}

/** The idempotency key of the call, passed or generated. Null for an operation without one. */
function keyOf(all: readonly Argument[], given: Readonly<Record<string, unknown>>, random: () => string) {
  const argument = all.find(({ place }) => place === "key");
  if (argument === undefined) return null;
  const value = given[argument.name] ?? random();
  if (typeof value === "string" && isHeaderText(value)) return { argument: argument.name, value };
  const hint = "Leave it out, and a key is generated.";
  throw new WrongArguments(argument.name, `${argument.name} must be a text of letters, digits and punctuation.`, hint);
}

/** Returns the id in a text in any form: that of the charge for a payment or the reverse, or in the address of a page. */
function anyId(text: string, kind: string | null): string {
  if (kind === "snapshots") return text;
  return toAcceptedId(withoutAddress(bareId(text)), kind);
}

/** An operation with the name of its tool. */
interface CalledOperation {
  readonly name: string;
  readonly contract: Contract;
  readonly arguments: readonly Argument[];
  readonly answer: AnswerShape;
}

/** Throws WrongArguments for values that cannot be part of an address or a header. */
export function toolRequest(
  { name: tool, contract, arguments: all, answer }: CalledOperation,
  given: Readonly<Record<string, unknown>>,
  random: () => string,
): PortRequest {
  const route = routeOf(contract);
  const at = (place: ArgumentPlace) => all.filter((one) => one.place === place && given[one.name] !== undefined);
  const params = Object.fromEntries(
    at("path").map(({ name, field }) => {
      const kind = kindOfArgument(contract.path, { name: field });
      return [field, anyId(asText(tool, name, given[name]), kind)];
    }),
  );
  for (const { name, field } of at("path")) requireSegment(tool, name, params[field] ?? "");
  // Agents write null for a parameter that they leave out. In a body, null is a value.
  const inQuery = at("query").filter(({ name }) => given[name] !== null);
  const inField = (field: string, text: string) => toAcceptedField(contract.path, field, text, anyId);
  const query = Object.fromEntries(
    inQuery.map(({ name, field }) => [field, inField(field, asText(tool, name, given[name]))]),
  );
  const key = keyOf(all, given, random);
  const fields = Object.fromEntries(
    at("body").map(({ name, field }) => {
      const value = given[name];
      return [field, typeof value === "string" ? inField(field, value) : value];
    }),
  );
  const inBody = key === null || route.key === "header" ? {} : { [route.key ?? ""]: key.value };
  const hasBody = route.method === "POST" || route.method === "PATCH";
  const body = hasBody ? { ...constantsOf(contract.body), ...fields, ...inBody } : undefined;
  const request = requestOf(route, { params, query, body, idempotencyKey: key?.value });
  return { ...request, body: request.body && withCarried(request.body), contract, key, answer };
}
