import type { CliColumn } from "../../kernel/contract.js";
import { EXIT } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { palette, printTable } from "../output.js";
import { findProfile, listProfiles, type Profile, removeProfile, saveProfile, useProfile } from "../profiles.js";
import type { GlobalFlags } from "../request.js";
import { isLiveKey, keyPrefix } from "../safety.js";
import { checkedUrl, chooseTarget, chosenProfile, unknownProfile } from "../settings.js";
import { bodyText, jsonText, say } from "../terminal-text.js";

/** `profiles`: hosts and keys by name. A key goes in and is never shown again. */

interface ListFlags extends GlobalFlags {
  readonly output?: string;
}

interface ShownProfile {
  readonly name: string;
  readonly current: boolean;
  readonly base_url: string;
  /** How its key begins; null when it has none. */
  readonly key_prefix: string | null;
  readonly mode: "live" | "test" | null;
}

const COLUMNS: readonly CliColumn[] = [
  { header: "", path: "mark" },
  { header: "Profile", path: "name" },
  { header: "Host", path: "base_url" },
  { header: "Key", path: "key_prefix" },
  { header: "Mode", path: "mode" },
];

function usage(message: string, hint?: string): Failure {
  return new Failure(EXIT.usage, "usage", message, undefined, hint);
}

function modeOf(apiKey: string | null): ShownProfile["mode"] {
  if (apiKey === null) return null;
  return isLiveKey(apiKey) ? "live" : "test";
}

export async function listAll(io: Io, flags: ListFlags): Promise<void> {
  const current = chosenProfile(io, {});
  const rows = Object.entries(listProfiles(io).profiles).map(
    ([name, { base_url, api_key }]): ShownProfile => ({
      name,
      current: name === current,
      base_url,
      key_prefix: api_key === null ? null : keyPrefix(api_key),
      mode: modeOf(api_key),
    }),
  );
  const form = flags.output ?? (flags.json ? "json" : "table");
  if (form === "json") io.out(jsonText(rows));
  else if (form === "jsonl") for (const row of rows) io.out(jsonText(row));
  else if (rows.length > 0) {
    const marked = rows.map((row) => ({ ...row, mark: row.current ? "*" : "" }));
    await printTable(io, COLUMNS, marked, await palette(io, flags.color !== false));
    const used = rows.find((row) => row.current);
    if (used !== undefined) tellNearer(io, flags, used);
  } else if (!flags.quiet) io.err(say`There are no profiles yet; the first \`qa-pay serve\` makes one.\n`);
}

async function hostOf(io: Io, { baseUrl, json }: GlobalFlags): Promise<string> {
  if (baseUrl !== undefined) return checkedUrl("--base-url", baseUrl);
  if (json || !io.isTerminal) throw usage("--base-url is required.");
  return checkedUrl("The address", await io.prompt.input("Address of the service, such as https://pay.example"));
}

async function keyOf(io: Io, { apiKey, json }: GlobalFlags): Promise<string> {
  if (apiKey === undefined && (json || !io.isTerminal)) {
    throw usage("--api-key is required.", "With - it is read from standard input, where no other process sees it.");
  }
  const typed = apiKey === "-" ? await io.readInput() : (apiKey ?? (await io.prompt.password("API key")));
  const key = typed.trim();
  if (/^qa_(test|live)_[\w-]{8,}$/.test(key)) return key;
  throw usage(
    `The API key is ${key === "" ? "empty" : "no key"}: keys are qa_test_… or qa_live_… and go on with A-Z a-z 0-9 _ -.`,
  );
}

function tell(io: Io, flags: GlobalFlags, text: string): void {
  if (!flags.quiet && !flags.json) io.err(bodyText(io, `${text}\n`));
}

export async function add(io: Io, name: string, flags: GlobalFlags): Promise<void> {
  if (!/^[a-z0-9][\w.-]{0,63}$/i.test(name)) {
    throw usage(`A profile is named with up to 64 letters, digits, dots, dashes and underscores, not ${name}.`);
  }
  const isNew = findProfile(io, name) === null;
  if (!isNew && !flags.yes && (flags.json || !io.isTerminal)) {
    throw usage(`There is a profile ${name} already.`, "Add --yes to replace it and its key.");
  }
  const base_url = await hostOf(io, flags);
  const api_key = await keyOf(io, flags);
  if (!isNew && !flags.yes && !(await io.prompt.confirm(`Replace the profile ${name} and its key?`))) {
    throw new Failure(EXIT.usage, "cancelled", "Nothing was changed.");
  }
  saveProfile(io, name, { base_url, api_key });
  tell(
    io,
    flags,
    `Kept ${name}: ${base_url} with ${keyPrefix(api_key)}. \`qa-pay profiles use ${name}\` makes it the usual one.`,
  );
}

export async function use(io: Io, name: string, flags: GlobalFlags): Promise<void> {
  const profile = findProfile(io, name);
  if (profile === null) throw unknownProfile(io, name);
  useProfile(io, name);
  tell(
    io,
    flags,
    `${name} is used from now on: ${profile.base_url}${isLiveKey(profile.api_key) ? " with a LIVE key" : ""}.`,
  );
  const effective = chosenProfile(io, {});
  if (effective !== name) tell(io, flags, `But QA_PAY_PROFILE says ${effective} here, and goes before it.`);
  else tellNearer(io, flags, profile);
}

/** What is nearer than the profile in use, such as the server of a project, goes before it. */
function tellNearer(io: Io, flags: GlobalFlags, { base_url }: Pick<Profile, "base_url">): void {
  try {
    const { baseUrl, from } = chooseTarget(io, {});
    if (baseUrl !== base_url) tell(io, flags, `But commands here go to ${baseUrl} (from ${from}).`);
  } catch (error) {
    tell(io, flags, `But no command works here: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function remove(io: Io, name: string, flags: GlobalFlags): Promise<void> {
  if (findProfile(io, name) === null) throw unknownProfile(io, name);
  removeProfile(io, name);
  tell(io, flags, `Forgot ${name} and its key.`);
}
