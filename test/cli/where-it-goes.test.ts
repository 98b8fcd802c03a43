import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHost } from "../support/running.js";
import { type Capture, cliWith, PASSWORD, type Setting, startCapture } from "../support/sources.js";

/** The host and the key of a command, for every source of a host together with every source of a key. */

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

const HOSTS = ["flag", "variable", ".env", "named profile", "project", "current profile"] as const;
const KEYS = ["none", "flag", "variable", ".env", "profile", "project"] as const;
type HostSource = (typeof HOSTS)[number];
type KeySource = (typeof KEYS)[number];

const KEY: Readonly<Record<KeySource, string>> = {
  none: "",
  flag: "qa_test_of-the-flag",
  variable: "qa_test_of-the-variable",
  ".env": "qa_test_of-dot-env",
  profile: "qa_test_of-the-profile",
  project: "qa_test_of-the-project",
};

/**
 * One source names the host `a`. A key of a profile or a project that does not name `a` belongs to the host `b`.
 */
function settingOf(host: HostSource, key: KeySource): Setting {
  const named = host === "named profile" ? { base_url: a.url, api_key: key === "profile" ? KEY.profile : null } : null;
  const isElsewhere = key === "profile" && host !== "named profile" && host !== "current profile";
  const current =
    host === "current profile" || isElsewhere
      ? { base_url: isElsewhere ? b.url : a.url, api_key: key === "profile" ? KEY.profile : null }
      : null;
  const hasProject = host === "project" || key === "project";
  const project = { url: host === "project" ? a.url : b.url, test_key: key === "project" ? KEY.project : null };
  return {
    flags: [
      ...(host === "flag" ? ["--base-url", a.url] : []),
      ...(host === "named profile" ? ["--profile", "named"] : []),
      ...(key === "flag" ? ["--api-key", KEY.flag] : []),
    ],
    env: {
      ...(host === "variable" ? { QA_PAY_BASE_URL: a.url } : {}),
      ...(key === "variable" ? { QA_PAY_API_KEY: KEY.variable } : {}),
    },
    dotEnv: {
      ...(host === ".env" ? { QA_PAY_BASE_URL: a.url } : {}),
      ...(key === ".env" ? { QA_PAY_API_KEY: KEY[".env"] } : {}),
    },
    profiles: { ...(named === null ? {} : { named }), ...(current === null ? {} : { current }) },
    ...(hasProject ? { project } : {}),
  };
}

/** The host that was reached, the source of the key that arrived there, and the exit code. */
async function outcome(setting: Setting, words: readonly string[]): Promise<string> {
  const cli = cliWith(setting);
  const { code } = await cli.runSet([...words, "--json"], { input: PASSWORD });
  cli.remove();
  const named = (text: string) =>
    KEYS.reduce((line, source) => (source === "none" ? line : line.replace(KEY[source], `(${source})`)), text);
  const arrived = Object.entries({ A: a, B: b }).flatMap(([name, capture]) =>
    capture.taken().map((text) => `${name} ${named(text).replace(/^\S+ \S+ ?/, "")}`),
  );
  return [...arrived, code].join(" ");
}

/** For each source of a key, the host and the key of the request, or `2` for exit 2 without any request. */
const TABLE: Readonly<Record<HostSource, readonly string[]>> = {
  //                  none  flag      variable      .env      profile      project
  flag: /*         */ ["2", "A flag", "A variable", "A .env", "2", "2"],
  variable: /*     */ ["2", "A flag", "A variable", "A .env", "2", "2"],
  ".env": /*       */ ["2", "2", "2", "A .env", "2", "2"],
  "named profile": ["2", "A flag", "A variable", "A .env", "A profile", "2"],
  project: /*      */ ["2", "A flag", "A variable", "A .env", "2", "A project"],
  // The emulator of a project goes before the current profile.
  "current profile": ["2", "A flag", "A variable", "A .env", "A profile", "B project"],
};

const CELLS = HOSTS.flatMap((host) => KEYS.map((key, index) => [host, key, TABLE[host][index] ?? ""] as const));

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["a read", ["wallets", "list"]],
  ["a change", ["charges", "create", "--amount", "1"]],
];

