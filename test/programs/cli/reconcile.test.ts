import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Books, FORMS, makeBooks } from "../../support/books.js";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `reconcile`: the orders of a shop against the payments of any host, by reading alone. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli();
let host: Host;
let books: Books;
/** The requests that came to the host, as `GET /v1/payments?…`. */
let asked: string[] = [];
/** Answers of the host instead, once for each: "drop" is no answer, null the usual one. */
let instead: ({ status: number; body: object; headers?: Record<string, string> } | "drop" | null)[] = [];

/** A host that has nothing but `/v1`, with the payments of the emulator. */
async function startService(): Promise<Host> {
  return startHost(async ({ method, url = "" }, outgoing) => {
    asked.push(`${method} ${url}`);
    const other = instead.shift();
    if (other === "drop") return void outgoing.destroy();
    const { status, body } =
      other ?? (url.startsWith("/v1/") ? await emulator.call("GET", url) : { status: 404, body: "" });
    outgoing.writeHead(status, { "content-type": "application/json", ...other?.headers }).end(JSON.stringify(body));
  });
}

beforeAll(async () => {
  books = await makeBooks(emulator, 3);
  host = await startService();
  const live = ["--base-url", host.url, "--api-key", "qa_live_0123456789abcdef", "--read-only"];
  await cli.run(["profiles", "add", "prod", ...live]);
});
afterAll(async () => {
  await host.close();
});
beforeEach(() => {
  asked = [];
  instead = [];
});

const reconcile = (words: readonly string[], options: CliOptions = {}) =>
  cli.run(["reconcile", ...words, "--profile", "prod"], options);

function saved(text: string, name = "orders"): string {
  writeFileSync(join(cli.folder, name), text);
  return name;
}

/** Differences as `code order-or-id`, the way in which they were planted. */
const named = ({ differences }: Loose): string[] =>
  differences.map(({ code, order, id }: Loose) => `${code} ${code === "unknown_payment" ? id : order}`).sort();

describe.each(Object.entries(FORMS))("orders as %s", (_name, { text, flags }) => {
  it("reports every planted difference and no other, by GET alone, through a read-only profile with a live key", async () => {
    const { code, out, err } = await reconcile([saved(text(books.rows)), ...flags, "--json"]);
    expect([code, err]).toEqual([1, ""]);
    const told = JSON.parse(out);
    expect(named(told)).toEqual(books.planted);
    expect(told.checked).toBe(books.rows.length);
    const unmatched = told.differences.filter((one: Loose) => one.code !== "unknown_payment").length;
    expect(told.matched).toBe(books.rows.length - unmatched);
    expect(Object.values<number>(told.counts).reduce((sum, count) => sum + count)).toBe(books.planted.length);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((line) => !line.startsWith("GET /v1/payments?"))).toEqual([]);
  });
});

it("reads the same from standard input, in pieces of any size", async () => {
  const bytes = Buffer.from(JSON.stringify(books.rows));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7));
  const streams = { input: Readable.from(pieces), output: process.stdout };
  const { out } = await reconcile(["-", "--json"], { streams });
  expect(named(JSON.parse(out))).toEqual(books.planted);
});

it("ends when it is stopped while standard input stays open without data", async () => {
  const input = new PassThrough();
  input.write("id,order,status,amount\n");
  const onStop: CliOptions["onStop"] = (callback) => setImmediate(() => callback("SIGTERM"));
  const { code, err } = await reconcile(["-"], { streams: { input, output: process.stdout }, onStop });
  expect([code, err]).toEqual([1, expect.stringContaining("Stopped before everything was compared.")]);
});

