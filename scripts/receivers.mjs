// @ts-check
import { join } from "node:path";

/** The receivers of webhooks in examples/receivers, and how each is started. */

/**
 * @typedef {object} Receiver
 * @property {string} language
 * @property {string} file Within examples/receivers.
 * @property {import("./programs.mjs").ProgramName} [program] What it needs besides Node.
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
    program: "python3",
    start: () => ["python3", path("python/receiver.py")],
  },
  {
    language: "PHP",
    file: "php/receiver.php",
    program: "php",
    start: (port) => ["php", "-S", `127.0.0.1:${port}`, path("php/receiver.php")],
  },
  {
    language: "Go",
    file: "go/receiver.go",
    program: "go",
    build: (binary) => ["go", "build", "-o", binary, path("go/receiver.go")],
    start: (_port, binary) => [binary],
  },
  {
    language: "Ruby",
    file: "ruby/receiver.rb",
    program: "ruby",
    start: () => ["ruby", path("ruby/receiver.rb")],
  },
  {
    language: "Java",
    file: "java/Receiver.java",
    program: "java",
    start: () => ["java", path("java/Receiver.java")],
  },
];
