import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ENGLISH, otherLanguages } from "../../../src/base/kernel/language.js";
import { DOCUMENTS } from "../../support/charges.js";
import type { CliOptions, CliOutcome } from "../../support/cli.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { englishIn } from "../../support/english.js";
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
    if (action !== null && action.startsWith("decide ref")) await act(emulator, id, "appeal");
    if (action !== null && action.startsWith("decide clo")) await act(emulator, id, "appeal");
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
  made["e2e"] = (await emulator.call("GET", `/v1/charges/${made.paid}`)).body.settlement.end_to_end_id;
}

const FILES: Readonly<Record<string, string | Buffer>> = {
  "empty.csv": "",
  "page.csv": "<!doctype html>",
  "no-columns.csv": "a,b\n1,2\n",
  "no-status.csv": "id,order\n1,2\n",
  "unknown.csv": "order,status,amount\n1,QUITADO,1\n2,NOVO,1\n",
  "amount.csv": "order,status,amount\n1,paid,19.90\n",
  "decimal.csv": "order,status,amount\n1,paid,x\n",
  "wide.csv": "order,status,amount\n1,paid,19,90\n",
  "quote.csv": 'order,status,amount\n"1,paid,1\n',
  "middle.csv": 'order,status,amount\n"1"x,paid,1\n',
  "inner.csv": 'order,status,amount\n1"2,paid,1\n',
  "twice.csv": "order,order,status,amount\n1,1,paid,1\n",
  "rounded.csv": "order,status,amount\n1.23457E+14,paid,1\n",
  "blank.csv": "order,status,amount\n1,,1\n",
  "broken.json": '[{"order":"1","status":"paid","amount":1} x',
  "open.json": '[{"order":"1","status":"paid","amount":1}',
  "lines.json": '{"order":"1","status":"paid","amount":1}\nnull\n',
  "object.json": '[{"order":{},"status":"paid","amount":1}]',
  "exact.json": '[{"order":12345678901234567890,"status":"paid","amount":1}]',
  "book.csv": Buffer.from("PK\x03\x04xl/", "latin1"),
  "sheet.csv": Buffer.from("PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "latin1"),
  "ansi.csv": Buffer.from("order,status,amount\nção,paid,1\n\xe7\xe3o\x81,paid,1\n", "latin1"),
  "nul.csv": "order,status,amount\n1\0,paid,1\n",
};

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

/** Names of objects with blanks in them are written with a + in command lines. */
const OBJECTS = [
  "expired",
  "late",
  "pending",
  "paid",
  "review",
  "other+payer",
  "other+amount",
  "refused",
  "cancelled",
  "partly",
  "refunded",
  "open+charge",
  "off+charge",
  "ok+charge",
  "broken+charge",
];
const EXPLAINED = [
  ...OBJECTS,
  "refund",
  "new+refund",
  "payout",
  "open",
  "appealed",
  "accepted",
  "lost",
  "won",
  "unreturned",
  "ok",
  "ok+event",
  "broken",
  "disbelieving",
  "lost+path",
  "redirecting",
  "busy",
  "refusing",
  "absent",
  "chaotic",
  "off",
  "nobody",
  "conflict",
];

const LINES = [
  ...OBJECTS.flatMap((name) => [`charges get {${name}}`, `payments get {${name}}`]),
  ...EXPLAINED.map((name) => `why {${name}}`),
  "why partly",
  "why no-such-order",
  "why ch_00000000-0000-7000-8000-000000000000",
  "why {paid} --base-url {page} --api-key qa_test_x",
  "why {paid} --utc",
  "charges list",
  "charges list --limit 2",
  "charges list --all",
  "charges list --status expired",
  "charges list --created-after 2099-01-01",
  "charges create --amount 1990",
  "charges create --amount 19,90",
  "charges create --amount x",
  "charges create",
  "charges create --amount 0",
  "charges create --amount 1990 --expires-in 1.5s",
  "charges create --amount 1990 --metadata nope",
  "charges create --amount 1990 --metadata @nope.json",
  "charges create --amount 1990 --idempotency-key ç",
  "charges get {pending} --wait-for paid --timeout 1s",
  "charges get {expired} --wait-for paid",
  "charges get {pending} --wait-for nope",
  "charges get {pending} --timeout 1s",
  "charges get {pending} --watch --timeout 1s",
  "charges get",
  "charges get ch_1",
  "charges get nope",
  "charges get http://127.0.0.1:1/console/mail/1",
  "charges get http://127.0.0.1:1/nope",
  "charges get http://127.0.0.1:1/console/charges/{paid}",
  "charges get {paid} extra",
  "charges get {paid} mais palavras",
  "charges get {paid} --nope",
  "charges get {paid} --lnag",
  "charges gte",
  "chrges get",
  "refund",
  "charges list --status nope",
  "charges list --limit",
  "charges list --columns nope",
  "charges list --columns amuont",
  "charges list --columns ,",
  "payments list",
  "payments list --start-date ontem --end-date hoje",
  "payments list --start-date amanhã",
  "payments list --limit 1",
  "payments stats",
  "payments metrics",
  "payments find maria",
  "payments find 129,90",
  "payments find maria 1,00",
  "payments find {e2e}",
  "payments find ninguém",
  "payments find {paid}",
  "payments find +",
  "payments find maria --start-date 01/01/2099",
  "payments refund {partly} --amount 100",
  "payments refund {partly} --amount 99999",
  "payments refund {refunded}",
  "payments refunds {partly}",
  "payments refunds {paid}",
  "payments cancel {pending} --dry-run",
  "payments cancel {paid}",
  "payments resend-webhook {paid}",
  "payments provider-status {paid}",
  "payments receipt {paid}",
  "payments receipt {paid} --output nope/receipt.pdf",
  "payments receipt {paid} --output - --open",
  "payments create --amount 100 --payment-methods pix",
  "payments create --amount 100 --payment-methods PIX,BOLETOO",
  "wallets balance",
  "wallets list",
  "wallets list --api-key qa_test_wrong",
  "wallets list --api-key qa_test_a+b",
  "wallets list --base-url {page} --api-key qa_test_x",
  "wallets list --base-url {stranger} --api-key qa_test_x",
  "wallets list --base-url http://127.0.0.1:9 --api-key qa_test_x",
  "wallets list --base-url 127.0.0.1:9",
  "wallets list --base-url http://a@b",
  "wallets list --base-url {page}/v1 --api-key qa_test_x",
  "wallets list --profile nope",
  "wallets list --request-timeout 5",
  "med list",
  "med list --status open",
  "med list --created-after ontem",
  ...["open", "appealed", "accepted", "lost", "won", "unreturned"].map((name) => `med get {${name}}`),
  "med get med_1",
  "med get {open} --wait-for closed --timeout 1s",
  "med appeal {open}",
  "med appeal {lost} --reason entregue+e+assinado",
  "med evidence list {open}",
  "med evidence add {open} proof.png",
  "med evidence add {open} proof.txt",
  "med evidence add {open} nope.png",
  "med evidence list {open}",
  "med evidence upload {open} --file-name a.png --file-size 9 --mime-type image/png",
  "webhooks deliveries",
  "webhooks deliveries --status FAILED",
  "webhooks deliveries --limit 1",
  "reconcile orders.csv",
  "reconcile ids.csv",
  "reconcile orders.csv --from 31/12/2099",
  "reconcile orders.csv --from hoje --to ontem",
  "reconcile orders.csv --from amanhã",
  "reconcile nope.csv",
  "reconcile .",
  "reconcile same.csv",
  "reconcile orders.csv --map nope",
  "reconcile orders.csv --map idd=x",
  "reconcile orders.csv --status paid=a --status open=a",
  "reconcile orders.csv --status paid=a=b",
  "reconcile orders.csv --amounts reais",
  "reconcile decimal.csv --amounts decimal",
  "reconcile orders.csv --base-url {page} --api-key qa_test_x",
  ...Object.keys(FILES).map((name) => `reconcile ${name}`),
];

/** Command lines at a terminal, with the answers of the person. */
const ASKED: readonly (readonly [line: string, ...answers: (string | boolean)[]])[] = [
  ["charges create", "19.90", "R$ 0", "x", "19,90", "Pedido", ""],
  ["charges get", "{busy+charge}"],
  ["payments get", "Maria"],
  ["med get", "{unreturned}"],
  ["charges create --amount 7 --api-key {live}", true],
  ["charges create --amount 7 --customer-name Maria --api-key {live}", false],
  ["payments create --amount 7 --api-key {live}", false],
  ["payments create --amount 7 --customer-name Maria --api-key {live}", false],
  ["webhooks endpoints create --url https://a.example/x --api-key {live}", false],
  ["keys issue --label x --base-url http://0.0.0.0:{port}", false],
  ["sandbox reset", false],
  ["sandbox clock advance 1h --base-url http://0.0.0.0:{port} --api-key {key}", false],
  ["sandbox pay {pending} --base-url http://0.0.0.0:{port} --api-key {key}", false],
  ["api POST /v1/nope --api-key {live} --data {}", false],
  ...[
    "payments refund {partly} --amount 100",
    "payments refund {partly}",
    "payments refund {partly} --destination-key maria@example.com --destination-key-type email",
    "payments cancel {pending}",
    "payments resend-webhook {paid}",
    "med accept {open}",
    "med appeal {open} --reason entregue+e+assinado",
    "med evidence add {open} proof.png",
    "webhooks endpoints update {endpoint} --status ACTIVE",
    "webhooks endpoints delete {endpoint}",
    "webhooks endpoints rotate-secret {endpoint}",
  ].map((line) => [`${line} --base-url http://0.0.0.0:{port} --api-key {key}`, false] as const),
];

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

const SAME = [
  ...["--json", "--output csv", "--output jsonl", "--excel", "--output csv --columns id,status"].flatMap((form) =>
    ["charges list", "payments list", "payments find maria", "med list", "webhooks deliveries"].map(
      (list) => `${list} ${form}`,
    ),
  ),
  ...OBJECTS.flatMap((name) => [`charges get {${name}} --json`, `why {${name}} --json`]),
  ...["refund", "payout", "lost", "broken", "chaotic", "conflict"].map((name) => `why {${name}} --json`),
  "payments stats --json",
  "wallets balance --json",
  "med get {open} --json",
  "reconcile orders.csv --json",
  "reconcile ids.csv --json",
  "reconcile nope.csv --json",
  "charges get ch_1 --json",
  "charges get {paid} --nope --json",
  "charges list --columns nope --output csv --json",
  "wallets list --base-url http://127.0.0.1:9 --api-key qa_test_x --json",
];

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
