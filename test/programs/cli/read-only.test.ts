import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commandTree, operations } from "../../../src/programs/cli/tree/command-tree.js";
import { isOperation } from "../../../src/programs/cli/tree/define-command.js";
import { type TestCli, testCli } from "../../support/cli.js";
import { completeLine, type OperationSpec } from "../../support/every-command.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli } from "../../support/shared.js";

/** `profiles add --read-only`: no change leaves through the profile, whatever the command. */

const KEY = "qa_live_0123456789abcdef";
const REFUSED = "The profile prod is read-only";

const host = shared(() =>
  startHost(({ method, url }, outgoing) => {
    seen.push(`${method} ${url}`);
    outgoing
      .writeHead(404, { "content-type": "application/json" })
      .end(
        JSON.stringify({ error: { type: "not_found_error", code: "not_found", message: "No." }, request_id: "req_1" }),
      );
  }),
);
let seen: string[] = [];
const cli = sharedCli();

beforeAll(async () => {
  await add(cli, "prod", "--read-only");
  await cli.run(["profiles", "use", "prod"]);
  await cli.run(["profiles", "add", "other", "--base-url", "http://127.0.0.1:9", "--api-key", KEY]);
  // The user logged in before the profile became read-only.
  const file = join(cli.folder, "config", "profiles.json");
  const kept = JSON.parse(readFileSync(file, "utf8"));
  const user = { id: "usr_1", email: "a@b.c", name: "A", role: "OWNER" };
  kept.profiles.prod.login = { base_url: host.url, token: "a.b.c", user, account: { id: "acc_1", name: "B" } };
  writeFileSync(file, JSON.stringify(kept));
  writeFileSync(join(cli.folder, "invoice.pdf"), "%PDF-1.7");
  writeFileSync(join(cli.folder, "orders.json"), "[]");
});
beforeEach(() => {
  seen = [];
});

function add(by: TestCli, name: string, ...more: string[]) {
  return by.run(["profiles", "add", name, "--base-url", host.url, "--api-key", KEY, ...more]);
}

/** With --yes, so that nothing but the profile can stop it. */
const lineOf = (spec: OperationSpec) => [...completeLine(spec), "--yes"];

async function expectRefusal(words: readonly string[], options: Parameters<TestCli["run"]>[1] = {}): Promise<void> {
  const { code, out, err } = await cli.run(words, options);
  expect([words.join(" "), code, out, seen]).toEqual([words.join(" "), 2, "", []]);
  expect(err).toContain(REFUSED);
  expect(err).toMatch(/profiles add prod.*without --read-only/);
}

