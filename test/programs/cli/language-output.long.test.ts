import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ENGLISH, otherLanguages } from "../../../src/base/kernel/language.js";
import { DOCUMENTS } from "../../support/charges.js";
import type { CliOptions, CliOutcome } from "../../support/cli.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { englishIn } from "../../support/english.js";
import { ASKED, FILES, LINES, SAME } from "../../support/language-lines.js";
import { APPEAL, act, openCase, PNG } from "../../support/med.js";
import { refund } from "../../support/refunds.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";

/**
 * The commands of docs/guides/command-line.md#language in each other language, with objects in many states, wrong command lines, hosts
 * that are none, and questions: nothing but data may be English.
 */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const receiver = sharedReceiver();
const page = shared(() => startHost((_request, response) => void response.writeHead(200).end("<h1>Welcome</h1>")));
const stranger = shared(() => startHost((_request, response) => void response.writeHead(404).end("<h1>404</h1>")));
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key }));

/** The ids in command lines. */
const made: Record<string, string> = {};
/** The messages of the service, which are data. */
let messages: readonly string[] = [];
/** The errors of deliveries, as /v1 has them. */
let errors: readonly string[] = [];

const sandbox = (path: string, body: object = {}) => emulator.sandbox(path, body);

async function charged(name: string, body: object = {}): Promise<string> {
  const customer = { name: "Maria Silva", email: "maria@example.com", document: DOCUMENTS.cpf };
  const { id } = await emulator.charge({ amount: 12_990, customer, metadata: { order: name }, ...body });
  made[name] = id;
  return id;
}

async function paid(name: string, body: object = {}, paying: object = {}): Promise<string> {
  const id = await charged(name, body);
  await sandbox(`/charges/${id}/pay`, paying);
  return id;
}

const raw = (id: string) => id.replace("ch_", "");

/** A paid charge and its delivery to a receiver that answers like this. */
async function delivered(name: string, reply: object, url = receiver.url): Promise<Loose> {
  receiver.respond = () => reply;
  const endpoint = await subscribe(emulator, url, ["charge.paid"]);
  made[`${name} charge`] = await paid(name);
  await settle(emulator);
  const { data } = (await emulator.call("GET", "/_sandbox/webhooks/deliveries")).body;
  made[name] = data[0].id;
  made[`${name} event`] = data[0].payload.id;
  return endpoint;
}

const remove = (endpoint: Loose) => emulator.call("DELETE", `/v1/webhooks/endpoints/${endpoint.id}`);

async function seed(): Promise<void> {
  const EXPECTING = { expected_payer_tax_id: DOCUMENTS.cpf };
  await charged("expired");
  await charged("late");
  await advance(emulator, 86_400);
  await sandbox(`/charges/${made.late}/pay`);
  await charged("pending");
  await paid("paid");
  await paid("review", EXPECTING, { payer_document: null });
  await paid("other payer", EXPECTING, { payer_document: DOCUMENTS.otherCpf });
  await paid("other amount", {}, { amount: 1000 });
  await charged("refused", { metadata: { _sandbox: { fail: "provider_error" } } });
  await emulator.call("POST", `/v1/payments/${raw(await charged("cancelled"))}/cancel`);
  made.refund = (await refund(emulator, raw(await paid("partly")), { amount: 6495 })).id;
  await refund(emulator, raw(await paid("refunded")));
  await advance(emulator, 60);
  made["new refund"] = (await refund(emulator, raw(await paid("refunding")), { amount: 100 })).id;
  for (const [name, action] of [
    ["open", null],
    ["appealed", "appeal"],
    ["accepted", "accept"],
    ["lost", "decide upheld"],
    ["won", "decide refunded_to_merchant"],
    ["unreturned", "decide closed_without_refund"],
  ] as const) {
    const { id } = await openCase(emulator, { charge_id: await paid(`${name} charge`) });
    made[name] = id;
    if (name === "won" || name === "unreturned") await act(emulator, id, "appeal");
    if (action !== null) await act(emulator, id, action);
  }
  for (const [name, reply, url] of [
    ["ok", { status: 204 }],
    ["broken", { status: 500, body: "quebrado" }],
    ["disbelieving", { status: 401 }],
    ["lost path", { status: 404 }],
    ["redirecting", { status: 302, headers: { location: "/" } }],
    ["busy", { status: 429 }],
    ["refusing", { status: 422, body: "pedido desconhecido" }],
    ["absent", {}, "http://127.0.0.1:9/webhooks"],
  ] as const) {
    await remove(await delivered(name, reply, url));
  }
  await sandbox("/webhooks/chaos", { corrupt_signature: 1 });
  await remove(await delivered("chaotic", { status: 401 }));
  await sandbox("/webhooks/chaos", { corrupt_signature: 0 });
  const off = await delivered("off", { status: 500 });
  await emulator.call("PATCH", `/v1/webhooks/endpoints/${off.id}`, { body: { status: "INACTIVE" } });
  receiver.respond = null;
  made.payout = (await sandbox("/payouts", { amount: 100, pix_key: DOCUMENTS.cpf, pix_key_type: "CPF" })).id;
  for (const request of ["nobody", "conflict"]) made[request] = request;
  await emulator.call("GET", "/v1/wallets", { key: "qa_test_nobody-knows-it", headers: { "x-request-id": "nobody" } });
  const key = { "idempotency-key": freshKey() };
  await emulator.charge({ amount: 7 }, { headers: key });
  const again = { body: { amount: 8, payment_method: "pix" }, headers: { ...key, "x-request-id": "conflict" } };
  await emulator.call("POST", "/v1/charges", again);
  const { data } = (await emulator.call("GET", "/v1/webhooks/deliveries?limit=100")).body;
  errors = data.flatMap(({ lastError }: Loose) => lastError ?? []);
  made.endpoint = off.id;
  made.live = emulator.live;
  made.page = page.url;
  made.stranger = stranger.url;
  made.e2e = (await emulator.call("GET", `/v1/charges/${made.paid}`)).body.settlement.end_to_end_id;
}

