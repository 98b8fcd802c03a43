import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { realWaiting } from "../../../src/base/platform/real-runtime.js";
import { type EntryPoint, entryPointOf } from "../../../src/checks/shop/entry-points.js";
import { type ProcessParts, ShopRun } from "../../../src/checks/shop/process.js";
import { chargeIn, ordersIn, type Shop, shopAt } from "../../../src/checks/shop/shop.js";
import { freePort } from "../../support/free-port.js";
import { ownFolder, sharedEmulator } from "../../support/shared.js";
import { writeSmallShop } from "../../support/small-shop.js";

const emulator = sharedEmulator();

const never = new AbortController().signal;
const at = (text: string) => entryPointOf(text) as Exclude<EntryPoint, { kind: "command" }>;

/** A shop that is ended with the test, and its folder. */
function shopOf(
  words?: readonly string[],
  parts: Partial<ProcessParts> = {},
  doors: Partial<Record<"buy" | "orders", string>> = {},
) {
  const { path: cwd } = ownFolder();
  const own = {
    QA_PAY_BASE_URL: emulator.url,
    QA_PAY_API_KEY: emulator.key,
    QA_PAY_WEBHOOK_SECRET: emulator.signingSecret,
  };
  const given = {
    cwd,
    words: words ?? writeSmallShop(cwd),
    port: null,
    ready: at("/"),
    stopped: never,
    abandoned: never,
    waiting: realWaiting,
  };
  const secrets = [emulator.key, emulator.signingSecret];
  const process = new ShopRun({
    ...given,
    env: { ...globalThis.process.env, ...own },
    secrets,
    ...parts,
  });
  onTestFinished(() => process.kill("SIGKILL"));
  const { buy = "/buy", orders = "/orders" } = doors;
  const shop: Shop = shopAt(
    { buy: entryPointOf(buy) as EntryPoint, orders: entryPointOf(orders) as EntryPoint, webhooks: at("/webhooks") },
    {},
    () => process.context(),
  );
  return { process, shop, cwd };
}

const answers = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  );
const purchase = { order: "o-1", amount: 1990, document: "52998224725" };

