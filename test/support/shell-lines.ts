import { execFileSync } from "node:child_process";
import { expect } from "vitest";

/** Lines for a shell as programs get them. */

/** The words of lines, as a shell passes them to a program. One shell for all of them: to start it takes longer. */
export function wordsOf(lines: readonly string[], env: Readonly<Record<string, string>>): string[][] {
  const script = ["uuidgen() { echo made-anew; }", ...lines.map((line) => `printf '%s\\0' ${line}; printf '\\1\\0'`)];
  const all = execFileSync("sh", ["-s"], { env, encoding: "utf8", input: script.join("\n") });
  return all
    .split("\u0001\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

/** The request that curl sends for these words. */
export function readCurl([program, ...words]: readonly string[]) {
  const headers: Record<string, string> = {};
  const addresses: string[] = [];
  let [method, body]: [string, string | undefined] = ["GET", undefined];
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-X") method = words.shift() ?? "";
    else if (word === "--data-raw") body = words.shift();
    else if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(/: ?(.*)/s);
      if (value !== "") headers[name] = value;
    } else if (word !== "--globoff") addresses.push(word);
  }
  expect([program, addresses.length]).toEqual(["curl", 1]);
  return { method, address: addresses[0] ?? "", headers, body };
}
