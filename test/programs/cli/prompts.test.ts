import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { userOf } from "../../support/access.js";
import { isNumber, type OperationSpec, startWire } from "../../support/every-command.js";
import { openCase, PNG } from "../../support/med.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";
import { importsOf } from "../../tidy/imports.js";
import { projectTree, sources } from "../../tidy/tree.js";

/** Every question to a person, and the error when no person can be asked. */

const NEW_KEY = "qa_test_0123456789abcdef";

const emulator = sharedEmulator({ frozen: true });
const wire = shared(() => startWire(emulator));
/** The webhooks that came to the receiver. */
const hooks: string[] = [];
const receiver = shared(() =>
  startHost(({ headers }, response) => {
    hooks.push(String(headers["x-qa-event-type"]));
    response.writeHead(204).end();
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: wire.url, QA_PAY_API_KEY: emulator.key }));
/** The ids in command lines. */
const made: Record<string, string> = {};

beforeAll(async () => {
  writeFileSync(join(cli.folder, "proof.png"), PNG);
  const known = ["profiles", "add", "known", "--base-url", wire.url, "--api-key", emulator.key];
  if ((await cli.run(known)).code !== 0) throw new Error("no profile");
  made.charge = (await emulator.charge({ customer: { name: "Maria" } })).id;
  made.case = (await openCase(emulator, {}, { key: emulator.live })).id;
  const { email, password } = userOf(emulator);
  Object.assign(made, { email, password, live: emulator.live, key: emulator.key });
  // This address leads to this machine, but it is not one of the loopback addresses that commands know.
  made.elsewhere = wire.url.replace("127.0.0.1", "0.0.0.0");
  made.receiver = receiver.url.replace("127.0.0.1", "0.0.0.0");
});

/** Replaces names in braces by the ids of the objects. */
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_braces, name: string) => made[name] ?? `no ${name}`);

type Kind = "confirm" | "input" | "password" | "select";

interface Question {
  /** A command line with a missing value or confirmation. */
  readonly line: string;
  /** The flag or argument that the refusal must name. */
  readonly flag: string;
  /** For each question: the file that asks it, its kind, its text and the person's answer. */
  readonly asked: readonly (readonly [file: string, kind: Kind, says: RegExp, answer: string | boolean])[];
}

const ASK = "src/programs/cli/operation/pick-id.ts";
const CREATE = "src/programs/cli/commands/charges/create.ts";
const CONSENT = "src/programs/cli/host/consent.ts";
const LOGIN = "src/programs/cli/commands/login.ts";
const PROFILES = "src/programs/cli/commands/profiles/add.ts";

/** A change with a live key, or on another machine. */
const consent = (line: string, says: RegExp): Question => ({
  line,
  flag: "--yes",
  asked: [[CONSENT, "confirm", says, true]],
});

