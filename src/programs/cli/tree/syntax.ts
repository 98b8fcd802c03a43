import type { FlagSpec, OperationSpec } from "../../../api/client/describe-operations.js";
import {
  choicesText,
  type FlagDeclarations,
  type FlagDetails,
  type FlagsOf,
  type GlobalFlag,
  type GlobalFlags,
} from "../../../api/client/flags.js";
import { isNameOf } from "../../../base/kernel/names.js";
import { type CommandSpec, isOperation, type LocalSpec } from "./define-command.js";

/** The arguments, flags and usage of a command. For an operation they are derived from its contract. */
export interface Syntax extends Omit<LocalSpec, "examples" | "takes" | "flags" | "usage"> {
  readonly examples: readonly string[];
  readonly takes: Readonly<Record<string, string>>;
  readonly flags: FlagDeclarations;
  readonly usage: string;
}

/** The flags for the form of a list. */
export const FORM = {
  "--output <form>": {
    about: "form of the list; jsonl is one object a line",
    choices: ["table", "json", "jsonl", "csv"],
  },
  "--columns <names>": { about: "these columns of a table or of csv, such as id,status,amount", many: true },
  "--excel": "csv for a Brazilian Excel: ; between columns, amounts as 129,90, local times",
} as const;

/** The flags of a list of the service. */
export const LISTING = {
  ...FORM,
  "--all": "every page, not only the first; --limit is the size of a page",
} as const;

/** Returns the form of a list by `--output`, else by `--json`, else by `--excel`. */
export function formOf({ output, json, excel }: Pick<ListFlags, "output" | "json" | "excel">) {
  if (output !== undefined) return output;
  if (json) return "json";
  return excel ? "csv" : "table";
}

/** The flags of a list. Every form but `table` also sets `json`: a program reads the output. */
export function listFlags<Flags extends Pick<ListFlags, "output" | "json" | "excel">>(flags: Flags): Flags {
  if (flags.output === undefined && !flags.excel) return flags;
  const output = formOf(flags);
  return { ...flags, output, json: output !== "table" };
}

const WAITING = {
  "--watch": "show every change until Ctrl-C",
  "--wait-for <status>": "wait for this status; the exit code is 0 only if it is reached",
  "--timeout <duration>": "how long --wait-for waits, such as 90s or 5m (default 60s)",
} as const;

const IDEMPOTENCY = {
  "--idempotency-key <text>": "a repeated request with the same key changes nothing; generated and printed if omitted",
} as const;

export type WaitFlags = FlagsOf<typeof WAITING>;
export type ListFlags = GlobalFlags & FlagsOf<typeof LISTING>;
export type OperationFlags = ListFlags & WaitFlags;

const PLACEHOLDER: Readonly<Record<FlagSpec["type"], string>> = {
  string: "<text>",
  integer: "<integer>",
  number: "<number>",
  boolean: "[true|false]",
  list: "<items...>",
  json: "<json|@file>",
  instant: "<time>",
};

/** The forms in which seconds or milliseconds may be written. */
const LENGTHS = { s: "<seconds|duration>", ms: "<ms|duration>" } as const;

function placeholderOf({ type, unit }: FlagSpec): string {
  return unit === undefined ? PLACEHOLDER[type] : LENGTHS[unit];
}

function fieldFlag(flag: FlagSpec): [written: string, details: FlagDetails] {
  const choices = flag.choices ?? [];
  const isList = flag.type === "list";
  // A value such as `a,b` holds several items, so the help only names their choices, and the service checks them.
  const items = isList && choices.length > 0 ? ` (${choicesText(choices)})` : "";
  const about = flag.description + items + (flag.required ? " (required)" : "");
  const isChecked = choices.length > 0 && !isList && !flag.nullable;
  return [`--${flag.name} ${placeholderOf(flag)}`, { about, ...(isChecked ? { choices } : { offers: choices }) }];
}

/** The flags of the command's own module, the output flags of a list, or the waiting flags of an object with a state. */
function formsOf({ method, rows, columns, arguments: ids, ownFlags }: OperationSpec): FlagDeclarations {
  if (ownFlags !== undefined) return ownFlags;
  if (rows !== undefined) return LISTING;
  const hasState = columns.some(({ path }) => path === "status");
  return method === "GET" && ids.length > 0 && hasState ? WAITING : {};
}

/** The arguments of a command with their descriptions, by their form in the help: `[id]`. */
export function takesOf(spec: CommandSpec): Readonly<Record<string, string>> {
  if (!isOperation(spec)) return spec.takes ?? {};
  // Declared as optional, because the command itself reads a missing id at a terminal.
  return Object.fromEntries(spec.arguments.map(({ name, description }) => [`[${name}]`, description]));
}

function operationSyntax(spec: OperationSpec): Syntax {
  const fields = [...spec.flags].sort((a, b) => Number(b.required) - Number(a.required));
  const needed = [
    ...spec.arguments.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`)),
    ...fields.flatMap((flag) => (flag.required ? [`--${flag.name} ${placeholderOf(flag)}`] : [])),
  ];
  return {
    command: spec.command,
    summary: spec.summary,
    takes: takesOf(spec),
    flags: {
      ...Object.fromEntries(fields.map(fieldFlag)),
      ...(spec.idempotencyKey === undefined ? {} : IDEMPOTENCY),
      ...formsOf(spec),
      ...Object.fromEntries(spec.variants.map(({ flag, about }) => [`--${flag}`, about])),
    },
    examples: spec.examples,
    usage: [...needed, "[flags]"].join(" "),
    sends: true,
  };
}

function localSyntax(spec: LocalSpec): Syntax {
  const { flags = {} } = spec;
  const takes = takesOf(spec);
  const required = Object.entries(flags).filter(([, details]) => typeof details === "object" && details.required);
  const hasFlags = Object.keys(flags).length > 0 || spec.sends === true;
  const words = [...Object.keys(takes), ...required.map(([written]) => written), ...(hasFlags ? ["[flags]"] : [])];
  return { ...spec, takes, flags, usage: spec.usage ?? words.join(" ") };
}

export function syntaxOf(spec: CommandSpec): Syntax {
  return isOperation(spec) ? operationSyntax(spec) : localSyntax(spec);
}

/** The bare name of an argument or a flag: `id` for `[id]`, `wait-for` for `--wait-for <status>`. */
export function nameOf(written: string): string {
  return written
    .replace(/^--/, "")
    .replace(/^[<[]/, "")
    .replace(/[ >\].].*$/, "");
}

/**
 * The global flags that have an effect on a command that sends nothing. It accepts the other ones without effect, but
 * refuses --dry-run.
 */
const LOCAL_FLAGS: readonly string[] = ["json", "color"] satisfies readonly GlobalFlag[];

/** Returns whether a global flag has an effect on this command. `name` is the flag's name in camelCase. */
export function takesGlobal({ globals = {}, sends }: Pick<Syntax, "globals" | "sends">, name: string): boolean {
  return (isNameOf(globals, name) ? globals[name] : undefined) ?? (sends === true || LOCAL_FLAGS.includes(name));
}