it("every difference has a sentence, both sides, and a command that runs", async () => {
  const { out } = await reconcile([saved(JSON.stringify(books.rows)), "--json"], { program: "npx qa-pay" });
  const { differences } = JSON.parse(out);
  const commands = new Map<string, string>(differences.map(({ code, command }: Loose) => [code, command]));
  expect(commands.size).toBe(9);
  for (const { code, text, command, shop, service } of differences) {
    expect(text).toMatch(/^[A-Z].*\.$/s);
    expect(command).toMatch(/^npx qa-pay .* --profile prod$/s);
    expect([code, shop === null]).toEqual([code, code === "unknown_payment"]);
    if (service !== null) expect(service).toEqual({ status: expect.any(String), amount: expect.any(Number) });
  }
  for (const command of commands.values()) {
    const words = command
      .replace(/'([^']*)'/g, (_all, quoted) => quoted.replaceAll(" ", "\u0000"))
      .split(" ")
      .slice(2);
    const { code, err } = await cli.run(words.map((word) => word.replaceAll("\u0000", " ")));
    expect([command, code, err.includes("rror")]).toEqual([command, 0, false]);
  }
});

it("says that all is well, with exit 0", async () => {
  const agreeing = books.rows.filter(({ order }) => books.planted.every((line) => !line.endsWith(` ${order}`)));
  const [from, to] = ["2001-01-01", "2001-01-02"];
  const { code, out } = await reconcile([saved(JSON.stringify(agreeing)), "--from", from, "--to", to]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^\d+ orders and \d+ payments compared in \d+ ms\. \d+ agree\.\n$/),
  ]);
});

it("shows a person what differs and what to run", async () => {
  const { id } = await emulator.charge({ amount: 1990 });
  const rows = `id,order,status,amount\n${id},4711,paid,1990\n`;
  const span = ["--from", "2001-01-01", "--to", "2001-01-02"];
  const { code, out } = await reconcile([saved(rows), ...span]);
  expect(code).toBe(1);
  expect(out.split("\n").slice(0, 3)).toEqual([
    "✗ unearned_order",
    "  Order 4711 is paid in the shop, but pending at the service.",
    `  qa-pay why ${id} --profile prod`,
  ]);
  expect(out).toMatch(/\n\n1 order and 1 payment compared in .* 0 agree\. 1 difference: 1 unearned_order\.\n$/);
});

