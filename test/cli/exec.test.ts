import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import type { Loose } from "../support/emulator.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { begin } from "../support/running.js";
import { hmac, signatureParts } from "../support/webhooks.js";

/** `exec`: a service of its own for one command. The commands here are scripts that use it as an application does. */

let cli: TestCli;
let receiver: Receiver;
beforeEach(async () => {
  cli = testCli();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  cli.remove();
});

const PRELUDE = `
const fs = require("node:fs");
const call = async (method, path, body) => {
  const answer = await fetch(process.env.QA_PAY_BASE_URL + path, {
    method,
    headers: {
      apikey: process.env.QA_PAY_API_KEY,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
};
const newCharge = () => call("POST", "/v1/charges", { amount: 1990, payment_method: "pix" });
const pay = async () => call("POST", "/_sandbox/charges/" + (await newCharge()).id + "/pay", {});
const tell = (value) => fs.writeFileSync("told.json", JSON.stringify(value));
`;

/** Runs a script under `exec`. The script stores a value for the test with `tell`. */
function exec(script: string, ...flags: string[]) {
  writeFileSync(join(cli.folder, "script.cjs"), `${PRELUDE}(async () => {${script}})();`);
  return cli.run(["exec", ...flags, "--", process.execPath, "script.cjs"]);
}

function told(): Loose {
  return JSON.parse(readFileSync(join(cli.folder, "told.json"), "utf8"));
}

const wasRun = () => existsSync(join(cli.folder, "told.json"));

