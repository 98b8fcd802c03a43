import type { HttpProxy } from "../../../api/client/proxy.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import type { Login, LoginPlace } from "../profiles/profiles.js";
import type { ProjectServer } from "../project/project-file.js";
import type { HostFlags } from "../terminal/program-command.js";
import type { Source } from "./sources.js";

/** The host of a command, the credential for it, and what may be sent there. */

export interface Host {
  /** The address that requests go to, without a slash at its end. */
  readonly url: string;
  /** The flag, variable, file or profile that names the host, as text. */
  readonly from: Words;
  readonly source: Source;
  /** The address as `from` has it. It may have another name of this machine than `url`. */
  readonly namedUrl: string;
  /**
   * True when the user of this machine named this host, by a flag, a variable or a profile. False when only a file of
   * the project names it (`.env`, or a project file with another machine's address): a stranger may have written that
   * file.
   */
  readonly isTrusted: () => boolean;
  /** The project's server, when it listens at this host; else null. */
  readonly server: (ProjectServer & { readonly isRunning: boolean }) | null;
}

export interface Credential {
  readonly apiKey: string | null;
  /** The flag, variable, file or profile that the key comes from, as text; null without a key. */
  readonly from: Words | null;
  /** When `apiKey` is null although a key exists: why that key is not sent to this host. */
  readonly whyWithheld: Words | undefined;
  /** Returns the login at this host; undefined when no user is logged in. */
  readonly login: () => Login | undefined;
  /** Where a login at this host is stored. */
  readonly loginPlace: () => LoginPlace;
}

/** Decides whether a request may leave, and how. Without these members it comes from no profile and no project. */
export interface Policy {
  /** The name of the read-only profile that the host or the key comes from; undefined when changes may be sent. */
  readonly readOnly?: string | undefined;
  /** Returns the name of the read-only profile that the login at this host comes from. */
  readonly readOnlyLogin?: () => string | undefined;
  /** The flags that choose the host and the key, for commands in messages. */
  readonly hostFlags?: HostFlags;
  /** The command that sends, for the header User-Agent. */
  readonly command?: string | undefined;
  /** Returns the proxy for requests to this host; null without one. Throws Failure for a variable that names none. */
  readonly proxy?: (() => HttpProxy | null) | undefined;
  /** The only certificate that this host may have, as PEM: that of a server of this user with --https. */
  readonly certificate?: string | undefined;
  /** The longest time of a request, in real milliseconds; undefined for the default. */
  readonly timeoutMs?: number | undefined;
}

export interface Connection {
  readonly host: Host;
  readonly credential: Credential;
  readonly policy: Policy;
}

/** The connection to a server that the command itself has started. */
export function ownConnection(url: string, apiKey: string, policy: Policy = {}): Connection {
  return {
    host: { url, from: t`this command`, source: "flag", namedUrl: url, isTrusted: () => true, server: null },
    credential: {
      apiKey,
      from: null,
      whyWithheld: undefined,
      login: () => undefined,
      loginPlace: () => ({ host: url }),
    },
    policy,
  };
}

/** The project's server when the project file names the host, else null. */
export function projectOf({ source, server }: Host): Host["server"] {
  return source === "project" ? server : null;
}

/** The same connection, with another longest time of a request. */
export function withTimeout(connection: Connection, timeoutMs: number): Connection {
  return { ...connection, policy: { ...connection.policy, timeoutMs } };
}
