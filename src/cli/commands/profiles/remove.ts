import { unknownProfile } from "../../target/choose-target.js";
import { findProfile, removeProfile } from "../../target/profiles.js";
import { defineCommand } from "../../tree/define-command.js";
import { tell } from "./tell.js";

export const command = defineCommand({
  command: "profiles remove",
  summary: "Forget a profile and its key",
  takes: { "<name>": "name of `profiles list`" },
  examples: ["qa-pay profiles remove staging"],
  globals: { quiet: true },
}).run(async ({ io, given: { name }, flags }) => {
  if (findProfile(io, name) === null) throw unknownProfile(io, name);
  removeProfile(io, name);
  tell(io, flags, `Forgot ${name} and its key.`);
});
