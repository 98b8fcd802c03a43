import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { fresh } from "../support/shared.js";

/** `exec` as a build runs it: standard streams and what remains. Signals: left-behind.test.ts. The rest: test/programs/cli/exec.test.ts. */

const place = fresh(newPlace);

/** Streams are kept byte for byte. */
const start = (
  words: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: Uint8Array | string } = {},
) => launch(place, [...QA_PAY, "exec", ...words], { env, input, encoding: "latin1" });
const exec = (...given: Parameters<typeof start>) => start(...given).ended;

/** Writes a script for exec to run, and answers the words that start it. */
function script(text: string): string[] {
  writeFileSync(join(place.folder, "script.cjs"), text);
  return ["--", process.execPath, "script.cjs"];
}

const TELL = `const fs = require("node:fs");
const tell = (value) => fs.writeFileSync("told.json", JSON.stringify(value));
`;

function told(): Loose {
  return JSON.parse(readFileSync(join(place.folder, "told.json"), "utf8"));
}

/** True if a process with this id exists. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("what remains after exec is nothing: no database, no profile, no process", async () => {
  const ended = await exec(script(`${TELL} tell([process.pid, process.ppid, process.env.QA_PAY_BASE_URL]);`));
  expect(ended.code).toBe(0);
  const [pid, parent, url] = told();
  expect([lives(pid), lives(parent)]).toEqual([false, false]);
  await expect(fetch(url)).rejects.toThrow();
  expect(readdirSync(place.folder).sort()).toEqual(["script.cjs", "told.json"]);
});

describe("standard streams", () => {
  /** More bytes than a pipe holds, with every possible value. */
  const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_none, byte) => byte)), randomBytes(300_000)]);
  const digest = (data: string | Uint8Array) =>
    createHash("sha256")
      .update(typeof data === "string" ? Buffer.from(data, "latin1") : data)
      .digest("hex");

  it("are passed on byte for byte and stay separate, beside what a seed says", async () => {
    const both = script("process.stdin.pipe(process.stderr); process.stdin.pipe(process.stdout);");
    const { code, out, err } = await exec(["--seed", "small-shop", ...both], { input: bytes });
    expect([code, digest(out), digest(err)]).toEqual([0, digest(bytes), digest(bytes)]);
  });

  it("are closed when there is no more input", async () => {
    const text = `${TELL} const chunks = []; process.stdin.on("data", (chunk) => chunks.push(chunk));
      process.stdin.on("end", () => tell(chunks.length));`;
    expect((await exec(script(text))).code).toBe(0);
    expect(told()).toBe(0);
  });
});

it("the environment is enough for qa-pay commands, even when a profile is chosen", async () => {
  const command = ["--", ...QA_PAY, "charges", "create", "--amount", "1990", "--json"];
  const { code, out, err } = await exec(command, { env: { QA_PAY_PROFILE: "nowhere" } });
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ amount: 1990, status: "pending" });
});
