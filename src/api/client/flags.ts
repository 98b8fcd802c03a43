import { LANGUAGES } from "../../base/kernel/language.js";

/** The declarations of flags, and the types of their values, which TypeScript derives from the declarations. */

export interface FlagDetails {
  /** The description in the help. */
  readonly about: string;
  readonly default?: string;
  /** The only allowed values, in upper or lower case. */
  readonly choices?: readonly string[];
  /** Values that completion suggests. The service checks the value, not the command line. */
  readonly offers?: readonly string[];
  readonly required?: true;
  /** The flag may be repeated. Its value is the list of all passed values. */
  readonly many?: true;
}

/** Flags by their form in the help: `--open`, `--db <file>`, `--preview <names...>` or `--no-color`. */
export type FlagDeclarations = Readonly<Record<string, string | FlagDetails>>;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;

type NameOf<Written> = Written extends `--no-${infer Name}`
  ? Camel<Name>
  : Written extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Written extends `--${infer Name}`
      ? Camel<Name>
      : never;

type ValueOf<Written, Details> = Written extends `${string}<${infer Value}>`
  ? Details extends { readonly many: true }
    ? readonly string[]
    : Value extends `${string}...`
      ? readonly string[]
      : Details extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string
  : boolean;

type IsSure<Details> = Details extends { readonly required: true } | { readonly default: string } ? true : false;

/** The values of declared flags. The property names are the flags' names in camelCase. */
export type FlagsOf<Flags extends FlagDeclarations> = {
  readonly [Written in keyof Flags as IsSure<Flags[Written]> extends true ? NameOf<Written> : never]: ValueOf<
    Written,
    Flags[Written]
  >;
} & {
  readonly [Written in keyof Flags as IsSure<Flags[Written]> extends true ? never : NameOf<Written>]?: ValueOf<
    Written,
    Flags[Written]
  >;
};

/** The flags that every command accepts, before, between and after its words. */
export const GLOBAL_FLAGS = {
  "--profile <name>": "profile to take the host and key from (QA_PAY_PROFILE)",
  "--base-url <url>": "address of the service (QA_PAY_BASE_URL)",
  "--api-key <key>": "API key, or - to read it from standard input (QA_PAY_API_KEY)",
  "--json": "print JSON and nothing else",
  "--no-color": "no colours",
  "--quiet": "print only the data",
  "--verbose": "show host, key and request on standard error",
  "--yes": "do not ask for confirmation",
  "--dry-run": "show the request without its key, and send nothing",
  "--utc": "show times in UTC, not in local time",
  "--lang <language>": {
    about: `language of the texts for people: ${LANGUAGES.join(" or ")} (QA_PAY_LANG; else as LC_ALL, LC_MESSAGES or LANG say)`,
    offers: LANGUAGES,
  },
  "--request-timeout <duration>": "how long a request may take (QA_PAY_REQUEST_TIMEOUT, default 30s)",
} as const;

export type GlobalFlags = FlagsOf<typeof GLOBAL_FLAGS>;
export type GlobalFlag = keyof GlobalFlags;

const CHOICES_SHOWN = 8;

export function choicesText(choices: readonly string[]): string {
  if (choices.length <= CHOICES_SHOWN) return choices.join(", ");
  return `such as ${choices.slice(0, 3).join(", ")}`;
}
