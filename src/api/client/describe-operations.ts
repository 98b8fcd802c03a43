import type {
  CliColumn,
  CliContract,
  CliTable,
  Contract,
  IdempotencyKind,
  Preview,
} from "../../base/kernel/contract.js";
import { type IdList, type PathParameter, PICKED_FROM, pathParameters } from "../../base/kernel/nouns.js";
import { type AnswerShape, answerShape } from "../../service/openapi/answer-shape.js";
import { tablesOf } from "../../service/openapi/columns.js";
import { constantsOf, type Field, fieldsIn, type RowField, rowFields } from "../../service/openapi/fields.js";
import { kebab } from "./flag-name.js";
import type { FlagDeclarations } from "./flags.js";
import { type Route, routeOf } from "./route.js";

/** A command for one operation, as plain data: enough to parse its flags, send the request and print the answer. */
export interface OperationSpec
  extends Pick<Contract, "summary" | "method" | "path" | "surface" | "auth">,
    Omit<CliContract, "argument" | "mayLackArgument" | "defaults" | "oneOf" | "variant" | "columns" | "below"> {
  readonly columns: readonly CliColumn[];
  readonly below?: CliTable<readonly CliColumn[]>;
  /** The name of the preview that the server must have enabled (`serve --preview`). */
  readonly preview?: Preview | undefined;
  readonly loses?: Contract["loses"] | undefined;
  readonly timeoutMs?: number | undefined;
  /** The place of the idempotency key: `header`, or the name of a field of the body. Undefined when there is none. */
  readonly idempotencyKey?: string | undefined;
  readonly idempotencyKind?: IdempotencyKind | undefined;
  readonly arguments: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** Fields that are always sent with the same value, the only one of their flags. */
  readonly constants: Readonly<Record<string, string>>;
  /** Fields of the body that are sent with this value when their flags are missing. */
  readonly defaults: Readonly<Record<string, boolean>>;
  /** For a list: every field of a row, in the order of the contract. Empty for other answers. */
  readonly rowFields: readonly RowField[];
  /** The list from which a person at a terminal picks the id when it is missing. */
  readonly picksFrom?: IdList | undefined;
  /** At least one of these flags is required; empty for no such rule. */
  readonly oneOf: readonly string[];
  readonly answer: AnswerShape;
  /** Other operations that the command calls when their flag is set. */
  readonly variants: readonly Variant[];
  /** Flags that the command's own module adds (src/programs/cli/operation/show.ts). */
  readonly ownFlags?: FlagDeclarations;
}

export interface Variant {
  /** The name of the flag, without dashes. */
  readonly flag: string;
  readonly about: string;
  readonly spec: OperationSpec;
}

export interface ArgumentSpec extends PathParameter {
  /** The field of the body that the argument sets. Undefined for a parameter of the path. */
  readonly field?: string | undefined;
  /** One of several fields of which one is enough, so that the argument may be left out. */
  readonly optional?: true;
}

export interface FlagSpec extends Field {
  /** Without the leading dashes. */
  readonly name: string;
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
  return contracts.flatMap((contract) => {
    const { cli } = contract;
    if (cli === undefined || cli.variant !== undefined) return [];
    const variants = contracts.flatMap((other): Variant[] => {
      const { cli: otherCli } = other;
      if (otherCli?.variant === undefined || otherCli.command !== cli.command) return [];
      return [{ ...otherCli.variant, spec: describe(other, otherCli, contracts) }];
    });
    return [{ ...describe(contract, cli, contracts), variants }];
  });
}

function describe(contract: Contract, cli: CliContract, contracts: readonly Contract[]): OperationSpec {
  const constants = constantsOf(contract.body);
  const keyField = contract.idempotency?.field;
  const fields = [...fieldsIn(contract.query, "query"), ...fieldsIn(contract.body, "body")];
  const all = fields.map((field): FlagSpec => ({ name: kebab(field.field), ...field }));
  const named = all.filter(({ field }) => field === cli.argument);
  // The argument is required, and its flag is another way to pass it. So the flag itself is not required. A constant is
  // sent without its flag.
  const flags = all.map((flag) => {
    if (Object.hasOwn(constants, flag.field)) return { ...flag, required: false };
    if (!named.includes(flag)) return flag;
    const same = { ...flag, required: false, description: `the same as <${flag.name}>` };
    return cli.argumentSpan === undefined ? same : { ...same, type: "instant" as const };
  });
  const { summary, method, path, surface, auth, preview, loses, timeoutMs } = contract;
  const {
    argument: _argument,
    mayLackArgument,
    variant: _variant,
    below: _below,
    defaults = {},
    oneOf = [],
    ...shown
  } = cli;
  return {
    ...shown,
    ...tablesOf(contract.success.schema, cli),
    summary,
    method,
    path,
    surface,
    auth,
    preview,
    loses,
    timeoutMs,
    constants,
    defaults,
    idempotencyKey: keyField ?? (contract.idempotency === undefined ? undefined : "header"),
    idempotencyKind: contract.idempotency?.kind,
    arguments: [
      ...pathParameters(path),
      ...named.map(({ name, field, description }) => ({
        name,
        field,
        description,
        ...(oneOf.includes(field) || mayLackArgument ? { optional: true as const } : {}),
      })),
    ],
    flags: flags.filter(({ field }) => field !== keyField),
    rowFields: cli.rows === undefined ? [] : rowFields(contract.success.schema, cli.rows),
    picksFrom: idListOf(contract, contracts),
    oneOf: all.flatMap(({ field, name }) => (oneOf.includes(field) ? [name] : [])),
    answer: answerShape(contract),
    variants: [],
  };
}

export interface RouteSpec extends Route, Pick<Contract, "summary"> {
  readonly questions?: Contract["questions"] | undefined;
  readonly asksAbout?: Contract["asksAbout"] | undefined;
  /** The fields that its body may have, as dotted paths. Fields inside free JSON are not listed. */
  readonly fields: readonly string[];
}

/** All routes, also those without a command. */
export function describeRoutes(contracts: readonly Contract[]): RouteSpec[] {
  return contracts.flatMap((contract) => {
    const { path, aliases = [], body, summary, questions, asksAbout } = contract;
    const fields = fieldsIn(body, "body").map(({ field }) => field);
    return [path, ...aliases].map((address) => ({
      ...routeOf(contract),
      path: address,
      fields,
      summary,
      questions,
      asksAbout,
    }));
  });
}
