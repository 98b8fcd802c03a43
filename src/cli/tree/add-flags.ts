import { type Command, InvalidArgumentError, Option } from "commander";
import type { FlagDeclarations } from "../../client/flags.js";

/** Accepts a choice in upper or lower case: the service has statuses in both, and users should not need to know. */
function chosen(choices: readonly string[]): (given: string) => string {
  return (given) => {
    const found = choices.find((choice) => choice.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  };
}

/** Adds declared flags to a Commander command. */
export function addFlags(command: Command, flags: FlagDeclarations): void {
  for (const [written, declared] of Object.entries(flags)) {
    const details = typeof declared === "string" ? { about: declared } : declared;
    const { about, choices, default: value, many, required } = details;
    const option = new Option(written, about).makeOptionMandatory(required === true);
    if (value !== undefined) option.default(value);
    if (choices !== undefined) option.choices([...choices]).argParser(chosen(choices));
    if (many) option.argParser((item: string, before: string[] = []) => [...before, item]);
    command.addOption(option);
  }
}
