// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Programs that some samples, tests, receivers and suites need, and that a machine with Node need not have. */

/** Runs tests of JUnit. */
export const JUNIT = "/usr/share/java/junit-platform-console-standalone.jar";

/** The folder of the frameworks of npm, which scripts/frameworks names. */
export const FRAMEWORKS = "node_modules/.cache/qa-pay/frameworks";

/**
 * @typedef {object} Program
 * @property {string} [aptPackage] The package of Debian that has it; none for a framework of npm.
 * @property {string} [probe] The arguments with which it says its version; `--version` unless given.
 * @property {string} [file] The file that it is, where it is no program of PATH.
 */

/** @satisfies {Readonly<Record<string, Program>>} */
export const PROGRAMS = {
  "@nestjs/core": { file: `${FRAMEWORKS}/node_modules/@nestjs/core/package.json` },
  curl: { aptPackage: "curl" },
  fastapi: { aptPackage: "python3-fastapi", file: "/usr/lib/python3/dist-packages/fastapi/__init__.py" },
  fastify: { file: `${FRAMEWORKS}/node_modules/fastify/package.json` },
  fish: { aptPackage: "fish" },
  go: { aptPackage: "golang-go", probe: "version" },
  java: { aptPackage: "default-jdk-headless" },
  junit: { aptPackage: "junit5", file: JUNIT },
  openssl: { aptPackage: "openssl", probe: "version" },
  parallel_rspec: { aptPackage: "ruby-parallel-tests" },
  php: { aptPackage: "php-cli" },
  phpunit: { aptPackage: "phpunit" },
  "pytest-3": { aptPackage: "python3-pytest-xdist", probe: "-p xdist --version" },
  python3: { aptPackage: "python3" },
  rails: { aptPackage: "ruby-railties" },
  rspec: { aptPackage: "ruby-rspec" },
  ruby: { aptPackage: "ruby" },
  sqlite3: { aptPackage: "sqlite3" },
  uvicorn: { aptPackage: "uvicorn" },
  zsh: { aptPackage: "zsh" },
};

/** @typedef {keyof typeof PROGRAMS} ProgramName */

/**
 * The package of Debian that has a program; undefined for a framework of npm.
 * @param {ProgramName} name
 */
export function aptPackageOf(name) {
  /** @type {Program} */
  const { aptPackage } = PROGRAMS[name];
  return aptPackage;
}

/** Advice for a missing program. */
export const PROGRAMS_NEEDED =
  "`npm run languages` installs what is missing on Debian and Ubuntu as root; elsewhere, install it in a folder of PATH.";

/** @type {Map<ProgramName, boolean>} */
const known = new Map();

/** @param {ProgramName} name */
export function isInstalled(name) {
  // It is run, and not only looked for: some systems have a program of that name which says how to install it.
  /** @type {Program} */
  const { probe = "--version", file } = PROGRAMS[name];
  const answers = () => spawnSync(name, probe.split(" "), { stdio: "ignore" }).status === 0;
  const found = known.get(name) ?? (file === undefined ? answers() : existsSync(file));
  known.set(name, found);
  return found;
}
