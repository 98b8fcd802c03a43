import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doctorFindings } from "../support/doctor.js";
import { freshCli, sharedEmulator } from "../support/shared.js";

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
  ])("that %s is a problem, and no part of its content is shown", async (_what, text, why) => {
    write(text);
    const { out } = await cli.run(["doctor", "--json"]);
    expect(out).not.toContain("kept-in");
    const { profile } = await findings();
    expect(profile.status).toBe("fail");
    expect(profile.detail).toContain(`profiles.json cannot be used: ${why}. Repair it, or move it away`);
  });

  it("that is chosen but does not exist is reported with the existing ones", async () => {
    write(good(emulator.url));
    const { order, server } = await findings(["--profile", "staging"]);
    expect(server).toEqual({ status: "fail", detail: "There is no profile staging. There are local." });
    expect(order).not.toContain("clock");
  });

  it("gives the address and the key, which is not shown", async () => {
    write(good(emulator.url).replace(KEY, emulator.key));
    const { healthy, server } = await findings([], { QA_PAY_BASE_URL: "", QA_PAY_API_KEY: "" });
    expect([healthy, server.status]).toEqual([true, "ok"]);
  });
});
