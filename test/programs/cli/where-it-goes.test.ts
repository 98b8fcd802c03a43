import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Capture, cliWith, PASSWORD, type Setting, startCapture } from "../../support/sources.js";

/**
 * The host and the key of a command: where the host comes from, where the key comes from, and what is sent where. What is
 * refused is refused before anything is sent.
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

const PLACES = ["flag", "variable", ".env", "named", "project", "current"] as const;
type Place = (typeof PLACES)[number];

/**
 * The parts of each place: a host (`A`), a key (`+`), or both (`A+`). `P` names the profile `named`. `L`, `S` and `Z` are `A`
 * by other addresses. A word after the project says what has become of its server.
 */
type Places = Readonly<Partial<Record<Place, string>>>;

const keyOf = (place: Place) => `qa_test_of-the-${place}`;

function hosts(): Readonly<Record<string, string>> {
  const { url } = a;
  const at = (name: string) => url.replace("127.0.0.1", name);
  // The last one leads to this machine, and does not look like it.
  return { A: url, B: b.url, L: at("localhost"), S: url.replace("http:", "https:"), Z: at("0.0.0.0") };
}

/** The id of a process that does not run. */
const GONE = 77;

const SERVERS: Readonly<Record<string, object>> = {
  stopped: { pid: null },
  killed: { pid: GONE },
  replaced: { instance: "of another start" },
  old: { instance: undefined },
};

function settingOf(places: Places): Setting {
  const at = (place: Place) => {
    const [text = "", state = ""] = (places[place] ?? "").split(" ");
    const [name = ""] = text;
    return { url: hosts()[name], isProfile: text.includes("P"), key: text.endsWith("+") ? keyOf(place) : null, state };
  };
  const variables = (place: Place) => {
    const { url, isProfile, key } = at(place);
    return {
      ...(url !== undefined && { QA_PAY_BASE_URL: url }),
      ...(isProfile && { QA_PAY_PROFILE: "named" }),
      ...(key !== null && { QA_PAY_API_KEY: key }),
    };
  };
  const profile = (place: Place) => ({ base_url: at(place).url ?? "", api_key: at(place).key });
  const [flag, project] = [at("flag"), at("project")];
  return {
    flags: [
      ...(flag.url === undefined ? [] : ["--base-url", flag.url]),
      ...(flag.isProfile ? ["--profile", "named"] : []),
      ...(flag.key === null ? [] : ["--api-key", flag.key]),
    ],
    env: variables("variable"),
    ...(places[".env"] !== undefined && { dotEnv: variables(".env") }),
    profiles: {
      ...(places.named !== undefined && { named: profile("named") }),
      ...(places.current !== undefined && { current: profile("current") }),
    },
    ...(places.project !== undefined && {
      project: { url: project.url, test_key: project.key, ...SERVERS[project.state] },
    }),
  };
}

/** The names of this test in place of addresses, keys and files. */
function named(text: string, folder: string): string {
  const names = Object.entries(hosts()).map(([name, url]) => [url, name] as const);
  const keys = PLACES.map((place) => [keyOf(place), place] as const);
  const all = [[`${folder}/.qa-pay/server.json`, "FILE"] as const, ...names, ...keys];
  return all.reduce((line, [from, name]) => line.replaceAll(from, name), text);
}

/** The host that was reached and the place of the key that arrived there; else the exit code and the reason. */
async function outcome(setting: Setting, words: readonly string[]): Promise<string> {
  const cli = cliWith(setting);
  const { code, err } = await cli.runSet([...words, "--json"], { input: PASSWORD, isRunning: (pid) => pid !== GONE });
  cli.remove();
  const arrived = Object.entries({ A: a, B: b }).flatMap(([name, capture]) =>
    capture.taken().map((text) => `${name} ${named(text, "").replace(/^\S+ \S+ ?/, "")}`),
  );
  if (code === 0) return arrived.join();
  const { error } = JSON.parse(err);
  const reason = error.code === "no_api_key" ? error.hint : error.message;
  return [...arrived, code, named(reason, cli.folder)].join(" ");
}

