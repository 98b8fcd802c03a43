import { expect, it } from "vitest";
import checkoutEn from "../../../src/web/checkout/texts/en.json" with { type: "json" };
import checkoutPt from "../../../src/web/checkout/texts/pt-BR.json" with { type: "json" };
import consoleEn from "../../../src/web/console/browser/texts/en.json" with { type: "json" };
import consolePt from "../../../src/web/console/browser/texts/pt-BR.json" with { type: "json" };
import "../../support/console-texts.js";

/** Words that were wrong once, or that people know by one name alone. */

it("the payload of an event is its data in Portuguese, and not its date", () => {
  expect(consolePt.timeline.event_data).toBe("Dados do evento");
  expect(JSON.stringify(consolePt)).not.toMatch(/data do evento/i);
});

it("the button of a bank's app has one name in both languages", () => {
  for (const texts of [checkoutEn, checkoutPt]) {
    const steps = texts.pix.desktopSteps.join();
    expect(steps).toContain("Ler QR Code");
    expect(steps).not.toContain("Ler QR code");
  }
});

it("an empty list says that it is empty, in the words of the reader", () => {
  const stiff = /\bstands? here\b|\bLet it be\b|Such as:|either way"|\bmorta\b/;
  expect(JSON.stringify([consoleEn, consolePt]).match(stiff)).toBeNull();
});
