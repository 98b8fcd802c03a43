import { beforeAll, describe, expect, it } from "vitest";
import { SEARCHED_PAYMENTS } from "../../../../src/service/features/transactions/search.js";
import { issue, tokenOf } from "../../../support/access.js";
import { DOCUMENTS } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { addEvidence, openCase } from "../../../support/med.js";
import { REQUESTS } from "../../../support/payments.js";
import { advanceRefund, paidPayment, refund } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { shared, sharedCli, sharedEmulator } from "../../../support/shared.js";
import { columnOf, openFile } from "../../../support/sqlite.js";
import { subscribe } from "../../../support/webhooks.js";

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
/** The objects of the searches, by the names that the tests give them. */
const made: Record<string, Loose> = {};

async function makeObjects(): Promise<void> {
  made.endpoint = await subscribe(emulator, "http://127.0.0.1:9/hooks/pedidos", ["charge.paid"]);
  const maria = await emulator.charge({
    amount: 876_543,
    customer: {
      name: "Maria José da Conceição",
      email: "maria.jose@loja.example",
      phone: "+5511987654321",
      id: "c-77",
    },
    metadata: { order: "PED-4711", nota: 'Açaí "grande"', inner: { deep: ["x", "flor de lis"] } },
  });
  made.open = maria;
  const joao = await emulator.charge({
    amount: 7_001,
    customer: { name: "João", document: DOCUMENTS.cpfPunctuated },
  });
  await emulator.sandbox(`/charges/${joao.id}/pay`, {
    payer_name: "Zé Pagador",
    payer_document: DOCUMENTS.alphanumericCnpjPunctuated,
  });
  made.paid = (await emulator.call("GET", `/v1/charges/${joao.id}`)).body;
  made.mbway = await paidPayment(emulator, { ...REQUESTS.MBWAY, currency: "EUR", amount: 8_080 });
  const refunded = await paidPayment(emulator, { amount: 6_000 });
  made.refund = await advanceRefund(emulator, (await refund(emulator, refunded.id, { amount: 311 })).id, "REFUNDED");
  const { id } = await emulator.sandbox("/payouts", { amount: 4_242, pix_key: "chave@banco.example", overdraw: true });
  made.payout = await emulator.sandbox(`/payouts/${id}/pay`, {});
  made.case = await openCase(emulator, { reason: "produto não chegou" });
  made.evidence = await addEvidence(emulator, made.case.id);
  made.event = (await emulator.sandbox("/events?limit=1&type=charge.paid")).data[0];
  made.delivery = (await emulator.call("GET", "/v1/webhooks/deliveries?limit=1")).body.data[0];
  made.email = (await emulator.sandbox("/emails?limit=1")).data[0];
  made.key = await issue(emulator, await tokenOf(emulator), { label: "esteira", test: true });
  made.account = await emulator.sandbox("/account");
}

beforeAll(async () => {
  await makeObjects();
});

const ask = (q: string, key = emulator.key) =>
  emulator.call("GET", `/_sandbox/search?${new URLSearchParams({ q })}`, { key });
async function found(q: string, key = emulator.key): Promise<Loose[]> {
  const { status, body } = await ask(q, key);
  if (status !== 200) throw new Error(`${q}: ${status} ${JSON.stringify(body)}`);
  return body.data;
}
const ids = async (q: string) => (await found(q)).map(({ id }) => id);

describe("a search for an id", () => {
  it.each([
    ["open", "charge"],
    ["refund", "refund"],
    ["payout", "payout"],
    ["case", "med_case"],
    ["evidence", "evidence"],
    ["event", "event"],
    ["delivery", "delivery"],
    ["endpoint", "endpoint"],
    ["email", "email"],
    ["key", "api_key"],
  ])("finds the %s by its id, with its prefix, without it, and in capital letters", async (name, kind) => {
    const { id } = made[name];
    const bare = id.slice(id.indexOf("_") + 1);
    for (const q of [id, bare, bare.toUpperCase(), `  ${id} `]) {
      expect(await found(q)).toMatchObject([{ kind, id }]);
    }
  });

  it("shows a payment without Pix under tx_, by every form of its id", async () => {
    const id = `tx_${made.mbway.id}`;
    for (const q of [id, `ch_${made.mbway.id}`, made.mbway.id])
      expect(await found(q)).toMatchObject([{ kind: "payment", id }]);
  });

  it("finds an object by the beginning of its id, when it has eight digits", async () => {
    expect(await ids(made.payout.id.slice(0, -6))).toEqual([made.payout.id]);
    expect(await ids(made.payout.id.slice(3, 3 + 24))).toContain(made.payout.id);
    expect(await ids(made.payout.id.slice(0, 3 + 8))).toEqual([made.payout.id]);
    expect(await ids(made.payout.id.slice(0, 3 + 7))).toEqual([]);
  });

  it("does not find it under the prefix of another kind", async () => {
    expect(await ids(`rf_${made.open.id.slice(3)}`)).toEqual([]);
  });

  it("finds the caller's account and its users", async () => {
    expect(await found(made.account.id)).toMatchObject([{ kind: "account", id: made.account.id }]);
    const [user] = (await found("owner")).filter(({ kind }) => kind === "user");
    expect(await found(user.id)).toEqual([user]);
  });
});