const QUESTIONS: readonly Question[] = [
  {
    line: "charges create",
    flag: "--amount",
    asked: [
      [CREATE, "input", /^Amount /, "R$ 19,90"],
      [CREATE, "input", /^Description /, "Order 42"],
      [CREATE, "input", /^Name of the customer /, ""],
    ],
  },
  { line: "charges get", flag: "<id>", asked: [[ASK, "select", /^Id of the charge\n.*Maria/s, "{charge}"]] },
  { line: "sandbox expire", flag: "<id>", asked: [[ASK, "select", /^Id of the charge\n/, "{charge}"]] },
  {
    line: "login",
    flag: "--email and --password-stdin",
    asked: [
      [LOGIN, "input", /^E-mail$/, "{email}"],
      [LOGIN, "password", /^Password$/, "{password}"],
    ],
  },
  { line: "login --email {email}", flag: "--password-stdin", asked: [[LOGIN, "password", /^Password$/, "{password}"]] },
  {
    line: "profiles add new",
    flag: "--base-url",
    asked: [
      [PROFILES, "input", /^Address of the service/, "https://pay.example"],
      [PROFILES, "password", /^API key$/, NEW_KEY],
    ],
  },
  {
    line: "profiles add other --base-url https://pay.example",
    flag: "--api-key",
    asked: [[PROFILES, "password", /^API key$/, NEW_KEY]],
  },
  {
    line: `profiles add known --base-url https://pay.example --api-key ${NEW_KEY}`,
    flag: "--yes",
    asked: [[PROFILES, "confirm", /^Replace the profile known and its key\?$/, true]],
  },
  consent("charges create --amount 7 --api-key {live}", /^Create a charge of R\$ 0,07\?$/),
  consent("charges create --amount 7 --base-url {elsewhere} --api-key {key}", /^Create a charge of R\$ 0,07\?$/),
  consent("api POST /v1/charges --data {} --api-key {live}", /^Create a Pix charge\?$/),
  consent("trigger charge.paid --api-key {live}", /^Create a charge of .*, and send 1 more request\?$/),
  consent("fixtures run small-shop --api-key {live}", /^Create a charge of .*, and send \d+ more requests\?$/),
  consent(
    "med evidence add {case} proof.png --api-key {live}",
    /^Add proof\.png to the MED case med_\S+, and send 2 more requests\?$/,
  ),
  consent("webhooks test {receiver} --secret s --only charge.paid", /^Send 1 webhook to http\S+\?$/),
  consent("login --email {email} --password-stdin --base-url {elsewhere}", /^Log in as \S+\?$/),
];

const wordsOf = ({ line }: Question) => filled(line).split(" ");
const titled = QUESTIONS.map((question) => [question.line, question] as const);

/** The state of the profiles, which a question of this test may change. */
async function profiles(): Promise<string> {
  return (await cli.run(["profiles", "list", "--json"])).out;
}

it.each(titled)("without a terminal %s is refused, and the error names the missing flag", async (_line, question) => {
  const before = await profiles();
  wire.taken();
  const { code, out, err } = await cli.run(wordsOf(question));
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^((LIVE|TEST|REMOTE) · \S+\n)?Error: [^\n]+\.\n/);
  expect(err).toContain(question.flag);
  const told = await cli.run([...wordsOf(question), "--json"]);
  expect([told.code, told.out]).toEqual([2, ""]);
  const { error, ...rest } = JSON.parse(told.err);
  expect(rest).toEqual({ request_id: null });
  const { hint: _hint, ...own } = error;
  expect(own).toEqual({
    type: "invalid_request_error",
    code: expect.stringMatching(/^(usage|confirmation_required)$/),
    message: expect.stringMatching(/\S/),
  });
  expect(err).toContain(`Error: ${error.message}\n`);
  expect([wire.taken(), await profiles()]).toEqual([[], before]);
});

describe("at a terminal", () => {
  const answersOf = ({ asked }: Question) =>
    asked.map(([, , , answer]) => (typeof answer === "string" ? filled(answer) : answer));
  const input = () => made.password ?? "";

  it.each(titled)("%s asks its questions in order, and not on standard output", async (_line, question) => {
    const asked: string[] = [];
    const options = { answers: answersOf(question), asked, isScreen: false, input: input() };
    const { out, err } = await cli.run([...wordsOf(question), "--quiet"], options);
    expect(err).not.toMatch(/nobody expected|is no choice/);
    expect(asked).toEqual(question.asked.map(([, , says]) => expect.stringMatching(says)));
    for (const text of asked) expect(out).not.toContain(text);
  });

  it.each(titled.filter(([, { asked }]) => asked[0]?.[1] === "confirm"))(
    "%s: whoever says no has done nothing",
    async (_line, question) => {
      const before = await profiles();
      wire.taken();
      hooks.length = 0;
      const { code, out, err } = await cli.run(wordsOf(question), { answers: [false], input: input() });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(
        /^((LIVE|TEST|REMOTE) · \S+\n)?([A-Z]+ \/\S* on .*\n)?Error: Nothing was (sent|changed)\.\n$/,
      );
      expect([wire.taken(), hooks, await profiles()]).toEqual([[], [], before]);
    },
  );

  it.each(titled.filter(([, { flag }]) => flag === "--yes"))("%s --yes asks no question", async (_line, question) => {
    const { err } = await cli.run([...wordsOf(question), "--yes"], { answers: [], input: input() });
    expect(err).not.toContain("nobody expected");
  });

  it.each([["charges create"], ["charges get"], ["profiles add third"]])(
    "%s --json asks no question, because a program runs it",
    async (line) => {
      const { code, out, err } = await cli.run([...line.split(" "), "--json"], { answers: [] });
      expect([code, out, JSON.parse(err).error.code]).toEqual([2, "", "usage"]);
    },
  );
});

