// @ts-check
import { aptPackageOf, isInstalled } from "./programs.mjs";

/**
 * @typedef {object} Example
 * @property {string} language
 * @property {string} path Of the example in this repository.
 * @property {readonly import("./programs.mjs").ProgramName[]} [programs] What it needs besides Node.
 */

/**
 * The examples that the arguments of the program name, or all. Throws for a name that none of them has.
 * @template T
 * @param {readonly T[]} examples
 * @param {(example: T) => string} nameOf
 */
export function chosen(examples, nameOf) {
  const wanted = process.argv.slice(2);
  const names = examples.map(nameOf);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}. There are ${names.join(", ")}.`);
  return examples.filter((example) => wanted.length === 0 || wanted.includes(nameOf(example)));
}

/**
 * Checks examples, all at the same time, and prints a line for each. A program that is missing is a failure in CI, and
 * elsewhere a notice that names it.
 * @template {Example} T
 * @param {readonly T[]} examples
 * @param {(example: T) => Promise<string>} check Returns what it has seen. Throws when something is wrong.
 */
export async function checkExamples(examples, check) {
  const results = await Promise.all(examples.map((example) => outcomeOf(example, check)));
  console.log(results.map(({ line }) => line).join("\n"));
  if (results.some(({ failed }) => failed)) process.exitCode = 1;
}

/**
 * @template {Example} T
 * @param {T} example
 * @param {(example: T) => Promise<string>} check
 */
async function outcomeOf(example, check) {
  const { language, path, programs = [] } = example;
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    const failed = Boolean(process.env.CI);
    const packages = missing.flatMap((program) => aptPackageOf(program) ?? []).join(" ");
    const line = `${language}: ${path} was not checked, because these are missing: ${missing.join(", ")}. Debian: apt-get install ${packages}`;
    return { failed, line: `${failed ? "FAILED" : "NOT CHECKED"} ${line}` };
  }
  try {
    return { failed: false, line: `passed ${language}: ${await check(example)}` };
  } catch (error) {
    return { failed: true, line: `FAILED ${language}: ${error instanceof Error ? error.message : error}` };
  }
}
