import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeVariables } from "../../../src/programs/cli/files/write-env.js";
import { freshCli } from "../../support/shared.js";

/** `--write-env`: which lines it changes, and the files and values that it leaves alone. */

const cli = freshCli();
const at = (name = ".env") => join(cli.folder, name);
const bytes = () => readFileSync(at());

const WRITTEN = {
  QA_PAY_BASE_URL: "http://127.0.0.1:1",
  QA_PAY_API_KEY: "qa_test_new",
  QA_PAY_WEBHOOK_SECRET: "5".repeat(64),
};
const [URL_LINE, KEY_LINE, SECRET_LINE] = Object.entries(WRITTEN).map(([name, value]) => `${name}=${value}`);

const write = (options: { yes?: boolean; host?: string } = {}) =>
  writeVariables({ cwd: cli.folder, platform: "linux", random: () => "1" }, ".env", WRITTEN, options);

describe("--write-env changes its own lines alone", () => {
  it.each([
    ["a file that ends without a line break", "A=1", `A=1\n${URL_LINE}\n${KEY_LINE}\n${SECRET_LINE}\n`],
    ["a file with CR LF", "A=1\r\nB=2\r\n", `A=1\r\nB=2\r\n${URL_LINE}\r\n${KEY_LINE}\r\n${SECRET_LINE}\r\n`],
    ["a file with CR alone", "A=1\rB=2", `A=1\rB=2\r${URL_LINE}\r${KEY_LINE}\r${SECRET_LINE}\r`],
    ["an empty file", "", `${URL_LINE}\n${KEY_LINE}\n${SECRET_LINE}\n`],
    ["a file with a byte order mark alone", "\ufeff", `\ufeff${URL_LINE}\n${KEY_LINE}\n${SECRET_LINE}\n`],
    [
      "lines with export, spaces, quotes and comments",
      "  export\tQA_PAY_BASE_URL = 'http://localhost:9' # ours\r\nQA_PAY_API_KEY=\"x\"\nQA_PAY_WEBHOOK_SECRET=\nÇ=ção \t\n\n",
      `  export\t${URL_LINE}\r\n${KEY_LINE}\n${SECRET_LINE}\nÇ=ção \t\n\n`,
    ],
    [
      "a name that stands twice, and as a comment",
      `QA_PAY_API_KEY=a\n# QA_PAY_API_KEY=qa_live_x\nQA_PAY_API_KEY=b\n${URL_LINE}\n${SECRET_LINE}`,
      `${KEY_LINE}\n# QA_PAY_API_KEY=qa_live_x\n${KEY_LINE}\n${URL_LINE}\n${SECRET_LINE}`,
    ],
    [
      "a value over several lines, and the name inside of another one",
      `QA_PAY_API_KEY="a\nb"\nNOTE='\nQA_PAY_BASE_URL=http://x.example\n'\nQA_PAY_API_KEYS=c\n`,
      `${KEY_LINE}\nNOTE='\nQA_PAY_BASE_URL=http://x.example\n'\nQA_PAY_API_KEYS=c\n${URL_LINE}\n${SECRET_LINE}\n`,
    ],
    ["a quote that is never closed", `A="1\n${KEY_LINE}x\n`, `A="1\n${KEY_LINE}\n${URL_LINE}\n${SECRET_LINE}\n`],
  ])("in %s", (_what, before, after) => {
    writeFileSync(at(), before, { mode: 0o640 });
    chmodSync(at(), 0o640);
    write();
    expect(bytes().toString()).toBe(after);
    expect([statSync(at()).mode & 0o777, readdirSync(cli.folder)]).toEqual([0o640, [".env"]]);
    write();
    expect(bytes().toString()).toBe(after);
  });

  it("and a new file is for its owner alone", () => {
    expect(write()).toBeNull();
    expect([bytes().toString(), statSync(at()).mode & 0o777]).toEqual([
      `${URL_LINE}\n${KEY_LINE}\n${SECRET_LINE}\n`,
      0o600,
    ]);
  });
});

