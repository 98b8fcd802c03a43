import { describe, expect, it } from "vitest";
import { words } from "../../../src/base/db/columns/rule.js";
import { isCnpj, isCpf, maskTaxId, withCheckDigits } from "../../../src/base/kernel/tax-id.js";
import { brCode, crc16, readFields } from "../../../src/base/pix/br-code.js";
import { MASKED, maskStory, withoutKeys } from "../../../src/checks/incident/mask.js";
import { ROW_RULES } from "../../../src/emulator/snapshots/rows/rules.js";
import { STORY_TABLES, type StoryRows } from "../../../src/service/features/timeline/story.js";
import { chanceOf } from "../../simulation/chance.js";

/** Personal data in a story, wherever it stands, is replaced. */

const NONE: StoryRows = {};
const SECRET = "of one file";
const draw = (code: string) => `image of ${code}`;

/** The metadata of a charge, masked beside a transaction with these columns. */
function metadataOf(value: unknown, columns: Record<string, string> = {}): unknown {
  const rows = { transactions: [{ ...columns, metadata: JSON.stringify(value) }] };
  const made = maskStory({ rows, summary: [] }, SECRET, draw).rows.transactions?.[0]?.metadata;
  return JSON.parse(String(made));
}

describe("a text", () => {
  it.each([
    ["a CPF", "52998224725", isCpf],
    ["a CPF with its signs", "529.982.247-25", isCpf],
    ["a CNPJ", "11222333000181", isCnpj],
    ["a CNPJ with letters and signs", "12.ABC.345/01DE-35", isCnpj],
  ])("loses %s, and has a valid one of the same form", (_what, document, isValid) => {
    const told = String(metadataOf(`it is ${document} and again ${document}`));
    const [, one = "", other = ""] = /^it is (\S+) and again (\S+)$/.exec(told) ?? [];
    const form = (text: string) => text.replace(/\d/g, "0").replace(/[A-Z]/g, "A");
    expect([one, isValid(other), form(other)]).toEqual([other, true, form(document)]);
    expect(other).not.toBe(document);
  });

  it.each(["+55 11 98765-4321", "(11) 98765-4321", "11987654321", "5511987654321", "11 3456-7890", "+351912345678"])(
    "loses the phone %s and keeps its form",
    (phone) => {
      const made = String(metadataOf(`call ${phone} now`));
      expect(made).not.toContain(phone);
      expect(made.replace(/\d/g, "0")).toBe(`call ${phone} now`.replace(/\d/g, "0"));
    },
  );

  it.each([
    "ch_019f1e31-ad80-700b-8003-3b5f5a4815a1",
    "2026-11-26T08:07:29.257Z",
    "E99999010202611230845zCccG7T3vJ0",
    "12345678900",
    "order 4711 of R$ 1.234,56",
    "1.0.0 at 127.0.0.1:4600",
  ])("keeps what is of nobody: %s", (text) => {
    expect(metadataOf(text)).toBe(text);
  });

  it("loses a name as people write it, whole and in words, and no word of the service", () => {
    const name = { customer_name: "João Pago da Conceição" };
    const made = metadataOf(
      { a: "JOAO  PAGO DA CONCEICAO", b: "thanks, João!", c: "joao.pago.da.conceicao", d: "a song for conceição" },
      name,
    );
    expect(JSON.stringify(made)).not.toMatch(/jo[aã]o|pago|concei[cç][aã]o/i);
    const rows = { transactions: [name], events: [{ data: '{"status":"PAGO","object":"pago"}' }] };
    expect(maskStory({ rows, summary: [] }, SECRET, draw).rows.events).toEqual(rows.events);
  });

  it("keeps a BR Code valid, with another merchant and a new image", () => {
    const code = brCode({
      payloadUrl: "pix.test/qr/1",
      amount: 100,
      merchantName: "Padaria do Zé e dos seus irmãos",
      merchantCity: "Olinda",
    });
    const pix = { br_code: code, qr_code_base64: "iVBORw0KGgoAAA" };
    const rows = {
      accounts: [{ name: "Padaria do Zé e dos seus irmãos" }],
      events: [{ data: JSON.stringify({ pix, told: `pay ${code} now` }) }],
    };
    const clean = maskStory({ rows, summary: [] }, SECRET, draw).rows;
    const { pix: made, told } = JSON.parse(String(clean.events?.[0]?.data));
    expect(made.br_code).toContain(String(clean.accounts?.[0]?.name));
    expect(made.br_code).not.toMatch(/Padaria|Olinda/);
    expect(readFields(made.br_code).rest).toBe("");
    expect(crc16(made.br_code.slice(0, -4))).toBe(made.br_code.slice(-4));
    expect([told, made.qr_code_base64]).toEqual([`pay ${made.br_code} now`, `image of ${made.br_code}`]);
  });
});

it("a document of which a part is hidden stays that of the whole one", () => {
  const rows = {
    transactions: [{ payer_document: "52998224725" }],
    events: [{ data: '{"payerDocument":"***.982.247-**"}' }],
  };
  const made = maskStory({ rows, summary: [] }, SECRET, draw).rows;
  const whole = String(made.transactions?.[0]?.payer_document);
  expect(made.events).toEqual([{ data: JSON.stringify({ payerDocument: maskTaxId(whole) }) }]);
});

