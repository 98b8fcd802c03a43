import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { artifactsOf } from "../../support/exec-artifacts.js";
import { freshCli, freshReceiver } from "../../support/shared.js";
import { columnOf, openFile } from "../../support/sqlite.js";

/** `exec --artifacts`: no file has a key or a secret. */

const cli = freshCli();
const receiver = freshReceiver();
const { exec, read, bytes: allBytes } = artifactsOf(cli);

const SECRET = "c0ffee00".repeat(8);
const KEY = "qa_test_a-key-for-the-build";
const LIVE = "qa_live_a-key-for-the-build";
const forward = () => ["--forward-to", receiver.url, "--events", "charge.created,charge.paid"];

it("keys and secrets are in none of the files, wherever the shop and its receiver write them", async () => {
  receiver.respond = ({ raw }) => ({
    status: 500,
    headers: { "x-debug": `expected ${SECRET}` },
    body: `expected ${SECRET} for ${raw.length} bytes, key ${KEY}, {"password":"hush-1"}`,
  });
  const script = `
    const key = process.env.QA_PAY_API_KEY, secret = process.env.QA_PAY_WEBHOOK_SECRET;
    await call("POST", "/v1/webhooks/endpoints", { url: ${JSON.stringify(`${receiver.url}/?token=hush-2`)}, events: ["charge.created"] });
    const made = await call("POST", "/v1/webhooks/endpoints", { url: ${JSON.stringify(`${receiver.url}/?token=hush-5`)}, events: ["charge.paid"] });
    const rotated = await call("POST", "/v1/webhooks/endpoints/" + made.id + "/rotate-secret", {});
    const one = await newCharge({ metadata: { note: secret + " " + key, api_key: "hush-3" } });
    await call("GET", "/v1/charges/" + one.id + "?k=hush-4&secret=" + secret);
    await pay(one.id);
    require("node:fs").writeFileSync("rotated", rotated.secret);`;
  const keys = ["--test-key", KEY, "--live-key", LIVE, "--webhook-secret", SECRET];
  await exec(script, ...forward(), ...keys, "--assert", "charge.paid delivered");
  const rotated = readFileSync(join(cli.folder, "rotated"), "utf8");
  expect(rotated).toMatch(/^[0-9a-f]{64}$/);
  const bytes = allBytes();
  // What is not secret is there.
  expect(read("deliveries.jsonl")).toContain("expected … for");
  expect(bytes.get("emulator.db")).toContain("/webhooks");
  for (const hidden of [KEY, LIVE, SECRET, rotated, "hush-1", "hush-2", "hush-3", "hush-4", "hush-5", "scrypt$"]) {
    const found = [...bytes].filter(([, text]) => text.includes(hidden)).map(([name]) => name);
    expect([hidden, found]).toEqual([hidden, []]);
  }
});

/** The columns and settings of a database that are secret, or by which somebody could find a secret. */
const SECRET_VALUES = `SELECT signing_secret AS secret FROM accounts UNION SELECT secret FROM endpoints
  UNION SELECT previous_secret FROM endpoints UNION SELECT checkout_token FROM transactions UNION SELECT hash FROM api_keys
  UNION SELECT password_hash FROM users UNION SELECT value FROM settings WHERE name LIKE '%key'`;

it("no secret of the whole run is in any file: of pages of payers, endpoints, collectors, users and the service itself", async () => {
  receiver.respond = ({ raw }) => ({ status: 500, body: `for ${raw.length} bytes: ${raw}` });
  const script = `
    const one = await newCharge();
    const customer = { id: "c1", name: "Ana Souza", email: "ana@example.com", document: "52998224725" };
    const card = { amount: 5000, currency: "BRL", paymentMethods: ["CREDIT_CARD", "BOLETO"], customer, idempotencyKey: "k1" };
    const two = await call("POST", "/v1/payments", card);
    await newCharge({ metadata: { link: one.checkout_url, token: new URL(one.checkout_url).searchParams.get("k") } });
    const { secret } = await call("POST", "/_sandbox/collectors", {});
    await call("POST", "/v1/webhooks/endpoints", { url: ${JSON.stringify(receiver.url)}, events: ["payment.created"] });
    await newCharge({ description: new URL(one.checkout_url).searchParams.get("k") });
    await fetch(one.checkout_url);
    for (const path of ["/v1/payments", "/v1/payments/" + two.id, "/v1/charges/" + one.id, "/v1/webhooks/deliveries"]) await call("GET", path);
    await pay(one.id);
    await call("POST", "/_sandbox/charges/" + one.id + "/med", {});
    await call("POST", "/_sandbox/snapshots", { name: "whole" });
    const headers = { apikey: process.env.QA_PAY_API_KEY };
    const whole = await fetch(process.env.QA_PAY_BASE_URL + "/_sandbox/snapshots/whole/file", { headers });
    require("node:fs").writeFileSync("whole.db", Buffer.from(await whole.arrayBuffer()));
    require("node:fs").writeFileSync("known.json", JSON.stringify([secret, process.env.QA_PAY_API_KEY, process.env.QA_PAY_WEBHOOK_SECRET]));`;
  await exec(script, ...forward(), "--assert", "charge.paid delivered");
  const whole = openFile(join(cli.folder, "whole.db"));
  const stored = columnOf(whole, SECRET_VALUES).filter((one) => typeof one === "string");
  whole.close();
  const known: string[] = JSON.parse(readFileSync(join(cli.folder, "known.json"), "utf8"));
  const secrets = [...known, ...stored];
  // Four charges, their account, two endpoints and a collector, two keys, a user, and three keys of the service.
  expect(secrets.length).toBeGreaterThanOrEqual(14);
  const bytes = allBytes();
  expect(bytes.get("events.jsonl")).toContain("/checkout/");
  expect(bytes.get("emulator.db")).toContain("/checkout/");
  const found = secrets.map((one) => [one, [...bytes].filter(([, text]) => text.includes(one)).map(([name]) => name)]);
  expect(found.filter(([, names]) => names?.length !== 0)).toEqual([]);
});
