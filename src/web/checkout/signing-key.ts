import { type Db, getter, runner } from "../../base/db/driver.js";
import { jsonIn } from "../../base/kernel/json.js";
import { generateSigningKey, isSigningKey, type PrivateSigningKey } from "../../base/pix/payload.js";

/**
 * Holds the key that signs Pix payloads. The first payload creates it, and the database stores it, so that a restart
 * does not change the published key set.
 */
export function createSigningKeyHolder(db: Db) {
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = 'pix_signing_key'");
  // Two first requests at the same time may both create a key. Both then use the key that was written first.
  const save = runner(db, "INSERT OR IGNORE INTO settings (name, value) VALUES ('pix_signing_key', ?)");
  const read = (text: string): PrivateSigningKey => {
    const value = jsonIn(text);
    if (!isSigningKey(value)) throw new TypeError("the stored signing key is no signing key");
    return value;
  };
  let held: Promise<PrivateSigningKey> | null = null;
  async function open(): Promise<PrivateSigningKey> {
    const stored = load();
    if (stored !== null) return read(stored.value);
    const { privateJwk } = await generateSigningKey();
    save(JSON.stringify(privateJwk));
    const winner = load();
    return winner === null ? privateJwk : read(winner.value);
  }
  function key(): Promise<PrivateSigningKey> {
    held ??= open().catch((reason: unknown) => {
      // The next request tries again.
      forget();
      throw reason;
    });
    return held;
  }
  /** The next call reads the key from the database again: it may have changed. */
  const forget = () => {
    held = null;
  };
  return Object.assign(key, { forget });
}
