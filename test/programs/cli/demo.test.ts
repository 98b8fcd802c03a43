import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addressOf, listenOnLoopback } from "../../../src/base/platform/listening.js";
import { atPort } from "../../../src/programs/cli/commands/demo/ports.js";
import english from "../../../src/web/checkout/texts/en.json" with { type: "json" };
import portuguese from "../../../src/web/checkout/texts/pt-BR.json" with { type: "json" };
import { type CliOptions, testCli } from "../../support/cli.js";
import { PATIENCE } from "../../support/patience.js";
import { begin, type Running } from "../../support/running.js";
import { fresh } from "../../support/shared.js";

/** `demo`: a shop and its service, what they print, and that nothing is left. */

const cli = fresh(() => testCli());
let running: Running | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

/** Starts the demo on free ports. Returns its output, which grows. */
async function start(flags: readonly string[] = [], options: CliOptions = {}) {
  const screen: string[] = [];
  const started = await begin(cli, ["demo", "--port", "0", "--shop-port", "0", ...flags], { ...options, screen });
  running = started;
  const text = () => screen.join("");
  const says = async (wanted: RegExp): Promise<string> => {
    await vi.waitUntil(() => wanted.test(text()), PATIENCE);
    return wanted.exec(text())?.[1] ?? "";
  };
  return { text, says, stop: started.stop };
}

/** Buys in the shop as a browser does. Returns the address of the order, and the charge that its page shows. */
async function buy(shop: string) {
  const bought = await fetch(`${shop}/orders`, { method: "POST", redirect: "manual" });
  const order = shop + (bought.headers.get("location") ?? "");
  return { order, charge: /ch_[0-9a-f-]+/.exec(await read(order))?.[0] ?? "" };
}

const read = async (url: string) => (await fetch(url)).text();

async function pay(service: string, charge: string): Promise<void> {
  const headers = { apikey: "qa_test_demo_shop", "content-type": "application/json" };
  await fetch(`${service}/_sandbox/charges/${charge}/pay`, { method: "POST", headers, body: "{}" });
}

describe("the story of the demo", () => {
  it("is bought, paid, broken, explained and mended, with the printed commands, in a folder of another service", async () => {
    const { text, says } = await start();
    const shop = await says(/Shop +(http\S+)/);
    const service = await says(/Service +(http\S+)/);
    expect(await read(await says(/Console +(http\S+)/))).toContain("<html");

    const first = await buy(shop);
    await says(/order 1001 {2}placed: R\$ 19,90/);
    await pay(service, first.charge);
    await says(/order 1001 {2}✓ charge\.paid: the shop answered 204 in \d+ ms/);
    expect(await read(first.order)).toContain("✓ Paid");

    const elsewhere = join(cli.folder, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, ".env"), "QA_PAY_BASE_URL=http://127.0.0.1:9\nQA_PAY_API_KEY=qa_test_of_another\n");
    const runPrinted = (line: string) => {
      const [program, ...words] = line.trim().split(" ");
      expect(program).toBe("qa-pay");
      return cli.run(words, { cwd: elsewhere });
    };
    const [breaks = "", mends = ""] = text().match(/^ {5}qa-pay .*$/gm) ?? [];
    expect((await runPrinted(breaks)).code).toBe(0);
    const second = await buy(shop);
    // Before it is paid, the webhook that did not arrive is explained.
    const early = await says(/order 1002 {2}✗ charge\.created: the shop answered 400, again at [\d:]+\n {4}Why\? (.*)/);
    const explained = (await runPrinted(early)).out;
    expect(explained).toContain("changed on purpose (corrupt_signature)");
    // What would be sent again now would be spoiled too.
    expect(explained).toContain("qa-pay sandbox chaos off --base-url");
    await pay(service, second.charge);
    const why = await says(/order 1002 {2}✗ charge\.paid: the shop answered 400, again at [\d:]+\n {4}Why\? (.*)/);
    expect((await runPrinted(why)).out).toContain("changed on purpose (corrupt_signature)");
    expect(await read(second.order)).toContain("Not paid yet");

    expect((await runPrinted(mends)).code).toBe(0);
    const headers = { apikey: "qa_test_demo_shop", "content-type": "application/json" };
    await fetch(`${service}/_sandbox/clock/advance`, { method: "POST", headers, body: '{"seconds":60}' });
    await says(/order 1002 {2}(✓) charge\.paid/);
    expect(await read(second.order)).toContain("✓ Paid");
  });

  it("names the button of the payment page in each language of the page", async () => {
    const { text, says } = await start();
    await says(/(What happens:)/);
    const labels = [english, portuguese].map(({ simulation }) => `"${simulation.actions.pay.label}"`);
    expect(labels.filter((label) => !text().includes(label))).toEqual([]);
  });

  it("fits on a screen of 24 lines and 80 columns", async () => {
    const { text, says } = await start([], { program: "npx qa-pay" });
    await says(/(What happens:)/);
    const rows = text()
      .split("\n")
      .map((line) => Math.max(1, Math.ceil(line.length / 80)));
    expect(rows.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(24);
  });
});

