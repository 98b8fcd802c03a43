import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleSession, openConsole } from "../support/console.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { addEvidence, emails, evidenceOf, openCase, PNG, postComplete, ticketFor } from "../support/med.js";
import { payment } from "../support/payments.js";
import { paidPayment } from "../support/refunds.js";
import { expectRefused } from "../support/refusals.js";

/** What the page of the console shows in frames and pictures: mails, evidence and receipts of every book. */

let emulator: TestEmulator;
let page: ConsoleSession;
beforeAll(async () => {
  emulator = await startEmulator();
  page = await openConsole(emulator);
});
afterAll(() => emulator.close());

/** An answer that no browser runs as a page of this origin. */
function expectHarmless(headers: Headers): void {
  expect(headers.get("content-security-policy")?.split("; ")).toEqual(
    expect.arrayContaining(["sandbox", "default-src 'none'"]),
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toMatch(/no-store/);
}

describe("a notice e-mail", () => {
  it("is shown as HTML that can load and run nothing, in a frame of this server alone", async () => {
    await openCase(emulator, {}, { key: emulator.live });
    const [mail] = await emails(emulator, "", { key: emulator.live });
    const { status, headers, body } = await page.call("GET", `/mail/${mail.id}`);
    expect([status, headers.get("content-type"), body]).toEqual([200, "text/html; charset=utf-8", mail.html]);
    expectHarmless(headers);
    const policy = headers.get("content-security-policy");
    expect(policy).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    );
  });

  it.each(["em_1", "nonsense", "em_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"])("is a 404 for %s", async (id) => {
    expectRefused(await page.call("GET", `/mail/${id}`), "not_found");
  });
});

describe("evidence", () => {
  it("is shown once it has arrived, without a signed address", async () => {
    const { id: caseId } = await openCase(emulator);
    await addEvidence(emulator, caseId);
    const [added] = await evidenceOf(emulator, caseId);
    const shown = await page.ask("GET", `/files/evidence/${added.id}`);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, added.mime_type]);
    expectHarmless(shown.headers);
    expect((await shown.arrayBuffer()).byteLength).toBe(added.file_size);
  });

  it("is a 404 before it has arrived, and for an unknown id", async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    for (const one of [ticket.id, "ev_1", "ev_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"]) {
      expectRefused(await page.call("GET", `/files/evidence/${one}`), "not_found");
    }
  });

  async function put(ticket: Loose, headers: Record<string, string | null> = {}) {
    const { pathname, search } = new URL(ticket.upload_url);
    const all = { "content-type": "image/png", ...headers };
    return page.call("PUT", pathname + search, { raw: new Uint8Array(PNG), headers: all });
  }
  const announced = (id: string) =>
    ticketFor(emulator, id, { file_name: "nota.png", file_size: PNG.length, mime_type: "image/png" });

  it("is uploaded to the address of its ticket, behind /console/api", async () => {
    const { id } = await openCase(emulator);
    const ticket = await announced(id);
    expect((await put(ticket)).status).toBe(200);
    expect((await postComplete(emulator, id, ticket.id)).status).toBe(200);
    const shown = await page.ask("GET", `/files/evidence/${ticket.id}`);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG);
  });

  it("is not taken without its signature, from another page, or without a session", async () => {
    const { id } = await openCase(emulator);
    const ticket = await announced(id);
    expect((await put({ upload_url: ticket.upload_url.split("?")[0] })).status).toBe(403);
    expectRefused(await put(ticket, { "x-qa-console": null }), "origin_not_allowed");
    expectRefused(await put(ticket, { "sec-fetch-site": "same-site" }), "origin_not_allowed");
    expectRefused(await put(ticket, { cookie: "" }), "unauthorized");
    expectRefused(await postComplete(emulator, id, ticket.id), "EVIDENCE_NOT_UPLOADED");
  });
});

describe("a receipt", () => {
  it("is shown as a PDF by the id of its payment or charge", async () => {
    const { id } = await paidPayment(emulator);
    for (const one of [id, `tx_${id}`, `ch_${id}`]) {
      const shown = await page.ask("GET", `/files/receipt/${one}`);
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expectHarmless(shown.headers);
      expect((await shown.text()).slice(0, 5)).toBe("%PDF-");
    }
  });

  it("is refused before the payment is settled, and for an unknown id", async () => {
    const { id } = await payment(emulator);
    expectRefused(await page.call("GET", `/files/receipt/${id}`), "unprocessable_entity");
    expectRefused(await page.call("GET", "/files/receipt/tx_1"), "not_found");
  });
});

it("none of it is shown without a session or to another page", async () => {
  const { id } = await paidPayment(emulator);
  const path = `/files/receipt/${id}`;
  expectRefused(await page.call("GET", path, { headers: { cookie: "" } }), "unauthorized");
  expectRefused(await page.call("GET", path, { headers: { "sec-fetch-site": "same-site" } }), "origin_not_allowed");
});