const DOTENV = "QA_PAY_BASE_URL of .env";
const CURRENT = "The key of the profile current";
const NO_KEY = "2 Start a server here with `qa-pay serve`, or pass a key with --api-key or QA_PAY_API_KEY.";
const NO_SERVER = "2 This folder has no server, and no flag, variable, .env or profile names one.";
const NO_TLS = "7 Nobody answers at S (the other side does not speak TLS: use http://, or another port (EPROTO)).";
const NOT_RUNNING = "7 The server of this project is not running (FILE).";
const NOT_SENT_ELSEWHERE =
  "2 The server of this project is not running (FILE), and its key is not sent to another host.";
const UNKNOWN_KEY =
  "2 The test key in FILE was revoked, or was never known: pass one with --api-key, " +
  "or start the server with --test-key qa_test_… to choose a key.";
const NO_PROFILES =
  "2 There is no profile named (QA_PAY_PROFILE of .env). There are none yet; `qa-pay profiles add` creates one.";
const OTHER_PROFILES = "2 There is no profile named. There are current.";
const belongs = (key: string, home = "B", host = "A") =>
  `2 ${key} belongs to ${home} and is sent only there: pass a key of ${host} with --api-key.`;
const unnamed = (key: string, by: string, host = "A") =>
  `2 ${key} is not sent to a host that only ${by} names: add --base-url ${host} to confirm the host.`;
const noPassword = (by: string, host = "A") => `2 Only ${by} names ${host}, so a password is not sent there.`;

/** The places, the outcome of a command with a key, and the outcome of a login with its password. */
type Row = readonly [places: Places, key: string, password: string];

