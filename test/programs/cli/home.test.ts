import { writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cacheFolder } from "../../../src/programs/cli/files/own-certificate.js";
import { configDirectory } from "../../../src/programs/cli/profiles/profiles.js";
import { processIo } from "../../../src/programs/cli/terminal/io.js";
import { freshCli } from "../../support/shared.js";

/** Where profiles and caches are kept, whatever the variables of a shell say. */

const cli = freshCli();
afterEach(() => void vi.unstubAllEnvs());

const folderWith = (env: Readonly<Record<string, string>>, home: string | null = "/home/me") =>
  configDirectory({ ...processIo(), platform: "linux", cwd: "/work", home, env });

describe("an empty or relative folder counts as none", () => {
  it.each(["", "home", "./home", "."])("in HOME (%j)", (home) => {
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_CACHE_HOME", "");
    const io = processIo();
    const { home: found } = io;
    expect(found === null || isAbsolute(found)).toBe(true);
    const cache = cacheFolder(io);
    expect(cache === null || isAbsolute(cache)).toBe(true);
  });

  it.each([
    [{}, "/home/me/.config/qa-pay"],
    [{ XDG_CONFIG_HOME: "/xdg" }, "/xdg/qa-pay"],
    [{ XDG_CONFIG_HOME: "" }, "/home/me/.config/qa-pay"],
    [{ XDG_CONFIG_HOME: "xdg" }, "/home/me/.config/qa-pay"],
    [{ QA_PAY_CONFIG_DIR: "/own" }, "/own"],
    [{ QA_PAY_CONFIG_DIR: "" }, "/home/me/.config/qa-pay"],
    // It is named for this program alone, as a flag would name it.
    [{ QA_PAY_CONFIG_DIR: "own" }, "/work/own"],
  ])("in the variables %j", (env, folder) => {
    expect(folderWith(env)).toBe(folder);
  });

  it("in those of Windows", () => {
    const io = { ...processIo(), platform: "win32", home: "/home/me" };
    expect(configDirectory({ ...io, env: { APPDATA: "" } })).toBe(join("/home/me", "AppData", "Roaming", "qa-pay"));
    expect(configDirectory({ ...io, env: { APPDATA: "/roaming" } })).toBe(join("/roaming", "qa-pay"));
  });
});

describe("a user without a home folder", () => {
  const env = { QA_PAY_CONFIG_DIR: "", XDG_CONFIG_HOME: "" };
  const run = (words: readonly string[]) => cli.run(words, { env, home: null });

  it("has no profiles, and cannot keep one", async () => {
    expect((await run(["profiles", "list"])).code).toBe(0);
    const add = ["profiles", "add", "shop", "--base-url", "http://127.0.0.1:9", "--api-key", "qa_test_0123456789"];
    expect(await run(add)).toEqual({
      code: 2,
      out: "",
      err: "Error: There is no home folder to store profiles in.\nSet HOME, or name a folder in QA_PAY_CONFIG_DIR.\n",
    });
    const { code, err } = await run(["wallets", "list"]);
    expect([code, err]).toEqual([2, expect.stringContaining("This folder has no server")]);
  });

  it("is one whose home is a file, too", async () => {
    writeFileSync(join(cli.folder, "file"), "");
    const home = join(cli.folder, "file");
    const { code, err } = await cli.run(["wallets", "list"], { env, home });
    expect([code, err]).toEqual([2, expect.stringContaining("This folder has no server")]);
  });
});
