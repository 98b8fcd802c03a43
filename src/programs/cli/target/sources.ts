import type { GlobalFlags } from "../../../api/client/flags.js";
import { once } from "../../../base/kernel/once.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { type Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { readDotEnv } from "./env-file.js";
import { findProfile, listProfiles, type Profile } from "./profiles.js";
import { findProject, type ProjectServer } from "./project.js";

/** The places that name hosts and keys. */

/** The places where a host, a key or a profile can be named, the nearest first. */
const PLACES = ["flag", "environment", "dotenv"] as const;
type PlaceName = (typeof PLACES)[number];

export interface Place {
  readonly source: PlaceName;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The names of both, as text for a person. */
  readonly names: { readonly baseUrl: string; readonly apiKey: string };
  /** The profile that this place names, when no nearer place names one. */
  readonly profile: NamedProfile | null;
}

export interface NamedProfile extends Profile {
  readonly name: string;
  readonly source: "profile" | "current_profile";
  /** Its name for a person: `the profile staging`. */
  readonly title: string;
}

export interface Sources {
  /** The nearest first. */
  readonly places: readonly Place[];
  /** The profile that the nearest place names which names one. */
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
 * name another host than the places after it, so it is a Failure (exit 2), unless `nearer` places name both host and key.
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

const NAMES: Readonly<Record<PlaceName, Place["names"]>> = {
  flag: { baseUrl: "--base-url", apiKey: "--api-key" },
  environment: { baseUrl: "QA_PAY_BASE_URL", apiKey: "QA_PAY_API_KEY" },
  dotenv: { baseUrl: "QA_PAY_BASE_URL of .env", apiKey: "QA_PAY_API_KEY of .env" },
};

export function unknownProfile(io: Io, name: string, origin = ""): Failure {
  const names = Object.keys(listProfiles(io).profiles);
  const known =
    names.length === 0 ? "There are none yet; `qa-pay profiles add` makes one." : `There are ${names.join(", ")}.`;
  return usage(`There is no profile ${name}${origin}. ${known}`);
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
  const settings: Readonly<Record<PlaceName, Settings>> = { flag, environment, dotenv };
  const naming = PLACES.find((source) => settings[source].profile !== undefined);
  const name = naming === undefined ? undefined : settings[naming].profile;
  const found = name === undefined ? null : findProfile(io, name);
  const profile: NamedProfile | null =
    name === undefined || found === null ? null : { ...found, name, source: "profile", title: `the profile ${name}` };
  if (name !== undefined && profile === null) {
    throw unknownProfile(io, name, naming === "dotenv" ? " (QA_PAY_PROFILE of .env)" : "");
  }
  const place = (source: PlaceName): Place => {
    const { baseUrl: url, apiKey: key } = settings[source];
    return { source, baseUrl: url, apiKey: key, names: NAMES[source], profile: source === naming ? profile : null };
  };
  return {
    places: PLACES.map(place),
    profile,
    project: once(() => findProject(io)),
    currentProfile: once(() => {
      const { current } = listProfiles(io);
      const used = profile !== null || current === null ? null : findProfile(io, current);
      if (used === null || current === null) return null;
      return { ...used, name: current, source: "current_profile", title: `the current profile, ${current}` };
    }),
  };
}
