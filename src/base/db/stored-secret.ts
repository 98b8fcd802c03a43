import { createHmac } from "node:crypto";
import { isSameText } from "../kernel/same-text.js";
import { type Db, getter, runner } from "./driver.js";

export type StoredSecret = ReturnType<typeof storedSecret>;

/**
 * A secret that is created once and stored in the database. The first call creates it when the database has none. That call
 * belongs into the unit of work that fills the database: in a later unit, a rollback would remove the secret after its first
 * use.
 */
export function storedSecret(db: Db, name: string, make: () => string) {
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = ?");
  const save = runner(db, "INSERT INTO settings (name, value) VALUES (?, ?)");
  let known: string | null = null;
  function create(): string {
    const secret = make();
    save(name, secret);
    return secret;
  }
  function secret(): string {
    known ??= load(name)?.value ?? create();
    return known;
  }
  /** Drops the copy in memory. Call it when the contents of the database are replaced. */
  const forget = () => {
    known = null;
  };
  return Object.assign(secret, { forget });
}

/** Signs addresses, such as that of an evidence file: whoever has the signed address needs no API key for it. */
export function createLinkSigner(key: StoredSecret) {
  const sign = (text: string) => createHmac("sha256", key()).update(text).digest("hex");
  return {
    sign,
    isSignature: (text: string, signature: string) => isSameText(signature, sign(text)),
  };
}
