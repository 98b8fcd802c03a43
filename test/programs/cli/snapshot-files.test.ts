import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../../support/cli.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { startHost } from "../../support/running.js";

/** Snapshots as files: commands that delete, export and import them. */

let from: TestEmulator;
let to: TestEmulator;
let cli: TestCli;
let other: TestCli;

beforeAll(async () => {
  from = await startEmulator({ frozen: true });
  to = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: from.url, QA_PAY_API_KEY: from.key });
  other = testCli({ QA_PAY_BASE_URL: to.url, QA_PAY_API_KEY: to.key });
  await cli.run(["sandbox", "snapshots", "save", "seed"]);
});
afterAll(async () => {
  for (const one of [cli, other]) one.remove();
  await Promise.all([from.close(), to.close()]);
});

const run = (...words: string[]) => cli.run(["sandbox", "snapshots", ...words]);
const path = (name: string) => join(cli.folder, name);
const files = () => readdirSync(cli.folder).filter((name) => name !== "config");

describe("sandbox snapshots export and import", () => {
  it("carry a state from one server to another", async () => {
    const { id } = await from.charge();
    await run("save", "story");
    const exported = await run("export", "story");
    expect([exported.code, exported.out]).toEqual([0, `${path("story.db")}\n`]);
    expect(exported.err).toContain("It holds secrets");
    const imported = await other.run(["sandbox", "snapshots", "import", "moved", path("story.db")]);
    expect([imported.code, imported.out]).toEqual([0, expect.stringMatching(/^Snapshot +moved\n/)]);
    expect(imported.err).toBe("Restore it: qa-pay sandbox snapshots restore moved\n");
    await other.run(["sandbox", "snapshots", "restore", "moved"]);
    expect((await to.call("GET", `/v1/charges/${id}`)).body.status).toBe("pending");
  });

  it.skipIf(process.platform === "win32")(
    "writes a file that only its owner may read, in place of another",
    async () => {
      writeFileSync(path("known.db"), "old", { mode: 0o644 });
      for (const words of [["known.db"], ["--output", "known.db"]]) {
        const { code } = await run("export", "seed", ...words);
        expect([code, (statSync(path("known.db")).mode & 0o777).toString(8)]).toEqual([0, "600"]);
      }
      expect(readFileSync(path("known.db")).subarray(0, 15).toString()).toBe("SQLite format 3");
    },
  );

  it("writes to standard output, and not to a terminal", async () => {
    const piped = await run("export", "seed", "--output", "-");
    expect([piped.code, piped.out.slice(0, 15), piped.err]).toEqual([0, "SQLite format 3", ""]);
    const shown = await cli.run(["sandbox", "snapshots", "export", "seed", "-"], { answers: [] });
    expect([shown.code, shown.out, shown.err]).toEqual([2, "", expect.stringContaining("redirect it")]);
  });

  it("report to a program what they did", async () => {
    const exported = JSON.parse((await run("export", "seed", "json.db", "--json")).out);
    expect(exported).toEqual({ file: path("json.db"), size: statSync(path("json.db")).size });
    const imported = JSON.parse((await run("import", "again", "json.db", "--json")).out);
    expect(imported).toMatchObject({ object: "snapshot", name: "again", counts: { accounts: 1 } });
  });

  it("send nothing with --dry-run, and show no key", async () => {
    await run("export", "seed", "dry.db");
    const before = files();
    for (const words of [
      ["export", "seed", "never.db"],
      ["import", "never", "dry.db"],
    ]) {
      const { code, out } = await run(...words, "--dry-run");
      expect([code, out]).toEqual([0, expect.stringMatching(/^(GET|PUT) .*\/_sandbox\/snapshots\/\w+\/file\n/)]);
      expect(out).not.toContain(from.key);
    }
    expect([files(), (await run("list", "--json")).out]).toEqual([before, expect.not.stringContaining("never")]);
  });

  describe("refuse", () => {
    let before: string[];
    beforeEach(() => {
      mkdirSync(path("folder"), { recursive: true });
      writeFileSync(path("text.txt"), "no database");
      writeFileSync(path("huge.db"), "");
      truncateSync(path("huge.db"), 1_073_741_825);
      before = files();
    });

    it.each([
      [["export", "nobody"], 4, "There is no snapshot nobody"],
      [["export", ".."], 2, "cannot be a name"],
      [["export", "seed", "a.db", "--output", "b.db"], 2, "contradict each other: a.db and b.db"],
      [["export", "seed", "folder"], 2, "folder cannot be written"],
      [["export", "seed", "none/x.db"], 2, "none/x.db cannot be written"],
      [["import", "new", "none.db"], 2, "The file none.db cannot be read: there is no such file."],
      [["import", "new", "folder"], 2, "The file folder cannot be read: it is a folder."],
      [["import", "new", "huge.db"], 2, "huge.db has 1073741825 bytes"],
      [["import", "new", "text.txt"], 5, "The file is no snapshot"],
      [["import", "con", "text.txt"], 5, "name must be 1 to 64 letters"],
      [["delete", "nobody"], 4, "There is no snapshot nobody"],
    ] as const)("%j with exit %d, and leave no file behind", async (words, code, message) => {
      const refused = await run(...words);
      expect([refused.code, refused.out, refused.err]).toEqual([code, "", expect.stringContaining(message)]);
      expect(files()).toEqual(before);
      expect((await run("list", "--json")).out).not.toContain('"new"');
    });
  });

  it("leave no file behind when the connection breaks", async () => {
    const host = await startHost((incoming, outgoing) => {
      if (incoming.url === "/_sandbox") {
        outgoing.writeHead(200, { "content-type": "application/json" }).end('{"emulator":"qa-pay"}');
        return;
      }
      outgoing.writeHead(200, { "content-length": "100000" }).write("half of it", () => outgoing.destroy());
    });
    try {
      const before = files();
      const { code, err } = await run("export", "seed", "half.db", "--base-url", host.url, "--api-key", from.key);
      expect([code, err]).toEqual([7, expect.stringContaining("gave no complete answer")]);
      expect(files()).toEqual(before);
    } finally {
      await host.close();
    }
  });

  it("stay away from a host that is no emulator", async () => {
    const host = await startHost((_incoming, outgoing) => void outgoing.writeHead(200).end("hello"));
    try {
      await run("export", "seed", "mine.db");
      for (const words of [
        ["export", "seed", "stranger.db"],
        ["import", "seed", "mine.db"],
      ]) {
        const { code, err } = await run(...words, "--base-url", host.url, "--api-key", "qa_test_12345678");
        expect([code, err]).toEqual([2, expect.stringContaining("is not a qa-pay emulator")]);
      }
      expect(existsSync(path("stranger.db"))).toBe(false);
    } finally {
      await host.close();
    }
  });
});

it("sandbox snapshots delete asks a person first, and not a script", async () => {
  await run("save", "old");
  const asked: string[] = [];
  const words = ["sandbox", "snapshots", "delete", "old"];
  expect((await cli.run(words, { answers: [false], asked })).code).toBe(2);
  expect(asked.join()).toContain("This snapshot is lost.");
  expect((await run("list")).out).toContain("old");
  expect(await cli.run(words)).toMatchObject({ code: 0 });
  expect((await run("list")).out).not.toContain("old ");
});
