import type { CliColumn } from "../../../kernel/contract.js";
import { chosenProfile } from "../../target/choose-target.js";
import { shownKey } from "../../target/profile-key.js";
import { listProfiles } from "../../target/profiles.js";
import { isLiveKey } from "../../target/safety.js";
import { csvHeader, csvLine } from "../../terminal/csv.js";
import { palette, printTable } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { tellNearer } from "./tell.js";

interface ShownProfile {
  readonly name: string;
  readonly current: boolean;
  readonly base_url: string;
  /** The beginning of the API key; null without a key. */
  readonly key_prefix: string | null;
  readonly mode: "live" | "test" | null;
  /** True when no change may be sent through the profile. */
  readonly read_only: boolean;
}

const COLUMNS: readonly CliColumn[] = [
  { header: "", path: "mark" },
  { header: "Profile", path: "name" },
  { header: "Host", path: "base_url" },
  { header: "Key", path: "key_prefix" },
  { header: "Mode", path: "mode" },
  { header: "Changes", path: "changes" },
];

const FIELDS: readonly (keyof ShownProfile)[] = ["name", "current", "base_url", "key_prefix", "mode", "read_only"];

function modeOf(apiKey: string | null): ShownProfile["mode"] {
  if (apiKey === null) return null;
  return isLiveKey(apiKey) ? "live" : "test";
}

export const command = defineCommand({
  command: "profiles list",
  summary: "List the profiles; keys are shown by their beginning",
  flags: { "--output <form>": { about: "form of the list", choices: ["table", "json", "jsonl", "csv"] } },
  examples: ["qa-pay profiles list"],
  globals: { quiet: true },
}).run(async ({ io, flags }) => {
  const current = chosenProfile(io, {});
  const rows = Object.entries(listProfiles(io).profiles).map(
    ([name, profile]): ShownProfile => ({
      name,
      current: name === current,
      base_url: profile.base_url,
      key_prefix: shownKey(profile),
      mode: modeOf(shownKey(profile)),
      read_only: profile.read_only === true,
    }),
  );
  const form = flags.output ?? (flags.json ? "json" : "table");
  if (form === "json") io.out(jsonText(rows));
  else if (form === "jsonl") for (const row of rows) io.out(jsonText(row));
  else if (form === "csv") {
    io.out(csvHeader(FIELDS));
    for (const row of rows) io.out(csvLine(FIELDS, row));
  } else if (rows.length > 0) {
    const marked = rows.map((row) => ({
      ...row,
      mark: row.current ? "*" : "",
      changes: row.read_only ? "none (read-only)" : "",
    }));
    await printTable(io, COLUMNS, marked, await palette(io, flags.color !== false));
    const used = rows.find((row) => row.current);
    if (used !== undefined) tellNearer(io, flags, used);
  } else if (!flags.quiet) io.err(say`There are no profiles yet; the first \`qa-pay serve\` makes one.\n`);
});
