import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseError } from "../../../src/base/db/database-error.js";
import { serverLog } from "../../../src/programs/cli/commands/serve/server-log.js";
import type { Io } from "../../../src/programs/cli/terminal/io.js";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { beginServe, type Serving } from "../../support/running.js";
import { freshCli, freshReceiver } from "../../support/shared.js";

/** The log of a server on standard error, with `--log-level` or QA_PAY_LOG. */

const TEST_KEY = `qa_test_${"T".repeat(32)}`;
const LIVE_KEY = `qa_live_${"L".repeat(32)}`;
const SECRET = "ab".repeat(32);
/** Texts of requests, none of which may be in a log. */
const PRIVATE = { description: "a private description", payer: "Pessoa Privada", key: "a-private-idempotency-key" };
const RECEIVER_TOKEN = "a-private-receiver-token";

const cli = freshCli();
const receiver = freshReceiver();
let serving: Serving | null;

beforeEach(() => {
  serving = null;
});
afterEach(async () => {
  await serving?.stop();
});

async function serve(words: readonly string[], options: CliOptions = {}): Promise<void> {
  const forward = ["--forward-to", `${receiver.url}?token=${RECEIVER_TOKEN}`, "--events", "charge.paid"];
  const keys = ["--test-key", TEST_KEY, "--live-key", LIVE_KEY, "--webhook-secret", SECRET];
  serving = await beginServe(cli, ["--db", ":memory:", "--frozen", ...forward, ...keys, ...words], options);
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Loose> {
  const response = await fetch(`${serving?.ready.url}${path}`, {
    method,
    headers: { apikey: TEST_KEY, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === "" ? null : JSON.parse(text);
}

/** Makes a paid charge, its webhook, a charge that expires, and a login. Returns the id of the second charge, and a token. */
async function journey(): Promise<{ unpaid: string; token: string }> {
  const body = { amount: 1990, payment_method: "pix", metadata: { description: PRIVATE.description }, expires_in: 60 };
  const { id } = await call("POST", "/v1/charges", body, { "idempotency-key": PRIVATE.key });
  await call("POST", `/_sandbox/charges/${id}/pay`, { payer_name: PRIVATE.payer });
  const { id: unpaid } = await call("POST", "/v1/charges", body, { "idempotency-key": `${PRIVATE.key}-2` });
  await call("POST", "/_sandbox/clock/advance", { seconds: 86_400 });
  const { email, password } = serving?.ready.users[0] ?? {};
  const { token } = await call("POST", "/v1/auth/login", { email, password });
  return { unpaid, token };
}

async function stop(): Promise<string> {
  const { err } = (await serving?.stop()) ?? { err: "" };
  serving = null;
  return err;
}

const linesOf = (err: string): Loose[] =>
  err
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("serve --log-level debug --json", () => {
  it("logs jobs, deliveries and units of work, one JSON object per line", async () => {
    await serve(["--log-level", "debug"]);
    const { unpaid } = await journey();
    const lines = linesOf(await stop());
    const of = (message: string) => lines.filter((line) => line.message === message);
    const subject = unpaid.replace("ch_", "");
    expect(of("job done")).toContainEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      message: "job done",
      kind: "transaction.expire",
      subject,
      due_at: expect.stringMatching(/Z$/),
      at: expect.stringMatching(/Z$/),
    });
    const delivery = { type: "charge.paid", host: new URL(receiver.url).host, attempt: 1 };
    const steps = ["delivery claimed", "delivery sent", "delivery arrived"].map((message) => of(message));
    expect(steps.map((step) => step.length)).toEqual([1, 1, 1]);
    const [[claimed], [sent], [arrived]] = steps as [[Loose], [Loose], [Loose]];
    expect(claimed).toMatchObject({ level: "debug", ...delivery, delivery: expect.stringMatching(/^wd_/) });
    expect(sent).toMatchObject({ level: "debug", ...delivery, delivery: claimed.delivery });
    expect(arrived).toMatchObject({ level: "info", ...delivery, delivery: claimed.delivery, status_code: 204 });
    expect(of("transaction committed")[0]).toMatchObject({
      units: expect.any(Number),
      duration_ms: expect.any(Number),
    });
  });

  it("logs a failed delivery with the time of its retry, and a unit of work that was rolled back", async () => {
    receiver.replies.push({ status: 500, body: "a private answer" });
    await serve(["--log-level", "debug"]);
    await journey();
    await call("POST", "/v1/charges", { amount: 1, payment_method: "pix" }, { "idempotency-key": PRIVATE.key });
    const err = await stop();
    const lines = linesOf(err);
    expect(lines.filter(({ message }) => message === "delivery failed and will be tried again")).toMatchObject([
      {
        level: "info",
        status_code: 500,
        error: "the endpoint answered 500",
        attempt: 1,
        next_attempt_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(lines.filter(({ message }) => message === "unit of work rolled back")).toMatchObject([
      { level: "debug", reason: "idempotency_key_reused" },
    ]);
    expect(err).not.toContain("a private answer");
  });

  it("never logs a key, a token, a secret, a password or a part of a body", async () => {
    await serve(["--log-level", "debug"]);
    const { token } = await journey();
    const { users } = serving?.ready ?? {};
    const account = await call("POST", "/_sandbox/accounts", { name: "Other" });
    await call("POST", "/v1/webhooks/endpoints", {
      url: `${receiver.url}?token=${RECEIVER_TOKEN}`,
      events: ["charge.paid"],
    });
    const err = await stop();
    const passwords = [...users, ...account.users].map(({ password }: Loose) => password);
    const secrets = [
      ...[TEST_KEY, LIVE_KEY, SECRET, token, RECEIVER_TOKEN, ...Object.values(PRIVATE), ...passwords],
      ...[account.test_key, account.live_key, account.signing_secret],
    ];
    expect(secrets).not.toContain(undefined);
    expect(linesOf(err).length).toBeGreaterThan(10);
    expect(secrets.filter((secret) => err.includes(secret))).toEqual([]);
  });
});

describe("the level", () => {
  it("includes only problems by default", async () => {
    await serve([]);
    await journey();
    expect(await stop()).toBe("");
  });

  it("leaves out what is below it", async () => {
    await serve(["--log-level", "info"]);
    await journey();
    expect(new Set(linesOf(await stop()).map(({ level }) => level))).toEqual(new Set(["info"]));
  });

  it("is read from QA_PAY_LOG when the flag is missing", async () => {
    await serve([], { env: { QA_PAY_LOG: "info" } });
    await journey();
    expect(linesOf(await stop()).map(({ message }) => message)).toContain("delivery arrived");
    await serve(["--log-level", "error"], { env: { QA_PAY_LOG: "debug" } });
    await journey();
    expect(await stop()).toBe("");
  });

  it("of QA_PAY_LOG is refused when there is no such level", async () => {
    const { code, out, err } = await cli.run(["serve", "--port", "0"], { env: { QA_PAY_LOG: "loud" } });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/QA_PAY_LOG.*debug, info, warn, error/);
  });
});

it("exec --log-level info logs the same as text", async () => {
  writeFileSync(
    join(cli.folder, "script.cjs"),
    `const { QA_PAY_BASE_URL: url, QA_PAY_API_KEY: apikey } = process.env;
       fetch(url + "/_sandbox/clock/advance", {
         method: "POST",
         headers: { apikey, "content-type": "application/json" },
         body: '{"seconds":604800}',
       });`,
  );
  const words = ["exec", "--log-level", "info", "--seed", "small-shop", "--", process.execPath, "script.cjs"];
  const { code, err } = await cli.run(words);
  expect(code).toBe(0);
  expect(err).toMatch(/^Info: job done kind=transaction\.expire subject=[0-9a-f-]{36} due_at=\S+Z at=\S+Z$/m);
});

describe("an error", () => {
  function lineOf(cause: Error): string {
    const lines: string[] = [];
    const io = { env: {}, err: (text: unknown) => void lines.push(String(text)) } as unknown as Io;
    serverLog(io, {}).error("request req_1 failed", cause);
    return lines.join("");
  }

  it("of the database is one line", () => {
    const cause = new DatabaseError("The disk is full, so nothing was changed.", { cause: new Error("SQLITE_FULL") });
    expect(lineOf(cause)).toBe("Error: request req_1 failed: The disk is full, so nothing was changed.\n");
  });

  it.each(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_CORRUPT", "ENOSPC", "EDQUOT", "EIO"])(
    "of a disk is one line: %s",
    (code) => {
      const cause = Object.assign(new Error("disk I/O error"), { code });
      expect(lineOf(cause)).toBe(`Error: request req_1 failed: disk I/O error (${code})\n`);
    },
  );

  it("of the program has its stack", () => {
    expect(lineOf(new TypeError("no"))).toMatch(/^Error: request req_1 failed: TypeError: no\n +at /);
  });
});
