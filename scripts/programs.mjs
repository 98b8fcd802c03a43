// @ts-check
import { spawnSync } from "node:child_process";

/** Programs that some samples, tests and receivers of webhooks need, and that a machine with Node need not have. */

/**
 * @typedef {object} Program
 * @property {string} aptPackage The package of Debian that has it.
 * @property {string} [probe] The argument with which it says its version; `--version` unless given.
 */

/** @satisfies {Readonly<Record<string, Program>>} */
export const PROGRAMS = {
  fish: { aptPackage: "fish" },
  go: { aptPackage: "golang-go", probe: "version" },
  java: { aptPackage: "default-jdk-headless" },
  openssl: { aptPackage: "openssl", probe: "version" },
  php: { aptPackage: "php-cli" },
  python3: { aptPackage: "python3" },
  ruby: { aptPackage: "ruby" },
  sqlite3: { aptPackage: "sqlite3" },
  zsh: { aptPackage: "zsh" },
};

/** @typedef {keyof typeof PROGRAMS} ProgramName */

/** What to do where one is missing. */
export const PROGRAMS_NEEDED =
  "`npm run languages` installs what is missing on Debian and Ubuntu as root; elsewhere, install it in a folder of PATH.";

/** @type {Map<ProgramName, boolean>} */
const known = new Map();

/** @param {ProgramName} name */
export function isInstalled(name) {
  // It is run, and not only looked for: some systems have a program of that name which says how to install it.
  /** @type {Program} */
  const { probe = "--version" } = PROGRAMS[name];
  const found = known.get(name) ?? spawnSync(name, [probe], { stdio: "ignore" }).status === 0;
  known.set(name, found);
  return found;
}
