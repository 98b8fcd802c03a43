import { unknownProfile } from "../../host/sources.js";
import { forgetKey } from "../../profiles/profile-key.js";
import { findProfile, removeProfile } from "../../profiles/profiles.js";
import { defineCommand } from "../../tree/define-command.js";
import { notify, notifyKeptKey } from "./notices.js";

export const command = defineCommand({
  command: "profiles remove",
  summary: "Remove a profile and its key",
  takes: { "<name>": "name of `profiles list`" },
  examples: ["qa-pay profiles remove staging"],
  globals: { quiet: true },
}).run(async ({ io, given: { name }, flags }) => {
  const profile = findProfile(io, name);
  if (profile === null) throw unknownProfile(io, name);
  removeProfile(io, name);
  notifyKeptKey(io, flags, forgetKey(io, profile));
  notify(io, flags, `Removed ${name} and its key.`);
});
