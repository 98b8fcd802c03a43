import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { cookieFrom } from "../support/console.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { PATIENCE } from "../support/patience.js";

/** The command `console`: a link, and the browser where there is one. */

let emulator: TestEmulator;
let cli: TestCli;
let programs: string;
beforeAll(async () => {
  emulator = await startEmulator();
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
  programs = join(cli.folder, "bin");
  mkdirSync(programs);
  // Stands for the program that opens a browser: it notes what it was asked to open.
  const opener = join(programs, "xdg-open");
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${programs}/opened'\n`);
  chmodSync(opener, 0o755);
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

const opened = () => (existsSync(join(programs, "opened")) ? readFileSync(join(programs, "opened"), "utf8") : "");
const desktop = () => ({ PATH: `${programs}:${process.env.PATH}`, DISPLAY: ":0" });

describe("qa-pay console", () => {
  it("prints a link that starts a session, and nothing else", async () => {
    const { code, out, err } = await cli.run(["console"], { env: desktop() });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=[\w-]{32}\n$/);
    expect(await cookieFrom(out.trim())).toContain("qa_pay_console_");
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
    const server = await startEmulator({ publicUrl: "https://pay.example.com", console: true });
    const flags = ["--base-url", server.url, "--api-key", server.key];
    const { out } = await cli.run(["console", "ch_1", ...flags]);
    expect(out).toMatch(/^https:\/\/pay\.example\.com\/console\/open\?k=[\w-]{32}&to=go%2Fch_1\n$/);
    const told = await cli.run(["console", "--json", ...flags]);
    expect(JSON.parse(told.out)).toMatchObject({
      public: true,
      url: expect.stringContaining("https://pay.example.com/"),
    });
    await server.close();
  });

  it("opens the browser at a terminal, unless --no-open is given or there is no desktop", async () => {
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

describe("qa-pay console is refused", () => {
  it("by a server whose console is switched off", async () => {
    const closed = await startEmulator({ console: false });
    const { code, out, err } = await cli.run(["console", "--base-url", closed.url, "--api-key", closed.key]);
    await closed.close();
    expect([code, out]).toEqual([4, ""]);
    expect(err).toContain("switched off");
  });

  async function withAnswers<T>(answer: (path: string) => unknown, run: (url: string) => Promise<T>): Promise<T> {
    const server = createServer((request, response) => {
      response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer(request.url ?? "")));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const ask = (url: string) =>
    cli.run(["console", "--base-url", url, "--api-key", "qa_test_12345678"], { answers: [], env: desktop() });

  it("for a host that is no emulator", async () => {
    const { code, out, err } = await withAnswers(() => ({ data: [] }), ask);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("is no qa-pay emulator");
  });

  it.each(["nonsense", "file:///etc/passwd", "https://evil.test/login", "javascript:alert(1)", undefined, 5])(
    "for an answer without a link of a console: %s",
    async (url) => {
      const before = opened();
      const answer = (path: string) => (path === "/_sandbox" ? { emulator: "qa-pay" } : { url, expires_at: "soon" });
      const { code, out, err } = await withAnswers(answer, ask);
      expect([code, out, opened()]).toEqual([7, "", before]);
      expect(err).toContain("no link of a console");
    },
  );

  it("never leads to another host than the one that was asked", async () => {
    const answer = (path: string) =>
      path === "/_sandbox" ? { emulator: "qa-pay" } : { url: "https://evil.test/console/open?k=1", expires_at: "" };
    const { out } = await withAnswers(answer, (url) =>
      cli.run(["console", "--base-url", url, "--api-key", "qa_test_12345678"]),
    );
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/open\?k=1\n$/);
  });
});
