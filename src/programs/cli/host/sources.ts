import type { GlobalFlags } from "../../../api/client/flags.js";
import { once } from "../../../base/kernel/once.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { joinWords, t, type Wording, type Words } from "../../../base/kernel/wording.js";
import { readDotEnv } from "../files/env-file.js";
import { DEMO, DEMO_PROFILE } from "../profiles/demo-profile.js";
import { findProfile, listProfiles, type Profile } from "../profiles/profiles.js";
import { findProject, type ProjectServer } from "../project/project-file.js";
import { type Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The sources that name hosts and keys. */

/** The sources with settings of their own, the nearest first. */
const SETTING_SOURCES = ["flag", "environment", "dotenv"] as const;
type SettingSource = (typeof SETTING_SOURCES)[number];

/** The kinds of sources that a host or a key can come from. */
export type Source = SettingSource | "profile" | "project" | "current_profile";

/** The settings of one source. */
interface SourceSettings {
  readonly source: SettingSource;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The names of both, as text for a person. */
  readonly names: { readonly baseUrl: Words; readonly apiKey: Words };
  /** The profile that this source names, when no nearer one names a profile. */
  readonly profile: NamedProfile | null;
}

export interface NamedProfile extends Profile {
  readonly name: string;
  readonly source: "profile" | "current_profile";
  /** Its name for a person: `the profile staging`. */
  readonly title: Wording;
}

export interface Sources {
  /** The nearest first. */
  readonly settings: readonly SourceSettings[];
  /** The profile of the nearest source that names one. */
  readonly profile: NamedProfile | null;
  /** Read only when it is needed: a broken project file must not stop a command whose flags name host and key. */
  readonly project: () => ProjectServer | null;
  /** Null when a profile is named. */
  readonly currentProfile: () => NamedProfile | null;
}

interface Settings {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly profile?: string | undefined;
}

/** Reads the settings from variables. An empty variable counts as not set. */
function settingsIn(variables: Readonly<Record<string, string | undefined>>): Settings {
  const { QA_PAY_BASE_URL: baseUrl = "", QA_PAY_API_KEY: apiKey = "", QA_PAY_PROFILE: profile = "" } = variables;
  return {
    baseUrl: trimPasted(baseUrl) || undefined,
    apiKey: trimPasted(apiKey) || undefined,
    profile: trimPasted(profile) || undefined,
  };
}

/**
 * Reads the settings from the `.env` of the working folder. There are none when there is no such file. One that cannot be read may
 * name another host than the sources after it, so it is a Failure (exit 2), unless `nearer` sources name both host and key.
 */
function dotEnvSettings(io: Io, nearer: readonly Settings[] = []): Settings {
  try {
    return settingsIn(readDotEnv(io));
  } catch (error) {
    const names = (...members: readonly (keyof Settings)[]) =>
      nearer.some((settings) => members.some((member) => settings[member] !== undefined));
    if (names("baseUrl", "profile") && names("apiKey", "profile")) return {};
    throw error;
  }
}

const NAMES: Readonly<Record<SettingSource, SourceSettings["names"]>> = {
  flag: { baseUrl: "--base-url", apiKey: "--api-key" },
  environment: { baseUrl: "QA_PAY_BASE_URL", apiKey: "QA_PAY_API_KEY" },
  dotenv: { baseUrl: t`QA_PAY_BASE_URL of .env`, apiKey: t`QA_PAY_API_KEY of .env` },
};

/** `variable` names the profile, where that is not plain. */
export function unknownProfile(io: Io, name: string, variable?: Wording): Failure {
  const names = Object.keys(listProfiles(io).profiles);
  const known =
    names.length === 0
      ? t`There are none yet; \`qa-pay profiles add\` creates one.`
      : t`There are ${names.join(", ")}.`;
  const missing =
    variable === undefined ? t`There is no profile ${name}.` : t`There is no profile ${name} (${variable}).`;
  return usage(joinWords([missing, known], " "));
}

/** The name of the profile that a command uses; null when there is none. The profile may not exist. */
export function chosenProfile(io: Io): string | null {
  const here = () => {
    try {
      return dotEnvSettings(io).profile;
    } catch {
      // No command that sends works here then, and those of profiles still do.
      return undefined;
    }
  };
  return settingsIn(io.env).profile ?? here() ?? listProfiles(io).current;
}

/** Throws Failure (exit 2) when the named profile does not exist. */
export function sourcesOf(io: Io, flags: GlobalFlags): Sources {
  const { baseUrl, apiKey, profile: flagged } = flags;
  const flag: Settings = { baseUrl, apiKey, profile: flagged };
  const environment = settingsIn(io.env);
  const dotenv = dotEnvSettings(io, [flag, environment]);
  const found: Readonly<Record<SettingSource, Settings>> = { flag, environment, dotenv };
  const naming = SETTING_SOURCES.find((source) => found[source].profile !== undefined);
  const name = naming === undefined ? undefined : found[naming].profile;
  const stored = name === undefined ? null : (findProfile(io, name) ?? (name === DEMO ? DEMO_PROFILE : null));
  const profile: NamedProfile | null =
    name === undefined || stored === null
      ? null
      : { ...stored, name, source: "profile", title: t`the profile ${name}` };
  if (name !== undefined && profile === null) {
    throw unknownProfile(io, name, naming === "dotenv" ? t`QA_PAY_PROFILE of .env` : undefined);
  }
  const settingsOf = (source: SettingSource): SourceSettings => {
    const { baseUrl: url, apiKey: key } = found[source];
    return { source, baseUrl: url, apiKey: key, names: NAMES[source], profile: source === naming ? profile : null };
  };
  return {
    settings: SETTING_SOURCES.map(settingsOf),
    profile,
    project: once(() => findProject(io)),
    currentProfile: once(() => {
      const { current } = listProfiles(io);
      const used = profile !== null || current === null ? null : findProfile(io, current);
      if (used === null || current === null) return null;
      return { ...used, name: current, source: "current_profile", title: t`the current profile, ${current}` };
    }),
  };
}
