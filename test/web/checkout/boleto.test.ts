import { describe, expect, it } from "vitest";
import { payment, REQUESTS, readPayment } from "../../support/payments.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { cardPayment, checkoutUrlOf } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

async function boletoUrl(body: object = {}): Promise<{ id: string; url: string }> {
  const { id } = await payment(emulator, { ...REQUESTS.BOLETO, ...body });
  return { id, url: (await readPayment(emulator, id)).boletoPdfUrl };
}

describe("the boleto's PDF", () => {
  it("opens in the browser at the address in the payment, always with the same bytes", async () => {
    const { url, id } = await boletoUrl({ customerName: "Maria Silva", customerDocument: "52998224725" });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(`inline; filename="boleto-${id}.pdf"`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("stays when the boleto is paid", async () => {
    const { url, id } = await boletoUrl();
    await emulator.sandbox(`/charges/${id}/pay`);
    expect((await fetch(url)).status).toBe(200);
  });

  it("is a 404 without its token, without .pdf, and for a payment that takes no boleto", async () => {
    const { url } = await boletoUrl();
    const [address = ""] = url.split("?");
    const byCard = (await cardPayment(emulator)).url.replace("/card/", "/boleto/").replace("?", ".pdf?");
    for (const wrong of [address, `${address}?k=wrong`, `${url}x`, url.replace(".pdf", ""), byCard]) {
      expect((await fetch(wrong)).status, wrong).toBe(404);
    }
  });

  it("is a 404 until the acquirer has issued it", async () => {
    const slow = await ownEmulator({ frozen: true, acquirerDelayMs: 3_000 });
    const { id } = await payment(slow, REQUESTS.BOLETO);
    const url = (await checkoutUrlOf(slow, id)).replace("/checkout/", "/boleto/").replace("?", ".pdf?");
    expect((await fetch(url)).status).toBe(404);
    await slow.sandbox("/clock/advance", { seconds: 3 });
    expect((await fetch(url)).status).toBe(200);
  });
});