const ROWS: readonly Row[] = [
  // Every place of a host beside every place of a key.
  [{ flag: "A" }, NO_KEY, "A"],
  [{ flag: "A+" }, "A flag", "A"],
  [{ flag: "A", variable: "+" }, "A variable", "A"],
  [{ flag: "A", ".env": "+" }, "A .env", "A"],
  [{ flag: "A", current: "B+" }, belongs(CURRENT), "A"],
  [{ flag: "A", project: "B+" }, belongs("The key in FILE"), "A"],

  [{ variable: "A" }, NO_KEY, "A"],
  [{ flag: "+", variable: "A" }, "A flag", "A"],
  [{ variable: "A+" }, "A variable", "A"],
  [{ variable: "A", ".env": "+" }, "A .env", "A"],
  [{ variable: "A", current: "B+" }, belongs(CURRENT), "A"],
  [{ variable: "A", project: "B+" }, belongs("The key in FILE"), "A"],

  [{ ".env": "A" }, NO_KEY, noPassword(DOTENV)],
  [{ flag: "+", ".env": "A" }, unnamed("--api-key", DOTENV), noPassword(DOTENV)],
  [{ variable: "+", ".env": "A" }, unnamed("QA_PAY_API_KEY", DOTENV), noPassword(DOTENV)],
  [{ ".env": "A+" }, "A .env", noPassword(DOTENV)],
  [{ ".env": "A", current: "B+" }, belongs(CURRENT), noPassword(DOTENV)],
  [{ ".env": "A", project: "B+" }, belongs("The key in FILE"), noPassword(DOTENV)],

  [{ flag: "P", named: "A" }, NO_KEY, "A"],
  [{ flag: "P+", named: "A" }, "A flag", "A"],
  [{ flag: "P", variable: "+", named: "A" }, "A variable", "A"],
  [{ flag: "P", ".env": "+", named: "A" }, "A .env", "A"],
  [{ flag: "P", named: "A+" }, "A named", "A"],
  [{ flag: "P", named: "A", project: "B+" }, belongs("The key in FILE"), "A"],

  [{ project: "A" }, UNKNOWN_KEY, "A"],
  [{ flag: "+", project: "A" }, "A flag", "A"],
  [{ variable: "+", project: "A" }, "A variable", "A"],
  [{ ".env": "+", project: "A" }, "A .env", "A"],
  [{ project: "A", current: "B+" }, UNKNOWN_KEY, "A"],
  [{ project: "A+" }, "A project", "A"],

  [{ current: "A" }, NO_KEY, "A"],
  [{ flag: "+", current: "A" }, "A flag", "A"],
  [{ variable: "+", current: "A" }, "A variable", "A"],
  [{ ".env": "+", current: "A" }, "A .env", "A"],
  [{ current: "A+" }, "A current", "A"],
  [{ project: "B+", current: "A" }, "B project", "B"],

  // A key that is named beside another host: it goes to its own host alone, and the next key that belongs to the host is taken.
  [{ flag: "A", variable: "B+" }, belongs("QA_PAY_API_KEY"), "A"],
  [{ flag: "B", variable: "B+" }, "B variable", "B"],
  [{ flag: "A", ".env": "B+" }, belongs("QA_PAY_API_KEY of .env"), "A"],
  [{ flag: "B", ".env": "B+" }, "B .env", "B"],
  [{ variable: "A", ".env": "B+" }, belongs("QA_PAY_API_KEY of .env"), "A"],
  [{ variable: "B", ".env": "B+" }, "B .env", "B"],
  [{ variable: "+", ".env": "B+" }, "B .env", noPassword(DOTENV, "B")],
  [{ flag: "+", ".env": "B+" }, unnamed("--api-key", DOTENV, "B"), noPassword(DOTENV, "B")],
  [{ flag: "B+", ".env": "B+" }, "B flag", "B"],
  [{ flag: "A", variable: "B+", current: "A+" }, "A current", "A"],
  [{ flag: "B", project: "B+", current: "A+" }, "B project", "B"],

  // A host that only .env names, which a profile or the project's server has too.
  [{ ".env": "A", current: "A+" }, "A current", "A"],
  [{ variable: "+", ".env": "A", current: "A+" }, "A variable", "A"],
  [{ ".env": "A", project: "A+" }, "A project", "A"],
  [{ variable: "+", ".env": "A", project: "A+" }, "A variable", "A"],

  // The same host is the same protocol, name and port. `localhost` is 127.0.0.1.
  [{ flag: "L", current: "A+" }, "A current", "A"],
  [{ flag: "S", current: "A+" }, belongs(CURRENT, "A", "S"), NO_TLS],
  [{ flag: "Z", current: "A+" }, belongs(CURRENT, "A", "Z"), "A"],
  [{ flag: "L", project: "A+" }, "A project", "A"],
  [{ variable: "L", project: "A+" }, "A project", "A"],
  [{ variable: "+", ".env": "L", project: "A+" }, "A variable", "A"],
  [{ ".env": "L", project: "A+" }, "A project", "A"],

  // The emulator of the project goes before the current profile, and not before a named one.
  [{ project: "A+", current: "B+" }, "A project", "A"],
  [{ flag: "P", named: "B+", project: "A+", current: "B+" }, "B named", "B"],
  [{ variable: "P", named: "B+", project: "A+" }, "B named", "B"],

  // A project whose server does not run: nothing is sent to who listens there now, and nothing goes elsewhere.
  [{ project: "A+ stopped" }, NOT_RUNNING, NOT_RUNNING],
  [{ project: "A+ killed" }, NOT_RUNNING, NOT_RUNNING],
  [{ project: "A+ replaced" }, NOT_RUNNING, NOT_RUNNING],
  [{ project: "A+ old" }, NOT_RUNNING, NOT_RUNNING],
  [{ flag: "A", project: "A+ stopped" }, NOT_SENT_ELSEWHERE, "A"],
  [{ flag: "A", project: "A+ killed" }, NOT_SENT_ELSEWHERE, "A"],
  [{ flag: "A", project: "A+ replaced" }, NOT_SENT_ELSEWHERE, "A"],
  [{ flag: "A", project: "A+ old" }, NOT_SENT_ELSEWHERE, "A"],
  [{ project: "A+ stopped", current: "B+" }, NOT_RUNNING, NOT_RUNNING],
  [{ variable: "+", ".env": "A", project: "A+ stopped" }, unnamed("QA_PAY_API_KEY", DOTENV), noPassword(DOTENV)],
  [{ variable: "+", ".env": "A", project: "A+ replaced" }, unnamed("QA_PAY_API_KEY", DOTENV), noPassword(DOTENV)],
  [{ flag: "A+", project: "A+ stopped" }, "A flag", "A"],

  // A project file that names another machine: a stranger may have put it into the project.
  [{ project: "Z+" }, "A project", noPassword("FILE", "Z")],
  [{ variable: "+", project: "Z+" }, "A project", noPassword("FILE", "Z")],
  [{ flag: "+", project: "Z+" }, unnamed("--api-key", "FILE", "Z"), noPassword("FILE", "Z")],
  [{ flag: "Z", variable: "+", project: "Z+" }, "A variable", "A"],
  [{ variable: "+", ".env": "Z", project: "Z+" }, "A project", noPassword(DOTENV, "Z")],

  // The nearest place decides: flags, variables, .env, the project, the current profile; in each the address before the
  // profile.
  [{ flag: "A+", variable: "B+", ".env": "B+", current: "B+" }, "A flag", "A"],
  [{ variable: "A+", ".env": "B+", current: "B+" }, "A variable", "A"],
  [{ ".env": "A+", current: "B+" }, "A .env", noPassword(DOTENV)],
  [{ flag: "P", variable: "B+", ".env": "B+", named: "A+" }, "A named", "A"],
  [{ flag: "P", variable: "+", named: "A+" }, "A named", "A"],
  [{ flag: "P", ".env": "+", named: "A+" }, "A named", "A"],
  [{ flag: "P+", named: "A+" }, "A flag", "A"],
  [{ variable: "P", ".env": "B+", named: "A+" }, "A named", "A"],
  [{ flag: "A+", variable: "P", named: "B+" }, "A flag", "A"],
  [{ flag: "AP+", named: "B+" }, "A flag", "A"],
  [{ flag: "AP", named: "B+" }, belongs("The key of the profile named"), "A"],
  [{ variable: "AP+", named: "B+" }, "A variable", "A"],
  [{ ".env": "P", named: "A+", current: "B+" }, "A named", "A"],
  [{ ".env": "P+", named: "A" }, "A .env", "A"],
  [{ variable: "+", ".env": "P", named: "A+" }, "A variable", "A"],
  [{ variable: "P", ".env": "P", named: "A+" }, "A named", "A"],

  // A key alone names no host.
  [{}, NO_SERVER, NO_SERVER],
  [{ flag: "+" }, NO_SERVER, NO_SERVER],
  [{ variable: "+" }, NO_SERVER, NO_SERVER],
  [{ ".env": "+" }, NO_SERVER, NO_SERVER],

  // A profile that does not exist, and the key of one that nobody names.
  [{ ".env": "P" }, NO_PROFILES, NO_PROFILES],
  [{ flag: "P", current: "B+" }, OTHER_PROFILES, OTHER_PROFILES],
  [{ variable: "P", current: "B+" }, OTHER_PROFILES, OTHER_PROFILES],
  [{ ".env": "+", current: "A+" }, "A .env", "A"],
  [{ flag: "A", named: "A+" }, NO_KEY, "A"],
];

const titleOf = (places: Places) =>
  PLACES.flatMap((place) => (places[place] === undefined ? [] : `${place} ${places[place]}`));
const CASES = ROWS.map(
  ([places, key, password]) => [titleOf(places).join(", ") || "nothing", places, key, password] as const,
);

describe.each(CASES)("%s", (_title, places, key, password) => {
  it("a read", async () => {
    expect(await outcome(settingOf(places), ["wallets", "list"])).toBe(key);
  });

  it("a change", async () => {
    expect(await outcome(settingOf(places), ["charges", "create", "--amount", "1", "--yes"])).toBe(key);
  });

  it("a login", async () => {
    const expected = /^[AB]$/.test(password) ? `${password} ${PASSWORD}` : password;
    expect(await outcome(settingOf(places), ["login", "--email", "a@b.test", "--password-stdin", "--yes"])).toBe(
      expected,
    );
  });
});
