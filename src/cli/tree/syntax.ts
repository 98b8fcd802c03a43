import { type CommandSpec, isOperation, type LocalSpec } from "./define-command.js";
import type { FlagSpec, OperationSpec } from "./describe-operations.js";
import {
  choicesText,
  type FlagDeclarations,
  type FlagDetails,
  type FlagsOf,
  type GlobalFlag,
  type GlobalFlags,
} from "./flags.js";

/** How a command is written: what follows its words. Of operations that follows from their contracts. */
export interface Syntax extends Omit<LocalSpec, "examples" | "takes" | "flags" | "usage"> {
  readonly examples: readonly string[];
  readonly takes: Readonly<Record<string, string>>;
  /** How many arguments must be there in the end, though a person may be asked for them. */
  readonly needs: number;
  readonly flags: FlagDeclarations;
  readonly usage: string;
}

const LIST_FORM = {
  "--output <form>": { about: "form of the list; jsonl is one object a line", choices: ["table", "json", "jsonl"] },
} as const;

const WAITING = {
  "--watch": "show every change until Ctrl-C",
  "--wait-for <status>": "wait for this status: exit 0 only there",
  "--timeout <duration>": "how long --wait-for waits, such as 90s or 5m (default 60s)",
} as const;

const SAVING = {
  "--output <file>": "where to write it, - for standard output",
  "--open": "open it when it is written",
} as const;

const IDEMPOTENCY = {
  "--idempotency-key <text>": "makes a repetition harmless; made and shown when not given",
} as const;

export type WaitFlags = FlagsOf<typeof WAITING>;
export type SaveFlags = FlagsOf<typeof SAVING>;
export type OperationFlags = GlobalFlags & WaitFlags & SaveFlags;

const PLACEHOLDER: Readonly<Record<FlagSpec["type"], string>> = {
  string: "<text>",
  integer: "<integer>",
  number: "<number>",
  boolean: "[true|false]",
  list: "<items...>",
  json: "<json|@file>",
  instant: "<time>",
};

function fieldFlag(flag: FlagSpec): [written: string, details: FlagDetails] {
  const choices = flag.choices ?? [];
  const isList = flag.type === "list";
  // A list says with its own words what its items may be; the service is who checks them.
  const items = isList && choices.length > 0 ? ` (${choicesText(choices)})` : "";
  const about = flag.description + items + (flag.required ? " (required)" : "");
  const isChecked = choices.length > 0 && !isList && !flag.nullable;
  return [`--${flag.name} ${PLACEHOLDER[flag.type]}`, { about, ...(isChecked ? { choices } : { offers: choices }) }];
}

/** The forms of a list, what is done with a file, and waiting on one object that has a state. */
function formsOf({ method, rows, file, columns, arguments: ids }: OperationSpec): FlagDeclarations {
  if (rows !== undefined) return LIST_FORM;
  if (file !== undefined) {
    const output = "--output <file>";
    return { ...SAVING, [output]: `${SAVING[output]} (default ${file.name})` };
  }
  const hasState = columns.some(({ path }) => path === "status");
  return method === "GET" && ids.length > 0 && hasState ? WAITING : {};
}

function operationSyntax(spec: OperationSpec): Syntax {
  const fields = [...spec.flags].sort((a, b) => Number(b.required) - Number(a.required));
  const needed = [
    ...spec.arguments.map(({ name }) => `<${name}>`),
    ...fields.flatMap((flag) => (flag.required ? [`--${flag.name} ${PLACEHOLDER[flag.type]}`] : [])),
  ];
  return {
    command: spec.command,
    summary: spec.summary,
    // Whether one may be missing is for the command to say: at a terminal it offers what there is.
    takes: Object.fromEntries(spec.arguments.map(({ name, description }) => [`[${name}]`, description])),
    needs: spec.arguments.length,
    flags: {
      ...Object.fromEntries(fields.map(fieldFlag)),
      ...(spec.idempotencyKey === undefined ? {} : IDEMPOTENCY),
      ...formsOf(spec),
    },
    examples: spec.examples,
    usage: [...needed, "[flags]"].join(" "),
    sends: true,
  };
}

function localSyntax(spec: LocalSpec): Syntax {
  const { takes = {}, flags = {} } = spec;
  const required = Object.entries(flags).filter(([, details]) => typeof details === "object" && details.required);
  const hasFlags = Object.keys(flags).length > 0 || spec.sends === true;
  const words = [...Object.keys(takes), ...required.map(([written]) => written), ...(hasFlags ? ["[flags]"] : [])];
  return { ...spec, takes, flags, needs: 0, usage: spec.usage ?? words.join(" ") };
}

export function syntaxOf(spec: CommandSpec): Syntax {
  return isOperation(spec) ? operationSyntax(spec) : localSyntax(spec);
}

/** The name of an argument or a flag as it is written: `id` of `[id]`, `wait-for` of `--wait-for <status>`. */
export function nameOf(written: string): string {
  return written
    .replace(/^--/, "")
    .replace(/^[<[]/, "")
    .replace(/[ >\].].*$/, "");
}

/** What a command that sends nothing makes use of. All others are taken and change nothing, but for --dry-run. */
const LOCAL_FLAGS: readonly string[] = ["json", "color"] satisfies readonly GlobalFlag[];

/** Whether a flag of every command changes this one. `name` is its name in camelCase. */
export function takesGlobal({ globals = {}, sends }: Pick<Syntax, "globals" | "sends">, name: string): boolean {
  return (globals as Readonly<Record<string, boolean>>)[name] ?? (sends === true || LOCAL_FLAGS.includes(name));
}
