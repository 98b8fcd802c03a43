import { beforeEach, describe, expect, it } from "vitest";
import { type Action, act, emails, openCase, paidCharge, parseMail } from "../../../support/med.js";
import { REQUESTS } from "../../../support/payments.js";
import { paidPayment } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** The notice e-mails of MED cases in the local mailbox (docs/service/med.md#events-and-e-mails). */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const list = (query = "", key = emulator.key) => emulator.call("GET", `/_sandbox/emails${query}`, { key });
const mime = async (query = "") => (await emails(emulator, `?mime=true${query}`)).map((mail) => String(mail.mime));

describe("a notice", () => {
  it("has the fields of an e-mail, and nothing more", async () => {
    const opened = await openCase(emulator);
    const { status, body } = await list();
    expect([status, body]).toStrictEqual([
      200,
      {
        data: [
          {
            id: expect.stringMatching(/^em_[0-9a-f-]{36}$/),
            kind: "MED opened",
            to: expect.stringMatching(/^[^@\s<>,;]+@[^@\s<>,;]+$/),
            subject: expect.stringMatching(/\S/),
            text: expect.stringMatching(/\S/),
            html: expect.stringMatching(/^<!doctype html>/i),
            case_id: opened.id,
            created_at: opened.created_at,
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    ]);
  });

  it("is not written when the deadline passes, or a decision is refused", async () => {
    const { id } = await openCase(emulator);
    await act(emulator, id, "accept");
    await emulator.call("POST", `/_sandbox/med-cases/${id}/withdraw`);
    await emulator.sandbox("/clock/advance", { seconds: 30 * 86_400 });
    expect(await emails(emulator)).toHaveLength(2);
  });
});

describe("the words of a notice", () => {
  it("are Brazilian Portuguese: what, how much, by when", async () => {
    const { id } = await paidCharge(emulator, { amount: 123_456 });
    const deadline = "2031-05-06T02:30:00Z";
    const given = { charge_id: id, reason: "Não recebi o produto", response_deadline: deadline };
    const opened = await openCase(emulator, given);
    const [{ subject, text, html }] = await emails(emulator);
    expect(subject).toMatch(/^Contestação aberta: R\$ 1\.234,56/);
    for (const form of [text, html]) {
      for (const part of [opened.id, id, "R$ 1.234,56", "Não recebi o produto", "Mecanismo Especial de Devolução"]) {
        expect(form).toContain(part);
      }
      // Half past two in UTC is the evening before in Brasília.
      expect(form).toContain("05/05/2031");
      expect(form).toContain("23:30");
      expect(form).toContain("retido");
    }
    expect(html).toContain('lang="pt-BR"');
    expect(text).not.toMatch(/<[a-z/!]/i);
  });

  it.each([
    ["chargeback", /chargeback/i],
    ["dispute", /disputa/i],
    ["fraud", /fraude/i],
  ])("name the type of the case: %s", async (type, words) => {
    await openCase(emulator, { type });
    const [{ text, html }] = await emails(emulator);
    for (const form of [text, html]) expect(form).toMatch(words);
  });

  it("leave out an unknown deadline and a missing reason", async () => {
    await openCase(emulator, { response_deadline: null });
    const [{ text, html }] = await emails(emulator);
    for (const form of [text, html]) {
      expect(form).toContain("Responda assim que possível:");
      expect(form).not.toMatch(/null|undefined|NaN|Invalid|Motivo/);
    }
  });

  it("say amounts in the currency of the payment", async () => {
    const { id } = await paidPayment(emulator, REQUESTS.MBWAY);
    await openCase(emulator, { charge_id: id });
    expect((await emails(emulator))[0].subject).toContain("€ 19,90");
  });

  it.each([
    ["withdraw", /voltou ao seu saldo/],
    ["decide refunded_to_merchant", /voltou ao seu saldo/],
    ["decide closed_without_refund", /não retornou ao seu saldo/],
    ["accept", /devolvido ao pagador/],
  ] as [Action, RegExp][])("say after %s what became of the money", async (action, words) => {
    await act(emulator, (await openCase(emulator)).id, action);
    const [{ subject, text, html }] = await emails(emulator);
    expect(subject).toMatch(/^Contestação concluída: R\$ 19,90/);
    for (const form of [text, html]) expect(form).toMatch(words);
  });

  it.each(["accept", "withdraw", "decide upheld"] as const)(
    "claim nothing of money that never moved: more was reported than was left, then %s",
    async (action) => {
      const { id } = await paidCharge(emulator);
      const opened = await openCase(emulator, { charge_id: id, amount: 5_000 });
      await act(emulator, opened.id, action);
      for (const { text, html } of await emails(emulator)) {
        for (const form of [text, html]) {
          expect(form).toMatch(/nada (foi|havia sido) retido/i);
          expect(form).not.toMatch(/valor contestado foi retido|voltou ao seu saldo|devolvido ao pagador/);
        }
      }
    },
  );
});

describe("a text of other people in a notice", () => {
  const HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></table><a href='https://elsewhere.test'>clique aqui</a>",
    "<!-- <style>*{display:none}</style>",
    "&lt;b&gt; &amp; ünïcödé 🧾 \u202e",
  ];

  it.each(HOSTILE)("is text in HTML: %s", async (reason) => {
    await openCase(emulator, { reason });
    const plain = (await emails(emulator))[0];
    expect(plain.text).toContain(reason);
    const skeleton = (html: string) => html.replace(/>[^<]*/g, ">").match(/<[^>]*>/g);
    await emulator.sandbox("/reset");
    await openCase(emulator, { reason: "harmless" });
    const [harmless] = await emails(emulator);
    // Tags and attributes are the same as in a message without such texts.
    expect(skeleton(plain.html)).toEqual(skeleton(harmless.html));
    expect(plain.html).not.toMatch(/<(script|img|a|style|!--)/i);
  });

  it.each([
    "Olá\r\nBcc: victim@elsewhere.test",
    "x\r\n\r\n<b>body</b>",
    "x\nSubject: You have won",
    "Cobrança\u2028X-Evil: 1",
    "=?utf-8?Q?Subject:_won?=",
  ])("is in no subject and no header: %j", async (reason) => {
    await openCase(emulator, { reason, amount: 100 });
    const [{ subject }] = await emails(emulator);
    expect(subject).toMatch(/^Contestação aberta: R\$ 1,00 \(med_[0-9a-f-]{36}\)$/);
    const [raw = ""] = await mime();
    const { headers, parts } = parseMail(raw);
    expect(headers.get("subject")).toBe(subject);
    expect([...headers.keys()].filter((name) => /bcc|^cc$|x-evil/.test(name))).toEqual([]);
    expect(JSON.stringify([...headers])).not.toMatch(/victim|won|evil/i);
    expect(parts.get("text/plain")?.replace(/\r\n/g, "\n")).toContain(reason.replace(/\r\n/g, "\n"));
  });

  it("is text also when it is the account's name", async () => {
    const name = 'Loja <script>alert("1")</script> & Cia';
    const { test_key: key } = await emulator.sandbox("/accounts", { name });
    await openCase(emulator, {}, { key });
    const [{ subject, text, html }] = (await list("", key)).body.data;
    expect([text.includes(name), html.includes("<script"), subject.includes("Loja")]).toEqual([true, false, false]);
    expect(html).toContain("Loja &lt;script&gt;");
  });
});

describe("the whole message", () => {
  it("is MIME with both forms, as it would be relayed", async () => {
    const { id } = await openCase(emulator, { reason: "Não reconheço – 收据 🧾" });
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    await act(emulator, id, "withdraw");
    const mails = await emails(emulator, "?mime=true");
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail.mime).not.toMatch(/[^\r]\n/);
      expect(mail.mime.split("\r\n").every((line: string) => line.length <= 998)).toBe(true);
      const { headers, parts } = parseMail(mail.mime);
      expect([headers.get("subject"), headers.get("to")]).toEqual([mail.subject, mail.to]);
      expect(headers.get("from")).toMatch(/@/);
      expect(headers.get("mime-version")).toBe("1.0");
      expect(headers.get("message-id")).toMatch(/^<[^<>@\s]+@[^<>@\s]+>$/);
      expect([...parts.keys()]).toEqual(["text/plain", "text/html"]);
      expect(parts.get("text/plain")?.trimEnd()).toBe(mail.text.replace(/\n/g, "\r\n"));
      expect(parts.get("text/html")?.trimEnd()).toBe(mail.html.replace(/\n/g, "\r\n"));
    }
    const dates = mails.map((mail) => Date.parse(parseMail(mail.mime).headers.get("date") ?? ""));
    expect(dates[0]).toBe(Math.floor(Date.parse(now) / 1_000) * 1_000);
    expect(new Set(mails.map((mail) => parseMail(mail.mime).headers.get("message-id"))).size).toBe(2);
  });

  it("is the same at every request, except for its boundaries", async () => {
    await openCase(emulator);
    const [first = "", second = ""] = [...(await mime()), ...(await mime())];
    expect(parseMail(first).parts).toEqual(parseMail(second).parts);
    expect(parseMail(first).headers.get("message-id")).toBe(parseMail(second).headers.get("message-id"));
  });
});
describe("8 GET /_sandbox/emails", () => {
  it("is narrowed by kind and by case", async () => {
    const [first, second] = [await openCase(emulator), await openCase(emulator)];
    await act(emulator, first.id, "accept");
    const kinds = async (query: string) => (await emails(emulator, query)).map(({ kind, case_id }) => [kind, case_id]);
    expect(await kinds("?kind=MED%20resolved")).toEqual([["MED resolved", first.id]]);
    expect(await kinds(`?case_id=${second.id}`)).toEqual([["MED opened", second.id]]);
    expect(await kinds(`?case_id=${first.id}&kind=MED%20opened`)).toEqual([["MED opened", first.id]]);
  });

  it("says that it does not know a case of another account or mode", async () => {
    const mine = await openCase(emulator);
    const { test_key: other } = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    for (const key of [emulator.live, other]) expectRefused(await list(`?case_id=${mine.id}`, key), "not_found");
  });
});
