import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doctorFindings } from "../../support/doctor.js";
import { freshCli, sharedEmulator } from "../../support/shared.js";

/** The checks of `doctor` on the file of profiles. */

const emulator = sharedEmulator();
const cli = freshCli(emulator);

const at = (...names: string[]) => join(cli.folder, ...names);
const findings = (words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  doctorFindings(cli, words, env);

describe("the profile", () => {
  const write = (text: string, mode = 0o600) => {
    mkdirSync(at("config"));
    writeFileSync(at("config", "profiles.json"), text);
    chmodSync(at("config", "profiles.json"), mode);
  };
  const KEY = "qa_test_kept-in-the-profile";
  const good = (url: string) =>
    JSON.stringify({ current: "local", profiles: { local: { base_url: url, api_key: KEY } } });

  it.each([0o600, 0o400])("that only its owner may read (case %#) is fine", async (mode) => {
    write(good(emulator.url), mode);
    expect((await findings()).profile).toEqual({ status: "ok", detail: at("config", "profiles.json") });
  });

  it.each(["644", "640", "604"])(
    "that other users may read (mode %s) is a problem, with a way to fix it",
    async (mode) => {
      write(good(emulator.url), Number.parseInt(mode, 8));
      const { healthy, profile } = await findings();
      expect([healthy, profile.status]).toEqual([false, "fail"]);
      expect(profile.detail).toBe(
        `${at("config", "profiles.json")} can be read by others (mode ${mode}): chmod 600 it`,
      );
    },
  );

  it.each([
    ["is cut off", `{"current":"local","profiles":{"local":{"api_key":"${KEY}"`, "it is no JSON"],
    ["is empty", "", "it is no JSON"],
    ["starts with a key", KEY, "it is no JSON"],
    ["is a list", "[]", "it holds no profiles"],
    ["is null", "null", "it holds no profiles"],
    ["holds a list of profiles", '{"profiles":[]}', "it holds no profiles"],
    ["holds text for profiles", '{"profiles":"none"}', "it holds no profiles"],
    ["has a profile that is null", '{"profiles":{"shop":null}}', "the profile shop in it is damaged"],
    [
      "has a number for an address",
      '{"profiles":{"shop":{"base_url":5,"api_key":null}}}',
      "the profile shop in it is damaged",
    ],
    [
      "has a profile without a key",
      '{"profiles":{"shop":{"base_url":"http://h"}}}',
      "the profile shop in it is damaged",
    ],
    [
      "has a list for a key",
      '{"profiles":{"shop":{"base_url":"http://h","api_key":["kept-in"]}}}',
      "the profile shop in it is damaged",
    ],
    [
      "has a word for read-only",
      '{"profiles":{"s":{"base_url":"http://h","api_key":null,"read_only":"yes"}}}',
      "the profile s in it is damaged",
    ],
    [
      "has half an entry of the keychain",
      '{"profiles":{"s":{"base_url":"http://h","api_key":null,"keychain":{}}}}',
      "the profile s in it is damaged",
    ],
    [
      "has a login without a user",
      '{"profiles":{"s":{"base_url":"http://h","api_key":null,"login":{"base_url":"http://h","token":"t"}}}}',
      "the profile s in it is damaged",
    ],
    ["has a number for the current profile", '{"profiles":{},"current":5}', "`current` is no name of a profile"],
    ["has a list of logins", '{"profiles":{},"logins":[]}', "`logins` in it is damaged"],
    [
      "has a login that is a word",
      '{"profiles":{},"logins":{"http://h":"x"}}',
      "the login at http://h in it is damaged",
    ],
    ["has an object for a secret", '{"profiles":{},"listen_secret":{}}', "`listen_secret` in it is damaged"],
    ["is nested without an end", "[".repeat(200_000), "it is no JSON"],
  ])("that %s is a problem, and no part of its content is shown", async (_what, text, why) => {
    write(text);
    const { out } = await cli.run(["doctor", "--json"]);
    expect(out).not.toContain("kept-in");
    const { profile } = await findings();
    expect(profile.status).toBe("fail");
    expect(profile.detail).toContain(`profiles.json cannot be used: ${why}. Repair it, or move it away`);
  });

  it("that is damaged ends every command that needs it with 2, and is not written to", async () => {
    write('{"profiles":{"shop":null}}');
    const flags = ["--base-url", "http://127.0.0.1:9", "--api-key", KEY];
    for (const words of [
      ["wallets", "list", "--profile", "shop"],
      ["profiles", "list"],
      ["profiles", "use", "shop"],
      ["profiles", "add", "b", ...flags],
    ]) {
      const { code, out, err } = await cli.run(words);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("profiles.json cannot be used: the profile shop in it is damaged.");
    }
    expect(readFileSync(at("config", "profiles.json"), "utf8")).toBe('{"profiles":{"shop":null}}');
  });

  it("in UTF-16, as PowerShell writes it, is read; a pipe in its place is not waited for", async () => {
    write("");
    writeFileSync(at("config", "profiles.json"), Buffer.from(`\ufeff${good(emulator.url)}`, "utf16le"));
    expect((await findings()).profile.status).toBe("ok");
    rmSync(at("config", "profiles.json"));
    execFileSync("mkfifo", [at("config", "profiles.json")]);
    expect((await findings()).profile).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("it is a named pipe"),
    });
  });

  it("that is chosen but does not exist is reported with the existing ones", async () => {
    write(good(emulator.url));
    const { order, server } = await findings(["--profile", "staging"]);
    expect(server).toEqual({ status: "fail", detail: "There is no profile staging. There are local." });
    expect(order).not.toContain("clock");
  });

  it("provides the address and the key, which is not shown", async () => {
    write(good(emulator.url).replace(KEY, emulator.key));
    const { healthy, server } = await findings([], { QA_PAY_BASE_URL: "", QA_PAY_API_KEY: "" });
    expect([healthy, server.status]).toEqual([true, "ok"]);
  });
});