describe("a shop", () => {
  it("is started, sells, lists its orders, and is ended", async () => {
    const { process, shop } = shopOf();
    expect(process.ended).toBeNull();
    await process.start();
    const bought = await shop.buy(purchase);
    expect(bought).toEqual({ kind: "bought", charge: expect.stringMatching(/^ch_/) });
    const { charge } = bought as { charge: string };
    expect(await shop.orders()).toEqual([
      { line: 1, id: charge, order: "o-1", status: "open", amount: 1990, fulfilled: 0 },
    ]);
    expect(await answers(shop.webhooks)).toBe(404);
    await process.kill("SIGTERM");
    expect(process.ended).toEqual({ code: null, signal: "SIGTERM" });
    expect(await answers(shop.webhooks)).toBeNull();
  });

  it("shows what it wrote, without secrets", async () => {
    const { process } = shopOf();
    await process.start();
    await expect.poll(() => process.output()).toBe("the shop is open … …\n");
  });

  it("starts again on its port after it was killed", async () => {
    const { process, shop } = shopOf();
    await process.start();
    const { webhooks } = shop;
    await process.kill("SIGKILL");
    expect(process.ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(await shop.buy(purchase)).toMatchObject({
      kind: "refused",
      text: expect.stringContaining("Nobody answers at"),
    });
    await process.start();
    expect(process.ended).toBeNull();
    expect(shop.webhooks).toBe(webhooks);
    expect(await shop.orders()).toEqual([]);
  });

  it("is ended with all that it started", async () => {
    const { path } = ownFolder();
    const [node, file] = writeSmallShop(path);
    // The shell stays, and the shop is its child.
    const { process, shop } = shopOf(["sh", "-c", `'${node}' '${file}'; true`]);
    await process.start();
    await process.kill("SIGKILL");
    expect(await answers(shop.webhooks)).toBeNull();
  });

  it("takes and lists orders by commands, which have its environment", async () => {
    const { path } = ownFolder();
    const script = join(path, "door.cjs");
    const url = "'http://127.0.0.1:' + process.env.PORT";
    writeFileSync(
      script,
      `const { ORDER: order, AMOUNT, DOCUMENT: document } = process.env;
      const body = JSON.stringify({ order, amount: Number(AMOUNT), document });
      if (process.argv[2] === "orders") fetch(${url} + "/orders").then((one) => one.text()).then(console.log);
      else fetch(${url} + "/buy", { method: "POST", body }).then((one) => one.json()).then(({ charge }) => console.log("bought\\n" + charge));`,
    );
    const command = `'${process.execPath}' '${script}'`;
    const { process: running, shop } = shopOf(undefined, {}, { buy: command, orders: `${command} orders` });
    await running.start();
    expect(await shop.buy(purchase)).toMatchObject({ kind: "bought" });
    expect(await shop.orders()).toMatchObject([{ order: "o-1", amount: 1990, status: "open" }]);
  });
});

describe("a shop that does not do what it should", () => {
  it("is reported with its last output when it ends at once", async () => {
    const { process } = shopOf([globalThis.process.execPath, "-e", "console.error('no database'); process.exit(3)"]);
    await expect(process.start()).rejects.toMatchObject({
      name: "ShopError",
      message: expect.stringMatching(/^The shop ended with code 3 before it answered at http:\/\/localhost:\d+\/\.$/),
      output: "no database\n",
    });
    expect(process.ended).toEqual({ code: 3, signal: null });
  });

  it("is reported when there is no such program", async () => {
    const { process } = shopOf(["no-such-program"]);
    await expect(process.start()).rejects.toMatchObject({ name: "ShopError", cause: { code: "ENOENT" } });
  });

  it("is ended when it does not answer in time", async () => {
    let now = 0;
    const waiting = {
      ...realWaiting,
      monotonic: () => now,
      pause: async () => {
        now += 10_000;
      },
    };
    const late: string[] = [];
    const parts = { waiting, onLate: (url: string) => void late.push(url) };
    const { process } = shopOf([globalThis.process.execPath, "-e", "setInterval(() => {}, 1000)"], parts);
    await expect(process.start()).rejects.toThrow(
      /^The shop did not answer below 500 at \S+ within 120 s\. Look at --ready, /,
    );
    expect(late).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/$/)]);
    await expect.poll(() => process.ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("is not started when another one answers in its place", async () => {
    const other = createServer((_request, response) => response.end());
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { process } = shopOf(undefined, { port });
    await expect(process.start()).rejects.toThrow(
      `Something answers at http://localhost:${port}/ before the shop was started.`,
    );
    expect(process.ended).toBeNull();
    expect(process.output()).toBe("");
  });

  it("gets another port when its port was taken meanwhile", async () => {
    const { cwd, process, shop } = shopOf();
    const [, file] = writeSmallShop(cwd);
    const lost = `if (!require("node:fs").existsSync("lost")) {
      require("node:fs").writeFileSync("lost", process.env.PORT);
      console.error("Error: listen EADDRINUSE: address already in use 127.0.0.1:" + process.env.PORT);
      process.exit(1);
    }`;
    writeFileSync(file, `${lost}\n${(await import("node:fs")).readFileSync(file, "utf8")}`);
    await process.start();
    expect(await answers(shop.webhooks)).toBe(404);
    expect(process.output()).not.toContain("EADDRINUSE");
  });

  it("refuses a purchase, which is reported with its message", async () => {
    const { process, shop } = shopOf(undefined, { env: { ...globalThis.process.env, WRONG: "refusing" } });
    await process.start();
    expect(await shop.buy(purchase)).toEqual({ kind: "refused", text: 'answered 503: {"error":"sold out"}' });
  });

  it.each([
    ["/nowhere", /^The shop does not list its orders at http:\S+\/nowhere: answered 404: {}\.$/],
    ["http://localhost:9/", /^The shop does not list its orders at \S+: Nobody answers at http:.*[^.]\.$/],
    [
      `'${process.execPath}' -e 'process.exit(2)'`,
      /^The shop does not list its orders by the command \S+ -e 'process\.exit\(2\)': ended with 2\.$/,
    ],
    [
      "orders.csv",
      /^The shop .* by the command orders\.csv: there is no program orders\.csv; a path of the shop begins with a slash\.$/,
    ],
    [
      `'${process.execPath}' -p '"order,status,amount\\n1,sold,5"'`,
      /^The orders of the shop by the command .* cannot be read, line 2: The status sold is not known\.$/,
    ],
    [
      `'${process.execPath}' -p '"<!doctype html><p class=\\"a\\">"'`,
      /^The orders of the shop .* cannot be read, line 1: This is a page of HTML, not CSV or JSON\.$/,
    ],
  ])("does not list its orders: %s", async (orders, message) => {
    const { process, shop } = shopOf(undefined, {}, { orders });
    await process.start();
    await expect(shop.orders()).rejects.toMatchObject({
      name: "ShopError",
      message: expect.stringMatching(message),
    });
  });
});

describe("what a shop says", () => {
  const id = "ch_0190a0b0-0000-7000-8000-000000000001";

  it.each([
    [`{"id":"${id}"}`],
    [`{"id":7,"charge":"${id}"}`],
    [`{"id":"0190a0b0-0000-7000-8000-00000000000f","charge_id":"${id}"}`],
    [`{"id":"o-1","charge":{"id":"${id}"}}`],
    [`stored order 5\n${id}\n`],
  ])("names the charge: %s", (text) => {
    expect(chargeIn(text)).toBe(id);
  });

  it.each(["", "{}", '{"id":"o-1"}', "thank you", "[]"])("names no charge: %s", (text) => {
    expect(chargeIn(text)).toBeNull();
  });

  it("may say how often the goods went out", async () => {
    const text = "order;status;amount;sent\na;paid;5;2\nb;paid;5;true\nc;open;5;false\nd;open;5;\n";
    const orders = await ordersIn(text, { map: { fulfilled: "sent" } });
    expect(orders.map(({ fulfilled }) => fulfilled)).toEqual([2, 1, 0, null]);
    await expect(ordersIn(text.replace("5;2", "5;yes"), { map: { fulfilled: "sent" } })).rejects.toThrow(
      'sent says how often the goods went out, which "yes" does not.',
    );
  });

  it.each(["", " \n", "[]", "order,status,amount\n"])("may be that there are no orders: %j", async (text) => {
    expect(await ordersIn(text, {})).toEqual([]);
  });
});
