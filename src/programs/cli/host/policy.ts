import type { GlobalFlags } from "../../../api/client/flags.js";
import type { HttpRequest } from "../../../api/client/send.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { t } from "../../../base/kernel/wording.js";
import { findProfile } from "../profiles/profiles.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { isSameHost } from "./address.js";
import type { Credential, Host, Policy } from "./connection.js";
import { isLiveKey } from "./keys.js";
import { proxyOf } from "./proxy.js";
import type { Source, Sources } from "./sources.js";

/** The limits on requests: no change through a read-only profile, and no live key that others can read. */

/**
 * The name of the read-only profile that the host or the key comes from. A profile that was named for this command also
 * counts when a flag or a variable names the same host.
 */
function readOnlyProfile(
  { profile, currentProfile }: Sources,
  host: Host,
  keySource: Source | null,
): string | undefined {
  if (profile?.read_only && isSameHost(profile.base_url, host.namedUrl)) return profile.name;
  const isUsed = (source: Source) => host.source === source || keySource === source;
  if (profile?.read_only && isUsed("profile")) return profile.name;
  if (!isUsed("current_profile")) return undefined;
  const current = currentProfile();
  return current?.read_only ? current.name : undefined;
}

/** The policy for requests to a host with a credential. */
export function policyFor(
  io: Io,
  sources: Sources,
  host: Host,
  { keySource, loginPlace }: Credential & { readonly keySource: Source | null },
): Policy {
  return {
    command: io.command,
    proxy: () => proxyOf(io, host.url),
    readOnly: readOnlyProfile(sources, host, keySource),
    readOnlyLogin: () => {
      const place = loginPlace();
      return "profile" in place && findProfile(io, place.profile)?.read_only ? place.profile : undefined;
    },
  };
}

/** HTTP defines these methods as safe: they change nothing. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Throws Failure (exit 2) for a change through a read-only profile. The method alone decides: a list of harmless POST
 * routes would have to be right for every service and every version.
 */
export function requireWritable(
  { readOnly, readOnlyLogin }: Policy,
  { method, headers }: Pick<HttpRequest, "method" | "headers">,
): void {
  const profile = readOnly ?? (headers.authorization === undefined ? undefined : readOnlyLogin?.());
  if (profile === undefined || READS.has(method)) return;
  const message = t`The profile ${profile} is read-only, so nothing that could change something is sent through it (${method}).`;
  const hint = t`Use another profile, or allow changes with \`qa-pay profiles add ${profile}\` with its host and key, without --read-only.`;
  throw new Failure(EXIT.usage, "read_only_profile", message, hint);
}

/** True if anybody on the way to a host could read this live key. */
export function isReadable(url: string, apiKey: string | null | undefined): boolean {
  return isLiveKey(apiKey) && url.startsWith("http:") && !isLoopbackUrl(url);
}

/**
 * Throws Failure (exit 2) when a live key would go to another machine without encryption, unless the user confirms it
 * with `--yes`.
 */
export function requireEncryption(url: string, apiKey: string | null | undefined, { yes, dryRun }: GlobalFlags): void {
  if (yes || dryRun || !isReadable(url, apiKey)) return;
  const message = t`A live key is not sent to ${new URL(url).origin}: http:// is not encrypted, and anybody on the network path could read the key.`;
  const hint = t`Use an https:// address, or add --yes to confirm it.`;
  throw new Failure(EXIT.usage, "live_key_not_encrypted", message, hint);
}
