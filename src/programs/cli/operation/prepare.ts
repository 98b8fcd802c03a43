import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { isHeaderText, isPathSegment, requestOf } from "../../../api/client/route.js";
import type { HttpRequest } from "../../../api/client/send.js";
import { keyFault } from "../../../base/kernel/idempotency-key.js";
import { put } from "../../../base/kernel/pick.js";
import { t } from "../../../base/kernel/wording.js";
import type { Connection } from "../host/connection.js";
import { credentialHeaders } from "../host/credential.js";
import { usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { isInQuery, parsePastedField, parsePastedIds } from "./pasted-id.js";

/** Turns a parsed command line into one request. */

export interface Prepared {
  readonly request: HttpRequest;
  /** The arguments of the command, with the ids of pasted addresses. */
  readonly ids: readonly string[];
  /** The idempotency key of the request, passed or generated; null when the operation has none. */
  readonly idempotencyKey: string | null;
}

/** The values of a command line for an operation. */
interface PrepareInput {
  /** The arguments. */
  readonly positional?: readonly string[];
  /** The flags, by their names. */
  readonly options?: Readonly<Record<string, string | string[] | boolean | undefined>>;
  /** True if days and times without a zone are of UTC. */
  readonly utc?: boolean | undefined;
}

/** Builds the request of an operation. Throws Failure (exit 2 or 3). */
export async function prepare(
  spec: OperationSpec,
  connection: Connection,
  { positional = [], options = {}, utc }: PrepareInput,
  io: Pick<Io, "cwd" | "now" | "random">,
): Promise<Prepared> {
  const ids = parsePastedIds(spec, connection.host, positional);
  const byName = Object.fromEntries(spec.arguments.map(({ name }, index) => [name, ids[index] ?? ""]));
  const unusable = spec.arguments.find(
    (argument) => !isInQuery(spec, argument) && !argument.optional && !isPathSegment(byName[argument.name] ?? ""),
  );
  if (unusable !== undefined)
    throw usage(t`<${unusable.name}> cannot be ${JSON.stringify(byName[unusable.name] ?? "")}.`);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = { ...spec.constants, ...spec.defaults };
  // Loaded only when there is a value to read, to start faster.
  const values = () => import("./flag-value.js");
  const meaning = { utc, currency: options.currency };
  for (const flag of spec.flags) {
    const given = options[flag.name];
    const isArgument = spec.arguments.some(({ field }) => field === flag.field);
    if (given === undefined || isArgument) continue;
    const read = await (await values()).flagValue(io, flag, given, meaning);
    const value = parsePastedField(spec, flag.field, read, connection.host);
    if (flag.place === "query") query[flag.field] = value;
    else put(body, flag.field, value);
  }
  for (const argument of spec.arguments) {
    const { name, field } = argument;
    const given = byName[name] ?? "";
    if (field === undefined || (argument.optional && given === "")) continue;
    const flag = spec.flags.find((one) => one.field === field);
    if (isInQuery(spec, argument)) query[field] = given;
    else if (spec.argumentSpan === undefined) {
      const isText = flag === undefined || flag.type === "string";
      const requested = isText ? null : { ...flag, isArgument: true };
      put(body, field, requested === null ? given : await (await values()).flagValue(io, requested, given, meaning));
    } else {
      const meant = (await values()).spanOrInstant(given, { field, span: spec.argumentSpan, utc, now: io.now() });
      if (Object.keys(meant).some((set) => body[set] !== undefined)) {
        throw usage(t`Give either <${name}> or --${spec.argumentSpan}.`);
      }
      Object.assign(body, meant);
    }
  }
  const credential = credentialHeaders(spec.auth, connection);
  const { idempotencyKey: place } = spec;
  const key = place === undefined ? null : String(options["idempotency-key"] ?? io.random());
  if (key !== null && place === "header" && !isHeaderText(key)) {
    throw usage(
      t`--idempotency-key holds a character that cannot be sent in a header: use letters, digits and punctuation.`,
    );
  }
  const fault = spec.idempotencyKind && key !== null && keyFault(spec.idempotencyKind, "--idempotency-key", key);
  if (fault) throw usage(fault);
  if (key !== null && place !== undefined && place !== "header") body[place] = key;
  const withBody = spec.method === "POST" || spec.method === "PATCH";
  const input = { params: byName, query, body: withBody ? body : undefined, idempotencyKey: key ?? undefined };
  const { address, ...request } = requestOf({ ...spec, key: place }, input, credential);
  const timeoutMs = connection.policy.timeoutMs ?? spec.timeoutMs;
  return { request: { ...request, url: connection.host.url + address, timeoutMs }, ids, idempotencyKey: key };
}
