import type { GlobalFlags } from "../../../../api/client/flags.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { hostHere } from "../../host/find.js";
import type { Profile } from "../../profiles/profiles.js";
import type { Io } from "../../terminal/io.js";
import { say } from "../../terminal/terminal-text.js";

export function notify(io: Io, flags: GlobalFlags, text: string): void {
  if (!flags.quiet && !flags.json) io.err(say`${text}\n`);
}

/** Prints a note when the keychain has kept a key that should be gone. `refusal` is null when it is gone. */
export function notifyKeptKey(io: Io, flags: GlobalFlags, refusal: string | null): void {
  if (refusal !== null) notify(io, flags, `The old key could not be removed from the system's keychain (${refusal}).`);
}

/**
 * Prints a note when commands in this folder do not use the current profile, for example because a project has its own
 * server.
 */
export function notifyOtherHost(io: Io, flags: GlobalFlags, { base_url }: Pick<Profile, "base_url">): void {
  try {
    const host = hostHere(io);
    if (host !== null && host.namedUrl !== base_url)
      notify(io, flags, `But commands here go to ${host.namedUrl} (from ${host.from}).`);
  } catch (error) {
    notify(io, flags, `But no command works here: ${reasonOf(error)}`);
  }
}
