import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** How many servers want it now. */
let wanted = 0;
const { scrypt } = crypto;

function use(hashing: unknown): void {
  Object.assign(crypto, { scrypt: hashing });
  syncBuiltinESMExports();
}

type Done = (error: Error | null, key: Buffer) => void;

function cheaply(password: string, salt: Uint8Array, length: number, options: ScryptOptions, done: Done): void {
  scrypt(password, salt, length, { ...options, N: 2 }, done);
}

/**
 * Passwords are hashed at the least cost until `ended`. For a database in a file the service takes a tenth of a second of the
 * processor for it at each first start.
 */
export function withCheapPasswords(ended: Promise<unknown>): void {
  if (wanted++ === 0) use(cheaply);
  const end = () => {
    if (--wanted === 0) use(scrypt);
  };
  void ended.then(end, end);
}

/** No password is hashed before `until`. */
export function holdPasswords(until: Promise<unknown>): void {
  use((...given: Parameters<typeof scrypt>) => void until.then(() => scrypt(...given)));
  void until.then(() => use(scrypt));
}