describe("a span of time", () => {
  it("limits the payments that must be in a row, and few others are read one by one", async () => {
    const [row] = books.rows.filter(
      ({ id, order, status }) => id !== "" && status === "paid" && !books.planted.some((line) => line.endsWith(order)),
    );
    const { code, out } = await reconcile([saved(JSON.stringify([row])), "--to", "2001-01-01T00:00:00Z", "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([0, { checked: 1, matched: 1, differences: [] }]);
    expect(asked).toEqual([
      "GET /v1/payments?page=1&limit=100&sortBy=createdAt&sortOrder=asc&endDate=2001-01-01T00%3A00%3A00.000Z",
      expect.stringMatching(/^GET \/v1\/payments\/[0-9a-f-]{36}$/),
    ]);
  });

  it("does not hide the payment of an order without an id", async () => {
    const { amount } = await emulator.charge({ amount: 777, metadata: { order: "without an id" } });
    const rows = [{ order: "without an id", status: "open", amount }];
    const { code } = await reconcile([saved(JSON.stringify(rows)), "--from", "2999-01-01", "--json"]);
    expect(code).toBe(0);
    const paid = [{ order: "without an id", status: "paid", amount }];
    const { out } = await reconcile([saved(JSON.stringify(paid)), "--from", "2999-01-01", "--json"]);
    expect(JSON.parse(out).differences).toMatchObject([
      { code: "unearned_order", service: { status: "pending", amount } },
    ]);
  });

  it("is refused when it ends before it begins, and nothing is sent", async () => {
    const { code, err } = await reconcile([saved("[]"), "--from", "2026-02-01", "--to", "2026-01-31"]);
    expect([code, err, asked]).toEqual([2, "Error: --from is later than --to.\n", []]);
  });
});

it("--order-field names the field with the order", async () => {
  await emulator.charge({ amount: 500, metadata: { cart: { number: 12 }, order: "other" } });
  const rows = "order,status,amount\n12,paid,500\n";
  const sides = async (...flags: string[]) => {
    const { out } = await reconcile([saved(rows), "--from", "2999-01-01", "--json", ...flags]);
    return JSON.parse(out).differences.map(({ service }: Loose) => service);
  };
  expect(await sides("--order-field", "metadata.cart.number")).toEqual([{ status: "pending", amount: 500 }]);
  expect(await sides()).toEqual([null]);
});

it("--junit writes a case for each difference and each kind without any", async () => {
  const { code } = await reconcile([saved(JSON.stringify(books.rows)), "--junit", "books.xml"]);
  const xml = readFileSync(join(cli.folder, "books.xml"), "utf8");
  expect(code).toBe(1);
  expect(xml).toContain('testsuite name="qa-pay reconcile"');
  expect(xml.match(/<failure /g)).toHaveLength(books.planted.length);
});

it("waits while the service limits the rate, and requests the page again", async () => {
  const limited = { error: { type: "rate_limit_error", code: "rate_limited", message: "Slow." }, request_id: "req_1" };
  instead = [{ status: 429, body: limited, headers: { "retry-after": "3" } }];
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const { code } = await reconcile([saved("[]"), "--json"], { pause });
  expect([code, pauses]).toEqual([1, [3_000]]);
});

const failing = (status: number, code: string, type: string) => ({
  ...{ status, body: { error: { type, code, message: "No." }, request_id: "req_1" } },
});
const unavailable = failing(503, "service_unavailable", "api_error");

/** The pages of the list, and how often each was requested. */
function pagesAsked(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of asked) counts[line] = (counts[line] ?? 0) + 1;
  return counts;
}

it("requests a page again after a 5xx and a lost connection, and compares as without them", async () => {
  const words = [saved(JSON.stringify(books.rows)), "--json"];
  const usual = await reconcile(words);
  const usualPages = Object.keys(pagesAsked());
  expect(usualPages.length).toBeGreaterThan(1);
  asked = [];
  instead = [null, unavailable, "drop"];
  const pauses: number[] = [];
  const { code, out } = await reconcile(words, { pause: async (ms) => void pauses.push(ms) });
  expect([code, JSON.parse(out)]).toEqual([1, JSON.parse(usual.out)]);
  expect(pagesAsked()).toEqual(Object.fromEntries(usualPages.map((page, at) => [page, at === 1 ? 3 : 1])));
  expect(pauses).toHaveLength(2);
});

it("ends with 7 and without a comparison when a page does not come after all tries", async () => {
  instead = [null, ...Array.from({ length: 3 }, () => unavailable)];
  const { code, out } = await reconcile([saved(JSON.stringify(books.rows)), "--json"]);
  expect([code, out, asked.length]).toEqual([7, "", 4]);
});

it.each([
  [401, "unauthorized", "authentication_error", 3],
  [503, "service_unavailable", "api_error", 7],
])("a host that answers %s ends it with the exit code of that", async (status, code, type, exit) => {
  instead = [failing(status, code, type)];
  expect((await reconcile([saved("[]")])).code).toBe(exit);
});

it.each([{ data: 1 }, { data: [{}], total: 1, page: 1, limit: 100 }])(
  "a host that answers %j is none (exit 7)",
  async (body) => {
    instead = [{ status: 200, body }];
    expect((await reconcile([saved("[]")])).code).toBe(7);
  },
);

describe("what is refused with exit 2, before anything is sent", () => {
  it.each([
    ["a missing file", ["nowhere.csv"], "The file nowhere.csv cannot be read: there is no such file."],
    ["a folder", ["."], "The file . cannot be read: it is a folder."],
    ["a column that does not exist", ["orders", "--map", "ids=a"], "--map knows id, order, status, amount, not ids."],
    ["a map that is no pair", ["orders", "--map", "id"], "--map takes pairs such as id=…, not id."],
    [
      "a state that does not exist",
      ["orders", "--status", "payed=x"],
      "--status knows paid, open, refunded, disputed, cancelled, not payed.",
    ],
    ["states in one flag", ["orders", "--status", "paid=x,open=y"], "--status may be used once for each state"],
    [
      "a word with two meanings",
      ["orders", "--status", "paid=x", "--status", "open=X"],
      "The word x cannot mean both paid and open.",
    ],
    ["a wrong instant", ["orders", "--from", "tomorrow"], "--from takes"],
    ["a report that cannot be written", ["orders", "--junit", "/dev/null/x.xml"], "/dev/null/x.xml cannot be written"],
  ])("%s", async (_name, words, message) => {
    saved("[]");
    const { code, out, err } = await reconcile(words);
    expect([code, out, asked]).toEqual([2, "", []]);
    expect(err).toContain(message);
  });

  it.each([
    ["an empty file", "", "line 1: The file is empty."],
    ["no column for states", "id,order,amount\n", "line 1: There is no column status, only id, order, amount."],
    [
      "neither ids nor orders",
      "a,status,amount\n",
      "line 1: There is neither a column id nor a column order, only a, status, amount.",
    ],
    ["an unknown state", "id,status,amount\nx,paid,1\ny,bezahlt,1\n", "line 3: The status bezahlt is not known."],
    ["no state", "id,status,amount\nx,,1\n", "line 2: The row has no status."],
    [
      "a decimal amount",
      "id,status,amount\nx,paid,19.90\n",
      "line 2: The amount 19.90 is no whole number of centavos.",
    ],
    [
      "two rows of one id",
      "id,status,amount\na,open,1\nb,open,1\nch_A,open,1\n",
      "line 4: The id a appears twice: 2 has it too.",
    ],
    ["a row with too few cells", "id,status,amount\nx,paid\n", "line 2: The row has another number of columns"],
    ["a quote that never closes", 'id,status,amount\nx,paid,1\n"y,paid,1\n', "A quote is opened and never closed."],
    ["two columns of one name", "id,status,status,amount\n", "line 1: Two columns have the name status."],
    [
      "broken JSON lines",
      '{"id":"a","status":"paid","amount":1}\n{"id":}\n',
      'line 2: This is no JSON object: {"id":}',
    ],
    ["an array without its end", '[\n{"id":"a","status":"paid","amount":1}\n', "line 3: The JSON array is incomplete"],
    [
      "an array without a comma",
      '[{"id":"a","status":"paid","amount":1}\n{}]',
      "line 2: This is no JSON: expected a comma",
    ],
    ["rows that are no objects", "[1]", "line 1: This is no JSON: expected an object"],
    ["JSON without amounts", '[{"id":"a","status":"paid"}]', "line 1: There is no column amount."],
  ])("%s", async (_name, text, message) => {
    const { code, out, err } = await reconcile([saved(text)]);
    expect([code, out, asked]).toEqual([2, "", []]);
    expect(err).toContain(message);
  });

  it("bytes of no encoding, with their line and the entry of Excel that saves them right", async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `${at},paid,1\n`).join("");
    writeFileSync(join(cli.folder, "bytes.csv"), Buffer.from(`order,status,amount\n${rows}\x81,paid,1\n`, "latin1"));
    const { code, err } = await reconcile(["bytes.csv"]);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain("bytes.csv, line 502: This line is neither in UTF-8 nor in Windows-1252 (ANSI).");
    expect(err).toContain("Excel with File > Save As > CSV UTF-8 (Comma delimited)");
  });

  it("all words that are not known at once, each with its line", async () => {
    const { code, err } = await reconcile([saved("order,status,amount\n1,faturado,1\n2,pago,1\n3,NOVO,1\n")]);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain(
      "Error: orders, line 2: The status faturado is not known. Nor are these: NOVO (line 4).\n" +
        "Say what your words mean, such as --status paid=PAGO,settled --status open=NOVO.\n",
    );
  });
});

