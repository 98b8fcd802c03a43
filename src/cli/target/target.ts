import type { Login } from "./profiles.js";

/** Where a request goes, and as whom. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** What named the host, and what holds the key, in words. */
  readonly from?: string;
  readonly keyFrom?: string | null;
  /** Why a key that there is does not go there. */
  readonly keyHint?: string | undefined;
  /** Who is logged in at that address, when anybody is. */
  readonly login?: () => Login | undefined;
  /** Real milliseconds that a request may take, when somebody said so. */
  readonly timeoutMs?: number | undefined;
}
