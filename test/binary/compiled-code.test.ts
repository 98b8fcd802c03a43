import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { newPlace } from "../support/binary.js";
import { fresh } from "../support/shared.js";

/** What a start keeps of the compiled code. Node 22 and newer keep it themselves, in files of their own. */

const PROGRAM = fileURLToPath(new URL("../../", import.meta.url));
/** A file of the program as the build names such files: `answer` is what the program prints. */
const PART = "part.cjs";
const WRITTEN = new Date("2026-11-01T00:00:00Z");

const place = fresh(newPlace);
let program: string;
let folder: string;

beforeEach(() => {
  program = join(place.folder, "program");
  folder = join(place.folder, "compiled");
  mkdirSync(program);
  cpSync(join(PROGRAM, "dist/compiled-code.cjs"), join(program, "compiled-code.cjs"));
  writePart("first");
});

/** Writes the part as the build does, with another answer of the same length, at another time. */
function writePart(answer: string, seconds = 0): void {
  const code = `exports.answer = () => "${answer}";\n`;
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 32);
  writeFileSync(join(program, PART), `// ${digest}\n${code}`);
  const time = new Date(WRITTEN.getTime() + 1_000 * seconds);
  utimesSync(join(program, PART), time, time);
}

/** Runs a program that loads the part. Returns its output, which says whether the part was compiled from an entry. */
function start(env: Record<string, string> = {}): string {
  const code = `
    const { Script } = require("node:vm");
    const { runInThisContext } = Script.prototype;
    let kept = false;
    Script.prototype.runInThisContext = function () {
      kept = this.cachedDataRejected === false;
      return runInThisContext.call(this);
    };
    require("./compiled-code.cjs").keepCompiledCode(module.constructor);
    const { answer } = require("./${PART}");
    process.stdout.write(answer() + (kept ? " kept" : ""));`;
  writeFileSync(join(program, "start.cjs"), code);
  const all = { ...place.env, NODE_COMPILE_CACHE: folder, ...env };
  const { stdout, stderr } = spawnSync(process.execPath, [join(program, "start.cjs")], { env: all, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

const entries = () => (existsSync(folder) ? readdirSync(folder) : []);

describe.skipIf("enableCompileCache" in process.getBuiltinModule("node:module"))("compiled code on Node 20", () => {
  it("is kept at the end of the first start, for this user alone, and used by the next one", () => {
    expect(start()).toBe("first");
    const [entry = "", ...others] = entries();
    expect([entry.startsWith(`${PART}-`), others]).toEqual([true, []]);
    expect([folder, join(folder, entry)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(start()).toBe("first kept");
    expect(entries()).toEqual([entry]);
  });

  it.each([
    { change: "at another time", seconds: 1 },
    { change: "at the same time, as in packages whose files all have one time", seconds: 0 },
  ])("is not used for a file that has changed $change, even when its length is the same", ({ seconds }) => {
    start();
    writePart("other", seconds);
    expect(start()).toBe("other");
    expect(start()).toBe("other kept");
  });

  it("is not used for a file that was changed by hand, even when its length is the same", () => {
    start();
    const path = join(program, PART);
    writeFileSync(path, readFileSync(path, "utf8").replace("first", "other"));
    expect(start()).toBe("other");
  });

  it("is compiled again where an entry is not of this V8", () => {
    start();
    const entry = join(folder, entries()[0] ?? "");
    const bytes = readFileSync(entry);
    writeFileSync(entry, bytes.fill(0, 0, 16));
    expect(start()).toBe("first");
    expect(start()).toBe("first kept");
  });

  it("is neither read nor written where others could write", () => {
    start();
    chmodSync(folder, 0o777);
    const [entry = ""] = entries();
    const { mtimeMs } = statSync(join(folder, entry));
    expect(start()).toBe("first");
    writePart("other", 1);
    expect(start()).toBe("other");
    expect([entries(), statSync(join(folder, entry)).mtimeMs]).toEqual([[entry], mtimeMs]);
  });

  it("that no start needs any more is removed when other code is written", () => {
    start();
    const [entry = ""] = entries();
    utimesSync(join(folder, entry), WRITTEN, new Date("2026-01-01T00:00:00Z"));
    writePart("other", 1);
    start();
    expect(entries()).toHaveLength(1);
    expect(entries()).not.toContain(entry);
  });

  it("takes nothing else away from a folder that is used for other things too", () => {
    const old = new Date("2026-01-01T00:00:00Z");
    mkdirSync(join(folder, "draft-photos"), { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const others = ["letter.txt", "draft-photos", `${PART}-notes`].sort();
    for (const name of ["letter.txt", `${PART}-notes`, "draft-photos/one.jpg"])
      writeFileSync(join(folder, name), "mine");
    for (const name of others) utimesSync(join(folder, name), old, old);
    start();
    expect(entries()).toHaveLength(others.length + 1);
    expect(entries()).toEqual(expect.arrayContaining(others));
    expect(readFileSync(join(folder, "draft-photos/one.jpg"), "utf8")).toBe("mine");
  });

  it.each(["NODE_DISABLE_COMPILE_CACHE", "NODE_V8_COVERAGE"])("is not kept with %s", (name) => {
    expect(start({ [name]: join(place.folder, "coverage") })).toBe("first");
    expect(entries()).toEqual([]);
  });

  it.each(["/dev/null/compiled", "/proc/compiled/more"])(
    "is not missed where its folder cannot be made: %s",
    (name) => {
      expect(start({ NODE_COMPILE_CACHE: name })).toBe("first");
    },
  );

  it("lies in the cache folder of the user", () => {
    start({ NODE_COMPILE_CACHE: "", XDG_CACHE_HOME: join(place.folder, "cache") });
    expect(entries()).toEqual([]);
    expect(existsSync(join(place.folder, "cache/qa-pay/compiled"))).toBe(process.platform === "linux");
  });
});
