import type { Contract } from "../../../base/kernel/contract.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../base/kernel/errors.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { type AnswerFields, answerFields } from "../../../service/openapi/answer-fields.js";
import { tablesOf } from "../../../service/openapi/columns.js";
import { errorCodes } from "../../../service/openapi/errors.js";
import { exitCodeOf } from "../terminal/failure.js";

/** What the help of an operation says of its answer and of its refusals. It follows from the contract. */

/** The help of all operations, by the words of the command. */
export type AllHelp = ReturnType<typeof describeHelp>;
export type OperationHelp = NonNullable<AllHelp["commands"][string]>;

const USUAL: readonly ErrorCode[] = [
  "unauthorized",
  "origin_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "service_unavailable",
];

function errorHelp(code: ErrorCode) {
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

/** Returns the help of all operations that have a command, by its words. The build calls it, so that no command loads zod. */
export function describeHelp(contracts: readonly Contract[]) {
  const statusOf = (code: ErrorCode) => ERROR_CATALOGUE[code].status;
  const entries = contracts.flatMap((contract) => {
    const { cli, success } = contract;
    if (cli === undefined || cli.variant !== undefined) return [];
    const variants = contracts.filter((other) => other.cli?.command === cli.command);
    const codes = [...new Set(variants.flatMap(errorCodes))];
    const errors = codes.sort((one, other) => statusOf(one) - statusOf(other));
    const fields = success.status === 204 ? { fields: [], around: [] } : answerFields(success.schema, cli.rows);
    const help = {
      /** What the answer is, in a few words. */
      answer: answerOf(contract, fields.fields),
      /** The heads of its table. */
      shown: headsOf(contract),
      /** The other answers of the command, each with the flag that asks for it. */
      variants: variants.flatMap((other) => {
        const flag = other.cli?.variant?.flag;
        return flag === undefined ? [] : [{ flag, shows: headsOf(other).join(" · ") }];
      }),
      /** For a list: the member with the rows; empty when the answer itself is the array. */
      rows: cli.rows,
      errors: errors.filter((code) => contract.errors.includes(code) || !USUAL.includes(code)),
      /** The refusals that nearly every operation has. */
      usualErrors: errors.filter((code) => !contract.errors.includes(code) && USUAL.includes(code)),
    };
    return [[cli.command, { ...help, ...fields }] as const];
  });
  return { commands: Object.fromEntries(entries), errors: byName(namesOf(ERROR_CATALOGUE), errorHelp) };
}
