import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { begin } from "../../support/running.js";
import { freshCli, freshReceiver } from "../../support/shared.js";
import { hmac, signatureParts } from "../../support/webhooks.js";

/** `exec`: a service of its own for one command. The commands here are scripts that use it as an application does. */

const cli = freshCli();
const receiver = freshReceiver();

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

  it("gets the variables that the help of exec names", async () => {
    const { out } = await cli.run(["exec", "--help"]);
    expect(out).toContain(
      "\nVariables for the command:\n" +
        "  QA_PAY_BASE_URL        Address of the service\n" +
        "  QA_PAY_API_KEY         Its test key\n" +
        "  QA_PAY_WEBHOOK_SECRET  The secret that signs the webhooks to --forward-to\n\n",
    );
  });

  it("has the rest of the environment too, except the key of another service", async () => {
    writeFileSync(join(cli.folder, "script.cjs"), `${PRELUDE}tell(process.env);`);
    const env = {
      COLOUR: "red",
      QA_PAY_BASE_URL: "http://127.0.0.1:9",
      QA_PAY_API_KEY: "qa_live_of-somebody",
      QA_PAY_WEBHOOK_SECRET: "of somebody",
      QA_PAY_PROFILE: "nowhere",
    };
    // Without flags, the program needs no two dashes before it.
    await cli.run(["exec", process.execPath, "script.cjs"], { env });
    expect(told()).toMatchObject({
      COLOUR: "red",
      QA_PAY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      QA_PAY_API_KEY: expect.stringMatching(/^qa_test_[\w-]{32}$/),
      QA_PAY_WEBHOOK_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    // No other ones: the help names these three.
    const names = Object.keys(told()).filter((name) => /^QA_PAY_(?!CONFIG_DIR)/.test(name));
    expect(names.sort()).toEqual(["QA_PAY_API_KEY", "QA_PAY_BASE_URL", "QA_PAY_WEBHOOK_SECRET"]);
  });

  it("gets its words unchanged, because no shell is used", async () => {
    const script = "tell(process.argv.slice(1));";
    const words = ["$HOME", "*", "; exit 3", "--json", "--output", "json", "a b", "", '"', "--", "é\n"];
    expect((await cli.run(["exec", "--", process.execPath, "-e", PRELUDE + script, ...words])).code).toBe(0);
    expect(told()).toEqual(words);
  });

  it.each([
    ["process.exit(255)", 255],
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
});

describe("flags of the service", () => {
  it("--seed fills it before the command starts", async () => {
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
    expect(err).toBe("✓ charge.paid delivered: 1 time\n✓ every delivery 2xx within 60s: 2 of 2 deliveries\n");
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
    expect(err).toContain("✓ charge.created delivered: 1 time\n");
    expect(err).toMatch(
      /✗ every delivery 2xx: 1 of 2 deliveries not answered with 2xx\n {4}charge\.paid wd_\S+ PENDING after 1 attempt: .*500: \{"error":\\n"no\\u001b order"\}\n/,
    );
    expect(err).toMatch(/✗ no charge\.\*: it was sent 2 times\n {4}charge\.created wd_\S+ DELIVERED .*answered 204\n/);
  });

  it("sees every delivery of a long run, oldest first, and shows the first ten", async () => {
    const script = "for (let i = 0; i < 105; i += 1) await newCharge();";
    const flags = ["--forward-to", receiver.url, "--events", "charge.created"];
    const asserts = ["--assert", "charge.created delivered 105 times", "--assert", "no charge.created"];
    const { err } = await exec(script, ...flags, ...asserts);
    expect(err).toContain("✓ charge.created delivered 105 times: 105 times\n");
    expect(err).toContain("\n    and 95 more\n");
    const shown = /charge\.created (wd_\S+) DELIVERED/.exec(err)?.[1];
    expect(shown).toBe(receiver.received[0]?.headers["x-qa-delivery-id"]);
  });

  it("fails when no endpoint receives anything", async () => {
    const { code, err } = await exec("await newCharge();", "--quiet", "--assert", "charge.paid delivered");
    expect([code, err]).toEqual([1, "✗ charge.paid delivered: it was never sent\n"]);
  });

  it("never hides that the command itself failed", async () => {
    const asserts = ["--assert", "no charge.paid", "--assert", "charge.paid delivered"];
    const { code, err } = await exec("process.exit(4);", "--quiet", ...forward(), ...asserts);
    const told = "✗ charge.paid delivered: it was never sent\n";
    expect([code, err]).toEqual([4, told]);
  });

  it("reports as JSON on standard error with --json, because standard output belongs to the command", async () => {
    const { code, out, err } = await exec("", "--json", "--assert", "charge.paid delivered");
    expect([code, out]).toEqual([1, ""]);
    expect(JSON.parse(err)).toEqual({
      assertions: [{ condition: "charge.paid delivered", holds: false, reason: "it was never sent", culprits: [] }],
    });
  });
});

it.each([
  ["no-such-program", 127, "The program no-such-program was not found.", "for a pipe use sh -c"],
  ["node --version", 127, "The program node --version was not found.", "in a folder of PATH"],
  ["./told.json", 126, "./told.json cannot be executed: this user has no permission.", "Is it a program?"],
  ["", 126, "'' cannot be started: ", "exec runs without a shell"],
])(
  "a program that cannot be started ends exec as it ends env and a shell: %j with %i",
  async (program, code, ...says) => {
    writeFileSync(join(cli.folder, "told.json"), "");
    const ended = await cli.run(["exec", "--", program]);
    expect([ended.code, ended.out]).toEqual([code, ""]);
    for (const text of says) expect(ended.err).toContain(text);
  },
);

/** Wrong command lines are in wrong-usage.test.ts. */
it("a seed that the service refuses ends exec with the service's message before the command is run", async () => {
  const steps = [{ name: "one", request: "POST /v1/charges", body: { amount: 0, payment_method: "pix" } }];
  writeFileSync(join(cli.folder, "bad.json"), JSON.stringify({ steps }));
  const { code, err } = await exec("tell(1);", "--seed", "bad.json");
  expect(code).toBe(5);
  expect(err).toContain("Step one (POST /v1/charges) was refused:");
  expect(err).toContain("(invalid_amount)");
  expect(wasRun()).toBe(false);
});