describe("a search for a code", () => {
  it.each<[what: string, name: string, code: () => string]>([
    ["end-to-end id of a payment", "paid", () => made.paid.settlement.end_to_end_id],
    ["end-to-end id of a refund", "refund", () => made.refund.endToEndId],
    ["end-to-end id of a payout", "payout", () => made.payout.end_to_end_id],
    ["txid", "open", () => made.open.pix.txid],
    ["whole BR Code", "open", () => made.open.pix.br_code],
    ["BR Code with space around it", "open", () => `\n ${made.open.pix.br_code}\n`],
    ["BR Code in the lines of a mail", "open", () => `> ${made.open.pix.br_code.replace(/.{50}/g, "$&\n> ")}`],
    ["BR Code in quotes", "open", () => `"${made.open.pix.br_code}"`],
    ["digits of its payload", "open", () => made.open.id.slice(3).replaceAll("-", "")],
    ["end-to-end id in backticks", "paid", () => `\`${made.paid.settlement.end_to_end_id}\`.`],
    ["txid with unseen characters", "open", () => `\u200b${made.open.pix.txid}\u2060`],
    ["id with hyphens that do not break", "open", () => made.open.id.replaceAll("-", "\u2011")],
    ["address of its checkout", "open", () => made.open.checkout_url],
    ["address of its QR image", "open", () => made.open.pix.qr_code_url],
    [
      "address of its payload",
      "open",
      () => `https://other.example/qr/v2/${made.open.id.slice(3).replaceAll("-", "")}`,
    ],
    ["address in the console", "open", () => `http://localhost:4600/console/charges/${made.open.id}?tab=money`],
    ["label of an API key", "key", () => "esteira"],
    ["id of a payment", "open", () => `tx_${made.open.id.slice(3)}`],
    ["id of the provider", "open", () => `prv_${made.open.id.slice(3)}`],
    ["Pix key of a payout", "payout", () => "chave@banco.example"],
    ["beginning of a Pix key, in capitals", "payout", () => "CHAVE@BANCO"],
    ["reason of a case, without accents", "case", () => "NAO CHEGOU"],
    ["part of the URL of an endpoint", "endpoint", () => "hooks/pedidos"],
  ])("finds the object by the %s: %s", async (_what, name, code) => {
    expect(await ids(code())).toEqual([made[name].id]);
  });

  it("finds a payment that went back, and its refund, by the D… id of the return", async () => {
    const expected = { expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Volta" } };
    const { id } = await emulator.charge(expected);
    await emulator.sandbox(`/charges/${id}/pay`, { payer_document: DOCUMENTS.otherCpf });
    const [returned] = (await emulator.sandbox(`/refunds?charge=${id}`)).data;
    expect(returned.endToEndId).toMatch(/^D/);
    expect((await ids(returned.endToEndId)).toSorted()).toEqual([id, returned.id].toSorted());
  });

  it("finds a txid and an amount in every status of their charge", async () => {
    const charge = await emulator.charge({ amount: 61_616 });
    const questions = [charge.pix.txid, "616,16"];
    for (const q of questions) expect(await ids(q)).toEqual([charge.id]);
    await emulator.sandbox(`/charges/${charge.id}/expire`);
    for (const q of questions) expect(await ids(q)).toEqual([charge.id]);
  });

  it("finds a charge by a BR Code that names its txid", async () => {
    const { txid } = made.open.pix;
    const short = `05${txid.length}${txid}`;
    expect(await ids(`00020126180014br.gov.bcb.pix62${short.length}${short}6304ABCD`)).toEqual([made.open.id]);
  });

  it("finds an API key by its fingerprint and by the whole key, and never shows the key", async () => {
    for (const q of [made.key.fingerprint, made.key.apiKey]) {
      const [key, ...more] = await found(q);
      expect([key.kind, key.id, more]).toEqual(["api_key", made.key.id, []]);
      expect(JSON.stringify(key)).not.toContain(made.key.apiKey);
    }
  });
});

describe("a search for a value", () => {
  it("finds the customer's document with and without punctuation", async () => {
    for (const q of [DOCUMENTS.cpf, DOCUMENTS.cpfPunctuated]) expect(await ids(q)).toContain(made.paid.id);
  });

  it("finds the payer's document, however it was reported, and shows it in no text", async () => {
    const { alphanumericCnpj: bare, alphanumericCnpjPunctuated: punctuated } = DOCUMENTS;
    for (const q of [bare, punctuated, bare.toLowerCase()]) {
      const [charge] = await found(q);
      expect(charge).toMatchObject({ id: made.paid.id, text: expect.stringContaining("payer has this document") });
      expect(charge.text).not.toContain(bare);
    }
  });

  it.each(["876543", "8765,43", "8.765,43", "R$ 8.765,43", "R$8.765,43", "r$ 8765,43", "R$\u00a08.765,43"])(
    "finds the amount %s",
    async (q) => {
      expect(await found(q)).toMatchObject([
        { kind: "charge", id: made.open.id, text: "charge of R$ 8.765,43, pending, customer Maria José da Conceição" },
      ]);
    },
  );

  it("finds the amounts of refunds, payouts, cases and other currencies", async () => {
    expect(await ids("3,11")).toEqual([made.refund.id]);
    expect(await ids("R$ 42,42")).toEqual([made.payout.id]);
    expect(await ids("19,90")).toContain(made.case.id);
    expect(await found("80,80")).toMatchObject([{ text: expect.stringContaining("€ 80,80") }]);
  });
});

describe("a search for a text", () => {
  it.each([
    ["maria josé", "customer Maria José da Conceição"],
    ["MARIA CONCEICAO", "customer Maria José da Conceição"],
    ["ceição", "customer Maria José da Conceição"],
    ["maria.jose@LOJA", "e-mail maria.jose@loja.example"],
    ["ped-4711", "metadata order: PED-4711"],
    ["acai", 'metadata nota: Açaí "grande"'],
    ['"grande"', 'metadata nota: Açaí "grande"'],
    ["FLOR LIS", "metadata inner.deep: flor de lis"],
    ["5511987654321", "phone +5511987654321"],
  ])("finds %s and says why: %s", async (q, why) => {
    expect(await found(q)).toMatchObject([{ kind: "charge", id: made.open.id, text: expect.stringContaining(why) }]);
  });

  it("finds a payer", async () => {
    const text = "charge of R$ 70,01, paid, payer Zé Pagador";
    const [one] = await found("ze pagador");
    expect(one).toMatchObject({ kind: "charge", id: made.paid.id, text });
    expect(one.parts[2]).toEqual({ code: "payer", params: { text: "Zé Pagador" } });
  });

  it("takes no character of a text as a pattern", async () => {
    for (const q of ["%", "_", "*", "Mar%", "M_ria", "Mar*", "';--", "\\", "{", "}", "["]) {
      expect((await found(q)).filter(({ kind }) => kind === "charge")).toEqual([]);
    }
  });

  it("finds nothing for a text that no object has", async () => {
    expect((await ask("nowhere at all")).body).toEqual({ data: [], has_more: false, next_cursor: null, note: null });
  });
});

describe("a search for several terms", () => {
  it.each(["70,01, Zé", "ze R$ 70,01", "pagador paid 70,01", `${DOCUMENTS.alphanumericCnpjPunctuated} pagador`])(
    "finds the charge by %s",
    async (q) => {
      expect(await ids(q)).toEqual([made.paid.id]);
    },
  );

  it("finds nothing when one of the terms is missing", async () => {
    expect(await found("70,01, Maria")).toEqual([]);
  });

  it.each(["#70123", "pedido 70123", "Order no. 70123", "zé pedido 70123", "70,04 #70123"])(
    "finds the charge of an order by %s",
    async (q) => {
      const metadata = { order: 70_123 };
      const { id } = await emulator.charge({ amount: 7004, customer: { name: "Zé do Pedido" }, metadata });
      await emulator.charge({ amount: 7004, customer: { name: "Zé do Pedido" }, metadata: { order: 701_234 } });
      expect(await ids(q)).toContain(id);
      const others = (await found(q)).filter(({ text }) => !text.includes("order: 70123"));
      expect(others).toEqual([]);
    },
  );

  it("keeps to the text when there are more than five terms", async () => {
    expect(await found("ze pagador 70,01 paid charge payer")).toEqual([]);
  });
});

describe("the answer of a search", () => {
  it("has ids before exact values before parts, the newest first of each", async () => {
    const make = async (body: Record<string, unknown>) => (await emulator.charge(body)).id;
    const part = await make({ amount: 11, metadata: { note: "about 90210" } });
    const older = await make({ amount: 90_210 });
    const newer = await make({ amount: 90_210 });
    expect(await ids("90210")).toEqual([newer, older, part]);
    const names = [{ name: "Iracema Lopes" }, { name: "Iracema" }, { name: "Iracema Souza" }];
    const people: string[] = [];
    for (const customer of names) people.push(await make({ customer }));
    expect(await ids("iracema")).toEqual([people[1], people[2], people[0]]);
  });

  it("has nothing of the other mode or of another account", async () => {
    const other = await emulator.sandbox("/accounts", { name: "Other" });
    const questions = [
      made.open.id,
      made.open.pix.txid,
      "maria",
      "8765,43",
      DOCUMENTS.cpf,
      made.endpoint.id,
      made.event.id,
    ];
    for (const key of [emulator.live, other.test_key]) {
      for (const q of questions) {
        const hits = await found(q, key);
        expect(hits.filter(({ kind }) => kind !== "user" && kind !== "account")).toEqual([]);
      }
    }
    expect(await found(other.id)).toEqual([]);
  });

  it("has at most the 50 newest results, and says that there are more", async () => {
    const made: string[] = [];
    for (let n = 0; n < 51; n++) made.unshift((await emulator.charge({ amount: 555_555 })).id);
    const { body } = await ask("5.555,55");
    expect(body.data.map(({ id }: Loose) => id)).toEqual(made.slice(0, 50));
    expect(body).toMatchObject({ has_more: true, note: expect.stringContaining("more than 50") });
  });

  it.each([
    ["q=", "q"],
    ["q=%20%09%20", "q"],
    ["", "q"],
    [`q=${"a".repeat(2_001)}`, "q"],
  ])("is a 400 for ?%s", async (query, param) => {
    expectRefused(await emulator.call("GET", `/_sandbox/search?${query}`), "invalid_request", param);
  });

  it("comes for a text of 2000 characters", async () => {
    expect(await found("ç".repeat(2_000))).toEqual([]);
  });
});

describe("the command", () => {
  it("takes a whole address, quotes and slashes included, as it is", async () => {
    const { code, out } = await cli.run(["sandbox", "search", made.open.checkout_url, "--json"]);
    expect([code, JSON.parse(out).data[0].id]).toEqual([0, made.open.id]);
  });

  it("shows a person that there is more", async () => {
    const { code, err } = await cli.run(["sandbox", "search", "5.555,55"]);
    expect([code, err]).toEqual([0, expect.stringContaining("There are more than 50 of these.")]);
  });

  it("refuses white space alone", async () => {
    const { code, err } = await cli.run(["sandbox", "search", "  "]);
    expect([code, err]).toEqual([5, expect.stringContaining("q must not be empty")]);
  });
});

describe("a text in more payments than are searched", () => {
  const folder = shared(newFolder);
  const crowded = sharedEmulator(() => ({ frozen: true, db: folder.db }));

  /** Adds newer copies of a payment, with another name, id and txid and with no document. */
  function crowd(id: string, count: number): void {
    const db = openFile(folder.db);
    const columns = columnOf(db, "SELECT name FROM pragma_table_info('transactions') WHERE name <> 'seq'");
    const own: Record<string, string> = {
      id: "lower(hex(randomblob(16)))",
      txid: "lower(hex(randomblob(16)))",
      customer_name: "'Other'",
      customer_tax_id: "NULL",
      created_at: "created_at + n.i",
    };
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO transactions (${columns.join()})
      SELECT ${columns.map((name) => own[String(name)] ?? name).join()} FROM transactions, n WHERE id = '${id}'`);
    db.close();
  }

  it("is found in the newest of them, and in older ones on the next page", async () => {
    const customer = { name: "Antônia Prado", document: DOCUMENTS.cpf };
    const { id } = await crowded.charge({ amount: 3_333, customer });
    const ask = async (q: string, more = {}) => crowded.sandbox(`/search?${new URLSearchParams({ q, ...more })}`);
    crowd(id.slice(3), SEARCHED_PAYMENTS - 1);
    expect(await ask("antonia")).toMatchObject({ data: [{ id }], has_more: false, note: null });
    crowd(id.slice(3), 1);
    const page = await ask("antonia");
    expect(page).toMatchObject({ data: [], has_more: true, note: expect.stringContaining("Older payments") });
    expect(await ask("antonia", { after: page.next_cursor })).toMatchObject({ data: [{ id }], has_more: false });
    for (const after of ["zzz", "", "1~", `${page.next_cursor}~1`]) {
      const answer = await crowded.call("GET", `/_sandbox/search?${new URLSearchParams({ q: "antonia", after })}`);
      expectRefused(answer, "invalid_request", "after");
    }
    // A search for a document has no such bound.
    expect(await ask(DOCUMENTS.cpf)).toMatchObject({ data: [{ id }] });
  });
});
