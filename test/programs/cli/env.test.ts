import { describe, expect, it } from "vitest";
import { startHost } from "../../support/running.js";
import { freshCli, shared, sharedEmulator } from "../../support/shared.js";
import { OWNER, SIGNING_SECRET, writeServerFile } from "../../support/sources.js";

/** `env`: the values that an application needs to use the emulator of a folder. */

const emulator = sharedEmulator({ owner: OWNER });
const host = shared(() => startHost((_request, response) => void response.writeHead(404).end("no")));
const cli = freshCli();

const DOTENV = "QA_PAY_BASE_URL=<url>\nQA_PAY_API_KEY=<key>\nQA_PAY_WEBHOOK_SECRET=<secret>\n";
const SHELL =
  "export QA_PAY_BASE_URL='<url>'\nexport QA_PAY_API_KEY='<key>'\nexport QA_PAY_WEBHOOK_SECRET='<secret>'\n";
const JSON_TEXT = '{"QA_PAY_BASE_URL":"<url>","QA_PAY_API_KEY":"<key>","QA_PAY_WEBHOOK_SECRET":"<secret>"}\n';

const filled = (text: string, key: string, secret: string) =>
  text.replace("<url>", emulator.url).replace("<key>", key).replace("<secret>", secret);

describe("env", () => {
  it.each([
    [[], DOTENV],
    [["--format", "dotenv"], DOTENV],
    [["--format", "shell"], SHELL],
    [["--format", "json"], JSON_TEXT],
    [["--json"], JSON_TEXT],
  ])("%j prints address, key and webhook secret of the project's emulator", async (flags, text) => {
    // The file may hold an older secret; the server knows the current one.
    writeServerFile(cli.folder, { url: emulator.url, test_key: emulator.key });
    const out = filled(text, emulator.key, emulator.signingSecret);
    expect(await cli.run(["env", ...flags])).toEqual({ code: 0, out, err: "" });
  });

  it("prints the secret of the account of the key", async () => {
    const other = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    const { out } = await cli.run(["env", "--base-url", emulator.url, "--api-key", other.live_key]);
    expect(out).toBe(filled(DOTENV, other.live_key, other.signing_secret));
  });

  it("prints the values of the last start when the server has stopped, and says so", async () => {
    writeServerFile(cli.folder, { url: emulator.url, test_key: emulator.key, pid: null });
    const { code, out, err } = await cli.run(["env"]);
    expect([code, out]).toEqual([0, filled(DOTENV, emulator.key, SIGNING_SECRET)]);
    expect(err).toBe(
      "Note: this server is not running. These are the values of its last start; `qa-pay serve` starts it.\n",
    );
    expect((await cli.run(["env", "--quiet"])).err).toBe("");
  });

  it.each(["$(id)", "`id`", "s", `${"5".repeat(63)}\n`, "g".repeat(64), 5])(
    "prints nothing where the host answers %j as its secret",
    async (secret) => {
      const hostile = await startHost((request, response) => {
        response.end(JSON.stringify(request.url === "/_sandbox" ? { emulator: "qa-pay" } : { signing_secret: secret }));
      });
      const flags = ["--base-url", hostile.url, "--api-key", "qa_test_0123456789"];
      for (const words of [["env"], ["listen", "--print-secret"]]) {
        expect(await cli.run([...words, ...flags])).toMatchObject({ code: 7, out: "" });
      }
      await hostile.close();
    },
  );

  it.each([
    ["qa_test_$(id)", ""],
    ["`id`", ""],
    [null, "/$(id)"],
    [null, "/'x"],
  ])("prints nothing for the key %j and an address that goes on with %j", async (key, path) => {
    const flags = ["--base-url", emulator.url + path, "--api-key", key ?? emulator.key];
    const { code, out } = await cli.run(["env", ...flags]);
    expect([code === 0, out]).toEqual([false, ""]);
  });

  it("prints nothing unless it knows all three", async () => {
    writeServerFile(cli.folder, { url: emulator.url, test_key: null });
    const keyless = await cli.run(["env"]);
    expect([keyless.code, keyless.out]).toEqual([2, ""]);
    expect(keyless.err).toContain("start the server with --test-key qa_test_… to choose a key");
    const wrong = await cli.run(["env", "--api-key", "qa_test_nobody-knows-me"]);
    expect([wrong.code, wrong.out]).toEqual([3, ""]);
    const elsewhere = await cli.run(["env", "--base-url", host.url, "--api-key", emulator.key]);
    expect([elsewhere.code, elsewhere.out]).toEqual([2, ""]);
    expect(elsewhere.err).toContain("is not a qa-pay emulator");
    expect((await cli.run(["env", "--base-url", "http://127.0.0.1:9", "--api-key", emulator.key])).code).toBe(7);
    expect((await cli.run(["env", "--format", "yaml"])).err).toContain("--format takes dotenv, shell, json, not yaml.");
  });
});
