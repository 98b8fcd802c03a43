// @ts-check
import { join } from "node:path";

/** The receivers of webhooks in examples/receivers, and how each is started. */

/**
 * @typedef {object} Receiver
 * @property {string} language
 * @property {string} file Within examples/receivers.
 * @property {readonly import("./programs.mjs").ProgramName[]} [programs] What it needs besides Node.
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
    start: () => [process.execPath, path("node/receiver.mjs")],
  },
  {
    language: "Node with qa-pay/webhooks",
    file: "node/with-package.mjs",
    start: () => [process.execPath, path("node/with-package.mjs")],
  },
  {
    language: "Python",
    file: "python/receiver.py",
    programs: ["python3"],
    start: () => ["python3", path("python/receiver.py")],
  },
  {
    language: "PHP",
    file: "php/receiver.php",
    programs: ["php"],
    start: (port) => ["php", "-S", `127.0.0.1:${port}`, path("php/receiver.php")],
  },
  {
    language: "Go",
    file: "go/receiver.go",
    programs: ["go"],
    build: (binary) => ["go", "build", "-o", binary, path("go/receiver.go")],
    start: (_port, binary) => [binary],
  },
  {
    language: "Ruby",
    file: "ruby/receiver.rb",
    programs: ["ruby"],
    start: () => ["ruby", path("ruby/receiver.rb")],
  },
  {
    language: "Java",
    file: "java/Receiver.java",
    programs: ["java"],
    start: () => ["java", path("java/Receiver.java")],
  },
];