describe("through a read-only profile", () => {
  it.each(operations.filter(({ method }) => method !== "GET").map((spec) => [spec.command, spec] as const))(
    "%s sends nothing",
    async (_command, spec) => {
      await expectRefusal(lineOf(spec));
      await expectRefusal([...lineOf(spec), "--profile", "prod"]);
    },
  );

  it.each(operations.filter(({ method }) => method === "GET").map((spec) => [spec.command, spec] as const))(
    "%s is sent, because it only reads",
    async (_command, spec) => {
      const { err } = await cli.run(lineOf(spec));
      expect(err).not.toContain(REFUSED);
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter((line) => !line.startsWith("GET "))).toEqual([]);
    },
  );

  it.each([
    ...["POST", "PUT", "PATCH", "DELETE", "post"].map((method) => ["api", method, "/v1/charges", "--data", "{}"]),
    ["console"],
    ["trigger", "charge.paid"],
    ["trigger", "charge.paid", "--charge", "ch_1"],
    ["fixtures", "run", "small-shop"],
    ["med", "evidence", "add", "med_1", "invoice.pdf"],
    ["sandbox", "snapshots", "import", "seed", "invoice.pdf"],
    ["login", "--email", "a@b.c", "--password-stdin"],
    ["logout"],
    ["conform", "--write"],
  ])("%s %s sends nothing", async (...words) => {
    const file = (word: string) => (word === "invoice.pdf" ? join(cli.folder, word) : word);
    await expectRefusal([...words.filter((word) => word !== undefined).map(file), "--yes"], { input: "secret" });
  });

  it("every other command that sends only reads", async () => {
    const local = commandTree.filter((spec) => !isOperation(spec) && spec.sends === true).map(({ command }) => command);
    const files = ["med evidence add", "sandbox snapshots import"];
    const changing = ["api", "console", "trigger", "fixtures run", ...files, "login", "logout"];
    // Commands that read: a new one belongs here or into the list of refused lines above.
    const reading = [
      "conform",
      "doctor",
      "env",
      "incident save",
      "listen",
      "logs show",
      "logs tail",
      "mcp",
      "payments find",
      "reconcile",
      "sandbox snapshots export",
      "whoami",
      "why",
    ];
    expect(local.toSorted(), "a command that sends belongs into one of the lists of this file").toEqual(
      [...changing, ...reading].toSorted(),
    );
    const more: Record<string, string[]> = {
      "incident save": ["ch_1"],
      listen: ["--forward-to", "http://127.0.0.1:9"],
      "logs show": ["req_1"],
      "payments find": ["maria"],
      reconcile: ["orders.json"],
      why: ["ch_1"],
      "sandbox snapshots export": ["seed"],
    };
    for (const command of reading) {
      const { err } = await cli.run([...command.split(" "), ...(more[command] ?? [])]);
      expect(err).not.toContain(REFUSED);
    }
    expect(seen.filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  it("a person is not asked before the refusal", async () => {
    await expectRefusal(["charges", "create", "--amount", "1990"], { answers: [], isScreen: false, columns: 200 });
    await expectRefusal(["login"], { answers: [], isScreen: false, columns: 200 });
  });

  it("nothing is sent with a key or a host of its own beside it", async () => {
    const create = ["charges", "create", "--amount", "1990", "--yes"];
    await expectRefusal([...create, "--api-key", "qa_live_another-key-here"]);
    await expectRefusal([...create, "--base-url", host.url]);
    await expectRefusal([...create, "--profile", "prod", "--base-url", host.url, "--api-key", "qa_live_another-key"]);
    await expectRefusal(["keys", "issue", "--test", "--base-url", host.url, "--api-key", KEY, "--yes"]);
  });

  it("--dry-run still shows the request", async () => {
    const { code, out } = await cli.run(["charges", "create", "--amount", "1990", "--dry-run", "--json"]);
    expect([code, JSON.parse(out).method, seen]).toEqual([0, "POST", []]);
  });

  it("programs get the refusal as an envelope", async () => {
    const { err } = await cli.run(["charges", "create", "--amount", "1990", "--json"]);
    expect(JSON.parse(err).error).toMatchObject({ code: "read_only_profile", type: "invalid_request_error" });
  });
});

describe("a read-only profile", () => {
  it("is marked in the list", async () => {
    const { out } = await cli.run(["profiles", "list"]);
    expect(out).toMatch(/^\* +prod .* none \(read-only\)$/m);
    const rows = JSON.parse((await cli.run(["profiles", "list", "--json"])).out);
    expect(rows.map((row: { name: string; read_only: boolean }) => [row.name, row.read_only])).toEqual([
      ["prod", true],
      ["other", false],
    ]);
  });

  it("does not stop a command whose host and key come from elsewhere", async () => {
    const { err } = await cli.run(["charges", "create", "--amount", "1990", "--yes", "--profile", "other"]);
    expect(err).not.toContain(REFUSED);
    const words = ["charges", "create", "--amount", "1990", "--yes", "--base-url", host.url, "--api-key", KEY];
    expect((await cli.run(words)).code).toBe(4);
    expect(seen).toEqual(["POST /v1/charges"]);
  });

  it("allows changes again when it is added without the flag", async () => {
    const own = testCli();
    await add(own, "prod", "--read-only");
    expect((await add(own, "prod")).code).toBe(2);
    expect((await add(own, "prod", "--yes")).code).toBe(0);
    await own.run(["charges", "create", "--amount", "1990", "--yes", "--profile", "prod"]);
    expect(seen).toEqual(["POST /v1/charges"]);
    own.remove();
  });
});

it("no module of the command line sends past the door", () => {
  const root = join(import.meta.dirname, "../../../src/programs/cli");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const sends = files.filter((name) =>
    /import \{[^}]*(?<![\w])(send|sendByFetch)\b[^}]*\} from "[./]*api\/client\//.test(
      readFileSync(join(root, name), "utf8"),
    ),
  );
  expect(sends).toEqual([join("host", "send.ts")]);
});
