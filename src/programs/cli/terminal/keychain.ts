import { requireFrom } from "../../../base/platform/real-runtime.js";

/**
 * The system's keychain: macOS Keychain, Windows Credential Manager, or the Secret Service of a Linux desktop. Every method
 * throws Error when there is none, or when it refuses.
 */
export interface Keychain {
  /** Returns the secret, or null when there is none under this name. */
  read(account: string): string | null;
  write(account: string, secret: string): void;
  remove(account: string): void;
}

const SERVICE = "qa-pay";

/** Loads the library, and what loads it, only when a key is read or stored: most commands need no keychain. */
export function systemKeychain(): Keychain {
  const entry = (account: string) => {
    const require = requireFrom(import.meta.url);
    const { Entry } = require("@napi-rs/keyring") as typeof import("@napi-rs/keyring");
    // Without a named store, the library would use the keyring of the Linux kernel, which loses everything at a restart.
    return new Entry(SERVICE, account, { linux: { store: "secret-service" } });
  };
  return {
    read: (account) => entry(account).getPassword(),
    write: (account, secret) => entry(account).setPassword(secret),
    remove: (account) => void entry(account).deletePassword(),
  };
}
