import { reasonOf } from "../../../base/kernel/reason.js";
import { t, type Wording } from "../../../base/kernel/wording.js";
import { isLiveKey, keyPrefix } from "../host/keys.js";
import { messageAndHint, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import type { Profile } from "./profiles.js";

/** Where the key of a profile is kept: a live key in the system's keychain where there is one, any other in the file. */

type KeyPlace = Pick<Profile, "api_key" | "keychain">;

function firstLineOf(error: unknown): string {
  return messageAndHint(reasonOf(error)).message;
}

/**
 * Stores a key, in the keychain when it is a live one. Does not throw: without a keychain the key goes into the file, and `refusal` is
 * why, in the keychain's own words.
 */
export function storeKey(io: Io, name: string, key: string): { place: KeyPlace; refusal: string | null } {
  const inFile: KeyPlace = { api_key: key };
  if (!isLiveKey(key) || io.env.QA_PAY_KEYCHAIN === "0") return { place: inFile, refusal: null };
  // The name is used once, so that another profiles.json with a profile of the same name keeps its own key.
  const account = `profile ${name} ${io.random()}`;
  try {
    io.keychain.write(account, key);
    // Some systems accept a secret and lose it, so it is read back.
    if (io.keychain.read(account) !== key) throw new Error("it did not store the key");
    return { place: { api_key: null, keychain: { account, key_prefix: keyPrefix(key) } }, refusal: null };
  } catch (error) {
    return { place: inFile, refusal: firstLineOf(error) };
  }
}

/** Removes the key of a profile from the keychain. Returns why that was not possible, else null. */
export function forgetKey(io: Io, { keychain }: Pick<Profile, "keychain">): string | null {
  if (keychain === undefined) return null;
  try {
    io.keychain.remove(keychain.account);
    return null;
  } catch (error) {
    return firstLineOf(error);
  }
}

/** Returns the key of a profile; null without one. Throws Failure (exit 2) when the keychain does not return it. */
export function keyOfProfile(io: Io, name: string, { api_key, keychain }: KeyPlace): string | null {
  if (keychain === undefined) return api_key;
  const refusal = (why: Wording) => {
    const hint = t`Unlock the keychain, or pass the key with --api-key. \`qa-pay profiles add ${name}\` stores it again; with QA_PAY_KEYCHAIN=0 in the file.`;
    return usage(t`The key of the profile ${name} is in the system's keychain, and ${why}.`, hint);
  };
  let key: string | null;
  try {
    key = io.keychain.read(keychain.account);
  } catch (error) {
    throw refusal(t`that cannot be read: ${firstLineOf(error)}`);
  }
  if (key === null) throw refusal(t`no longer exists`);
  return key;
}

/** The beginning of a profile's key, without reading the keychain; null without a key. */
export function beginningOfKey({ api_key, keychain }: KeyPlace): string | null {
  if (keychain !== undefined) return keychain.key_prefix;
  return api_key === null ? null : keyPrefix(api_key);
}
