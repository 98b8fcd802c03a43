import { hash } from "node:crypto";
import type { Random } from "../../../base/kernel/runtime.js";
import type { Mode } from "./catalogue.js";

/** API keys (docs/service/keys.md#api-keys). Only the SHA-256 of a key is stored, and keys are found by it. */

export function hashKey(key: string): string {
  return hash("sha256", key);
}

/** Returns the fingerprint that replaces a key in logs and answers: the first 16 hex digits of its SHA-256. */
export function fingerprint(keyHash: string): string {
  return keyHash.slice(0, 16);
}

/** Returns a new key: `qa_live_` or `qa_test_` and 24 random bytes in base64url. */
export function newKey(mode: Mode, random: Random): string {
  return `qa_${mode}_${random.token(24)}`;
}

/**
 * True if an imported key has the form of its mode. It may be shorter than the keys of the service: CI chooses its own.
 */
export function isKeyOf(mode: Mode, key: string): boolean {
  return new RegExp(`^qa_${mode}_[A-Za-z0-9_-]{8,120}$`).test(key);
}
