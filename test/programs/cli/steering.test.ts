import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandTree, operations } from "../../../src/programs/cli/tree/command-tree.js";
import { type CliOutcome, type TestCli, testCli } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { completeLine } from "../../support/every-command.js";
import { PATIENCE } from "../../support/patience.js";
import { type Receiver, startReceiver } from "../../support/receiver.js";
import { begin, type Host, startHost } from "../../support/running.js";
import { expectNoSteering, SHOWN, STEERING, steered } from "../../support/terminal-lines.js";

/**
 * Every command against servers that put control characters into every text they answer with: they are shown as escapes
 * and do not reach the terminal. A command that is not named here fails the last test.
 */

const REFUSAL = {
  error: {
    type: "api_error",
    code: `broken${STEERING}`,
    message: `No way.${STEERING}`,
    details: [1, 2].map((part) => ({ param: `field_${part}${STEERING}`, message: `is wrong${STEERING}` })),
  },
  request_id: STEERING,
};

const ENTRY = { id: "req_1", ...(steered({ at: "now", method: "GET", path: "/v1", request_body: "asked" }) as object) };
const LOGGED = { ...ENTRY, status: 200, duration_ms: 1, response_body: steered({ a: "b" }), fault: STEERING };
const EVENT = { id: `evt_1${STEERING}`, type: `charge.paid${STEERING}`, payload: steered({ a: "b" }) };
const PERSON = { user: { name: "A", email: "a@b.c", role: "OWNER" }, account: { name: "B" } };
const EMULATOR = { emulator: "qa-pay", version: `1${STEERING}`, mode: `test${STEERING}` };

/** The answers of the host at some addresses; all other requests are refused. */
const TOLD: Readonly<Record<string, unknown>> = {
  "/_sandbox": EMULATOR,
  "/_sandbox/clock": { now: `2030${STEERING}`, frozen: false },
  "/_sandbox/account": { signing_secret: `secret${STEERING}` },
  "/_sandbox/requests": { data: [LOGGED], next_cursor: null },
  "/_sandbox/events": { data: [EVENT], next_cursor: null },
  "/v1/auth/login": { token: "a.b.c", ...(steered(PERSON) as object) },
  "/v1/med/cases/med_1/evidence": { id: "ev_1", upload_url: "http://127.0.0.1:9", upload_headers: {} },
};
const LIVE: Readonly<Record<string, unknown>> = { "/_sandbox/requests": LOGGED, "/_sandbox/events": EVENT };

function say(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json", "x-note": "a\u009b31m" }).end(JSON.stringify(body));
}

