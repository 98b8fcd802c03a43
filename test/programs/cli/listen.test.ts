import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ServerEvent, serverEvents } from "../../../src/api/client/event-stream.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type Received, startReceiver } from "../../support/receiver.js";
import { begin, type Running } from "../../support/running.js";
import { freshCli, freshEmulator, freshReceiver, ownEmulator } from "../../support/shared.js";
import { hmac, signatureParts } from "../../support/webhooks.js";

/** `listen` with an emulator, which sends its events live. */

const emulator = freshEmulator();
const receiver = freshReceiver();
const cli = freshCli(emulator);

const listening = (...flags: string[]): Promise<Running> => begin(cli, ["listen", ...flags]);

/** All events of the emulator so far, oldest first. */
async function toldBy(host: TestEmulator): Promise<Loose[]> {
  return (await host.sandbox("/events?limit=100")).data.reverse();
}

async function secret(): Promise<string> {
  return (await cli.run(["listen", "--print-secret"])).out.trim();
}

const typesOf = (received: readonly Received[]) => received.map(({ type }) => type);

describe("an event", () => {
  it("is forwarded when it happens, byte for byte, signed with the secret of the account", async () => {
    const running = await listening("--forward-to", receiver.url);
    await emulator.charge();
    await receiver.waitFor(2);
    await running.stop();
    const events = await toldBy(emulator);
    expect(receiver.received.map(({ raw }) => raw)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
    expect(typesOf(receiver.received)).toEqual(events.map(({ type }) => type));
    const known = emulator.signingSecret;
    for (const { type, raw, headers } of receiver.received) {
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["x-qa-delivery-id"]).toMatch(/^wd_[0-9a-f-]{36}$/);
      if (type.startsWith("payment.")) {
        expect(headers["x-qa-signature"]).toBe(`sha256=${hmac(known, raw)}`);
        continue;
      }
      const { t, v1 } = signatureParts(headers["x-qa-signature"]);
      expect(v1).toBe(hmac(known, `${t}.${raw}`));
    }
  });

  it("from before the start is not forwarded, and every other one is forwarded once", async () => {
    const old = await emulator.charge();
    const running = await listening("--forward-to", receiver.url, "--events", "charge.*");
    await emulator.sandbox(`/charges/${old.id}/pay`);
    const fresh = await emulator.charge();
    await receiver.waitFor(2);
    await running.stop();
    const seen = receiver.received.map(({ type, body }) => [type, body.data.object.id]);
    expect(seen).toEqual([
      ["charge.paid", old.id],
      ["charge.created", fresh.id],
    ]);
  });

  it("is shown with its answer; a refusal or a missing receiver does not end the command", async () => {
    const gone = await startReceiver();
    await gone.close();
    receiver.respond = ({ type }) => (type === "charge.paid" ? { status: 500, body: "no\nway" } : {});
    const routes = ["--route", `payment.created=${gone.url}`, "--forward-to", receiver.url];
    const running = await listening(...routes, "--events", "charge.*,payment.created");
    const { id } = await emulator.charge();
    await receiver.waitFor(1);
    await emulator.sandbox(`/charges/${id}/pay`);
    await receiver.waitFor(2);
    const { code, out, err } = await running.stop();
    expect(code).toBe(0);
    const lines = out.replace(/ \d+ ms /g, " N ms ").replace(/evt_\S+/g, "evt_ID");
    expect(lines).toContain("--> charge.created evt_ID\n");
    expect(lines).toContain(`<-- 204 POST ${receiver.url} N ms charge.created evt_ID\n`);
    expect(lines).toContain(`<-- 500 POST ${receiver.url} N ms charge.paid evt_ID\n    no way\n`);
    expect(lines).toContain(`<-- failed POST ${gone.url} N ms payment.created evt_ID\n    connection refused`);
    expect(err).toBe(
      `Listening to ${emulator.url} (events as they happen). Ctrl-C stops.\nThe signing secret is ${await secret()}\n`,
    );
  });

  it("is a line of JSON with --json, after a line with the signing secret", async () => {
    receiver.replies.push({ status: 503 });
    const running = await listening("--forward-to", receiver.url, "--events", "charge.created", "--json");
    await emulator.charge();
    await receiver.waitFor(1);
    const { out, err } = await running.stop();
    expect(err).toBe("");
    const [event] = await toldBy(emulator);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { event: "ready", url: emulator.url, secret: await secret() },
      {
        event: "delivery",
        type: "charge.created",
        event_id: event.id,
        url: receiver.url,
        status_code: 503,
        error: null,
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it("goes to the first matching route, else to --forward-to, else nowhere", async () => {
    const other = await startReceiver();
    const routes = ["--route", `charge.paid=${other.url}`, "--route", `charge.*=${receiver.url}`];
    const running = await listening(...routes, "--route", `*.paid=${receiver.url}`);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    const { id: payout } = await emulator.sandbox("/payouts", { amount: 100 });
    await emulator.sandbox(`/payouts/${payout}/pay`);
    await receiver.waitFor(2);
    await other.waitFor(1);
    await running.stop();
    await other.close();
    expect(typesOf(other.received)).toEqual(["charge.paid"]);
    expect(typesOf(receiver.received)).toEqual(["charge.created", "payout.paid"]);
  });

  it("that --events leaves out goes nowhere", async () => {
    const filter = ["--events", "charge.paid, payout.*"];
    const running = await listening("--forward-to", receiver.url, "--route", `charge.*=${receiver.url}`, ...filter);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    await emulator.sandbox("/payouts", { amount: 100 });
    await receiver.waitFor(2);
    await running.stop();
    expect(typesOf(receiver.received)).toEqual(["charge.paid", "payout.created"]);
  });
});

describe("the signing secret", () => {
  it("is printed alone with --print-secret: that of the account of the key", async () => {
    const words = ["listen", "--print-secret"];
    expect(await cli.run(words)).toEqual({ code: 0, out: `${emulator.signingSecret}\n`, err: "" });
    const other = await emulator.sandbox("/accounts", { name: "Other" });
    const { out } = await cli.run([...words, "--api-key", other.test_key]);
    expect([out, out === `${emulator.signingSecret}\n`]).toEqual([`${other.signing_secret}\n`, false]);
    expect((await cli.run([...words, "--base-url", "http://127.0.0.1:9", "--api-key", emulator.key])).code).toBe(7);
  });

  it("is the same for the forward target and for listen, so that a receiver verifies both", async () => {
    const forwarding = await ownEmulator({ forwardTo: receiver.url, events: ["payment.created"] });
    const target = ["--base-url", forwarding.url, "--api-key", forwarding.key];
    const running = await listening("--forward-to", receiver.url, "--events", "payment.created", ...target);
    await forwarding.charge();
    await receiver.waitFor(2);
    await running.stop();
    const signatures = receiver.received.map(({ headers }) => headers["x-qa-signature"]);
    const expected = `sha256=${hmac(forwarding.signingSecret, receiver.received[0]?.raw ?? "")}`;
    expect(signatures).toEqual([expected, expected]);
  });

  it("is the one from --webhook-secret", async () => {
    const chosen = "c0ffee00".repeat(8);
    const flags = ["--webhook-secret", chosen, "--events", "payment.created", "--write-env", ".env.test"];
    const running = await listening("--forward-to", receiver.url, ...flags);
    await emulator.charge();
    await receiver.waitFor(1);
    expect((await running.stop()).err).toContain(`The signing secret is ${chosen}\n`);
    const [{ raw, headers } = { raw: "", headers: {} }] = receiver.received;
    expect(headers).toMatchObject({ "x-qa-signature": `sha256=${hmac(chosen, raw)}` });
    expect(readFileSync(join(cli.folder, ".env.test"), "utf8")).toBe(`QA_PAY_WEBHOOK_SECRET=${chosen}\n`);
  });

  it.each([
    ["a new file", undefined, "QA_PAY_WEBHOOK_SECRET=S\n"],
    ["an empty one", "", "QA_PAY_WEBHOOK_SECRET=S\n"],
    ["one without it", "A=1\n\n# a note\nB='2 3'\n", "A=1\n\n# a note\nB='2 3'\nQA_PAY_WEBHOOK_SECRET=S\n"],
    ["one without a last line end", "A=1", "A=1\nQA_PAY_WEBHOOK_SECRET=S\n"],
    ["one with it", "A=1\nQA_PAY_WEBHOOK_SECRET=old # kept?\nB=2\n", "A=1\nQA_PAY_WEBHOOK_SECRET=S\nB=2\n"],
    ["one for a shell", "export QA_PAY_WEBHOOK_SECRET=old\nB=$1", "export QA_PAY_WEBHOOK_SECRET=S\nB=$1"],
    ["one from Windows", "A=1\r\nQA_PAY_WEBHOOK_SECRET=\r\nB=2\r\n", "A=1\r\nQA_PAY_WEBHOOK_SECRET=S\r\nB=2\r\n"],
    [
      "one with it twice",
      "QA_PAY_WEBHOOK_SECRET=a\nB=2\nQA_PAY_WEBHOOK_SECRET=b",
      "QA_PAY_WEBHOOK_SECRET=S\nB=2\nQA_PAY_WEBHOOK_SECRET=S",
    ],
    ["one that speaks of it", "# QA_PAY_WEBHOOK_SECRET=x\n", "# QA_PAY_WEBHOOK_SECRET=x\nQA_PAY_WEBHOOK_SECRET=S\n"],
  ])("--write-env keeps the rest of %s", async (_what, before, after) => {
    const file = join(cli.folder, ".env.test");
    if (before !== undefined) writeFileSync(file, before, { mode: 0o640 });
    const running = await listening("--forward-to", receiver.url, "--write-env", ".env.test");
    const { err } = await running.stop();
    expect(readFileSync(file, "utf8").replaceAll(await secret(), "S")).toBe(after);
    expect(statSync(file).mode & 0o777).toBe(before === undefined ? 0o600 : 0o640);
    const warning = "Warning: others may read .env.test (mode 640), which holds secrets now: chmod 600 .env.test\n";
    expect(err.includes(warning)).toBe(before !== undefined);
  });

  it("--write-env with a path that is not a file ends with 2", async () => {
    const { code, out, err } = await cli.run(["listen", "--forward-to", receiver.url, "--write-env", "."]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--write-env: . cannot be written");
  });
});

describe("an emulator that restarts on the same port and database", () => {
  /** A listener whose emulator stops. `away` runs before the listener connects again. */
  async function afterRestart(before: (host: TestEmulator) => Promise<unknown>) {
    const db = join(cli.folder, "qa-pay.db");
    const first = await startEmulator({ db });
    let comeBack: () => void = () => undefined;
    const back = new Promise<void>((resolve) => {
      comeBack = resolve;
    });
    const words = ["listen", "--forward-to", receiver.url, "--base-url", first.url, "--api-key", first.key];
    const running = await begin(cli, words, { pause: () => back });
    await before(first);
    const told = (await toldBy(first)).length;
    await receiver.waitFor(told);
    await first.close();
    const second = await startEmulator({ db, port: Number(new URL(first.url).port), testKey: first.key });
    await second.charge();
    comeBack();
    await receiver.waitFor(told + 2);
    await second.charge();
    await receiver.waitFor(told + 4);
    const { code } = await running.stop();
    const events = await toldBy(second);
    await second.close();
    return { code, events };
  }

  it("loses no event and forwards none twice", async () => {
    const { code, events } = await afterRestart((first) => first.charge());
    expect(code).toBe(0);
    expect(events).toHaveLength(6);
    expect(receiver.received.map(({ raw }) => raw)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
  });

  it("loses no event either when there was none before the restart", async () => {
    const { events } = await afterRestart(() => Promise.resolve());
    expect(events).toHaveLength(4);
    expect(receiver.received.map(({ raw }) => raw)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
  });
});

it("a key that stops working ends listening with 3 at the next attempt", async () => {
  const second = await startEmulator({ port: 0 });
  const words = ["listen", "--forward-to", receiver.url, "--base-url", second.url, "--api-key", second.key];
  let restart: Promise<TestEmulator> | undefined;
  const running = await begin(cli, words, {
    pause: async () => {
      restart ??= startEmulator({ port: Number(new URL(second.url).port) });
      await restart;
    },
  });
  await second.close();
  const { code, err } = await running.ended;
  await (await restart)?.close();
  expect(code).toBe(3);
  expect(err).toContain("(unauthorized)");
});

describe("a stream of server-sent events", () => {
  async function readIn(chunks: readonly Uint8Array[]) {
    const found: ServerEvent[] = [];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const event of serverEvents(body)) found.push(event);
    return found;
  }

  const text = ': still here\n\nevent: paid\nid: 7\ndata: {"name":"João"}\n\ndata:one\ndata: two\n\nid: 8\n\ndata: cut';

  it("is read correctly, wherever its chunks end", async () => {
    const bytes = new TextEncoder().encode(text);
    const expected = [
      { event: "paid", id: "7", data: '{"name":"João"}' },
      { event: "message", id: "", data: "one\ntwo" },
    ];
    expect(await readIn([bytes])).toEqual(expected);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(await readIn([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    }
    expect(await readIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  });
});
