import type { HttpRequest } from "../../client/send.js";
import type { Login } from "./profiles.js";

/** The host of a request, and the key or the login to send with it. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The flag, variable, file or profile that the host (`from`) and the key (`keyFrom`) come from, as text. */
  readonly from?: string;
  readonly keyFrom?: string | null;
  /** When `apiKey` is null although a key exists: why that key is not sent to this host. */
  readonly keyHint?: string | undefined;
  /** Returns the login at this host; undefined when no user is logged in. */
  readonly login?: () => Login | undefined;
  /** The name of the read-only profile that the host or the key comes from; undefined when changes may be sent. */
  readonly readOnly?: string | undefined;
  /** Returns the name of the read-only profile that the login at this host comes from. */
  readonly readOnlyLogin?: () => string | undefined;
  /** The command that sends, for the header User-Agent. */
  readonly command?: string | undefined;
  /**
   * Has the server prove itself again when its last proof is old. Throws Unreachable when it does not. Undefined for a host
   * that has proven nothing.
   */
  readonly proveAgain?: ((limits: Pick<HttpRequest, "timeoutMs" | "signal">) => Promise<void>) | undefined;
  /** The longest time of a request, in real milliseconds; undefined for the default. */
  readonly timeoutMs?: number | undefined;
}