describe.each(COMMANDS)("%s", (_kind, words) => {
  it.each(CELLS)("with the host of the %s and the key of the %s: %s", async (host, key, expected) => {
    const [where, ...source] = expected.split(" ");
    const shown = where === "2" ? "2" : `${where} (${source.join(" ")}) 0`;
    expect(await outcome(settingOf(host, key), words)).toBe(shown);
  });
});

it.each(CELLS)("a login with the host of the %s, beside the key of the %s", async (host, key) => {
  // The password goes to the chosen host whatever the key is, but not to a host that only a file of a project names.
  const where = host === "current profile" && key === "project" ? "B" : "A";
  const expected = host === ".env" ? "2" : `${where} ${PASSWORD} 0`;
  const words = ["login", "--email", "a@b.test", "--password-stdin"];
  expect(await outcome(settingOf(host, key), words)).toBe(expected);
});

describe("a key that is given with a host", () => {
  const read = ["wallets", "list"];
  const variables = (url: string, key: KeySource) => ({ QA_PAY_BASE_URL: url, QA_PAY_API_KEY: KEY[key] });

  it.each([
    ["the variables", () => ({ env: variables(b.url, "variable") })],
    [".env", () => ({ dotEnv: variables(b.url, ".env") })],
  ])("in %s is not sent to another host from a flag", async (_where, setting) => {
    expect(await outcome({ ...setting(), flags: ["--base-url", a.url] }, read)).toBe("2");
    expect(await outcome({ ...setting(), flags: ["--base-url", b.url] }, read)).toMatch(/^B \((variable|\.env)\) 0$/);
  });

  it("in .env is not sent to another host from a variable", async () => {
    const dotEnv = variables(b.url, ".env");
    expect(await outcome({ dotEnv, env: { QA_PAY_BASE_URL: a.url } }, read)).toBe("2");
    expect(await outcome({ dotEnv, env: { QA_PAY_BASE_URL: b.url } }, read)).toBe("B (.env) 0");
    expect(await outcome({ dotEnv, env: { QA_PAY_API_KEY: KEY.variable } }, read)).toBe("B (.env) 0");
    // No other key replaces a key that the user typed.
    expect(await outcome({ dotEnv, flags: ["--api-key", KEY.flag] }, read)).toBe("2");
    expect(await outcome({ dotEnv, flags: ["--api-key", KEY.flag, "--base-url", b.url] }, read)).toBe("B (flag) 0");
  });

  it("is replaced by the next key that belongs to the host", async () => {
    const profiles = { current: { base_url: a.url, api_key: KEY.profile } };
    const flags = ["--base-url", a.url];
    expect(await outcome({ profiles, flags, env: variables(b.url, "variable") }, read)).toBe("A (profile) 0");
    const project = { url: b.url, test_key: KEY.project };
    expect(await outcome({ profiles, flags: ["--base-url", b.url], project }, read)).toBe("B (project) 0");
  });

  it("is the profile's where .env names a host that the person has in a profile, or the project's", async () => {
    const dotEnv = { QA_PAY_BASE_URL: a.url };
    const profiles = { current: { base_url: a.url, api_key: KEY.profile } };
    expect(await outcome({ dotEnv, profiles }, read)).toBe("A (profile) 0");
    expect(await outcome({ dotEnv, profiles, env: { QA_PAY_API_KEY: KEY.variable } }, read)).toBe("A (variable) 0");
    const project = { url: a.url, test_key: KEY.project };
    expect(await outcome({ dotEnv, project }, read)).toBe("A (project) 0");
    expect(await outcome({ dotEnv, project }, ["login", "--email", "a@b.test", "--password-stdin"])).toBe(
      `A ${PASSWORD} 0`,
    );
  });

  it("does not belong to a host with another port, protocol or name; localhost is 127.0.0.1", async () => {
    const profiles = { current: { base_url: a.url, api_key: KEY.profile } };
    const at = (url: string) => outcome({ profiles, flags: ["--base-url", url] }, read);
    expect(await at(a.url.replace("127.0.0.1", "localhost"))).toBe("A (profile) 0");
    expect(await at(`${a.url}/`)).toBe("A (profile) 0");
    for (const url of [b.url, a.url.replace("http:", "https:"), a.url.replace("127.0.0.1", "0.0.0.0")]) {
      expect(await at(url)).toBe("2");
    }
  });
});

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
    const profiles = { current: { base_url: b.url, api_key: KEY.profile } };
    expect(await outcome({ profiles, flags: ["--base-url", a.url] }, words)).toBe("2");
    expect(await outcome({ dotEnv: { QA_PAY_BASE_URL: a.url }, env: { QA_PAY_API_KEY: KEY.flag } }, words)).toBe("2");
  });

  it.each(["apikey: qa_live_01234567", "Authorization: Bearer e30", "cookie: a=b"])(
    "a header of `api` that says who is asking goes to no host that only .env names: %s",
    async (header) => {
      const dotEnv = { QA_PAY_BASE_URL: a.url, QA_PAY_API_KEY: KEY[".env"] };
      expect(await outcome({ dotEnv }, ["api", "GET", "/v1/wallets", "--header", header])).toBe("2");
      expect(await outcome({ dotEnv }, ["api", "GET", "/v1/wallets", "--header", "x-note: 1"])).toBe("A (.env) 0");
    },
  );
});