describe("a file of a spreadsheet", () => {
  const day = ["--from", "2999-01-01", "--json"];

  it("finds a payment by its id as people paste it, and by an order that is kept as a text", async () => {
    const { id } = await emulator.charge({ amount: 1990, metadata: { order: "S\u00e3o-4711" } });
    for (const row of [
      `\u200b${id}\u2060;x`,
      `\`${id}\`;x`,
      `${id.replaceAll("-", "\u2011")};x`,
      `;="S\u00e3o-4711"`,
    ]) {
      const text = `\ufeffsep=;\r\nPedidos\r\nid;order;status;amount\r\n${row};aguardando;1990\r\n`;
      writeFileSync(join(cli.folder, "excel.csv"), Buffer.from(text, "utf16le"));
      const { code, out } = await reconcile(["excel.csv", ...day]);
      expect([code, JSON.parse(out).differences]).toEqual([0, []]);
    }
  });

  it.each(["json", "lines", "csv"])("keeps the digits of orders that JavaScript would round, as %s", async (form) => {
    const [first, second] = ["9007199254740992", "9007199254740993"];
    await emulator.charge({ amount: 1990, metadata: { order: first } });
    const files: Record<string, string> = {
      json: `[{"order":${second},"status":"paid","amount":1990}]`,
      lines: `{"order":${second},"status":"paid","amount":1990}`,
      csv: `order,status,amount\n${second},paid,1990\n`,
    };
    const { code, out } = await reconcile([saved(files[form] ?? ""), ...day]);
    expect(code).toBe(1);
    expect(JSON.parse(out).differences).toMatchObject([
      { code: "unearned_order", order: second, text: expect.stringContaining(`no payment of order ${second}`) },
    ]);
  });

  it("keeps the digits of an order that the host answers as a number", async () => {
    const payment = { id: "01a216ee-5a37-700b-9443-85d16b761051", status: "PAID", amount: 1, currency: "BRL" };
    const listed = {
      ...payment,
      createdAt: "2026-11-01T00:00:00.000Z",
      paymentMethods: ["PIX"],
      metadata: { order: 0 },
    };
    const body = JSON.stringify({ data: [listed], total: 1, page: 1, limit: 100 });
    const stranger = await startHost((_request, outgoing) => {
      const digits = body.replace('"order":0', '"order":9007199254740993');
      outgoing.writeHead(200, { "content-type": "application/json" }).end(digits);
    });
    const flags = ["--base-url", stranger.url, "--api-key", "qa_test_0123456789abcdef", "--json"];
    const asRow = (order: string) => saved(`[{"order":${order},"status":"paid","amount":1}]`);
    expect((await cli.run(["reconcile", asRow("9007199254740993"), ...flags])).code).toBe(0);
    const { out } = await cli.run(["reconcile", asRow("9007199254740992"), ...flags]);
    expect(named(JSON.parse(out))).toEqual([
      "unearned_order 9007199254740992",
      "unknown_payment ch_01a216ee-5a37-700b-9443-85d16b761051",
    ]);
    await stranger.close();
  });
});

it("unknown_payment names the order of its metadata", async () => {
  const { id } = await emulator.charge({ amount: 1990, metadata: { order: "4712" } });
  await emulator.sandbox(`/charges/${id}/pay`);
  const { out } = await reconcile([saved("[]"), "--json"]);
  const texts = JSON.parse(out).differences.map(({ text }: Loose) => text);
  expect(texts).toContain(`R$ 19,90 was paid with ${id} for order 4712, but no row has this payment.`);
});

it("--dry-run shows the first request and reads no file", async () => {
  const { code, out } = await reconcile(["nowhere.csv", "--dry-run", "--json"]);
  expect([code, JSON.parse(out), asked]).toMatchObject([0, { method: "GET" }, []]);
});
