import { describe, expect, it } from "vitest";
import { payment } from "../../support/payments.js";
import { sharedEmulator } from "../../support/shared.js";

/** Addresses of payers without a payment, as a browser and as a program get them. */

const emulator = sharedEmulator();

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const UNKNOWN = "01a1fce5-7a0e-7d3c-9c1b-1d2e3f405060";
const get = (path: string, headers: Record<string, string> = { accept: BROWSER }, method = "GET") =>
  fetch(emulator.url + path, { headers, method });

describe("an address of a payer without a payment", () => {
  it.each(["/checkout/xyz", `/checkout/${UNKNOWN}?k=x`, `/card/${UNKNOWN}?k=x`, "/boleto/x.pdf", "/receipt/x.pdf"])(
    "%s is a page for a browser and the envelope for a program",
    async (path) => {
      const page = await get(path);
      expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
        404,
        "text/html; charset=utf-8",
        "no-store",
      ]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(page.headers.get("vary")).toBe("accept, accept-language");
      expect(await page.text()).toContain('<h1 id="title">Não há pagamento neste endereço</h1>');
      for (const accept of ["*/*", "application/json"]) {
        const envelope = await get(path, { accept });
        expect([envelope.status, ((await envelope.json()) as { error: { code: string } }).error.code]).toEqual([
          404,
          "not_found",
        ]);
      }
    },
  );

  it("has the language of the address, else that of the browser, else Portuguese, as the checkout has", async () => {
    const english = "There is no payment at this address";
    expect(await (await get("/checkout/xyz?lang=en")).text()).toContain(english);
    expect(await (await get("/checkout/xyz", { accept: BROWSER, "accept-language": "en-GB" })).text()).toContain(
      english,
    );
    const page = await (await get("/checkout/xyz?lang=en&k=%22%3E%3Cscript%3E")).text();
    expect(page).toContain('lang="pt-BR"');
    expect(page).not.toContain("<script>");
  });

  it("says the same for a payment whose token is wrong, so that nobody learns of it", async () => {
    const { id } = await payment(emulator);
    const [wrong, unknown] = await Promise.all([get(`/checkout/${id}?k=x`), get(`/checkout/${UNKNOWN}?k=x`)]);
    expect([wrong.status, await wrong.text()]).toEqual([404, await unknown.text()]);
    const right = (await emulator.charge()).checkout_url.slice(emulator.url.length);
    const [path] = right.split("?");
    for (const address of [path, `${right}x`, `${path}/status?k=x`]) {
      expect([address, (await get(address)).status]).toEqual([address, 404]);
    }
  });

  it("is a page after the button of a card page too", async () => {
    const { status, headers } = await get(`/card/${UNKNOWN}?k=x`, { accept: BROWSER, origin: emulator.url }, "POST");
    expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it("of the script of the page stays data", async () => {
    expect((await get("/checkout/xyz/status")).headers.get("content-type")).toBe("application/json");
  });
});
