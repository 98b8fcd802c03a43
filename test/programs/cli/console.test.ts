import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { sessionFrom } from "../../support/console.js";
import { startEmulator } from "../../support/emulator.js";
import { PATIENCE } from "../../support/patience.js";
import { startHost } from "../../support/running.js";
import { ownEmulator, sharedCli, sharedEmulator } from "../../support/shared.js";

/** The command `console`: a link, and the browser where there is one. */

const emulator = sharedEmulator();
const cli = sharedCli(emulator);
let programs: string;
beforeAll(() => {
  programs = join(cli.folder, "bin");
  mkdirSync(programs);
  // Stands for the program that opens a browser: it notes the addresses that it gets.
  const opener = join(programs, "xdg-open");
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${programs}/opened'\n`);
  chmodSync(opener, 0o755);
});

const opened = () => (existsSync(join(programs, "opened")) ? readFileSync(join(programs, "opened"), "utf8") : "");
const desktop = () => ({ PATH: `${programs}:${process.env.PATH}`, DISPLAY: ":0" });

describe("qa-pay console", () => {
  it("prints a link that starts a session, and nothing else", async () => {
    const { code, out, err } = await cli.run(["console"], { env: desktop() });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=[\w-]{32}\n$/);
    expect((await sessionFrom(out.trim())).cookie).toContain("qa_pay_console_");
    expect(opened()).toBe("");
  });

  it("leads to the page of an id, and takes the address of a page in its place", async () => {
    for (const id of ["ch_1", `${emulator.url}/console/charges/ch_1`]) {
      const { out } = await cli.run(["console", id]);
      expect(new URL(out.trim()).searchParams.get("to")).toBe("go/ch_1");
    }
  });

  it("prints the link with --json as the service answers it", async () => {
    const { out } = await cli.run(["console", "--json"]);
    expect(JSON.parse(out)).toEqual({
      url: expect.stringContaining("/console/open?k="),
      public: false,
      expires_at: expect.stringMatching(/Z$/),
    });
  });

  it("names the address that the command uses, also when the server is reached by another name", async () => {
    const base = emulator.url.replace("127.0.0.1", "localhost");
    const { out } = await cli.run(["console", "--base-url", base, "--api-key", emulator.key]);
    expect(out).toMatch(new RegExp(`^${base}/console/open`));
  });

  it("names the public address of the server, by which a session works", async () => {
    const server = await ownEmulator({ publicUrl: "https://pay.example.com", console: true });
    const flags = ["--base-url", server.url, "--api-key", server.key];
    const { out } = await cli.run(["console", "ch_1", ...flags]);
    expect(out).toMatch(/^https:\/\/pay\.example\.com\/console\/open\?k=[\w-]{32}&to=go%2Fch_1\n$/);
    const told = await cli.run(["console", "--json", ...flags]);
    expect(JSON.parse(told.out)).toMatchObject({
      public: true,
      url: expect.stringContaining("https://pay.example.com/"),
    });
  });

  it("opens the browser at a terminal, unless --no-open is set or there is no desktop", async () => {
    await cli.run(["console", "--no-open"], { answers: [], env: desktop() });
    await cli.run(["console"], { answers: [], env: { ...desktop(), DISPLAY: "" } });
    const { out } = await cli.run(["console", "ch_1"], { answers: [], env: desktop() });
    await vi.waitUntil(() => opened() !== "", PATIENCE);
    expect(opened()).toBe(out);
  });

  it("says so when no program opens a browser; the link is printed all the same", async () => {
    const { code, out, err } = await cli.run(["console"], { answers: [], env: { PATH: "/nowhere", DISPLAY: ":0" } });
    expect([code, out.startsWith(`${emulator.url}/console/open`)]).toEqual([0, true]);
    expect(err).toContain("Open the link yourself");
  });
});

describe("qa-pay console opens nothing", () => {
  it("by a server whose console is switched off", async () => {
    const closed = await startEmulator({ console: false });
    const { code, out, err } = await cli.run(["console", "--base-url", closed.url, "--api-key", closed.key]);
    await closed.close();
    expect([code, out]).toEqual([4, ""]);
    expect(err).toContain("switched off");
  });

  /** Asks a host with these answers, at a terminal unless other options are given. */
  async function ask(answer: (path: string) => unknown, options: CliOptions = { answers: [], env: desktop() }) {
    const host = await startHost((request, response) => {
      response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer(request.url ?? "")));
    });
    const outcome = await cli.run(["console", "--base-url", host.url, "--api-key", "qa_test_12345678"], options);
    await host.close();
    return outcome;
  }

  it("for a host that is no emulator", async () => {
    const { code, out, err } = await ask(() => ({ data: [] }));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("is not a qa-pay emulator");
  });

  const linkOf = (link: object) => (path: string) =>
    path === "/_sandbox" ? { emulator: "qa-pay" } : { expires_at: "soon", ...link };

  it.each([
    "nonsense",
    "file:///etc/passwd",
    "https://evil.test/login",
    "javascript:alert(1)",
    undefined,
    5,
    "vscode://evil.ext/console/open?install=1",
    "smb://127.0.0.1/console/open",
    "file:///console/open",
    "ms-msdt:/console/open",
    "https://user:word@evil.test/console/open",
    "//evil.test/console/open",
  ])("for an answer without a link of a console: %s", async (url) => {
    for (const isPublic of [true, false]) {
      const before = opened();
      const { code, out, err } = await ask(linkOf({ url, public: isPublic }));
      expect([code, out, opened()]).toEqual([7, "", before]);
      expect(err).toContain("without a console link");
    }
  });

  it("when the link is public at another address: it is printed, and a person opens it", async () => {
    const before = opened();
    for (const url of ["https://pay.example.com/console/open?k=1", "http://127.0.0.1:9/console/open?k=1"]) {
      const { code, out, err } = await ask(linkOf({ url, public: true }));
      expect([code, out, opened()]).toEqual([0, `${url}\n`, before]);
      expect(err).toMatch(/leads to https?:\/\/(?:pay\.example\.com|127\.0\.0\.1:9), .*\sOpen\sit\syourself/);
    }
  });

  it("never leads to another host than the one that answered", async () => {
    const { out } = await ask(linkOf({ url: "https://evil.test/console/open?k=1" }), {});
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=1\n$/);
  });
});