it("an address keeps its host, and loses user, query and tokens, wherever it appears", () => {
  const url = "https://user:pass@shop.test/hooks/0123456789abcdef01234567?token=hidden#x";
  const rows = {
    endpoints: [{ url }],
    delivery_attempts: [{ body: `no /hooks/0123456789abcdef01234567?token=hidden` }],
  };
  const made = withoutKeys({ rows, summary: [`sent to ${url}`] });
  expect(made.rows.endpoints).toEqual([{ url: "https://shop.test/hooks/token" }]);
  expect(JSON.stringify(made)).not.toMatch(/hidden|user|pass|0123456789abcdef/);
});

it("an address with an API key in its query loses the whole query, wherever it appears", () => {
  const url = "https://shop.test/hooks?token=hidden&apikey=qa_live_0123456789abcdefgh";
  const rows = { deliveries: [{ target_url: url, last_error: `no answer of ${url}` }] };
  const made = withoutKeys({ rows, summary: [`sent to ${url}`] });
  const clean = "https://shop.test/hooks";
  expect(made.rows.deliveries).toEqual([{ target_url: clean, last_error: `no answer of ${clean}` }]);
  expect(made.summary).toEqual([`sent to ${clean}`]);
});

it("an address keeps the ids of the story, and loses any other id: that may be a token", () => {
  const id = "019f1e31-ad80-700b-8003-3b5f5a4815a1";
  const rows = {
    transactions: [{ id, webhook_url: `https://shop.test/ch_${id}/019f1e31-ad80-700b-8003-3b5f5a4815a2` }],
    deliveries: [{ target_url: `https://shop.test/of-${id}-0123456789abcdef01234567` }],
  };
  const made = maskStory(withoutKeys({ rows, summary: [] }), SECRET, draw).rows;
  expect(made.transactions).toEqual([{ id, webhook_url: `https://shop.test/ch_${id}/token` }]);
  expect(made.deliveries).toEqual([{ target_url: "https://shop.test/token" }]);
});

it("nothing of thirty random persons is left", () => {
  const { fraction: random } = chanceOf(20_261_126);
  const pick = (from: string) => from[Math.floor(random() * from.length)] ?? "";
  const word = () => pick("BCDFGHJKLMNPQRSTVWXZ") + Array.from({ length: 6 }, () => pick("aeioubcdfgwxyz")).join("");
  const digits = (count: number) => Array.from({ length: count }, () => pick("123456789")).join("");
  for (let turn = 0; turn < 30; turn += 1) {
    const person = {
      customer_name: `${word()} ${word()}`,
      customer_document: withCheckDigits(digits(9)),
      customer_email: `${word()}@${word()}.com`.toLowerCase(),
      customer_phone: `+55119${digits(8)}`,
      payer_name: word() + word(),
      payer_document: withCheckDigits(digits(12)),
    };
    const values = Object.values(person);
    const note = values.sort(() => random() - 0.5).join(pick(" ,;/|"));
    const rows: StoryRows = {
      transactions: [{ ...person, metadata: JSON.stringify({ note, [person.customer_email]: note }) }],
      events: [{ data: JSON.stringify({ metadata: { note: note.toUpperCase() } }) }],
      delivery_attempts: [{ body: `{"error": "${note}` }],
      emails: [{ recipient: person.customer_email, text: note, html: `<p>${note}</p>`, subject: person.payer_name }],
    };
    const text = JSON.stringify(maskStory({ rows, summary: [`paid by ${note}`] }, `${turn}`, draw)).toLowerCase();
    const parts = [...values, ...person.customer_name.split(" "), person.customer_phone.slice(3)];
    for (const one of parts) expect([one, text.includes(one.toLowerCase())]).toEqual([one, false]);
  }
});

it("every column for words or JSON is masked, or is one of ours", () => {
  const OURS = [
    ...["history.cause", "history.subject", "transactions.provider_reference", "jobs.subject"],
    ...["delivery_attempts.signature", "delivery_attempts.user_agent"],
  ];
  const isOpen = (rule: { sql: (column: string) => string }) =>
    rule.sql("x").includes(words.sql("x")) && !/GLOB|IN \('/.test(rule.sql("x"));
  const open = STORY_TABLES.flatMap((table) =>
    Object.entries(ROW_RULES[table]?.columns ?? {}).flatMap(([column, rule]) =>
      isOpen(rule) ? [[table, column]] : [],
    ),
  );
  expect(open.length).toBeGreaterThan(20);
  const missing = open.filter(([table = "", column = ""]) => MASKED[table]?.[column] === undefined);
  expect(missing.map((one) => one.join(".")).sort()).toEqual(OURS.sort());
});

it("a story without rows stays one", () => {
  expect(maskStory({ rows: NONE, summary: [] }, SECRET, draw)).toEqual({ rows: {}, summary: [] });
});
