import { OptionError, type Reader, readOptions, type Wording } from "../../base/kernel/options.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { checkWebhookUrl } from "../../base/kernel/webhook-url.js";
import { PASSWORD_COST, PASSWORD_COST_IN_MEMORY } from "./access/passwords.js";
import { SETTING_LIST, type ServiceSettings, type SettingsInput } from "./service-settings.js";

/** The way from the options of a program, or the flags of a command, to the settings of a service. */

/** The check of each option. */
export const SETTING_READERS: Readonly<Record<string, Reader<unknown>>> = Object.fromEntries(
  SETTING_LIST.map(([name, { kind }]) => [name, kind.read]),
);

/** Checks options. Options that are not settings are ignored. Throws OptionError. */
export function readSettings(options: Readonly<Record<string, unknown>>, wording: Wording): SettingsInput {
  const values = readOptions(options, SETTING_READERS, wording);
  const given: SettingsInput = Object.fromEntries(
    SETTING_LIST.flatMap(([name, { kind }]) => (name in values ? [[name + kind.unit, values[name]]] : [])),
  );
  const { events, forwardTo, allowHttp = [], strictHttps = false } = given;
  if (events && !forwardTo) {
    throw new OptionError("events", `${wording.name("events")} goes with ${wording.name("forwardTo")}.`);
  }
  if (strictHttps && allowHttp.length > 0) {
    const both = `${wording.name("allowHttp")} and ${wording.name("strictHttps")} contradict each other: leave one out.`;
    throw new OptionError("allowHttp", both);
  }
  if (forwardTo) {
    try {
      checkWebhookUrl(wording.name("forwardTo"), forwardTo, { strictHttps, allowHttp });
    } catch (error) {
      throw new OptionError("forwardTo", `${reasonOf(error)}.`);
    }
  }
  return given;
}

/** The defaults of a start with these settings. */
export function defaultsFor(given: SettingsInput): ServiceSettings {
  const usual = Object.fromEntries(SETTING_LIST.map(([name, one]) => [name + one.kind.unit, one.default]));
  const { host = "127.0.0.1", publicUrl = null, randomSeed = null, db = ":memory:" } = given;
  for (const [name, { kind, defaultBy }] of SETTING_LIST) {
    if (defaultBy !== undefined) usual[name + kind.unit] = defaultBy({ host, publicUrl, randomSeed });
  }
  const passwordCost = db === ":memory:" ? PASSWORD_COST_IN_MEMORY : PASSWORD_COST;
  return { ...usual, passwordCost } as ServiceSettings;
}

/** All settings of a start: the passed ones, and the defaults of the others. */
export function completeSettings(given: SettingsInput): ServiceSettings {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultsFor(given), ...Object.fromEntries(present) };
}
