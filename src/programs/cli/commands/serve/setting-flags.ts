import type { FlagDeclarations, FlagDetails } from "../../../../api/client/flags.js";
import {
  formatAsFlag,
  SETTING_LIST,
  type ServiceOptions,
  type Setting,
  type SettingName,
} from "../../../../service/features/service-settings.js";

/** The settings of a service as flags of `serve` and `exec`. */

type Parsed<Option> = [Option] extends [boolean | undefined]
  ? boolean
  : [Option] extends [readonly unknown[] | undefined]
    ? string | readonly string[]
    : string;

/** The parsed values of the flags below. The items of a list may still be one text with commas. */
export type SettingFlags = { readonly [Name in SettingName]?: Parsed<ServiceOptions[Name]> | undefined };

/** The address and the database of the service: `exec` decides them itself. */
const PLACES: readonly SettingName[] = ["port", "host", "publicUrl", "db"];

/** The flag may be repeated, or has its items behind commas. */
const isRepeated = ({ kind, flag }: Setting) => kind.written === "list" && !flag.includes("...");

function declarations(name: SettingName, setting: Setting): FlagDeclarations {
  const { flag, about, env, opposite, served } = setting;
  const isList = isRepeated(setting);
  const notes = [...(isList ? ["comma-separated"] : []), ...(env === undefined ? [] : [env])];
  const usual = served ?? formatAsFlag(setting, setting.default);
  const details: FlagDetails = {
    about: notes.length === 0 ? about : `${about} (${notes.join("; ")})`,
    ...(isList ? { many: true } : {}),
    ...(typeof usual === "boolean" || usual === null || setting.defaultBy ? {} : { default: String(usual) }),
  };
  return { [flag]: details, ...(opposite === undefined ? {} : { [`--no-${name}`]: opposite }) };
}

function flagsOf(isWanted: (name: SettingName) => boolean): FlagDeclarations {
  const wanted = SETTING_LIST.filter(([name]) => isWanted(name));
  return Object.assign({}, ...wanted.map(([name, setting]) => declarations(name, setting)));
}

/** The flags for the service's address and its database. */
export const PLACE_FLAGS = flagsOf((name) => PLACES.includes(name));
/** The flags for the behaviour of the service. `serve` and `exec` have them. */
export const BEHAVIOUR_FLAGS = flagsOf((name) => !PLACES.includes(name));

/** The levels of the server's log, from all messages to errors only. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The other flags of `serve` and `exec`, about the command itself. */
export const SERVER_FLAGS = {
  "--seed <fixture>": "fill an empty database from this fixture: a name of `fixtures list`, or a file",
  "--log-level <level>": {
    about: "level of the log on standard error, or QA_PAY_LOG",
    choices: LOG_LEVELS,
  },
} as const;
