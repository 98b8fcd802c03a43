import { beforeAll, describe, expect, it } from "vitest";
import { type ConsoleSession, openConsole } from "../../support/console.js";
import type { Loose } from "../../support/emulator.js";
import { addEvidence, emails, evidenceOf, openCase, PNG, postComplete, ticketFor } from "../../support/med.js";
import { payment } from "../../support/payments.js";
import { paidPayment } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Frames and pictures on pages of the console: mails, evidence and receipts of every book. */

const emulator = sharedEmulator();
let page: ConsoleSession;
beforeAll(async () => {
  page = await openConsole(emulator);
});

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
    expectRefused(await put(ticket, { "x-qa-console": null }), "unauthorized");
    expectRefused(await put(ticket, { origin: null }), "origin_not_allowed");
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

it("a snapshot is handed over as a file, as its operation does", async () => {
  await emulator.sandbox("/snapshots", { name: "kept" });
  const file = await page.ask("GET", "/files/snapshot/kept");
  const same = await page.ask("GET", "/_sandbox/snapshots/kept/file");
  expect([file.status, file.headers.get("content-disposition")]).toEqual([200, 'attachment; filename="kept.db"']);
  expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(await same.arrayBuffer()))).toBe(true);
  for (const name of ["nothing", "..%2F..%2Fetc%2Fpasswd"]) {
    expectRefused(await page.call("GET", `/files/snapshot/${name}`), "not_found");
  }
});

describe("a file that a browser requests without headers of the page", () => {
  const bare = { "x-qa-console": null };
  const ticketOf = async (path: string) => (await page.call("GET", `/tickets${path}`)).body.ticket as string;

  it("is shown with a ticket for it", async () => {
    const { id } = await paidPayment(emulator);
    const path = `/files/receipt/${id}`;
    const shown = await page.ask("GET", `${path}?ticket=${await ticketOf(path)}`, { headers: bare });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });

  it("is refused without a ticket, with that of another file or session, without the cookie, and to another page", async () => {
    const [one, other] = [await paidPayment(emulator), await paidPayment(emulator)];
    const path = `/files/receipt/${one.id}`;
    const ticket = await ticketOf(path);
    const ask = (address: string, headers: Record<string, string | null> = {}) =>
      page.call("GET", address, { headers: { ...bare, ...headers } });
    expectRefused(await ask(path), "unauthorized");
    for (const wrong of ["", "x", await ticketOf(`/files/receipt/${other.id}`), page.pagePart]) {
      expectRefused(await ask(`${path}?ticket=${wrong}`), "unauthorized");
    }
    expectRefused(await ask(`/files/receipt/${other.id}?ticket=${ticket}`), "unauthorized");
    expectRefused(await ask(`${path}?ticket=${ticket}`, { cookie: "" }), "unauthorized");
    const { cookie } = await openConsole(emulator);
    expectRefused(await ask(`${path}?ticket=${ticket}`, { cookie }), "unauthorized");
    expectRefused(await ask(`${path}?ticket=${ticket}`, { "sec-fetch-site": "same-site" }), "origin_not_allowed");
  });
});