describe("a token of a login", () => {
  const login = ["login", "--email", "a@b.test", "--password-stdin", "--json"];
  const list = ["keys", "list", "--json"];

  it("goes back to the host that gave it, and nowhere else", async () => {
    const cli = cliWith({ profiles: { current: { base_url: b.url, api_key: KEY.profile } } });
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
    const cli = cliWith({ project: { url: a.url, test_key: KEY.project } });
    expect((await cli.run(login, { input: PASSWORD })).code).toBe(0);
    a.taken();
    expect((await cli.run(list)).code).toBe(0);
    const other = cliWith({ project: { url: a.url, test_key: KEY.project } });
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
  const flags = ["--base-url", turning.url, "--api-key", KEY.flag];
  const commands = [
    ["wallets", "list"],
    ["api", "GET", "/v1/wallets"],
    ["webhooks", "events"],
    ["logs", "tail"],
  ];
  for (const words of commands) expect(await outcome({ flags }, words)).toMatch(/^[027]$/);
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
    expect(await outcome({ flags: ["--base-url", a.url] }, words)).toBe("2");
  });

  it.each(["", " ", "qa_test_with a space", "qa_test_ação"])("%j is refused as a key", async (key) => {
    const cli = cliWith({ profiles: { current: { base_url: a.url, api_key: KEY.profile } } });
    const { code, err } = await cli.run(["wallets", "list", "--api-key", key]);
    expect([code, a.taken()]).toEqual([2, []]);
    expect(err).toContain("--api-key is ");
    expect(err).not.toContain("with a space");
    cli.remove();
  });
});

describe("a person in a folder without a server", () => {
  const read = ["wallets", "list"];
  const profiles = () => ({ current: { base_url: a.url, api_key: KEY.profile } });
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

  it("is told the host, because only the current profile names it", async () => {
    const line = `Host: ${a.url} (from the current profile, current)\n`;
    expect(await told({ profiles: profiles() })).toContain(line);
    expect(await told({ profiles: profiles() }, ["--verbose"])).toContain(line);
    expect((await told({ profiles: profiles() }, ["--verbose"])).split(line)).toHaveLength(2);
  });

  it.each([["--quiet"], ["--json"]])("is told nothing with %s", async (flag) => {
    expect(await told({ profiles: profiles() }, [flag])).not.toContain("Host: ");
  });

  it("is told nothing when a flag or the project names the host; a program is told nothing at all", async () => {
    const project = { url: a.url, test_key: KEY.project };
    expect(await told({ profiles: profiles(), project })).not.toContain("Host: ");
    const flags = ["--base-url", a.url];
    expect(await told({ profiles: profiles(), flags })).not.toContain("Host: ");
    const cli = cliWith({ profiles: profiles() });
    expect((await cli.runSet(read)).err).not.toContain("Host: ");
    cli.remove();
  });
});