describe("the command", () => {
  it("finds a service that answers, with address, key and secret in its environment", async () => {
    const ended = await exec("tell({ env: process.env, paid: await pay() });");
    expect(ended).toEqual({ code: 0, out: "", err: "" });
    const { env, paid } = told();
    expect(env).toMatchObject({
      QA_PAY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      QA_PAY_API_KEY: expect.stringMatching(/^qa_test_/),
      QA_PAY_WEBHOOK_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(paid).toMatchObject({ outcome: "paid", charge: { status: "paid" } });
    await expect(fetch(env.QA_PAY_BASE_URL)).rejects.toThrow();
  });

  it("has the rest of the environment too, except the key of another service", async () => {
    writeFileSync(join(cli.folder, "script.cjs"), `${PRELUDE}tell([process.env.COLOUR, process.env.QA_PAY_API_KEY]);`);
    const env = { COLOUR: "red", QA_PAY_API_KEY: "qa_live_of-somebody" };
    await cli.run(["exec", "--", process.execPath, "script.cjs"], { env });
    expect(told()).toEqual(["red", expect.stringMatching(/^qa_test_/)]);
  });

  it("gets its words unchanged, because no shell is used", async () => {
    const script = "tell(process.argv.slice(1));";
    const flags = ["-e", PRELUDE + script, "$HOME", "*", "; exit 3", "--json", "a b"];
    expect((await cli.run(["exec", "--", process.execPath, ...flags])).code).toBe(0);
    expect(told()).toEqual(["$HOME", "*", "; exit 3", "--json", "a b"]);
  });

  it.each([
    ["process.exit(0)", 0],
    ["process.exit(7)", 7],
    ["process.exit(42)", 42],
    ["process.exit(200)", 200],
    ["process.exit(255)", 255],
    ["process.kill(process.pid, 'SIGINT')", 130],
    ["process.kill(process.pid, 'SIGTERM')", 143],
    ["process.kill(process.pid, 'SIGKILL')", 137],
    ["process.kill(process.pid, 'SIGALRM')", 142],
  ])("decides the exit code of exec: %s", async (script, code) => {
    expect(await exec(script)).toEqual({ code, out: "", err: "" });
  });

  it("gets the signal that ends exec", async () => {
    const url = JSON.stringify(receiver.url);
    const script = `process.on("SIGTERM", () => { tell("told"); process.exit(9); });
      setInterval(() => {}, 60_000); fetch(${url}, { method: "POST", body: "1" });`;
    writeFileSync(join(cli.folder, "script.cjs"), PRELUDE + script);
    const running = await begin(cli, ["exec", "--", process.execPath, "script.cjs"]);
    await receiver.waitFor(1);
    expect((await running.stop()).code).toBe(9);
    expect(told()).toBe("told");
  });

  it.each([
    ["is not there", "no-such-program", /^Error: The program no-such-program was not found\.$/m],
    ["is one word with its arguments", "node --version", /^Error: The program node --version was not found\.$/m],
    ["may not be run", "./plain.txt", /^Error: \.\/plain\.txt may not be executed\.$/m],
    ["has no name", "", /^Error: '' cannot be started: /m],
  ])("that %s makes exec end with 2 and say what to do", async (_what, program, says) => {
    writeFileSync(join(cli.folder, "plain.txt"), "text", { mode: 0o644 });
    const { code, out, err } = await cli.run(["exec", "--", program]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(says);
    expect(err).toContain("for a pipe use sh -c");
    const asJson = await cli.run(["exec", "--json", "--", program]);
    expect([asJson.code, JSON.parse(asJson.err).error.code]).toEqual([2, "usage"]);
  });

  it("that is not found makes exec end with 2 and say what to check", async () => {
    const { code, out, err } = await cli.run(["exec", "--", "no-such-program --at-all"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Error: The program no-such-program --at-all was not found\.\n/);
    expect(err).toContain("PATH");
    expect(err).toContain("sh -c");
    expect(err).not.toMatch(/spawn|ENOENT/);
    const { err: envelope } = await cli.run(["exec", "--json", "--", "no-such-program"]);
    expect(JSON.parse(envelope).error.code).toBe("usage");
  });

  it("that must not be executed makes exec end with 2 and say so", async () => {
    writeFileSync(join(cli.folder, "plain.txt"), "no program", { mode: 0o600 });
    const { code, out, err } = await cli.run(["exec", "--", join(cli.folder, "plain.txt")]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("plain.txt may not be executed.\n");
    expect(err).not.toMatch(/spawn|EACCES/);
  });

  it("leaves no profile and no database behind", async () => {
    await exec("await newCharge(); tell(1);");
    expect(existsSync(join(cli.folder, "config"))).toBe(false);
    expect(existsSync(join(cli.folder, ".qa-pay"))).toBe(false);
  });
});

describe("flags of the service", () => {
  it("--seed fills it before the command starts", async () => {
    await exec('tell((await call("GET", "/v1/payments")).total);', "--seed", "small-shop");
    expect(told()).toBe(5);
    const fixture = { steps: [{ name: "one", request: "POST /_sandbox/payouts", body: { amount: 1 } }] };
    writeFileSync(join(cli.folder, "mine.json"), JSON.stringify(fixture));
    await exec('tell(await call("GET", "/_sandbox/events?type=payout.created"));', "--seed", "mine.json");
    expect(told().data).toHaveLength(1);
  });

  it("--forward-to sends events there, signed with the secret that the command has", async () => {
    await exec("await newCharge(); tell(process.env.QA_PAY_WEBHOOK_SECRET);", "--forward-to", receiver.url);
    await receiver.waitFor(2);
    const canonical = receiver.received.find(({ type }) => type === "charge.created");
    const { t, v1 } = signatureParts(canonical?.headers["x-qa-signature"]);
    expect(v1).toBe(hmac(told(), `${t}.${canonical?.raw}`));
  });

  it("--port, the keys and --webhook-secret are known before it starts", async () => {
    const { port } = new URL(receiver.url);
    const script =
      'tell({ env: process.env, live: await (await fetch(process.env.QA_PAY_BASE_URL + "/_sandbox", { headers: { apikey: "qa_live_for-our-ci" } })).json() });';
    const chosen = "c0ffee00".repeat(8);
    const keys = ["--test-key", "qa_test_for-our-ci", "--live-key", "qa_live_for-our-ci", "--webhook-secret", chosen];
    await receiver.close();
    expect((await exec(script, "--port", port, ...keys)).code).toBe(0);
    expect(told()).toMatchObject({
      env: {
        QA_PAY_BASE_URL: `http://127.0.0.1:${port}`,
        QA_PAY_API_KEY: "qa_test_for-our-ci",
        QA_PAY_WEBHOOK_SECRET: chosen,
      },
      live: { mode: "live" },
    });
  });

  it("have the same effect as for serve", async () => {
    const flags = ["--frozen", "--qr", "base64", "--rate-limit", "100"];
    await exec('tell([await call("GET", "/_sandbox/clock"), await newCharge()]);', ...flags);
    const [clock, charge] = told();
    expect(clock.frozen).toBe(true);
    expect(JSON.stringify(charge.pix)).toContain("base64");
  });
});

describe("--assert", () => {
  const forward = () => ["--forward-to", receiver.url, "--events", "charge.created,charge.paid"];

  it("passes when the deliveries meet the condition, and says so", async () => {
    const asserts = ["--assert", "charge.paid delivered", "--assert", "every delivery 2xx within 60s"];
    const { code, out, err } = await exec("await pay();", ...forward(), ...asserts);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toBe("✓ charge.paid delivered: 1 of 1 time\n✓ every delivery 2xx within 60s: 2 of 2\n");
  });

  it("ends with 1 when they do not, and names what went wrong", async () => {
    receiver.respond = ({ type }) =>
      type === "charge.paid" ? { status: 500, body: '{"error":\n"no\u001b order"}' } : {};
    const asserts = [
      "--assert",
      "charge.created delivered",
      "--assert",
      "every delivery 2xx",
      "--assert",
      "no charge.*",
    ];
    const { code, out, err } = await exec("await pay();", ...forward(), ...asserts);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("✓ charge.created delivered: 1 of 1 time\n");
    expect(err).toMatch(
      /✗ every delivery 2xx: 1 of 2\n {4}charge\.paid wd_\S+ PENDING after 1 attempt: .*500: \{"error":\\n"no\\u001b order"\}\n/,
    );
    expect(err).toMatch(/✗ no charge\.\*: it was sent 2 times\n {4}charge\.created wd_\S+ DELIVERED .*answered 204\n/);
  });

  it("sees every delivery of a long run, oldest first, and shows the first ten", async () => {
    const script = "for (let i = 0; i < 105; i += 1) await newCharge();";
    const flags = ["--forward-to", receiver.url, "--events", "charge.created"];
    const asserts = ["--assert", "charge.created delivered 105 times", "--assert", "no charge.created"];
    const { err } = await exec(script, ...flags, ...asserts);
    expect(err).toContain("✓ charge.created delivered 105 times: 105 of 105 times\n");
    expect(err).toMatch(/\n {4}and 95 more\n$/);
    const shown = /charge\.created (wd_\S+) DELIVERED/.exec(err)?.[1];
    expect(shown).toBe(receiver.received[0]?.headers["x-qa-delivery-id"]);
  });

  it("fails when no endpoint receives anything", async () => {
    const { code, err } = await exec("await newCharge();", "--assert", "charge.paid delivered");
    expect([code, err]).toEqual([1, "✗ charge.paid delivered: it was never sent\n"]);
  });

  it("never hides that the command itself failed", async () => {
    const held = await exec("process.exit(4);", ...forward(), "--assert", "no charge.paid");
    expect([held.code, held.err]).toEqual([4, "✓ no charge.paid: it was never sent\n"]);
    expect((await exec("process.exit(4);", ...forward(), "--assert", "charge.paid delivered")).code).toBe(4);
  });

  it("reports as JSON on standard error with --json, because standard output belongs to the command", async () => {
    const { code, out, err } = await exec("", "--json", "--assert", "charge.paid delivered");
    expect([code, out]).toEqual([1, ""]);
    expect(JSON.parse(err)).toEqual({
      assertions: [{ condition: "charge.paid delivered", holds: false, reason: "it was never sent", culprits: [] }],
    });
  });
});

describe("wrong usage ends with 2 before the command is run", () => {
  it.each([
    [["--assert", "charge.paid sent"], "--assert does not understand"],
    [["--assert", "charge.payed delivered"], "there is no event charge.payed"],
    [["--seed", "nothing.json"], "nothing.json is neither a file"],
    [["--forward-to", "localhost"], "--forward-to"],
    [["--events", "charge.paid"], "--events goes with --forward-to"],
    [["--rate-limit", "0"], "--rate-limit takes a whole number"],
    [["--port", "x"], "--port takes a whole number from 0 to 65535, not x."],
    [["--test-key", "qa_live_00000000"], "--test-key takes a key that starts with qa_test_"],
    [["--webhook-secret", "s3cret"], "--webhook-secret takes 64 hexadecimal digits"],
    [["--db", "some.db"], "--db"],
    [["--dry-run"], "does not take --dry-run"],
  ])("%j", async (flags, message) => {
    const { code, out, err } = await exec("tell(1);", ...flags);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(wasRun()).toBe(false);
  });

  it("and so does no command at all", async () => {
    const { code, err } = await cli.run(["exec"]);
    expect(code).toBe(2);
    expect(err).toContain("<command> is missing: the program and its arguments, behind two dashes.");
    expect(err).toContain("qa-pay exec -- npm test");
  });

  it("and so does a seed that the service refuses, with the service's message", async () => {
    const steps = [{ name: "one", request: "POST /v1/charges", body: { amount: 0, payment_method: "pix" } }];
    writeFileSync(join(cli.folder, "bad.json"), JSON.stringify({ steps }));
    const { code, err } = await exec("tell(1);", "--seed", "bad.json");
    expect(code).toBe(5);
    expect(err).toContain("Step one (POST /v1/charges) was refused:");
    expect(err).toContain("(invalid_amount)");
    expect(wasRun()).toBe(false);
  });
});
