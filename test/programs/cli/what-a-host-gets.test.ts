import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHost } from "../../support/running.js";
import { type Capture, cliWith, PASSWORD, type Setting, startCapture } from "../../support/sources.js";

/**
 * Requests that a host gets, beside the table of hosts and keys in where-it-goes.test.ts: other commands, logins, redirects,
 * odd keys.
 */

let a: Capture;
let b: Capture;
beforeAll(async () => {
  [a, b] = [await startCapture(), await startCapture()];
});
beforeEach(() => {
  for (const capture of [a, b]) capture.taken();
});
afterAll(async () => {
  for (const capture of [a, b]) await capture.close();
});

const KEY = "qa_test_of-somebody";

/** The exit code, and what the hosts got. */
async function outcome(setting: Setting, words: readonly string[]): Promise<unknown[]> {
  const cli = cliWith(setting);
  const { code } = await cli.runSet([...words, "--json"], { input: PASSWORD });
  cli.remove();
  return [code, ...a.taken(), ...b.taken()];
}

describe("commands that send any request", () => {
  const charge = '{"amount":1,"payment_method":"pix"}';

  it.each([
    [["api", "GET", "/v1/wallets"]],
    [["api", "POST", "/v1/charges", "--data", charge]],
    [["trigger", "charge.paid"]],
    [["trigger", "charge.paid", "--charge", "ch_1"]],
    [["fixtures", "run", "small-shop"]],
    [["listen", "--forward-to", "http://127.0.0.1:9/"]],
    [["logs", "tail"]],
    [["env"]],
    [["med", "list"]],
  ])("%j send nothing to a host without a key of its own", async (words) => {
    const profiles = { current: { base_url: b.url, api_key: KEY } };
    expect(await outcome({ profiles, flags: ["--base-url", a.url] }, words)).toEqual([2]);
    expect(await outcome({ dotEnv: { QA_PAY_BASE_URL: a.url }, env: { QA_PAY_API_KEY: KEY } }, words)).toEqual([2]);
  });

  it.each(["apikey: qa_live_01234567", "Authorization: Bearer e30", "cookie: a=b"])(
    "a header of `api` with credentials goes to no host that only .env names: %s",
    async (header) => {
      const dotEnv = { QA_PAY_BASE_URL: a.url, QA_PAY_API_KEY: KEY };
      expect(await outcome({ dotEnv }, ["api", "GET", "/v1/wallets", "--header", header])).toEqual([2]);
      expect(await outcome({ dotEnv }, ["api", "GET", "/v1/wallets", "--header", "x-note: 1"])).toEqual([
        0,
        `GET /v1/wallets ${KEY}`,
      ]);
    },
  );
});

describe("a token of a login", () => {
  const login = ["login", "--email", "a@b.test", "--password-stdin", "--json"];
  const list = ["keys", "list", "--json"];

  it("goes back to the host that gave it, and nowhere else", async () => {
    const cli = cliWith({ profiles: { current: { base_url: b.url, api_key: KEY } } });
    const at = (url: string, words: readonly string[]) => cli.run([...words, "--base-url", url], { input: PASSWORD });
    expect((await at(a.url, login)).code).toBe(0);
    a.taken();
    expect((await cli.run(list)).code).toBe(3);
    expect((await at(b.url, list)).code).toBe(3);
    expect(b.taken()).toEqual([]);
    expect((await at(a.url, list)).code).toBe(0);
    expect(a.taken()).toEqual(["GET /v1/api-keys Bearer e30.e30.e30"]);
    // A login at another host does not change the login of the profile.
    expect((await at(b.url, login)).code).toBe(0);
    expect((await at(a.url, list)).code).toBe(0);
    cli.remove();
  });

  it("of one project is not used in another, and still works after a change of port", async () => {
    const cli = cliWith({ project: { url: a.url, test_key: KEY } });
    expect((await cli.run(login, { input: PASSWORD })).code).toBe(0);
    a.taken();
    expect((await cli.run(list)).code).toBe(0);
    const other = cliWith({ project: { url: a.url, test_key: KEY } });
    expect((await other.run(list, { env: { QA_PAY_CONFIG_DIR: `${cli.folder}/config` } })).code).toBe(3);
    other.remove();
    cli.remove();
  });
});

