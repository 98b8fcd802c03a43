import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, launchConsole } from "../../support/console-browser.js";
import { shared, sharedEmulator } from "../../support/shared.js";

describeInBrowser("the signed payload of a Pix charge in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = shared(() => launchConsole(executablePath, emulator));

  test("is shown in its parts with the verdict about its signature, and follows the charge", async () => {
    const { id, pix } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}?tab=pix`);
    const section = page.locator("section", { has: page.getByRole("heading", { name: "Signed payload" }) });
    await section.getByText("The signature is valid").waitFor();
    const tree = (label: string) => section.locator("figure", { hasText: label }).first();
    await expect.poll(() => tree("Header").innerText()).toContain('"ES256"');
    await expect.poll(() => tree("Payload").innerText()).toContain(JSON.stringify(pix.txid));
    await expect.poll(() => tree("Payload").innerText()).toContain('"ATIVA"');
    await expectAccessible(page);
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await section.getByText('"CONCLUIDA"').waitFor();
    expect(open.errors).toEqual([]);
  });

  test("is shown as wrong when it was changed on its way", async () => {
    const { id } = await emulator.charge();
    const page = await open.open("/console/charges");
    await page.route("**/qr/v2/*", async (route) => {
      const answer = await route.fetch();
      const [header = "", , signature = ""] = (await answer.text()).split(".");
      const payload = Buffer.from(JSON.stringify({ valor: { original: "0.01" } })).toString("base64url");
      await route.fulfill({ response: answer, body: `${header}.${payload}.${signature}` });
    });
    await page.goto(`${emulator.url}/console/charges/${id}?tab=pix`);
    await page.getByText("The signature is not valid").waitFor();
  });

  test("is gone for an expired charge, in Portuguese too", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const page = await open.open(`/console/charges/${id}?tab=pix`, { language: "pt-BR" });
    await page.getByText("A cobrança expirou: os bancos recebem 410 aqui.").waitFor();
  });
});
