import { createHash } from "node:crypto";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { canonicalJson } from "../../../src/base/kernel/json.js";
import { isCpf } from "../../../src/base/kernel/tax-id.js";
import { readBrCode } from "../../../src/base/pix/br-code.js";
import type { Loose } from "../../support/emulator.js";
import { exchange } from "../../support/exchange.js";
import * as stories from "../../support/incident.js";
import { eventfulCharge, OF_THE_PERSON, PERSON } from "../../support/incident.js";
import { begin, startHost } from "../../support/running.js";
import { freshReceiver, shared, sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { hmac, signatureParts } from "../../support/webhooks.js";

/** `incident save` and `incident replay`: the story of a charge in a file, and the same story elsewhere. */

const SECRET = "5".repeat(64);

const emulator = sharedEmulator({ frozen: true });
const source = sharedReceiver();
const receiver = freshReceiver();
const cli = sharedCli(emulator);
let id = "";
/** The sendings of the source, which nothing may add to. */
let sentThen = 0;

beforeAll(async () => {
  id = await eventfulCharge(emulator, source);
  sentThen = source.received.length;
});

async function saved(name: string, ...flags: string[]): Promise<Loose> {
  const { code, err } = await cli.run(["incident", "save", id, "--output", name, ...flags]);
  expect([code, err]).toEqual([0, expect.stringContaining("everything that is stored")]);
  return JSON.parse(readFileSync(join(cli.folder, name), "utf8"));
}

function digested(content: object): string {
  return `sha256:${createHash("sha256").update(canonicalJson(content)).digest("hex")}`;
}

/** Writes a file whose digest is right, as somebody who knows the format could. */
function forged(name: string, { digest: _old, ...content }: Loose): void {
  writeFileSync(join(cli.folder, name), JSON.stringify({ ...content, digest: digested(content) }));
}

const replay = (name: string, ...flags: string[]) => cli.run(["incident", "replay", name, ...flags]);
const leftBehind = stories.replaysLeftIn(() => cli.folder);

/** The file in an emulator that keeps running, and a way to send requests to it. */
async function served(name: string, ...flags: string[]) {
  const screen: string[] = [];
  const running = await begin(cli, ["incident", "replay", name, "--serve", "--json", ...flags], { screen });
  onTestFinished(async () => void (await running.stop()));
  const line = (begins: string) => screen.find((text) => text.startsWith(begins));
  await expect.poll(() => line('{"event":"ready"'), { timeout: 60_000 }).toBeDefined();
  const ready = JSON.parse(line('{"event":"ready"') ?? "");
  const told = JSON.parse(line('{"subject"') ?? "");
  const ask = async (path: string) => {
    const { status, text } = await exchange(ready.url + path, { headers: { apikey: ready.test_key } });
    return { status, body: JSON.parse(text) as Loose };
  };
  return { running, ready, told, ask };
}

describe("save", () => {
  it("writes a readable file that says what it is, where it comes from and what it lacks", async () => {
    const file = await saved("about.json");
    const { digest, ...content } = file;
    expect(content).toMatchObject({
      format: "qa-pay-incident",
      version: 1,
      source: { kind: "emulator", host: new URL(emulator.url).host, personal_data: "replaced" },
      subject: id,
    });
    expect(digest).toBe(digested(content));
    expect(content.summary.join("\n")).toMatch(/^20\d\d-\S+ /);
    expect(content.source.missing).toContain("the requests of clients");
  });

  it("has nothing of a person, of a key or of a secret in it, and stays valid", async () => {
    await saved("clean.json");
    const text = readFileSync(join(cli.folder, "clean.json"), "utf8");
    const secrets = [emulator.signingSecret, emulator.key, emulator.live, "hidden-token", "hidden-cookie"];
    for (const one of [...OF_THE_PERSON, ...secrets]) expect([one, text.includes(one)]).toEqual([one, false]);
    const { rows } = JSON.parse(text);
    const [charge] = rows.transactions;
    expect(isCpf(charge.customer_document)).toBe(true);
    expect(charge.customer_document).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d{2}$/);
    expect(charge.customer_tax_id).toBe(charge.customer_document.replace(/\D/g, ""));
    const created = rows.events.find(({ type }: Loose) => type === "charge.created");
    const object = JSON.parse(created.data);
    expect(object.customer).toMatchObject({ name: charge.customer_name, email: charge.customer_email });
    expect(object.metadata.description).toContain(charge.customer_name);
    expect(object.metadata.description).toContain(charge.customer_document);
    expect(readBrCode(object.pix.br_code)).not.toBeNull();
    expect(object.metadata.order).toBe("A-17");
    expect(rows.endpoints.map(({ secret }: Loose) => secret)).toEqual(["0".repeat(64), "0".repeat(64)]);
  });

  it("invents other values in each file", async () => {
    const [one, other] = [await saved("one.json"), await saved("other.json")];
    expect(one.rows.transactions[0].customer_tax_id).not.toBe(other.rows.transactions[0].customer_tax_id);
  });

  it("keeps personal data with --keep-personal-data, and still no key and no secret, not even an earlier one", async () => {
    const secrets: string[] = [];
    for (const endpoint of (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data) {
      const rotated = await emulator.call("POST", `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`);
      const path = `/_sandbox/webhooks/endpoints/${endpoint.id}/reveal`;
      secrets.push(rotated.body.secret, (await emulator.call("POST", path)).body.previous_secret);
    }
    expect(new Set(secrets).size).toBeGreaterThan(3);
    const kept = await saved("kept.json", "--keep-personal-data");
    expect(kept.source.personal_data).toBe("kept");
    expect(kept.rows.transactions[0].customer_name).toBe(PERSON.name);
    const text = JSON.stringify(kept);
    const own = [emulator.signingSecret, emulator.key, "hidden-token", "hidden-cookie", "qa_live_0123", "5e1f0b"];
    for (const one of [...own, ...secrets]) {
      expect([one, text.includes(one)]).toEqual([one, false]);
    }
  });

  it("finds the charge by its refund too, and answers for an unknown id as for any other", async () => {
    const { rows } = await saved("of-charge.json");
    const { code, out } = await cli.run(["incident", "save", `rf_${rows.refunds[0].id}`]);
    expect([code, JSON.parse(out).subject]).toEqual([0, id]);
    const unknown = await cli.run([
      "incident",
      "save",
      "ch_019aaaaa-0000-7000-8000-000000000000",
      "--output",
      "no.json",
    ]);
    expect([unknown.code, existsSync(join(cli.folder, "no.json"))]).toEqual([4, false]);
  });

  it("changes nothing at the source, and sends it GET alone", async () => {
    const before = (await emulator.sandbox(`/timeline/${id}`)).items.length;
    const asked: string[] = [];
    const between = await startHost(async ({ method = "", url = "", headers }, outgoing) => {
      asked.push(`${method} ${url}`);
      const apikey = String(headers.apikey);
      const { status, text } = await exchange(emulator.url + url, { method, headers: { apikey } });
      outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
    });
    onTestFinished(() => between.close());
    await saved("again.json", "--base-url", between.url, "--api-key", emulator.key);
    expect(asked).toEqual(["GET /_sandbox", `GET /_sandbox/incidents/${id}`]);
    expect((await emulator.sandbox(`/timeline/${id}`)).items.length).toBe(before);
  });

  it("names no payout in its refusal: payouts have no incidents", async () => {
    const { code, err } = await cli.run(["incident", "save", "po_019aaaaa-0000-7000-8000-000000000000"]);
    expect([code, err]).toEqual([4, expect.stringContaining("No such charge, payment, refund or MED case")]);
  });
});

describe("save from a host that is no emulator", () => {
  const asked: string[] = [];
  const host = shared(() =>
    startHost(async ({ method, url = "", headers }, outgoing) => {
      asked.push(`${method} ${url}`);
      const path = url.startsWith("/v1") ? url : "/v1/not-there";
      const { status, text } = await exchange(emulator.url + path, { headers: { apikey: String(headers.apikey) } });
      outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
    }),
  );
  const from = (...flags: string[]) =>
    cli.run([
      "incident",
      "save",
      id,
      "--base-url",
      host.url,
      "--api-key",
      emulator.key,
      "--output",
      "v1.json",
      ...flags,
    ]);

  it("has what /v1 shows, by reading alone, and says what is missing", async () => {
    expect((await from("--keep-personal-data")).code).toBe(0);
    const { source: told, rows, subject, summary } = JSON.parse(readFileSync(join(cli.folder, "v1.json"), "utf8"));
    expect([told.kind, told.host, subject]).toEqual(["service", new URL(host.url).host, id]);
    expect(told.missing).toContain("movements of money");
    expect(asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(asked.length).toBeGreaterThan(4);
    const whole = (await saved("whole-too.json", "--keep-personal-data")).rows;
    const ids = (table: string, all: Loose) => all[table].map((one: Loose) => one.id).sort();
    for (const table of ["transactions", "refunds", "med_cases", "deliveries", "endpoints"]) {
      expect([table, ids(table, rows)]).toEqual([table, ids(table, whole)]);
    }
    expect(summary.length).toBeGreaterThan(5);
  });

  it("is replayed with the bodies of then, and has nothing of a person either", async () => {
    expect((await from("--keep-personal-data")).code).toBe(0);
    expect(await replay("v1.json", "--forward-to", receiver.url)).toMatchObject({ code: 0 });
    const bodies = (all: Loose[]) => new Set(all.map(({ raw }) => stories.withoutPlanted(raw)));
    expect(receiver.received.length).toBeGreaterThan(5);
    const then = bodies(source.received);
    for (const body of bodies(receiver.received)) expect(then).toContain(body);
    expect((await from()).code).toBe(0);
    const text = readFileSync(join(cli.folder, "v1.json"), "utf8");
    for (const one of [...OF_THE_PERSON, "hidden-token", emulator.key])
      expect([one, text.includes(one)]).toEqual([one, false]);
    expect((await replay("v1.json")).code).toBe(0);
    expect(source.received.length).toBe(sentThen);
  });
});

describe("replay", () => {
  it("creates the same charge: timeline, ledger, ids, amounts and instants", async () => {
    await saved("same.json", "--keep-personal-data");
    const { ask, running } = await served("same.json");
    const then = await emulator.sandbox(`/timeline/${id}`);
    const now = (await ask(`/_sandbox/timeline/${id}`)).body;
    expect(stories.describeAll(now).length).toBeGreaterThan(15);
    expect(stories.describeAll(now)).toEqual(stories.describeAll(then));
    const charge = (await emulator.call("GET", `/v1/charges/${id}`)).body;
    const again = (await ask(`/v1/charges/${id}`)).body;
    expect([again.amount, again.status, again.created_at, again.customer]).toEqual([
      charge.amount,
      charge.status,
      charge.created_at,
      charge.customer,
    ]);
    expect((await ask("/_sandbox/ledger/check")).body).toMatchObject({ ok: true });
    expect(source.received.length).toBe(sentThen);
    const { code } = await running.stop();
    expect([code, leftBehind()]).toEqual([0, []]);
  });

  it("takes a key of the shop for the mode of the charge, and prints the address of the emulator and the key", async () => {
    await saved("keyed.json");
    const wrong = await replay("keyed.json", "--key", "qa_live_0123456789abcdef");
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      2,
      "",
      expect.stringContaining("--key takes a key such as qa_test_"),
    ]);
    const screen: string[] = [];
    const words = ["incident", "replay", "keyed.json", "--serve", "--key", "qa_test_of-our-own-shop"];
    const running = await begin(cli, words, { screen });
    await expect.poll(() => screen.join(""), { timeout: 60_000 }).toContain("Ctrl-C stops.");
    const banner = screen.join("");
    expect(banner).toContain(`payments get ${id} --base-url`);
    expect(banner).toContain("--api-key qa_test_of-our-own-shop");
    expect(banner).not.toMatch(/--write-env|earlier start/);
    expect((await running.stop()).code).toBe(0);
  });

  it("sends the webhooks of one endpoint as they were: order, retries, doubles, bytes, signed as of now", async () => {
    const { rows } = await saved("sent.json", "--keep-personal-data");
    const ended = await replay("sent.json", "--forward-to", receiver.url, "--webhook-secret", SECRET, "--json");
    const told = JSON.parse(ended.out);
    expect([ended.code, told.failed]).toEqual([0, []]);
    const first = rows.endpoints.find(({ url }: Loose) => url.endsWith("/first"));
    expect(told.endpoint).toBe(`we_${first.id}`);
    // A webhook that was sent twice came at the same instant as others, so only its number is known.
    const what = ({ headers, raw }: { headers: Loose; raw: string }) =>
      `${headers["x-qa-delivery-id"]} ${stories.withoutPlanted(raw)}`;
    const then = source.received.filter(({ path }) => path.includes("/first"));
    expect(receiver.received.map(what).sort()).toEqual(then.map(what).sort());
    const own = new Map(rows.deliveries.map((one: Loose) => [one.seq, one]));
    const recorded = rows.delivery_attempts
      .map((one: Loose) => ({ ...one, delivery: own.get(one.delivery_seq) as Loose }))
      .filter(({ delivery }: Loose) => delivery.endpoint_seq === first.seq)
      .sort((one: Loose, other: Loose) => one.sent_at - other.sent_at || one.seq - other.seq);
    const once = told.sent.filter(({ repeated }: Loose) => !repeated);
    expect(once.map(({ delivery, attempt, then: answer }: Loose) => [delivery, attempt, answer.status_code])).toEqual(
      recorded.map(({ delivery, attempt, status_code }: Loose) => [`wd_${delivery.id}`, attempt, status_code]),
    );
    expect(new Set(told.sent.map(({ attempt }: Loose) => attempt)).size).toBeGreaterThan(1);
    expect(told.sent.some(({ repeated }: Loose) => repeated)).toBe(true);
    for (const { headers, raw, type } of receiver.received) {
      if (!type.startsWith("charge.")) continue;
      const { t, v1 } = signatureParts(headers["x-qa-signature"]);
      expect([v1, Math.abs(Date.now() / 1_000 - t) < 300]).toEqual([hmac(SECRET, `${t}.${raw}`), true]);
    }
    expect(source.received.length).toBe(sentThen);
  });

  it("sends those of the endpoint that is named, and refuses one that the file does not have", async () => {
    const { rows } = await saved("named.json");
    const second = rows.endpoints.find(({ url }: Loose) => url.endsWith("/second"));
    const to = ["--forward-to", receiver.url];
    expect((await replay("named.json", ...to, "--endpoint", `we_${second.id}`)).code).toBe(0);
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.paid", "charge.paid"]);
    const unknown = await replay("named.json", ...to, "--endpoint", `we_${rows.events[0].id}`);
    expect([unknown.code, unknown.err, receiver.received.length]).toEqual([2, expect.stringContaining(second.id), 2]);
  });

  it("ends with 1 when an event is not taken in the end, and with 7 when nobody listens", async () => {
    await saved("refused.json");
    receiver.respond = ({ type }) => ({ status: type === "charge.paid" ? 500 : 200 });
    const refused = await replay("refused.json", "--forward-to", receiver.url, "--json");
    const { failed, sent } = JSON.parse(refused.out);
    expect([refused.code, failed]).toEqual([1, [sent.find(({ type }: Loose) => type === "charge.paid").event]]);
    const nobody = await replay("refused.json", "--forward-to", "http://127.0.0.1:9/webhooks");
    expect([nobody.code, nobody.out, leftBehind()]).toEqual([7, "", []]);
  });

  it("leaves nothing behind when it is stopped, and says that it did not end", async () => {
    await saved("stopped.json");
    receiver.respond = () => ({ instead: "silence" });
    const running = await begin(cli, ["incident", "replay", "stopped.json", "--forward-to", receiver.url]);
    await receiver.waitFor(1);
    expect((await running.stop()).code).toBe(1);
    expect([receiver.received.length, leftBehind()]).toEqual([1, []]);
  });

  it("keeps the gaps of then with --speed real", async () => {
    await saved("slow.json");
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const words = ["incident", "replay", "slow.json", "--forward-to", receiver.url, "--speed", "real"];
    expect((await cli.run(words, { pause })).code).toBe(0);
    expect(Math.max(...pauses)).toBeGreaterThan(3_600_000);
  });

  it("only creates the objects without --forward-to, and says so", async () => {
    await saved("made.json");
    const { code, out, err } = await replay("made.json");
    expect([code, out, err]).toEqual([0, "", expect.stringContaining("Nothing is sent")]);
  });
});

