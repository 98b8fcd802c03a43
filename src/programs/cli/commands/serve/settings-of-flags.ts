import { resolve } from "node:path";
import { kebab } from "../../../../api/client/flag-name.js";
import type { GlobalFlags } from "../../../../api/client/flags.js";
import { OptionError, type Wording } from "../../../../base/kernel/options.js";
import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { readSettings } from "../../../../service/features/read-settings.js";
import { SETTING_LIST, type Setting, type SettingsInput } from "../../../../service/features/service-settings.js";
import { exactJson, Failure, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { instantText } from "../../terminal/moment.js";
import { readNamedText } from "../../terminal/named-file.js";
import { listItems } from "../../terminal/read-value.js";
import type { SettingFlags } from "./setting-flags.js";

type Flags = SettingFlags & Pick<GlobalFlags, "utc">;

/** Names and shows options as the person has written them: as flags, or as variables. For error messages. */
function wordingOf(flags: SettingFlags): Wording {
  const variables: ReadonlyMap<string, string | undefined> = new Map(
    SETTING_LIST.map(([name, { env }]) => [name, env]),
  );
  return {
    name: (option) => (option in flags ? undefined : variables.get(option)) ?? `--${kebab(option)}`,
    show: (given) => (given === "" ? "an empty text" : String(given)),
  };
}

/** Parses JSON or `@file`. Throws Failure (exit 2) when it is not JSON. */
function jsonOf(text: string, { flag, kind }: Setting, cwd: string): unknown {
  const [name = ""] = flag.split(" ");
  const json = text.startsWith("@") ? readNamedText({ cwd }, text.slice(1)) : text;
  try {
    return exactJson(json, name);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usage(`${name} takes JSON such as ${kind.example}, or @file: ${reasonOf(error)}`);
  }
}

/** The value in the text of a flag or of a variable. A text of another kind stays, so that the check can quote it. */
function parseSetting(io: Io, setting: Setting, given: string, flags: Flags): unknown {
  switch (setting.kind.written) {
    case "number":
      return /^\d{1,9}$/.test(given) ? Number(given) : given;
    case "instant":
      return instantText(given, { ...flags, now: io.now() }) ?? given;
    case "json":
      return jsonOf(given, setting, io.cwd);
    case "list":
      return listItems(given);
    case "file":
      return /^(:memory:)?$/.test(given) ? given : resolve(io.cwd, given);
    default:
      return given;
  }
}

function optionOf(io: Io, setting: Setting, flag: SettingFlags[keyof SettingFlags], flags: Flags): unknown {
  const variable = setting.env === undefined ? "" : trimPasted(io.env[setting.env] ?? "");
  const given = flag ?? (variable || undefined);
  if (given === undefined || typeof given === "boolean") return given;
  return typeof given === "string" ? parseSetting(io, setting, given, flags) : listItems(...given);
}

/** Converts the flags to settings. Throws Failure (exit 2) for a wrong value. */
export function settingsOf(io: Io, flags: Flags): SettingsInput {
  const options = SETTING_LIST.map(([name, setting]) => [name, optionOf(io, setting, flags[name], flags)] as const);
  try {
    return readSettings(Object.fromEntries(options), wordingOf(flags));
  } catch (error) {
    throw error instanceof OptionError ? usage(error.message) : error;
  }
}