describe("--write-env refuses, before anything starts,", () => {
  const serve = (...words: readonly string[]) =>
    cli.run(["serve", "--db", ":memory:", "--port", "0", "--write-env", ".env", ...words]);
  const UTF_16 = Buffer.from("\ufeffA=1\r\n", "utf16le");

  it.each([
    ["UTF-16", UTF_16, "it is in UTF-16, which other programs do not read"],
    ["UTF-16 with the other order of bytes", Buffer.from(UTF_16).swap16(), "it is in UTF-16"],
    ["UTF-16 without its mark", UTF_16.subarray(2), "it has NUL bytes"],
    ["Latin-1", Buffer.from("# Ação\nA=1\n", "latin1"), "line 1 is not in UTF-8: save it as UTF-8"],
    ["Windows-1252", Buffer.from([0x41, 0x3d, 0x80, 0x0a]), "line 1 is not in UTF-8"],
  ])("a file in %s, with exit 2", async (_what, before, why) => {
    writeFileSync(at(), before);
    const { code, out, err } = await serve();
    expect([code, out, err]).toEqual([
      2,
      "",
      expect.stringContaining(`Error: --write-env: .env cannot be written: ${why}`),
    ]);
    expect(bytes()).toEqual(before);
    expect(readdirSync(cli.folder)).toEqual([".env"]);
  });

  it.each([
    ["a link", () => symlinkSync("elsewhere", at()), "it is a link"],
    ["a folder", () => mkdirSync(at()), "it is a folder"],
    ["a pipe", () => execFileSync("mkfifo", [at()]), "it is a named pipe"],
  ])("%s, with exit 2", async (_what, place, why) => {
    writeFileSync(at("elsewhere"), "mine");
    place();
    for (const run of [
      serve,
      () => cli.run(["listen", "--forward-to", "http://127.0.0.1:9/", "--write-env", ".env"]),
    ]) {
      const { code, err } = await run();
      expect([code, err]).toEqual([2, `Error: --write-env: .env cannot be written: ${why}.\n`]);
    }
    expect(readFileSync(at("elsewhere"), "utf8")).toBe("mine");
  });

  it.each([
    ["QA_PAY_API_KEY=qa_live_0123456789", "QA_PAY_API_KEY is a live key"],
    ["export QA_PAY_API_KEY = ' qa_live_0123456789 ' # ours", "QA_PAY_API_KEY is a live key"],
    ["QA_PAY_API_KEY=qa_live_0123456789\nQA_PAY_API_KEY=qa_test_0123456789", "QA_PAY_API_KEY is a live key"],
    ["\ufeffQA_PAY_API_KEY=`qa_live_0123456789`\r", "QA_PAY_API_KEY is a live key"],
    ["QA_PAY_WEBHOOK_SECRET=qa_live_0123456789", "QA_PAY_WEBHOOK_SECRET is a live key"],
    ["QA_PAY_BASE_URL=https://pay.example", "QA_PAY_BASE_URL is the address of another host"],
    ["QA_PAY_BASE_URL=HTTP://10.0.0.7:4600/v1", "QA_PAY_BASE_URL is the address of another host"],
    ["QA_PAY_BASE_URL=http://127.0.0.1.example", "QA_PAY_BASE_URL is the address of another host"],
    ["QA_PAY_BASE_URL=http://localhost@pay.example", "QA_PAY_BASE_URL is the address of another host"],
    ["QA_PAY_BASE_URL=pay.example", "QA_PAY_BASE_URL is the address of another host"],
    ["QA_PAY_BASE_URL=qa-pay:4600", "QA_PAY_BASE_URL is the address of another host"],
    [
      "QA_PAY_BASE_URL=https://pay.example\nQA_PAY_API_KEY=qa_live_0123456789",
      "QA_PAY_BASE_URL is the address of another host, and QA_PAY_API_KEY is a live key",
    ],
  ])("to overwrite %j, with exit 5, unless --yes is set", async (line, why) => {
    writeFileSync(at(), line);
    const { code, out, err } = await serve();
    expect([code, out]).toEqual([5, ""]);
    expect(err).toBe(
      `Error: --write-env: .env stays as it is: ${why}.\nAdd --yes to overwrite it, or choose another file.\n`,
    );
    expect(bytes().toString()).toBe(line);
    expect(readdirSync(cli.folder)).toEqual([".env"]);
    write({ yes: true });
    expect(bytes().toString()).not.toMatch(/qa_live|example|10\.0|:4600/);
  });

  it.each([
    "QA_PAY_BASE_URL=http://localhost:1",
    "QA_PAY_BASE_URL='http://127.0.0.1:4600/'",
    "QA_PAY_BASE_URL=http://[::1]:4600",
    "QA_PAY_BASE_URL=localhost:4600",
    "QA_PAY_BASE_URL=<address>",
    "QA_PAY_BASE_URL=changeme",
    "QA_PAY_BASE_URL=",
    "QA_PAY_API_KEY=qa_test_0123456789",
    "OTHER_URL=https://pay.example",
    "#QA_PAY_API_KEY=qa_live_0123456789",
  ])("nothing of %j", (line) => {
    writeFileSync(at(), line);
    write();
    expect(bytes().toString()).toContain(KEY_LINE);
  });

  it("nothing where the server listens at that host itself", () => {
    writeFileSync(at(), "QA_PAY_BASE_URL=http://192.0.2.7:4600\n");
    expect(() => write({ host: "192.0.2.8" })).toThrow("QA_PAY_BASE_URL is the address of another host");
    write({ host: "192.0.2.7" });
    expect(bytes().toString()).toContain(URL_LINE);
  });
});
