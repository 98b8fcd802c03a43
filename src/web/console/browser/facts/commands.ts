import type { Command } from "../../../../api/client/command-words.js";
import { describeOperations, type FlagSpec, type OperationSpec } from "../../../../api/client/describe-operations.js";
import { registry } from "../../../../api/registry.js";

/** A flag of a command, with the facts that a form needs for its field. */
export type FlagFact = Pick<FlagSpec, "name" | "field" | "place" | "type" | "choices" | "description"> & {
  /** Left out for optional flags: most are, and the browser loads each fact. */
  readonly required?: true;
  /** The word `null` stands for no value. Left out when it does not. */
  readonly nullable?: true;
};

/** The command of the command line that calls an operation. */
export interface CommandFact extends Command {
  readonly summary: string;
  readonly flags: readonly FlagFact[];
  readonly sends: Readonly<Record<string, string | boolean>>;
  /** At least one of these flags is required. Left out when there is no such rule. */
  readonly oneOf?: readonly string[];
}

function flagFact({ name, field, place, type, required, choices, nullable, description }: FlagSpec): FlagFact {
  const facts = { name, field, place, type, description, ...(required ? { required } : {}) };
  return { ...facts, ...(choices === undefined ? {} : { choices }), ...(nullable ? { nullable } : {}) };
}

function commandFact(spec: OperationSpec, variant: string | undefined): CommandFact {
  const { command, summary, flags, constants, defaults, idempotencyKey } = spec;
  return {
    command,
    summary,
    sends: { ...constants, ...defaults },
    // Constant fields are no choice in a form.
    flags: flags.filter(({ field }) => !Object.hasOwn(constants, field)).map(flagFact),
    arguments: spec.arguments
      .filter(({ optional }) => optional === undefined)
      .map(({ name, field }) => (field === undefined ? { name } : { name, field })),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(variant === undefined ? {} : { variant }),
    ...(spec.oneOf.length === 0 ? {} : { oneOf: spec.oneOf }),
  };
}

function commandsById(): Record<string, CommandFact> {
  const contracts = registry.map(({ contract }) => contract);
  const idOf = new Map(contracts.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const described = describeOperations(contracts).flatMap((spec) => [
    { spec, variant: undefined },
    ...spec.variants.map(({ flag, spec: other }) => ({ spec: other, variant: flag })),
  ]);
  return Object.fromEntries(
    described.map(({ spec, variant }) => [idOf.get(`${spec.method} ${spec.path}`) ?? "", commandFact(spec, variant)]),
  );
}

/**
 * The commands by the ids of their operations. An operation without a command is not listed. The build replaces this
 * module by its value (scripts/evaluate-module.ts).
 */
export const commands: Readonly<Record<string, CommandFact>> = commandsById();