it("no redirect is followed, with a key or without", async () => {
  let asked = 0;
  const turning = await startHost((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: `${b.url}/v1/wallets` }).end();
  });
  const flags = ["--base-url", turning.url, "--api-key", KEY];
  const commands = [
    ["wallets", "list"],
    ["api", "GET", "/v1/wallets"],
    ["webhooks", "events"],
    ["logs", "tail"],
  ];
  for (const words of commands) expect([[0], [2], [7]]).toContainEqual(await outcome({ flags }, words));
  expect(asked).toBe(commands.length);
  await turning.close();
});

describe("white space around a key", () => {
  it.each([
    ["--api-key", { flags: ["--api-key", " qa_live_0123456789\t"] }],
    ["QA_PAY_API_KEY", { env: { QA_PAY_API_KEY: "qa_live_0123456789\n" } }],
    [".env", { dotEnv: { QA_PAY_API_KEY: "' qa_live_0123456789 '" } }],
  ] as const)("of %s is no part of it, and hides no live key", async (_where, setting) => {
    const cli = cliWith({ profiles: { current: { base_url: a.url, api_key: null } }, ...setting });
    const { code, err } = await cli.runSet(["charges", "create", "--amount", "1"]);
    expect([code, a.taken()]).toEqual([2, []]);
    expect(err).toContain("This would change something with a live key");
    expect((await cli.runSet(["charges", "create", "--amount", "1", "--yes"])).code).toBe(0);
    expect(a.taken()[0]).toBe("POST /v1/charges qa_live_0123456789");
    cli.remove();
  });

  it("in a header of `api` is not sent either", async () => {
    const words = ["api", "POST", "/v1/charges", "--data", "{}", "--header", "apikey:\u00a0qa_live_0123456789 "];
    expect(await outcome({ flags: ["--base-url", a.url] }, words)).toEqual([2]);
  });

  it.each(["", " ", "qa_test_with a space", "qa_test_ação"])("%j is refused as a key", async (key) => {
    const cli = cliWith({ profiles: { current: { base_url: a.url, api_key: KEY } } });
    const { code, err } = await cli.run(["wallets", "list", "--api-key", key]);
    expect([code, a.taken()]).toEqual([2, []]);
    expect(err).toContain("--api-key is ");
    expect(err).not.toContain("with a space");
    cli.remove();
  });
});

describe("a person in a folder without a server", () => {
  const read = ["wallets", "list"];
  const profiles = () => ({ current: { base_url: a.url, api_key: KEY } });
  const told = async (setting: Setting, flags: readonly string[] = []) => {
    const cli = cliWith(setting);
    try {
      const { code, err } = await cli.runSet([...read, ...flags], { answers: [] });
      expect(code).toBe(0);
      return err;
    } finally {
      cli.remove();
    }
  };

  it("is shown the host, because only the current profile names it", async () => {
    const line = `Host: ${a.url} (from the current profile, current)\n`;
    expect(await told({ profiles: profiles() })).toContain(line);
    expect(await told({ profiles: profiles() }, ["--verbose"])).toContain(line);
    expect((await told({ profiles: profiles() }, ["--verbose"])).split(line)).toHaveLength(2);
  });

  it.each([["--quiet"], ["--json"]])("is shown nothing with %s", async (flag) => {
    expect(await told({ profiles: profiles() }, [flag])).not.toContain("Host: ");
  });

  it("is shown nothing when a flag or the project names the host; a program is never shown it", async () => {
    const project = { url: a.url, test_key: KEY };
    expect(await told({ profiles: profiles(), project })).not.toContain("Host: ");
    const flags = ["--base-url", a.url];
    expect(await told({ profiles: profiles(), flags })).not.toContain("Host: ");
    const cli = cliWith({ profiles: profiles() });
    expect((await cli.runSet(read)).err).not.toContain("Host: ");
    cli.remove();
  });
});
