import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshCli } from "../../support/shared.js";
import { writeSmallShop } from "../../support/small-shop.js";

/** `rush` with a shop that is a program. What a rush does: test/checks/rush. */

const cli = freshCli();

const DOORS = ["--buy", "/buy", "--orders", "/orders"];
const SHORT = ["--rate", "20", "--for", "1s", "--think", "0s"];

function rush(flags: readonly string[], wrong = "", options = {}) {
  const env = { WRONG: wrong };
  return cli.run(["rush", ...DOORS, ...SHORT, ...flags, "--", ...writeSmallShop(cli.folder)], { env, ...options });
}

describe("rush", () => {
  it("reports what a right shop did, and that its orders are right", async () => {
    const mix = "pay=4,expire=2,duplicate=2,refund=1,abandon=1";
    const { code, out, err } = await rush(["--json", "--mix", mix, "--seed", "one"]);
    expect(err).toBe("");
    const told = JSON.parse(out);
    const figures = { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) };
    expect(told).toMatchObject({ seed: "one", retries: 0, undelivered: 0, refused: 0, first_refusal: null });
    expect(told).toMatchObject({ fulfilled_twice: 0, differences: [], buy_ms: figures, latency_ms: figures });
    expect(told.orders).toBeGreaterThan(0);
    expect(told.paid).toBeGreaterThan(0);
    expect(told.deliveries).toBeGreaterThan(told.orders);
    expect(code).toBe(0);
  });

  it("names the orders that are wrong, with the command that does the same again", async () => {
    const { code, out } = await rush(
      ["--seed", "two", "--mix", "pay=1", "--settle", "0s", "--junit", "rush.xml"],
      "unfulfilled",
    );
    expect(code).toBe(1);
    expect(out).toContain("✗ missed_payment\n");
    expect(out).toMatch(/ {2}qa-pay rush .*--seed two .*shop\.cjs\n/);
    expect(out).toMatch(/^orders {5}\d+, \d+ paid, \d+(?:\.\d)? of 20 orders\/s$/m);
    expect(out).toMatch(/\n\d+ differences?: \d+ missed_payment\.\n$/);
    expect(readFileSync(join(cli.folder, "rush.xml"), "utf8")).toContain('<testcase classname="missed_payment"');
  });

  it("reports why a webhook failed for the first time", async () => {
    const { code, out } = await rush(["--rate", "5", "--settle", "0s"], "deaf");
    expect(code).toBe(1);
    expect(out).toMatch(/^retries {4}\d+; the first failure was \S+: the endpoint answered 500$/m);
  });

  it("reports when and why the shop refused first", async () => {
    const { code, out } = await rush(["--settle", "0s"], "selling out");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^refused {4}[1-9]\d*, the first after \d\.\d s: rush-\w{6}-\d+ answered 503: \{"error":"sold out"\}$/m,
    );
  });

  it.each([
    [
      "refusing",
      [],
      /^Error: The first order, which has no faults, was refused: answered 503: \{"error":"sold out"\}\.\nCheck --buy: /,
    ],
    [
      "",
      ["--orders", "/nowhere"],
      /^Error: The shop does not list its orders at \S+\/nowhere: answered 404: \{\}\.\nCheck --orders: /,
    ],
  ])("ends with 2 before the rush when the first order fails: %s %j", async (wrong, flags, message) => {
    const { code, out, err } = await rush(flags, wrong);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  it("shows its figures when the shop ends before its time, and ends with 7", async () => {
    const { code, out, err } = await rush(["--mix", "pay=1", "--junit", "rush.xml"], "dying");
    expect(code).toBe(7);
    const failure = '<failure message="The shop ended (code 4) after';
    expect(readFileSync(join(cli.folder, "rush.xml"), "utf8")).toContain(failure);
    expect(err).toMatch(/The shop ended \(code 4\) after \d+ orders?\.[\s\S]*out of memory/);
    expect(out).toMatch(/^orders {5}\d+, \d+ paid[\s\S]*\n\nOrders and payments were not compared\.\n$/);
  });

  it("ends with 7 when the shop does not start, with its last words", async () => {
    const script = "console.log('no \\u001b[31mdatabase'); process.exit(4)";
    const ended = await cli.run(["rush", ...DOORS, "--", process.execPath, "-e", script]);
    expect(ended).toMatchObject({ code: 7, out: "", err: expect.not.stringContaining("\u001b") });
    expect(ended.err).toMatch(
      /^Error: The shop ended with code 4 before it answered at \S+\.\nIt wrote last:\n {2}no .{1,8}\[31mdatabase\n$/,
    );
  });
});

describe("rush that is used wrongly", () => {
  it.each([
    [["--orders", "/orders"], "rush needs --buy: the page of your shop that takes an order."],
    [["--buy", "/buy"], "rush needs --orders: where your shop lists its orders."],
    [[...DOORS, "--buy", "sh -c 'x"], "--buy takes a path below the shop's address"],
    [[...DOORS, "--orders", "http://"], "--orders takes a path below the shop's address"],
    [
      [...DOORS, "--webhooks", "hooks"],
      "--webhooks takes a path below the shop's address such as /orders, or a URL, not hooks.",
    ],
    [[...DOORS, "--ready", "up"], "--ready takes a path"],
    [[...DOORS, "--port", "0"], "--port takes a port from 1 to 65535, not 0."],
    [[...DOORS, "--map", "sold=x"], "--map knows id, order, status, amount, fulfilled, not sold."],
    [[...DOORS, "--status", "PAGO"], "--status takes pairs such as paid=…, not PAGO."],
    [[...DOORS, "--events", "charge.payed"], "--events: there is no event charge.payed; did you mean charge.paid?"],
    [[...DOORS, "--rate", "0"], "--rate takes orders in a second up to 10000, not 0."],
    [[...DOORS, "--for", "ten"], "--for takes a duration such as 30s or 5m, not ten."],
    [[...DOORS, "--mix", "pay=1,pya=2"], "--mix knows pay, expire, duplicate, refund, abandon, not pya."],
    [[...DOORS, "--mix", "pay"], "--mix takes parts such as pay=85, not pay."],
    [[...DOORS, "--mix", "pay=1,pay=2"], "--mix names pay twice."],
    [[...DOORS, "--mix", "pay=0"], "--mix needs a part above 0."],
    [[...DOORS, "--junit", "/dev/null/x.xml"], "/dev/null/x.xml cannot be written"],
  ])("starts nothing: %j", async (flags, message) => {
    const script = "require('node:fs').writeFileSync('started', '')";
    const { code, out, err } = await cli.run(["rush", ...flags, "--", process.execPath, "-e", script]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`Error: ${message}`);
    expect(existsSync(join(cli.folder, "started"))).toBe(false);
  });

  it("says that a program or its command is missing", async () => {
    expect(await cli.run(["rush", ...DOORS, "--"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("<command> is missing"),
    });
    const { code, err } = await cli.run(["rush", ...DOORS, "--", "no-such-program"]);
    expect({ code, err }).toEqual({
      code: 2,
      err:
        "Error: The program no-such-program was not found.\nCheck its spelling, and that it is installed in a folder of " +
        "PATH. rush runs without a shell; for a pipe use sh -c '…'.\n",
    });
  });
});