describe("a file that was changed", () => {
  let file: Loose;
  beforeAll(async () => {
    file = await saved("whole.json");
  });
  const refused = async (name: string) => {
    const ended = await replay(name, "--forward-to", receiver.url);
    expect([ended.out, receiver.received, leftBehind()]).toEqual(["", [], []]);
    return [ended.code, ended.err];
  };

  it("is refused by its digest", async () => {
    writeFileSync(join(cli.folder, "other.json"), JSON.stringify({ ...file, subject: "ch_other" }));
    expect(await refused("other.json")).toEqual([5, expect.stringContaining("was changed")]);
  });

  const rowOf = (table: string, change: object) => ({
    ...file,
    rows: { ...file.rows, [table]: [{ ...file.rows[table][0], ...change }, ...file.rows[table].slice(1)] },
  });

  it.each<[string, () => Loose]>([
    ["a table of others", () => ({ ...file, rows: { ...file.rows, api_keys: [{ id: "x" }] } })],
    ["a table that is no name", () => ({ ...file, rows: { ...file.rows, "x; DROP TABLE books": [] } })],
    ["a member of every object as a table", () => ({ ...file, rows: { ...file.rows, constructor: [] } })],
    [
      "__proto__ as a table",
      () => ({ ...file, rows: JSON.parse(`{"__proto__": [], ${JSON.stringify(file.rows).slice(1)}`) }),
    ],
    ["a column that there is not", () => rowOf("transactions", { polluted: 1 })],
    ["__proto__ as a column", () => rowOf("transactions", JSON.parse('{"__proto__": 1}'))],
    ["an amount of another type", () => rowOf("transactions", { amount: "12345" })],
    ["another amount", () => rowOf("ledger_entries", { amount: 99_999_999 })],
    ["a status that there is not", () => rowOf("transactions", { status: "STOLEN" })],
    ["an address of another scheme", () => rowOf("endpoints", { url: "file:///etc/passwd" })],
    ["an event of another kind", () => rowOf("events", { type: "charge.stolen" })],
    ["a header with a line break", () => rowOf("delivery_attempts", { user_agent: "a\r\nx: y" })],
    ["a number that is no integer", () => rowOf("transactions", { amount: 1.5 })],
    ["an object as a value", () => rowOf("transactions", { metadata: {} })],
    ["no account", () => ({ ...file, rows: { ...file.rows, accounts: [] } })],
    ["no rows", () => ({ ...file, rows: null })],
  ])("is refused although its digest is right: %s", async (_what, change) => {
    forged("forged.json", change());
    expect(await refused("forged.json")).toEqual([5, expect.stringContaining("was changed")]);
  });

  it.each([
    ["no JSON", "incident\n{"],
    ["another format", '{"format":"har"}'],
    ["a later version", '{"format":"qa-pay-incident","version":2}'],
    ["a list", "[]"],
    ["something deep", `{"format":"qa-pay-incident","version":1,"rows":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ])("is refused as no file of `incident save`: %s", async (_what, text) => {
    writeFileSync(join(cli.folder, "no-incident.json"), text);
    const [code] = await refused("no-incident.json");
    expect([2, 5]).toContain(code);
  });

  it("is larger than any incident", async () => {
    writeFileSync(join(cli.folder, "huge.json"), "");
    truncateSync(join(cli.folder, "huge.json"), 65 * 1_048_576);
    expect(await refused("huge.json")).toEqual([2, expect.stringContaining("64 MB")]);
  });

  it("is not there", async () => {
    expect((await refused("nowhere.json"))[0]).toBe(2);
  });
});
