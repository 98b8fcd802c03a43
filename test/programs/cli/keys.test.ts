import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { userOf, works } from "../../support/access.js";
import type { CliOutcome } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { freshCli, ownEmulator, sharedEmulator } from "../../support/shared.js";

/** Logging in and managing API keys from the command line. */

const emulator = sharedEmulator({ frozen: true });
const cli = freshCli(emulator);

const profileFile = () => join(cli.folder, "config", "profiles.json");

function logIn(role: "OWNER" | "ADMIN" | "MEMBER" = "OWNER", ...flags: string[]): Promise<CliOutcome> {
  const { email, password } = userOf(emulator, role);
  return cli.run(["login", "--email", email, "--password-stdin", ...flags], { input: `${password}\n` });
}

async function json(...words: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run([...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("login", () => {
  it("takes the password from standard input and prints the user", async () => {
    const { code, out, err } = await logIn();
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^✓ logged in as .+ <owner@qa-pay\.test>, OWNER of QA Pay Loja de Teste\n$/);
  });

  it("asks a person for missing values, and does not show the password", async () => {
    const { email, password } = userOf(emulator, "ADMIN");
    const asked: string[] = [];
    const { code, out, err } = await cli.run(["login"], { answers: [email, password], asked });
    expect([code, asked]).toEqual([0, ["E-mail", "Password"]]);
    expect(out).toContain("ADMIN");
    expect(out + err).not.toContain(password);
    const again = await cli.run(["login", "--email", email], { answers: [password] });
    expect(again.code).toBe(0);
  });

  it("keeps the token where only its owner can read it, and the password nowhere", async () => {
    await logIn();
    expect(statSync(profileFile()).mode & 0o777).toBe(0o600);
    const text = readFileSync(profileFile(), "utf8");
    expect(text).toMatch(/"token": "eyJ/);
    expect(text).not.toContain(userOf(emulator).password);
  });

  it("with --json prints the answer of the service, with --quiet nothing", async () => {
    const { out } = await logIn("OWNER", "--json");
    expect(JSON.parse(out)).toMatchObject({ token_type: "Bearer", user: { role: "OWNER" } });
    expect(await logIn("OWNER", "--quiet")).toEqual({ code: 0, out: "", err: "" });
  });

  it("with a wrong password ends with 3 and changes nothing", async () => {
    await logIn("MEMBER");
    const words = ["login", "--email", "owner@qa-pay.test", "--password-stdin"];
    const { code, out, err } = await cli.run(words, { input: "guessed" });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("(unauthorized)");
    expect(err).not.toContain("guessed");
    expect((await json("whoami")).user.role).toBe("MEMBER");
    const asJson = await cli.run([...words, "--json"], { input: "guessed" });
    expect(JSON.parse(asJson.err)).toMatchObject({ error: { code: "unauthorized", type: "authentication_error" } });
  });

  it("shows no password with --dry-run or --verbose", async () => {
    const { password } = userOf(emulator);
    for (const flag of ["--dry-run", "--verbose"]) {
      const { code, out, err } = await logIn("OWNER", flag);
      expect(code).toBe(0);
      expect(out + err).not.toContain(password);
    }
  });
});

describe("whoami", () => {
  it("shows user, role, account, host and the end of the login", async () => {
    await logIn("ADMIN");
    const { out } = await cli.run(["whoami"]);
    expect(out).toMatch(/^User +.+ <admin@qa-pay\.test>\nRole +ADMIN\nAccount +QA Pay Loja de Teste\nAt +http:/);
    const { now } = await emulator.sandbox("/clock");
    const told = await json("whoami");
    expect(told).toStrictEqual({
      user: { id: expect.any(String), email: "admin@qa-pay.test", name: expect.any(String), role: "ADMIN" },
      account: { id: (await emulator.sandbox("/account")).id, name: "QA Pay Loja de Teste" },
      base_url: emulator.url,
      base_url_from: "QA_PAY_BASE_URL",
      expires_at: new Date(Math.floor(Date.parse(now) / 1_000) * 1_000 + 8 * 3_600_000).toISOString(),
    });
  });

  it("shows no token", async () => {
    await logIn();
    expect((await cli.run(["whoami"])).out + (await cli.run(["whoami", "--json"])).out).not.toContain("eyJ");
  });
});

describe("logout", () => {
  it("ends the login here and at the service", async () => {
    await logIn();
    const { token } = JSON.parse(readFileSync(profileFile(), "utf8")).logins[emulator.url];
    expect(await cli.run(["logout"])).toEqual({ code: 0, out: "✓ logged out\n", err: "" });
    expect(readFileSync(profileFile(), "utf8")).not.toContain(token);
    const headers = { authorization: `Bearer ${token}` };
    expect((await emulator.call("GET", "/v1/api-keys", { key: null, headers })).status).toBe(401);
    expect((await cli.run(["whoami"])).code).toBe(3);
  });

  it("of a token that no longer works succeeds too", async () => {
    await logIn();
    await emulator.sandbox("/clock/advance", { seconds: 8 * 3_600 });
    expect((await cli.run(["logout"])).code).toBe(0);
    expect((await cli.run(["logout"])).code).toBe(3);
  });
});

describe("without a login", () => {
  it("an expired token is treated the same", async () => {
    await logIn();
    await emulator.sandbox("/clock/advance", { seconds: 8 * 3_600 });
    const { code, err } = await cli.run(["keys", "list"]);
    expect(code).toBe(3);
    expect(err).toContain("`qa-pay login`");
  });

  it("a login at another address is treated the same: its token is not sent", async () => {
    await logIn();
    const other = await ownEmulator();
    const { code, err } = await cli.run(["keys", "list", "--base-url", other.url]);
    expect(code).toBe(3);
    expect(err).toContain(other.url);
    expect((await other.sandbox("/requests")).data).toEqual([]);
  });
});

describe("keys", () => {
  beforeEach(() => logIn());

  it("issue shows the key once, and says so", async () => {
    const { code, out, err } = await cli.run(["keys", "issue", "--test", "--label", "ci"]);
    expect(code).toBe(0);
    const key = /API key \(shown once\) +(\S+)/.exec(out)?.[1] ?? "";
    expect(key).toMatch(/^qa_test_/);
    expect(err).toContain("Keep the key now");
    expect(await works(emulator, key)).toBe(true);
    const listed = await cli.run(["keys", "list"]);
    expect(listed.out).toContain(`${key.slice(0, 12)}  test  ci`);
    expect(listed.out).not.toContain(key);
  });

  it.each([
    [["--test"], "test"],
    [["--test", "true"], "test"],
    [["--test", "false"], "live"],
    [[], "live"],
  ])("issue %j creates a key of the requested mode: %s", async (flags, mode) => {
    expect(await json("keys", "issue", ...flags)).toMatchObject({ mode, label: "" });
  });
});

it("a login belongs to its profile and not to another profile, even when both have the same host", async () => {
  const profile = { base_url: emulator.url, api_key: emulator.key };
  const profiles = { one: profile, two: profile };
  mkdirSync(join(cli.folder, "config"));
  writeFileSync(profileFile(), JSON.stringify({ current: "one", profiles }));
  expect((await logIn("MEMBER", "--profile", "two")).code).toBe(0);
  expect((await json("whoami", "--profile", "two")).user.role).toBe("MEMBER");
  expect((await cli.run(["whoami"])).code).toBe(3);
  await logIn("ADMIN");
  expect((await cli.run(["logout", "--profile", "two"])).code).toBe(0);
  expect((await json("whoami")).user.role).toBe("ADMIN");
  expect(JSON.parse(readFileSync(profileFile(), "utf8")).profiles).toMatchObject({ one: profile, two: profile });
});
