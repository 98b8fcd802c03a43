import { isLiveKey } from "../../host/keys.js";
import { chosenProfile, unknownProfile } from "../../host/sources.js";
import { beginningOfKey } from "../../profiles/profile-key.js";
import { findProfile, useProfile } from "../../profiles/profiles.js";
import { defineCommand } from "../../tree/define-command.js";
import { notify, notifyOtherHost } from "./notices.js";

export const command = defineCommand({
  command: "profiles use",
  summary: "Use a profile from now on, where no flag, variable or .env says otherwise",
  takes: { "<name>": "name of `profiles list`" },
  examples: ["qa-pay profiles use staging"],
  globals: { quiet: true },
}).run(async ({ io, given: { name }, flags }) => {
  const profile = findProfile(io, name);
  if (profile === null) throw unknownProfile(io, name);
  useProfile(io, name);
  notify(
    io,
    flags,
    `${name} is the default from now on: ${profile.base_url}${isLiveKey(beginningOfKey(profile)) ? " with a LIVE key" : ""}.`,
  );
  const effective = chosenProfile(io);
  if (effective !== name) notify(io, flags, `But QA_PAY_PROFILE names ${effective} here, which is used instead.`);
  else notifyOtherHost(io, flags, profile);
});
