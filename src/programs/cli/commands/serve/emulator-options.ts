import { resolve } from "node:path";
import { kebab } from "../../../../api/client/flag-name.js";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import type { EmulatorOptions } from "../../../start/emulator.js";
import { OptionError, type Wording } from "../../../start/options/reading.js";
import { FEES_EXAMPLE, startOptions } from "../../../start/options/service.js";
import { exactJson, Failure, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { instantText } from "../../terminal/moment.js";
import { readNamedText } from "../../terminal/named-file.js";
import { listItems } from "../../terminal/read-value.js";
import type { PLACE_FLAGS, SERVICE_FLAGS } from "./service-flags.js";

/** Flags that a variable may stand in for, as in the settings of a container. */
const VARIABLES = { allowHttp: "QA_PAY_ALLOW_HTTP", allowHost: "QA_PAY_ALLOW_HOST", otlp: "QA_PAY_OTLP" } as const;

type ServiceFlags = FlagsOf<typeof SERVICE_FLAGS & typeof PLACE_FLAGS>;

/** Names and shows options as the person has given them: as flags, or as variables. For error messages. */
function wordingOf(flags: ServiceFlags): Wording {
  return {
    name: (option) => {
      const variable = isNameOf(VARIABLES, option) ? VARIABLES[option] : undefined;
      return variable === undefined || option in flags ? `--${kebab(option)}` : variable;
    },
    show: (given) => (given === "" ? "an empty text" : String(given)),
  };
}

/** Converts digits to a number. Other text is returned unchanged, so that the check of the options can quote it. */
function numeral(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function feesText(text: string, cwd: string): string {
  if (!text.startsWith("@")) return text;
  return readNamedText({ cwd }, text.slice(1));
}

/**
 * Parses the value of `--fees`: JSON or `@file`. Throws Failure (exit 2) when it is not JSON. Does not check the fees.
 */
function readFees(text: string, cwd: string): unknown {
  const json = feesText(text, cwd);
  try {
    return exactJson(json, "--fees");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usage(`--fees takes JSON such as ${FEES_EXAMPLE}, or @file: ${reasonOf(error)}`);
  }
}

/** Converts the flags to the emulator's options. Throws Failure (exit 2) for a wrong value. */
export function emulatorOptions(io: Io, flags: ServiceFlags & Pick<GlobalFlags, "utc">): EmulatorOptions {
  const { events, fees, preview, startAt } = flags;
  const variable = (option: keyof typeof VARIABLES) => trimPasted(io.env[VARIABLES[option]] ?? "") || undefined;
  const hosts = (option: "allowHttp" | "allowHost") => {
    const given = flags[option] ?? variable(option);
    return given === undefined ? undefined : listItems(...[given].flat());
  };
  const given = {
    ...flags,
    port: numeral(flags.port),
    maxAttempts: numeral(flags.maxAttempts),
    rateLimit: numeral(flags.rateLimit),
    otlp: flags.otlp ?? variable("otlp"),
    clockSpeed: numeral(flags.clockSpeed),
    startAt: startAt === undefined ? undefined : (instantText(startAt, flags) ?? startAt),
    events: events === undefined ? undefined : listItems(events),
    preview: preview && listItems(...preview),
    fees: fees === undefined ? undefined : readFees(fees, io.cwd),
    allowHttp: hosts("allowHttp"),
    allowHost: hosts("allowHost"),
  };
  try {
    const { db = ":memory:", ...others } = startOptions(given, wordingOf(flags));
    return { ...others, db: db === ":memory:" ? db : resolve(io.cwd, db) };
  } catch (error) {
    throw error instanceof OptionError ? usage(error.message) : error;
  }
}
