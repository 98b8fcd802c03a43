import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { addEvidence, openCase } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";

/** Files need a ticket. When the server refuses it, the page says why and offers to try again. */

describeInBrowser("the ticket of a file that is refused", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const places = {
    "a file of a case": async () => {
      const { id } = await openCase(emulator);
      await addEvidence(emulator, id, { file_name: "nota.png" });
      return { address: `/console/med/${id}`, shown: 'main a[href*="/files/evidence/"]' };
    },
    "an e-mail": async () => {
      await openCase(emulator);
      const { id } = (await emulator.sandbox("/emails?limit=1")).data[0];
      return { address: `/console/mail/${id}`, shown: 'iframe.mail[src*="/mail/"]' };
    },
    "a snapshot": async () => {
      await emulator.sandbox("/snapshots", { name: "kept" });
      return { address: "/console/snapshots", shown: 'main a[href*="/files/snapshot/"]' };
    },
  };

  test.each(Object.entries(places))(
    "of %s is told in its place, and asked for again on request",
    async (_name, make) => {
      const { address, shown } = await make();
      const page = await open.open("/console/settings");
      const error = { type: "api_error", code: "internal_error", message: "The disk is full.", param: null };
      await page.route("**/console/api/tickets/**", (route) => route.fulfill({ status: 503, json: { error } }));
      await page.goto(emulator.url + address);
      const told = page.locator("main .problem-line", { hasText: "503 The disk is full." });
      await told.waitFor();
      await expect.poll(() => page.locator(shown).count()).toBe(0);
      await page.unroute("**/console/api/tickets/**");
      await told.getByRole("button", { name: "Try again" }).click();
      await page.locator(shown).waitFor();
      await expect.poll(() => told.count()).toBe(0);
      expect(open.errors).toEqual([]);
    },
  );
});
