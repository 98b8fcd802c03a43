// @ts-check
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The receivers of webhooks in examples/receivers, and how each is started. */

/**
 * @typedef {object} Receiver
 * @property {string} language
 * @property {string} file Within examples/receivers.
 * @property {readonly [string, ...string[]]} probe Tells whether the language is here.
 * @property {string} aptPackage The package of Debian that has it.
 * @property {(binary: string) => readonly [string, ...string[]]} [build] Makes a program of the file.
 * @property {(port: number, binary: string) => readonly [string, ...string[]]} start
 */

const folder = join("examples", "receivers");
/** @param {string} file */
const path = (file) => join(folder, file);

/** @type {readonly Receiver[]} */
export const RECEIVERS = [
  {
    language: "Node",
    file: "node/receiver.mjs",
    probe: [process.execPath, "--version"],
    aptPackage: "nodejs",
    start: () => [process.execPath, path("node/receiver.mjs")],
  },
  {
    language: "Node with qa-pay/webhooks",
    file: "node/with-package.mjs",
    probe: [process.execPath, "--version"],
    aptPackage: "nodejs",
    start: () => [process.execPath, path("node/with-package.mjs")],
  },
  {
    language: "Python",
    file: "python/receiver.py",
    probe: ["python3", "--version"],
    aptPackage: "python3",
    start: () => ["python3", path("python/receiver.py")],
  },
  {
    language: "PHP",
    file: "php/receiver.php",
    probe: ["php", "--version"],
    aptPackage: "php-cli",
    start: (port) => ["php", "-S", `127.0.0.1:${port}`, path("php/receiver.php")],
  },
  {
    language: "Go",
    file: "go/receiver.go",
    probe: ["go", "version"],
    aptPackage: "golang-go",
    build: (binary) => ["go", "build", "-o", binary, path("go/receiver.go")],
    start: (_port, binary) => [binary],
  },
  {
    language: "Ruby",
    file: "ruby/receiver.rb",
    probe: ["ruby", "--version"],
    aptPackage: "ruby",
    start: () => ["ruby", path("ruby/receiver.rb")],
  },
  {
    language: "Java",
    file: "java/Receiver.java",
    probe: ["java", "--version"],
    aptPackage: "default-jdk-headless",
    start: () => ["java", path("java/Receiver.java")],
  },
];

/** The receivers whose language is not here. */
export function withoutLanguage() {
  return RECEIVERS.filter(
    ({ probe: [command, ...args] }) => spawnSync(command, args, { stdio: "ignore" }).status !== 0,
  );
}
