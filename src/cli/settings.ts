import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { Io } from "./io.js";
import { findProfile, listProfiles, type Profile } from "./profiles.js";
import type { GlobalFlags, Target } from "./request.js";
import { isLoopback } from "./safety.js";

/** Where host and key come from. */

const DEFAULT_URL = "http://127.0.0.1:4600";

interface Settings {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly profile: string | undefined;
}

/** A variable that is set to nothing says nothing. */
function settingsIn(variables: Readonly<Record<string, string | undefined>>): Settings {
  return {
    baseUrl: variables.QA_PAY_BASE_URL || undefined,
    apiKey: variables.QA_PAY_API_KEY || undefined,
    profile: variables.QA_PAY_PROFILE || undefined,
  };
}

/** What the `.env` of the working folder says; nothing when there is none. */
function projectSettings(io: Io): Settings {
  try {
    return settingsIn(parseEnv(readFileSync(join(io.cwd, ".env"), "utf8")) as Record<string, string>);
  } catch {
    return settingsIn({});
  }
}

export function unknownProfile(io: Io, name: string, origin = ""): Failure {
  const names = Object.keys(listProfiles(io).profiles);
  const known =
    names.length === 0 ? "There are none yet; `qa-pay profiles add` makes one." : `There are ${names.join(", ")}.`;
  return new Failure(EXIT.usage, "usage", `There is no profile ${name}${origin}. ${known}`);
}

/** The name of the profile that a command uses, whether it is there or not. */
export function chosenProfile(io: Io, flags: GlobalFlags): string {
  return flags.profile ?? settingsIn(io.env).profile ?? projectSettings(io).profile ?? listProfiles(io).current;
}

function namedProfile(io: Io, flags: GlobalFlags, fromEnv: Settings, project: Settings): Profile | null {
  const outside = flags.profile ?? fromEnv.profile;
  const named = outside ?? project.profile;
  const profile = findProfile(io, named);
  if (named !== undefined && profile === null) {
    throw unknownProfile(io, named, outside === undefined ? " (QA_PAY_PROFILE of .env)" : "");
  }
  return profile;
}

/** Who names a profile expects its key: whatever goes before it must not do so unseen. */
function tellOverridden(io: Io, flags: GlobalFlags, profile: Profile | null, found: Settings): void {
  if (flags.profile === undefined || flags.json || flags.quiet) return;
  const says = (what: string, variable: string) =>
    io.err(`Note: ${variable} goes before the ${what} of profile ${flags.profile}.\n`);
  if (flags.baseUrl === undefined && found.baseUrl !== undefined && found.baseUrl !== profile?.base_url) {
    says("host", "QA_PAY_BASE_URL");
  }
  if (flags.apiKey === undefined && found.apiKey !== undefined && found.apiKey !== profile?.api_key) {
    says("key", "QA_PAY_API_KEY");
  }
}

/**
 * Flag beats environment beats `.env` of the working folder beats profile. A `.env` that came with somebody's project
 * cannot send a key of the environment or a profile to a host of its own choice: that goes to the profile's host and to
 * this machine.
 *
 * @throws Failure (exit 2) for a profile that is not there or a host that is none.
 */
export function chooseTarget(io: Io, flags: GlobalFlags): Target {
  const fromEnv = settingsIn(io.env);
  const project = projectSettings(io);
  const profile = namedProfile(io, flags, fromEnv, project);
  const outside = flags.baseUrl ?? fromEnv.baseUrl;
  const baseUrl = outside ?? project.baseUrl ?? profile?.base_url ?? DEFAULT_URL;
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    const message = `--base-url must start with http:// or https://, not ${baseUrl}.`;
    throw new Failure(EXIT.usage, "usage", message);
  }
  tellOverridden(io, flags, profile, {
    ...fromEnv,
    baseUrl: fromEnv.baseUrl ?? project.baseUrl,
    apiKey: fromEnv.apiKey ?? project.apiKey,
  });
  const mayHaveKey = outside !== undefined || baseUrl === profile?.base_url || isLoopback(baseUrl);
  const kept = mayHaveKey ? fromEnv.apiKey : undefined;
  const apiKey = flags.apiKey ?? kept ?? project.apiKey ?? (mayHaveKey ? profile?.api_key : undefined) ?? null;
  if (apiKey === null && !mayHaveKey && !flags.json && !flags.quiet) {
    io.err(`Note: no key goes to ${baseUrl}, which .env names, unless --base-url says so too.\n`);
  }
  const at = baseUrl.replace(/\/+$/, "");
  return { baseUrl: at, apiKey, login: profile?.login?.base_url === at ? profile.login : undefined };
}