describe("every operation that changes something", () => {
  const SAMPLES: Readonly<Record<OperationSpec["flags"][number]["type"], string>> = {
    ...{ string: "x", integer: "1", number: "1", boolean: "true", list: "x", json: "{}", instant: "x" },
  };
  const changing = operations.filter(({ method, auth }) => method !== "GET" && auth === "key");

  it.each(changing)("$command needs a confirmation with a live key", async (spec) => {
    const needed = spec.flags.filter(({ required, name }) => required || name === spec.oneOf[0]);
    const flags = needed.flatMap(({ name, type, choices }) => [`--${name}`, choices?.[0] ?? SAMPLES[type]]);
    const words = [
      ...spec.command.split(" "),
      ...spec.arguments
        .filter(({ optional }) => !optional)
        .map(({ field }) => (isNumber(spec.flags, field) ? "1" : "x_1")),
      ...flags,
    ];
    wire.taken();
    const { code, out, err } = await cli.run([...words, "--json", "--api-key", emulator.live]);
    expect([code, out, JSON.parse(err).error.code]).toEqual([2, "", "confirmation_required"]);
    expect(wire.taken()).toEqual([]);
  });
});

describe("the table of this test", () => {
  const tree = projectTree();
  // A page in a browser has no terminal.
  const files = sources(tree).filter((path) => !path.startsWith("src/web/console/browser/"));

  it("has every file that asks a question, with the number of its questions", () => {
    const call = /\bprompt\.(confirm|input|password|select)\(/g;
    const places = files.flatMap((path) => [...tree.text(path).matchAll(call)].map(([, kind]) => `${path} ${kind}`));
    const known = QUESTIONS.flatMap(({ asked }) => asked.map(([file, kind, says]) => `${file} ${kind} ${says}`));
    const covered = new Set(known.map((text) => text.split(" ").slice(0, 2).join(" ")));
    expect(covered).toEqual(new Set(places));
    for (const place of covered) {
      const times = places.filter((one) => one === place).length;
      expect(new Set(known.filter((text) => text.startsWith(place))).size).toBeGreaterThanOrEqual(times);
    }
  });

  it("is complete: no other part of the source reads from a terminal", () => {
    const terminal = /^(@inquirer\/|(node:)?(readline|tty)(\/|$))/;
    const suspects = files.filter((path) => /@inquirer\/|readline|\btty\b|\\[ux]/.test(tree.text(path)));
    const found = suspects.flatMap((path) => importsOf(tree, path).filter(({ specifier }) => terminal.test(specifier)));
    expect(new Set(found.map(({ from, specifier }) => `${from} ${specifier}`))).toEqual(
      new Set(["src/programs/cli/terminal/prompts.ts @inquirer/prompts"]),
    );
    const asking = files.filter((path) => /\bprompt\b\s*[.;,}\]]/.test(tree.text(path)));
    expect(new Set(asking)).toEqual(new Set([ASK, CREATE, CONSENT, LOGIN, PROFILES]));
  });
});
