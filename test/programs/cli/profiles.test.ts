import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshCli } from "../../support/shared.js";

/** Profiles, and the profile that a command uses. `--dry-run` shows the choice without a server. */

const LIVE = "qa_live_0123456789abcdef";
const TEST = "qa_test_0123456789abcdef";
const NO_SERVER = "This folder has no server, and no flag, variable, .env or profile names one.";

const cli = freshCli();

const add = (name: string, url: string, key: string) =>
  cli.run(["profiles", "add", name, "--base-url", url, "--api-key", "-"], { input: `${key}\n` });

/** The host and the key that a command would use. */
async function used(words: readonly string[] = [], env: Record<string, string> = {}) {
  const { out, err, code } = await cli.run(["wallets", "list", "--dry-run", "--json", ...words], { env });
  if (code !== 0) return `${code} ${JSON.parse(err).error.message}`;
  const { url, headers } = JSON.parse(out);
  return `${new URL(url).origin} ${headers.apikey}`;
}

const shown = (key: string) => `${key.slice(0, 12)}…`;
const dotEnv = (text: string) => writeFileSync(join(cli.folder, ".env"), text);

describe("profiles", () => {
  it("keep a host and a key that is never shown again, in a file that only its owner may read", async () => {
    const added = await add("prod", "https://pay.example/", LIVE);
    expect(added).toMatchObject({ code: 0, out: "" });
    const file = join(cli.folder, "config", "profiles.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(LIVE);
    await cli.run(["profiles", "use", "prod"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const table = await cli.run(["profiles", "list"]);
    expect(table.out).toMatch(/^\* +prod +https:\/\/pay\.example +qa_live_0123… +live$/m);
    const json = await cli.run(["profiles", "list", "--json"]);
    const row = {
      name: "prod",
      current: true,
      base_url: "https://pay.example",
      key_prefix: shown(LIVE),
      mode: "live",
      read_only: false,
    };
    expect(JSON.parse(json.out)).toEqual([row]);
    const lines = await cli.run(["profiles", "list", "--output", "jsonl"]);
    expect(lines.out).toBe(`${JSON.stringify(row)}\n`);
    for (const { out, err } of [added, table, json, lines]) expect(out + err).not.toContain("456789");
  });

  it.each([
    ["cut off", '{"profiles":{"prod":{"api_key":"qa_live_0123456789'],
    ["empty", ""],
    ["without profiles", '{"current":"prod","profiles":null}'],
  ])("of a file that is %s are neither used nor overwritten", async (_how, text) => {
    const file = join(cli.folder, "config", "profiles.json");
    mkdirSync(join(cli.folder, "config"));
    writeFileSync(file, text);
    for (const words of [
      ["profiles", "list"],
      ["profiles", "use", "prod"],
      ["wallets", "list", "--api-key", TEST],
    ]) {
      const { code, out, err } = await cli.run(words);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(`${file} cannot be used: it `);
      expect(err).toContain("move it away");
      expect(err).not.toContain("qa_live_");
    }
    expect((await add("one", "http://127.0.0.1:1", TEST)).code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("are written to the target of a link, and the link stays", async () => {
    mkdirSync(join(cli.folder, "config"));
    mkdirSync(join(cli.folder, "dotfiles"));
    const [link, file] = [join(cli.folder, "config", "profiles.json"), join(cli.folder, "dotfiles", "qa-pay.json")];
    symlinkSync(join("..", "dotfiles", "qa-pay.json"), link);
    expect((await add("one", "http://127.0.0.1:1", TEST)).code).toBe(0);
    expect((await cli.run(["profiles", "use", "one"])).code).toBe(0);
    expect([lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
    expect(readFileSync(file, "utf8")).toContain(TEST);
    expect(readdirSync(join(cli.folder, "dotfiles"))).toEqual(["qa-pay.json"]);
    expect(await used()).toBe(`http://127.0.0.1:1 ${shown(TEST)}`);
  });

  it.each([
    ["leads nowhere", join("gone", "profiles.json"), "ENOENT"],
    ["leads to itself", "profiles.json", "its links lead in a circle"],
  ])("behind a link that %s are refused, and the error says what to do", async (_how, target, code) => {
    mkdirSync(join(cli.folder, "config"));
    symlinkSync(target, join(cli.folder, "config", "profiles.json"));
    const { code: exit, err } = await add("one", "http://127.0.0.1:1", TEST);
    expect([exit, err]).toEqual([2, expect.stringMatching(new RegExp(`cannot be (used|written|read).*${code}`))]);
    expect(readdirSync(join(cli.folder, "config"))).toEqual(["profiles.json"]);
  });

  it("can be chosen and removed", async () => {
    expect((await cli.run(["profiles", "list"])).err).toContain("no profiles yet");
    await add("one", "http://127.0.0.1:1", TEST);
    await add("two", "http://127.0.0.1:2", LIVE);
    expect(await used()).toBe(`2 ${NO_SERVER}`);
    expect((await cli.run(["profiles", "use", "two"])).err).toContain("with a LIVE key");
    expect(await used()).toBe(`http://127.0.0.1:2 ${shown(LIVE)}`);
    expect(await used(["--profile", "one"])).toBe(`http://127.0.0.1:1 ${shown(TEST)}`);
    expect((await cli.run(["profiles", "remove", "two"])).code).toBe(0);
    expect(await used()).toBe(`2 ${NO_SERVER}`);
    expect((await cli.run(["profiles", "list", "--json"])).out).not.toContain("two");
  });

  it("warn when an environment variable names another profile, which is used instead", async () => {
    await add("one", "http://127.0.0.1:1", TEST);
    const { code, err } = await cli.run(["profiles", "use", "one"], { env: { QA_PAY_PROFILE: "other" } });
    expect([code, err]).toEqual([0, expect.stringContaining("QA_PAY_PROFILE names other")]);
  });

  it("are replaced only after a confirmation", async () => {
    await add("one", "http://127.0.0.1:1", TEST);
    expect(await add("one", "http://127.0.0.1:2", LIVE)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    const words = ["profiles", "add", "one", "--base-url", "http://127.0.0.1:2", "--api-key", LIVE];
    expect(await cli.run(words, { answers: [false] })).toMatchObject({ code: 2 });
    expect(await used(["--profile", "one"])).toBe(`http://127.0.0.1:1 ${shown(TEST)}`);
    expect(await cli.run(words, { answers: [true] })).toMatchObject({ code: 0 });
    expect(await used(["--profile", "one"])).toBe(`http://127.0.0.1:2 ${shown(LIVE)}`);
    expect((await cli.run([...words, "--yes"])).code).toBe(0);
  });
});

it("an unknown profile is refused with the existing ones", async () => {
  await add("kept", "http://127.0.0.1:1", TEST);
  for (const name of ["nowhere", "constructor"])
    expect(await used(["--profile", name])).toBe(`2 There is no profile ${name}. There are kept.`);
});

it("the profile that .env names is marked in the list", async () => {
  await add("other", "http://127.0.0.1:5", TEST);
  dotEnv("QA_PAY_PROFILE=other");
  expect((await cli.run(["profiles", "list"])).out).toMatch(/^\* +other /m);
});

it("a profile with the name local, as an older version created it, is one like any other", async () => {
  await add("kept", "http://127.0.0.1:1", TEST);
  const file = join(cli.folder, "config", "profiles.json");
  const local = { base_url: "http://127.0.0.1:7", api_key: TEST };
  const older = { current: "local", profiles: { local }, local_keys: {}, local_owner: { database: "/gone" } };
  writeFileSync(file, JSON.stringify(older));
  expect(await used()).toBe(`http://127.0.0.1:7 ${shown(TEST)}`);
  expect((await cli.run(["profiles", "remove", "local"])).code).toBe(0);
  expect(await used()).toBe(`2 ${NO_SERVER}`);
});
