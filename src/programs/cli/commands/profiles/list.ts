import type { CliColumn } from "../../../../base/kernel/contract.js";
import type { Mode } from "../../../../service/features/access/catalogue.js";
import { keyMode } from "../../host/keys.js";
import { chosenProfile } from "../../host/sources.js";
import { withColumns } from "../../operation/columns.js";
import { type PrintedList, rowPrinter } from "../../operation/rows.js";
import { beginningOfKey } from "../../profiles/profile-key.js";
import { listProfiles } from "../../profiles/profiles.js";
import { palette, printTable } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { FORM, formOf } from "../../tree/syntax.js";
import { notifyOtherHost } from "./notices.js";

interface ShownProfile {
  readonly name: string;
  readonly current: boolean;
  readonly base_url: string;
  /** The beginning of the API key; null without a key. */
  readonly key_prefix: string | null;
  readonly mode: Mode | null;
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

const LIST: PrintedList = { rows: "", columns: COLUMNS, rowFields: FIELDS.map((path) => ({ path })) };

export const command = defineCommand({
  command: "profiles list",
  summary: "List the profiles; keys are shown by their beginning",
  flags: FORM,
  examples: ["qa-pay profiles list"],
  globals: { quiet: true },
}).run(async ({ io, flags }) => {
  const list = withColumns(LIST, flags);
  const current = chosenProfile(io);
  const rows = Object.entries(listProfiles(io).profiles).map(
    ([name, profile]): ShownProfile => ({
      name,
      current: name === current,
      base_url: profile.base_url,
      key_prefix: beginningOfKey(profile),
      mode: keyMode(beginningOfKey(profile)),
      read_only: profile.read_only === true,
    }),
  );
  const form = formOf(flags);
  if (form === "json") io.out(jsonText(rows));
  else if (form !== "table" || flags.columns !== undefined) (await rowPrinter(io, list, flags)).rows(rows);
  else if (rows.length > 0) {
    const marked = rows.map((row) => ({
      ...row,
      mark: row.current ? "*" : "",
      changes: row.read_only ? "none (read-only)" : "",
    }));
    await printTable(io, COLUMNS, marked, { paint: await palette(io, flags.color !== false) });
    const used = rows.find((row) => row.current);
    if (used !== undefined) notifyOtherHost(io, flags, used);
  } else if (!flags.quiet) io.err(say`There are no profiles yet; \`qa-pay profiles add\` creates one.\n`);
});
