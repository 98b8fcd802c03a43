import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { doctorFindings } from "../../support/doctor.js";
import { freshCli, shared } from "../../support/shared.js";
import { startCapture, writeServerFile } from "../../support/sources.js";

/**
 * The `.env` of a folder in every state that a file can be in. What cannot be read may name another host than the next place
 * does.
 */

const cli = freshCli();
const other = shared(startCapture);
const wanted = shared(startCapture);

const KEY = "qa_test_of-dot-env";
const at = (name = ".env") => join(cli.folder, name);
const charge = ["charges", "create", "--amount", "500"];
const lines = () => `QA_PAY_BASE_URL=${wanted.url}\nQA_PAY_API_KEY=${KEY}\n`;

/** True if the host is an emulator is looked up for a hint; that is no request of the command. */
const asked = (host: { taken(): string[] }) => host.taken().filter((one) => !one.startsWith("GET /_sandbox "));

/** Runs a command where the project's server is the next place after `.env`. Returns the requests to each host. */
async function run(words: readonly string[] = charge, env: Readonly<Record<string, string>> = {}) {
  writeServerFile(cli.folder, { url: other.url, test_key: "qa_test_of-the-project" });
  const { code, err } = await cli.run(words, { env });
  return { code, err, wanted: asked(wanted), other: asked(other) };
}

const utf16 = (text: string, mark = "\ufeff") => Buffer.from(mark + text, "utf16le");

describe("a .env that is text is read", () => {
  it.each([
    ["in UTF-8", () => lines()],
    ["in UTF-8 with a byte order mark", () => `\ufeff${lines()}`],
    ["in UTF-16, as PowerShell writes it", () => utf16(lines().replaceAll("\n", "\r\n"))],
    ["in UTF-16 with the other order of bytes", () => utf16(lines()).swap16()],
    ["with CR LF at the ends of lines", () => lines().replaceAll("\n", "\r\n")],
    ["with CR alone at the ends of lines", () => lines().replaceAll("\n", "\r")],
    ["without a line break at its end", () => lines().trimEnd()],
    ["with export before the names", () => lines().replaceAll("QA_", "  export\t QA_")],
    ["with quotes and comments", () => `A="'"\n QA_PAY_BASE_URL = '${wanted.url}' # ours\nQA_PAY_API_KEY=\`${KEY}\`\n`],
    ["with lines that are none", () => `=5\nSHOP\n${lines()}: x\n`],
    ["with colons in place of equals signs", () => lines().replaceAll("=", ": ")],
    ["with the same names inside of another value", () => `${lines()}NOTE="\nQA_PAY_BASE_URL=${other.url}\n"\n`],
    ["with each name twice, of which the last counts", () => `QA_PAY_BASE_URL=${other.url}\n${lines()}`],
    ["with words of other languages", () => `# ação, 支付\n${lines()}`],
  ])("%s", async (_what, text) => {
    writeFileSync(at(), text());
    expect(await run()).toMatchObject({ code: 0, other: [], wanted: [`POST /v1/charges ${KEY}`] });
  });

  it("behind a link", async () => {
    writeFileSync(at("shared.env"), lines());
    symlinkSync("shared.env", at());
    expect(await run()).toMatchObject({ code: 0, other: [], wanted: [`POST /v1/charges ${KEY}`] });
  });

  it("that is not there, or is empty, names nothing", async () => {
    expect(await run()).toMatchObject({ code: 0, wanted: [], other: [expect.stringContaining("POST")] });
    writeFileSync(at(), "");
    expect(await run()).toMatchObject({ code: 0, wanted: [], other: [expect.stringContaining("POST")] });
  });
});

const UNREADABLE: readonly (readonly [string, () => void, string])[] = [
  ["a folder, as Docker makes one", () => mkdirSync(at()), "it is a folder"],
  ["a named pipe", () => execFileSync("mkfifo", [at()]), "it is a named pipe"],
  ["a device", () => symlinkSync("/dev/zero", at()), "it is a device"],
  ["a link to nowhere", () => symlinkSync("nowhere", at()), "it is a link to a file that is not there"],
  ["a link to itself", () => symlinkSync(".env", at()), "its links lead in a circle"],
  [
    "in Latin-1, in a comment too",
    () => writeFileSync(at(), Buffer.from(`A=1\n# Ação\n${lines()}`, "latin1")),
    "line 2 is not in UTF-8: save it as UTF-8",
  ],
  ["in UTF-16 without its mark", () => writeFileSync(at(), utf16(lines(), "")), "it has NUL bytes"],
  [
    "in UTF-16 that is cut off",
    () => writeFileSync(at(), utf16(lines()).subarray(0, -1)),
    "it begins as UTF-16 and is none",
  ],
  ["in UTF-32", () => writeFileSync(at(), Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0])), "it has NUL bytes"],
  ["no text", () => writeFileSync(at(), Buffer.from(`${lines()}A=\0\n`)), "it has NUL bytes"],
  [
    "too large",
    () => {
      writeFileSync(at(), lines());
      truncateSync(at(), 65 * 1_048_576);
    },
    "it has more than 64 MB",
  ],
];

describe("a .env that cannot be read", () => {
  it.each(UNREADABLE)("because it is %s sends nothing, and the error says why", async (_what, place, why) => {
    place();
    const { code, err, ...asked } = await run();
    expect([code, err]).toEqual([2, expect.stringContaining(`Error: The file ${at()} cannot be read: ${why}`)]);
    expect(asked).toEqual({ wanted: [], other: [] });
    expect((await doctorFindings(cli, [])).server).toMatchObject({
      status: "fail",
      detail: expect.stringContaining(why),
    });
  });

  it("because it is a socket sends nothing", async () => {
    const server = createServer().listen(at());
    onTestFinished(() => void server.close());
    await new Promise((ready) => server.once("listening", ready));
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringContaining("it is a socket"),
      wanted: [],
      other: [],
    });
  });

  it("does not matter where nearer places name host and key, and doctor still says it", async () => {
    mkdirSync(at());
    const flags = ["--base-url", wanted.url, "--api-key", KEY];
    expect(await run([...charge, ...flags])).toMatchObject({ code: 0, wanted: [`POST /v1/charges ${KEY}`] });
    const env = { QA_PAY_BASE_URL: wanted.url, QA_PAY_API_KEY: KEY };
    expect(await run(charge, env)).toMatchObject({ code: 0, wanted: [`POST /v1/charges ${KEY}`] });
    expect(await run(charge, { QA_PAY_BASE_URL: wanted.url })).toMatchObject({ code: 2, wanted: [], other: [] });
    const { code, out } = await cli.run(["doctor", ...flags]);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`✗ env       The file ${at()} cannot be read: it is a folder.\n`),
    ]);
    wanted.taken();
  });

  it("leaves the commands of profiles at work", async () => {
    mkdirSync(at());
    await cli.run(["profiles", "add", "shop", "--base-url", wanted.url, "--api-key", KEY]);
    expect(await cli.run(["profiles", "use", "shop"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("But no command works here: The file"),
    });
    expect((await cli.run(["profiles", "list", "--json"])).code).toBe(0);
    wanted.taken();
    expect(await run([...charge, "--profile", "shop"])).toMatchObject({ code: 0, wanted: [`POST /v1/charges ${KEY}`] });
    rmSync(at(), { recursive: true });
  });
});
