import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "../../../base/kernel/errors.js";
import type { Random } from "../../../base/kernel/runtime.js";

/**
 * Passwords are stored as `scrypt$N$r$p$salt$key` (RFC 7914; salt and key in base64url), so that the cost can be raised
 * later while older hashes still work. The work is done in the thread pool: no other request waits for it.
 */

/** The cost (N of scrypt) of the hashes of a service. */
export const PASSWORD_COST = 2 ** 14;

/**
 * The cost for a database in memory. It ends with the process, so nobody can steal its hashes. The usual cost would be
 * most of the service's time from its start to its end.
 */
export const PASSWORD_COST_IN_MEMORY = 16;

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Nobody remembers a longer password, and anybody may send one. */
export const MAX_PASSWORD = 1_024;
/** Checks at once in this process: each takes 16 MB and a thread of its own. */
const AT_ONCE = 2;
/** Checks that may wait: each keeps its password in memory. */
const MOST_WAITING = 200;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs the work after the earlier ones. Throws ApiError when too many wait already. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length < MOST_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw new ApiError("service_unavailable", { message: "Too many logins at once. Try again." });
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** The parameters of scrypt when N is `passwordCost` of the settings. */
function costOf(passwordCost: number): Cost {
  return { N: passwordCost, r: 8, p: 1 };
}

/** The hash of no password: no text has a key of all zeros. Checking it takes as long as checking any other hash. */
function hashOfNobody(passwordCost: number): string {
  return encodeHash(costOf(passwordCost), Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));
}

function encodeHash({ N, r, p }: Cost, salt: Uint8Array, key: Uint8Array): string {
  return ["scrypt", N, r, p, ...[salt, key].map((bytes) => Buffer.from(bytes).toString("base64url"))].join("$");
}

/** The stored form of a hash: 16 bytes of salt and 32 of the key in base64url. */
const STORED = /^scrypt\$(\d{1,5})\$8\$1\$[\w-]{22}\$[\w-]{43}$/;

/**
 * True if a text is a hash of this program. Others are never tried: one of a high cost takes all memory, and one with
 * an empty key fits every password.
 */
export function isPasswordHash(text: string): boolean {
  const N = Number(STORED.exec(text)?.[1]);
  return N >= 2 && N <= PASSWORD_COST && Number.isInteger(Math.log2(N));
}

function derive(password: string, salt: Uint8Array, { N, r, p }: Cost, length: number): Promise<Buffer> {
  // The memory that scrypt needs at this cost, and some more for its own structures.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p) + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

export async function hashPassword(password: string, random: Random, passwordCost: number): Promise<string> {
  const cost = costOf(passwordCost);
  const salt = random.bytes(SALT_BYTES);
  return encodeHash(cost, salt, await derive(password, salt, cost, KEY_BYTES));
}

/** True if a password fits its hash. Null, for an unknown user, takes as long as a wrong password. */
export async function isPassword(password: string, hash: string | null, passwordCost: number): Promise<boolean> {
  const isUsable = hash !== null && isPasswordHash(hash);
  const [, N, r, p, salt = "", key = ""] = (isUsable ? hash : hashOfNobody(passwordCost)).split("$");
  const expected = Buffer.from(key, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await inTurn(() => derive(password, Buffer.from(salt, "base64url"), cost, expected.length));
  return timingSafeEqual(given, expected) && isUsable;
}

const CONSONANTS = "bcdfghjklmnprstv";
const VOWELS = "aeio";

/** Returns a password such as `bakito-ravemi-sadilo-tokepa`: 72 random bits that can be read aloud. */
export function newPassword(random: Random): string {
  const syllables = [...random.bytes(12)].map((byte) => `${CONSONANTS[byte >> 4]}${VOWELS[byte & 3]}`);
  return [0, 3, 6, 9].map((from) => syllables.slice(from, from + 3).join("")).join("-");
}
