import { z } from "zod";
import type { CliFace, Contract } from "../../kernel/contract.js";
import { type IdList, type PathParameter, PICKED_FROM, pathParameters } from "../../kernel/nouns.js";
import { constantsOf, type Field, fieldsIn, rowFields } from "../../openapi/fields.js";
import { kebab } from "./flag-name.js";

/** A command for one operation, as plain data: enough to parse its flags, send the request and print the answer. */
export interface OperationSpec
  extends Pick<Contract, "summary" | "method" | "path" | "surface" | "auth">,
    Omit<CliFace, "argument" | "defaults" | "oneOf" | "variant"> {
  /** The name of the preview that the server must have enabled (`serve --preview`). */
  readonly preview?: string | undefined;
  /** The place of the idempotency key: `header`, or the name of a field of the body. Undefined when there is none. */
  readonly idempotencyKey?: string | undefined;
  readonly arguments: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** Fields that are always sent with the same value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Fields of the body that are sent with this value when their flags are not given. */
  readonly defaults: Readonly<Record<string, boolean>>;
  /** For a list: every field of a row, such as `customer.name`, in the order of the contract. Empty for other answers. */
  readonly rowFields: readonly string[];
  /** The list from which a person at a terminal picks the id when it is missing. */
  readonly picksFrom?: IdList | undefined;
  /** At least one of these flags must be given; empty for no such rule. */
  readonly oneOf: readonly string[];
  readonly answer: AnswerShape;
  /** Other operations that the command calls when their flag is given. */
  readonly variants: readonly Variant[];
}

export interface Variant {
  /** The name of the flag, without dashes. */
  readonly flag: string;
  readonly about: string;
  readonly spec: OperationSpec;
}

/** The shape of a successful answer: enough to notice an answer that does not come from a qa-pay service. */
export interface AnswerShape {
  readonly type: "object" | "array" | "nothing";
  /** The fields that the object must have. */
  readonly has: readonly string[];
  /**
   * True for a new object whose id is enough for a script (`--quiet` prints only the id). Not set for a new object with
   * a secret, because the secret is shown only once.
   */
  readonly isNew?: boolean;
}

export interface ArgumentSpec extends PathParameter {
  /** The field of the body that the argument sets. Undefined for a parameter of the path. */
  readonly field?: string | undefined;
}

export interface FlagSpec extends Field {
  /** Without the leading dashes. */
  readonly name: string;
}

/** A field that every answer has: its id, its list, its file, or else the first one that is never left out. */
function telling({ shape }: z.ZodObject, cli: CliFace | undefined): string[] {
  const own = ["id", cli?.rows ?? "", cli?.file?.base64 ?? ""].filter((name) => Object.hasOwn(shape, name));
  const always = Object.keys(shape).find((name) => !z.safeParse(shape[name] ?? z.undefined(), undefined).success);
  return own.length > 0 || always === undefined ? own : [always];
}

function answerShape({ success, cli, secrets }: Contract): AnswerShape {
  if (success.status === 204) return { type: "nothing", has: [] };
  const { schema } = success;
  if (!(schema instanceof z.ZodObject)) return { type: schema instanceof z.ZodArray ? "array" : "object", has: [] };
  const has = telling(schema, cli);
  const isNew = success.status === 201 && has.includes("id") && secrets === undefined;
  return { type: "object", has, ...(isNew ? { isNew } : {}) };
}

function idListOf({ path }: Contract, contracts: readonly Contract[]): IdList | undefined {
  const base = /^(.*\/([\w-]+))\/\{/.exec(path);
  if (base === null) return undefined;
  const isList = ({ method, path: other, cli, preview }: Contract) =>
    method === "GET" && other === base[1] && cli?.rows !== undefined && preview === undefined;
  const list = contracts.find(isList)?.cli?.command;
  return PICKED_FROM[base[2] ?? ""] ?? (list === undefined ? undefined : { list });
}

/** The commands of all contracts that declare a command (`cli`) of their own. */
export function describeOperations(contracts: readonly Contract[]): OperationSpec[] {
  const variants = contracts.filter(({ cli }) => cli?.variant !== undefined);
  return describeAll(
    contracts.filter((contract) => !variants.includes(contract)),
    contracts,
  ).map((spec) => {
    const own = variants.filter(({ cli }) => cli?.command === spec.command);
    return { ...spec, variants: own.flatMap((contract) => describeVariant(contract, contracts)) };
  });
}

function describeVariant(contract: Contract, contracts: readonly Contract[]): Variant[] {
  const variant = contract.cli?.variant;
  const [spec] = describeAll([contract], contracts);
  return variant === undefined || spec === undefined ? [] : [{ ...variant, spec }];
}

function describeAll(some: readonly Contract[], contracts: readonly Contract[]): OperationSpec[] {
  return some.flatMap((contract) => {
    const { cli } = contract;
    if (cli === undefined) return [];
    const constants = constantsOf(contract.body);
    const keyField = contract.idempotency?.field;
    const fields = [...fieldsIn(contract.query, "query"), ...fieldsIn(contract.body, "body")];
    const all = fields.map((field): FlagSpec => ({ name: kebab(field.field), ...field }));
    const named = all.filter(({ field }) => field === cli.argument);
    // The argument is required, and its flag is another way to give it. So the flag itself is not required.
    const flags = all.map((flag) =>
      named.includes(flag) ? { ...flag, required: false, description: `the same as <${flag.name}>` } : flag,
    );
    const { summary, method, path, surface, auth, preview } = contract;
    const { argument: _argument, variant: _variant, defaults = {}, oneOf = [], ...face } = cli;
    return [
      {
        ...face,
        ...{ summary, method, path, surface, auth, preview, constants, defaults },
        idempotencyKey: keyField ?? (contract.idempotency === undefined ? undefined : "header"),
        arguments: [
          ...pathParameters(path),
          ...named.map(({ name, field, description }) => ({ name, field, description })),
        ],
        flags: flags.filter(({ field }) => !Object.hasOwn(constants, field) && field !== keyField),
        rowFields: cli.rows === undefined ? [] : rowFields(contract.success.schema, cli.rows),
        picksFrom: idListOf(contract, contracts),
        oneOf: all.flatMap(({ field, name }) => (oneOf.includes(field) ? [name] : [])),
        answer: answerShape(contract),
        variants: [],
      },
    ];
  });
}

/** A route with the fields that its body may have, as dotted paths. Fields inside free JSON are not listed. */
export interface BodyRoute {
  readonly method: Contract["method"];
  readonly path: string;
  readonly fields: readonly string[];
}

/** The bodies of all routes except GET routes, also of routes without a command. */
export function describeBodies(contracts: readonly Contract[]): BodyRoute[] {
  return contracts.flatMap(({ method, path, aliases = [], body }) => {
    if (method === "GET") return [];
    const fields = fieldsIn(body, "body").map(({ field }) => field);
    return [path, ...aliases].map((address) => ({ method, path: address, fields }));
  });
}