describe("--json", () => {
  it("begins with everything that a program needs, and reports each delivery", async () => {
    const { text, says } = await start(["--json"]);
    await says(/(\n)/);
    const [ready = ""] = text().split("\n");
    const { url, shop_url: shop, ...rest } = JSON.parse(ready);
    expect(rest).toEqual({
      event: "ready",
      console_url: expect.stringContaining(`${url}/console/open?k=`),
      test_key: "qa_test_demo_shop",
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await pay(url, (await buy(shop)).charge);
    await says(/"type":"charge\.paid".*("status_code":204)/);
  });
});

describe("its end", () => {
  it("leaves no file and no open port, and is no error", async () => {
    const { text, stop } = await start(["--json"]);
    await vi.waitUntil(() => text() !== "", PATIENCE);
    const { url, shop_url: shop } = JSON.parse(text().split("\n")[0] ?? "");
    expect((await stop()).code).toBe(0);
    expect(readdirSync(cli.folder)).toEqual([]);
    for (const place of [url, shop]) await expect(fetch(place)).rejects.toThrow("fetch failed");
  });
});

describe("a port", () => {
  it.each(["--port", "--shop-port"])(
    "of %s that is taken ends the command with 1, and nothing is left",
    async (flag) => {
      const taken = createServer();
      const port = await listenOnLoopback(taken);
      const other = flag === "--port" ? "--shop-port" : "--port";
      const { code, err } = await cli.run(["demo", flag, String(port), other, "0"]);
      expect(code).toBe(1);
      expect(err).toContain(`Port ${port} is in use. Stop what listens there, choose another with ${flag}, or`);
      expect(addressOf(taken).port).toBe(port);
      taken.close();
    },
  );

  it.each(["--port", "--shop-port"])("of %s that is none is refused before anything is started", async (flag) => {
    expect(await cli.run(["demo", flag, "70000"])).toMatchObject({ code: 2, err: expect.stringContaining(flag) });
  });

  it("that was not given is the usual one, or the next free one", async () => {
    const listen = async (port: number) => {
      if (port < 4602) throw Object.assign(new Error("taken"), { name: "ListenError" });
      return port;
    };
    expect(await atPort(null, 4600, listen)).toBe(4602);
    expect(await atPort(null, 4700, listen)).toBe(4700);
    await expect(atPort(4600, 4600, listen)).rejects.toThrow("taken");
    await expect(atPort(null, 4000, listen)).rejects.toThrow("taken");
  });
});

describe("the profile demo", () => {
  const hostOf = async (options: CliOptions = {}) =>
    (await cli.run(["wallets", "list", "--profile", "demo", "--dry-run", "--verbose"], options)).err;

  it("leads to the demo at its usual port, without being stored", async () => {
    expect(await hostOf()).toContain("http://127.0.0.1:4600 (from the profile demo)");
    expect((await cli.run(["profiles", "list"])).out).not.toContain("demo");
    expect((await cli.run(["profiles", "remove", "demo"])).code).toBe(2);
  });

  it("is a stored one where the user has one of this name", async () => {
    const key = ["--base-url", "https://pay.example.com", "--api-key", "qa_test_of_the_user"];
    expect((await cli.run(["profiles", "add", "demo", ...key])).code).toBe(0);
    expect(await hostOf()).toContain("https://pay.example.com (from the profile demo)");
  });
});

describe("--open", () => {
  const opener = () => {
    const folder = join(cli.folder, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${folder}/opened'\n`);
    chmodSync(join(folder, "xdg-open"), 0o755);
    return folder;
  };

  it("opens the console where there is a terminal with a desktop", async () => {
    const folder = opener();
    const env = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0" };
    const { says } = await start(["--open"], { env, isScreen: true });
    const page = await says(/Console +(http\S+)/);
    await expect.poll(() => readdirSync(folder), PATIENCE).toContain("opened");
    await expect.poll(() => readFileSync(join(folder, "opened"), "utf8"), PATIENCE).toBe(page);
  });

  it("opens nothing elsewhere", async () => {
    const folder = opener();
    const { says, stop } = await start(["--open"], { env: { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0" } });
    await says(/(What happens:)/);
    await stop();
    expect(readdirSync(folder)).toEqual(["xdg-open"]);
  });
});
