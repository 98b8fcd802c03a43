import type { GlobalFlags } from "../../../../api/client/flags.js";
import { unwrapKey } from "../../../../base/kernel/pasted-text.js";
import { parseUrl } from "../../host/address.js";
import { keyPrefix } from "../../host/keys.js";
import { isReadable } from "../../host/policy.js";
import { forgetKey, storeKey } from "../../profiles/profile-key.js";
import { findProfile, profilesPath, saveProfile } from "../../profiles/profiles.js";
import { EXIT, Failure, formatValue, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { defineCommand } from "../../tree/define-command.js";
import { notify, notifyKeptKey } from "./notices.js";

async function hostOf(io: Io, { baseUrl, json }: GlobalFlags): Promise<string> {
  if (baseUrl !== undefined) return parseUrl("--base-url", baseUrl);
  if (json || !io.isTerminal) throw usage("--base-url is required.");
  return parseUrl("The address", await io.prompt.input("Address of the service, such as https://pay.example"));
}

async function keyOf(io: Io, { apiKey, json }: GlobalFlags): Promise<string> {
  if (apiKey === undefined && (json || !io.isTerminal)) {
    throw usage(
      "--api-key is required.",
      "With - the key is read from standard input, where no other process sees it.",
    );
  }
  const typed = apiKey === "-" ? await io.readInput() : (apiKey ?? (await io.prompt.password("API key")));
  const key = unwrapKey(typed);
  if (/^qa_(test|live)_[\w-]{8,}$/.test(key)) return key;
  throw usage(
    `The API key is ${key === "" ? "empty" : "no key"}: a key is qa_test_ or qa_live_ followed by characters of A-Z a-z 0-9 _ -.`,
  );
}

export const command = defineCommand({
  command: "profiles add",
  summary: "Save a host and a key under a name",
  takes: { "<name>": "letters, digits, dots, dashes and underscores" },
  flags: { "--read-only": "allow only reads with this profile" },
  usage: "<name> --base-url <url> --api-key <key|-> [flags]",
  examples: [
    "qa-pay profiles add staging --base-url https://pay.example --api-key - < key.txt",
    "qa-pay profiles add production --base-url https://pay.example --api-key - --read-only < key.txt",
  ],
  globals: { quiet: true, baseUrl: true, apiKey: true, yes: true },
}).run(async ({ io, given: { name }, flags }) => {
  if (!/^[a-z0-9][\w.-]{0,63}$/i.test(name)) {
    throw usage(
      `The name of a profile has up to 64 letters, digits, dots, dashes and underscores, not ${formatValue(name)}.`,
    );
  }
  const before = findProfile(io, name);
  const isNew = before === null;
  if (!isNew && !flags.yes && (flags.json || !io.isTerminal)) {
    throw usage(`A profile ${name} exists already.`, "Add --yes to replace it and its key.");
  }
  const base_url = await hostOf(io, flags);
  const api_key = await keyOf(io, flags);
  if (!isNew && !flags.yes && !(await io.prompt.confirm(`Replace the profile ${name} and its key?`))) {
    throw new Failure(EXIT.usage, "cancelled", "Nothing was changed.");
  }
  const { place, refusal } = storeKey(io, name, api_key);
  try {
    saveProfile(io, name, { base_url, ...place, ...(flags.readOnly ? { read_only: true } : {}) });
  } catch (error) {
    forgetKey(io, place);
    throw error;
  }
  notifyKeptKey(io, flags, before === null ? null : forgetKey(io, before));
  if (refusal !== null) {
    const where = `the key is in ${profilesPath(io)}, which only you may read`;
    notify(io, flags, `No keychain of the system can be used (${refusal}): ${where}.`);
  }
  if (isReadable(base_url, api_key)) {
    notify(io, flags, "http:// is not encrypted: this live key is sent there only by commands with --yes.");
  }
  notify(
    io,
    flags,
    `Saved ${name}: ${base_url} with ${keyPrefix(api_key)}${place.keychain === undefined ? "" : " in the system's keychain"}${flags.readOnly ? ", read-only" : ""}. \`qa-pay profiles use ${name}\` makes it the default.`,
  );
});
