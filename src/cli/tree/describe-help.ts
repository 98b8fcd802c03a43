import type { Contract } from "../../kernel/contract.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../kernel/errors.js";
import { type AnswerFields, answerFields } from "../../openapi/answer-fields.js";
import { tablesOf } from "../../openapi/columns.js";
import { errorCodes } from "../../openapi/errors.js";
import { exitCodeOf } from "../terminal/failure.js";

/** What the help of an operation says of its answer and of its refusals. It follows from the contract. */

export interface OperationHelp extends AnswerFields {
  /** What the answer is, in a few words. */
  readonly answer: string;
  /** The heads of its table. */
  readonly shown: readonly string[];
  /** The other answers of the command, each with the flag that asks for it. */
  readonly variants: readonly { readonly flag: string; readonly shows: string }[];
  /** For a list: the member with the rows; empty when the answer itself is the array. */
  readonly rows?: string | undefined;
  readonly errors: readonly ErrorCode[];
  /** The refusals that nearly every operation has. */
  readonly usualErrors: readonly ErrorCode[];
}

interface ErrorHelp {
  readonly status: number;
  readonly exit: number;
  readonly meaning: string;
}

/** The help of all operations. */
export interface AllHelp {
  /** By the words of the command. */
  readonly commands: Readonly<Partial<Record<string, OperationHelp>>>;
  readonly errors: Readonly<Record<ErrorCode, ErrorHelp>>;
}

const USUAL: readonly ErrorCode[] = [
  "unauthorized",
  "origin_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "service_unavailable",
];

function errorHelp(code: ErrorCode): ErrorHelp {
  const { status, message } = ERROR_CATALOGUE[code];
  return { status, exit: exitCodeOf(status), meaning: message.replace(/(?<=[a-z)]\.) .*$/s, "") };
}

/** The heads of the table of an operation. */
function headsOf({ cli, success }: Contract): string[] {
  if (cli === undefined) return [];
  const { columns, below } = tablesOf(success.schema, cli);
  return [...columns, ...(below?.columns ?? [])].map(({ header }) => header);
}

/** What the answer is. A command writes a file that comes in the answer, and prints its path. */
function answerOf({ success }: Contract, fields: AnswerFields["fields"]): string {
  if (success.status === 204) return `none. ${success.description}.`;
  return fields.some(({ name }) => name === "base64") ? "A file, whose path is printed" : success.description;
}

export function describeHelp(contracts: readonly Contract[]): AllHelp {
  const statusOf = (code: ErrorCode) => ERROR_CATALOGUE[code].status;
  const entries = contracts.flatMap((contract): [string, OperationHelp][] => {
    const { cli, success } = contract;
    if (cli === undefined || cli.variant !== undefined) return [];
    const variants = contracts.filter((other) => other.cli?.command === cli.command);
    const codes = [...new Set(variants.flatMap(errorCodes))];
    const errors = codes.sort((one, other) => statusOf(one) - statusOf(other));
    const fields = success.status === 204 ? { fields: [], around: [] } : answerFields(success.schema, cli.rows);
    const help = {
      answer: answerOf(contract, fields.fields),
      shown: headsOf(contract),
      variants: variants.flatMap((other) => {
        const flag = other.cli?.variant?.flag;
        return flag === undefined ? [] : [{ flag, shows: headsOf(other).join(" · ") }];
      }),
      rows: cli.rows,
      errors: errors.filter((code) => contract.errors.includes(code) || !USUAL.includes(code)),
      usualErrors: errors.filter((code) => !contract.errors.includes(code) && USUAL.includes(code)),
    };
    return [[cli.command, { ...help, ...fields }]];
  });
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  const errors = Object.fromEntries(codes.map((code) => [code, errorHelp(code)])) as AllHelp["errors"];
  return { commands: Object.fromEntries(entries), errors };
}