function answerSteering({ url = "", headers }: IncomingMessage, outgoing: ServerResponse): void {
  const { pathname } = new URL(url, "http://host");
  if (headers.accept !== "text/event-stream") {
    say(outgoing, pathname in TOLD ? 200 : 400, TOLD[pathname] ?? REFUSAL);
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  outgoing.write(`data: ${JSON.stringify(LIVE[pathname])}\n\n`);
}

function refuseSteering({ url }: IncomingMessage, outgoing: ServerResponse): void {
  say(outgoing, url === "/_sandbox" ? 200 : 400, url === "/_sandbox" ? EMULATOR : REFUSAL);
}

let host: Host;
let refusing: Host;
let receiver: Receiver;
let cli: TestCli;
/** A user whose commands go to the host. */
let abroad: TestCli;

beforeAll(async () => {
  host = await startHost(answerSteering);
  refusing = await startHost(refuseSteering);
  receiver = await startReceiver();
  receiver.respond = () => ({ status: 500, body: STEERING });
  cli = testCli();
  abroad = testCli({ QA_PAY_BASE_URL: host.url, QA_PAY_API_KEY: "qa_test_nobody-knows-it" });
  writeFileSync(join(abroad.folder, "receipt.pdf"), "%PDF-1.7");
  writeFileSync(join(abroad.folder, "orders.json"), "[]");
  const incident = { format: "qa-pay-incident", version: `1${STEERING}` };
  writeFileSync(join(abroad.folder, "incident.json"), JSON.stringify(incident));
});
afterAll(async () => {
  for (const one of [cli, abroad]) one.remove();
  await Promise.all([host.close(), refusing.close(), receiver.close()]);
});

/** One place prints all refusals, so that each command has one of these forms. */
const FORMS = [[], ["--json"], ["--verbose"]];
const refusable = operations.filter(({ auth }) => auth !== "jwt");

it.each(refusable.map((spec, index) => [spec, FORMS[index % FORMS.length] ?? []] as const))(
  "a server cannot control the terminal with how it refuses $command",
  async (spec, flags) => {
    const target = ["--base-url", refusing.url, "--api-key", "qa_test_nobody-knows-it", "--yes"];
    const outcome = await abroad.run([...completeLine(spec), ...target, ...flags], { answers: [], isScreen: true });
    expectNoSteering(outcome);
    expect(outcome.err).toContain(SHOWN);
  },
);

type Run = () => Promise<CliOutcome>;

const password = { input: "password" };
const toHost =
  (...words: readonly string[]): Run =>
  () =>
    abroad.run([...words, "--no-color"], { ...password });

/** Resolves with `screen` once the command has shown a text with control characters. */
function untilShown(): { readonly screen: string[]; readonly shown: Promise<void> } {
  const screen: string[] = [];
  const shown = new Promise<void>((resolve) => {
    screen.push = (text) => {
      if (text.includes(SHOWN)) resolve();
      return 0;
    };
  });
  return { screen, shown };
}

/** Starts a command, and stops it once it has shown a text with control characters. */
async function followed(...words: readonly string[]): Promise<CliOutcome> {
  const { screen, shown } = untilShown();
  const running = await begin(abroad, [...words, "--no-color"], { screen });
  await shown;
  return running.stop();
}

/** One delivery of an emulator to a receiver whose answer has control characters. */
async function served(): Promise<CliOutcome> {
  const { screen, shown } = untilShown();
  const serving = await begin(cli, ["serve", "--port", "0", "--forward-to", receiver.url], { screen });
  const record = join(cli.folder, ".qa-pay", "server.json");
  await vi.waitUntil(() => existsSync(record), PATIENCE);
  const { test_key, url } = JSON.parse(readFileSync(record, "utf8")) as Loose;
  await cli.run(["charges", "create", "--amount", "100", "--base-url", url, "--api-key", test_key]);
  await shown;
  return serving.stop();
}

/** A shop that sells nothing, and says so with control characters: in its answer and in its output. */
const SHOP = `
console.error(process.env.SAYS);
require("node:http").createServer(({ url }, response) => {
  if (url === "/orders") return response.end(JSON.stringify([{ order: process.env.SAYS, status: "paid", amount: 100, id: null }]));
  response.writeHead(url === "/buy" ? 503 : 200).end(process.env.SAYS);
}).listen(Number(process.env.PORT), "127.0.0.1");`;

const withShop =
  (...words: readonly string[]): Run =>
  () => {
    const shop = ["--buy", "/buy", "--orders", "/orders", "--settle", "0s", "--", process.execPath, "-e", SHOP];
    return cli.run([...words, "--no-color", ...shop], { env: { SAYS: STEERING } });
  };

/** Commands that are not operations, and the part of a server's answer that each shows. */
const OTHERS: Readonly<Record<string, Run>> = {
  serve: served,
  listen: () => followed("listen", "--forward-to", receiver.url, "--webhook-secret", "0".repeat(64)),
  trigger: toHost("trigger", "charge.paid"),
  "fixtures run": toHost("fixtures", "run", "small-shop"),
  "logs tail": () => followed("logs", "tail"),
  "logs show": toHost("logs", "show", "req_1"),
  login: toHost("login", "--email", "a@b.test", "--password-stdin"),
  whoami: toHost("whoami"),
  api: toHost("api", "GET", "/v1/wallets", "--include"),
  doctor: toHost("doctor"),
  conform: toHost("conform"),
  "payments find": toHost("payments", "find", "maria"),
  reconcile: toHost("reconcile", "orders.json"),
  why: toHost("why", "req_1"),
  rush: withShop("rush", "--rate", "10", "--for", "200ms"),
  survive: withShop("survive", "--faults", "duplicate", "--schedules", "1"),
  "sandbox snapshots export": toHost("sandbox", "snapshots", "export", "seed"),
  "sandbox snapshots import": toHost("sandbox", "snapshots", "import", "seed", "receipt.pdf"),
  "incident save": toHost("incident", "save", "ch_1"),
  "incident replay": toHost("incident", "replay", "incident.json"),
  "incident test": toHost("incident", "test", "incident.json"),
  "med evidence add": () => toHost("med", "evidence", "add", "med_2", "receipt.pdf")(),
};
/** Commands that show no text of a server or a receiver. */
const OWN_WORDS = [
  ...[
    "openapi",
    "completion",
    "console",
    "demo",
    "docs",
    "env",
    "exec",
    "stop",
    "fixtures list",
    "logout",
    "mcp",
    "webhooks test",
    "webhooks sample",
    "webhooks sign",
    "webhooks verify",
  ],
  ...["profiles list", "profiles add", "profiles use", "profiles remove"],
];

describe("a command that is not an operation", () => {
  it.each(Object.entries(OTHERS))("%s", async (_name, run) => {
    const outcome = await run();
    expectNoSteering(outcome);
    expect(`${outcome.out}${outcome.err}`).toContain(SHOWN);
  });
});

it("every command is tested here, or shows no text from others", () => {
  const named = [...operations.map(({ command }) => command), ...Object.keys(OTHERS), ...OWN_WORDS];
  expect(named.sort(), "name it in OTHERS or in OWN_WORDS of this file").toEqual(
    commandTree.map(({ command }) => command).sort(),
  );
});

it("only these modules create text for the terminal; tables and pictures are built from such text", () => {
  const files = readdirSync("src/programs/cli", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const makers = files.filter((name) => readFileSync(join("src/programs/cli", name), "utf8").includes(".ofProgram("));
  expect(makers.map((name) => basename(name)).sort()).toEqual([
    "break-lines.ts",
    "output.ts",
    "picture.ts",
    "terminal-text.ts",
  ]);
});

describe("a text of a server is not passed on", () => {
  it.each([
    ["env", ["env"], "did not return its webhook secret"],
    [
      "listen",
      ["listen", "--forward-to", "http://127.0.0.1:9", "--write-env", ".env"],
      "did not return its webhook secret",
    ],
  ])("by %s as a line of a file, when it is a secret of several lines", async (_name, words, message) => {
    const { code, out, err } = await abroad.run(words);
    expect([code, out]).toEqual([7, ""]);
    expect(err).toContain(message);
    expect(existsSync(join(abroad.folder, ".env"))).toBe(false);
  });

  it("as a header, when it is a token of several lines", async () => {
    const said = { token: `a.b.c${STEERING}`, ...PERSON };
    const other = await startHost((_incoming, outgoing) => say(outgoing, 200, said));
    const words = ["login", "--email", "a@b.test", "--password-stdin", "--base-url", other.url];
    const { code, err } = await abroad.run(words, password);
    await other.close();
    expect(code).toBe(7);
    expect(err).toContain("without a token");
  });
});