beforeAll(async () => {
  await seed();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cli.folder, name), text);
  writeFileSync(join(cli.folder, "proof.png"), PNG);
  writeFileSync(join(cli.folder, "proof.txt"), "texto");
  const rows = [
    ["pending", "paid", 12_990],
    ["paid", "open", 12_990],
    ["refunded", "paid", 12_990],
    ["broken", "refunded", 12_990],
    ["open charge", "paid", 12_990],
    ["ok", "paid", 1],
    ["review", "disputed", 12_990],
    ["unheard", "paid", 1],
  ];
  writeFileSync(
    join(cli.folder, "orders.csv"),
    `order,status,amount\n${rows.map((row) => row.join(",")).join("\n")}\n`,
  );
  writeFileSync(
    join(cli.folder, "ids.csv"),
    `id,status,amount\nch_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)},paid,1\n${made.paid},open,1\n`,
  );
  writeFileSync(join(cli.folder, "same.csv"), `id,status,amount\n${made.paid},paid,1\n${made.paid},paid,1\n`);
}, 60_000);

const wordsOf = (line: string) =>
  line
    .split(" ")
    .map((word) =>
      word.replaceAll("+", " ").replace(/\{([\w ]+)\}/g, (_braces, name: string) => made[name] ?? `no ${name}`),
    );

/** The English that a command line shows. */
async function english(line: string, language: string, options: CliOptions = {}): Promise<string[]> {
  const asked: string[] = [];
  const { out, err } = await cli.run([...wordsOf(line), "--lang", language], { ...options, asked });
  if (messages.length === 0 || /Erro:/.test(err)) {
    const { data } = (await emulator.call("GET", "/_sandbox/requests?limit=100")).body;
    const said = data.flatMap(({ response_body: body }: Loose) => [
      body?.error?.message,
      ...(body?.error?.details ?? []).map(({ message }: Loose) => message),
    ]);
    messages = [...new Set([...messages, ...said.filter((one: unknown) => typeof one === "string")])];
  }
  const text = [...asked, out, err].join("\n");
  if (text.trim() === "") throw new Error(`${line} shows nothing`);
  return englishIn(text, [
    ...messages,
    ...errors,
    ...messages.map((message) => message.replace(/\.$/, "")),
    "Maria Silva",
    APPEAL,
  ]);
}

describe.each(otherLanguages(ENGLISH))("%s", (language) => {
  it.each(LINES.map((line) => [line]))("%s", async (line) => {
    let time = Date.now();
    const now = () => {
      time += 400;
      return time;
    };
    expect(
      await english(
        line.replace(/\{([\w+]+)\}/g, (_braces, name: string) => `{${name}}`),
        language,
        { now },
      ),
    ).toEqual([]);
  });

  it.each(ASKED.map(([line, ...answers]) => [line, answers] as const))("asks for %s", async (line, answers) => {
    made.port = new URL(emulator.url).port;
    made.key = emulator.key;
    const given = answers.map((answer) => (typeof answer === "string" ? (wordsOf(answer)[0] ?? "") : answer));
    expect(await english(line, language, { answers: given, columns: 200 })).toEqual([]);
  });

  it.each(["wallets list", "why {paid}", "payments list"])("a folder without a server: %s", async (line) => {
    const { err } = await cli.run([...wordsOf(line), "--lang", language], {
      env: { QA_PAY_BASE_URL: "", QA_PAY_API_KEY: "" },
    });
    expect([err.startsWith("Erro:"), englishIn(err, [])]).toEqual([true, []]);
  });
});

describe.each(otherLanguages(ENGLISH))("data is the same in %s", (language) => {
  it.each(SAME)("%s", async (line) => {
    const [one, other] = [
      await cli.run([...wordsOf(line), "--lang", ENGLISH]),
      await cli.run([...wordsOf(line), "--lang", language]),
    ];
    const isError = one.out === "";
    const errorIn = ({ err }: CliOutcome) => (isError ? err.replace(/req_[\w-]+/, "req_") : "");
    expect([other.code, other.out, errorIn(other)]).toEqual([one.code, one.out, errorIn(one)]);
    expect(one.out + one.err).not.toBe("");
  });
});
