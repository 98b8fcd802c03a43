import { describe, expect, it } from "vitest";
import { dayOf, dayText } from "../../../src/web/console/browser/words/dates.js";
import { longTime, shortTime, timeOfDay } from "../../../src/web/console/browser/words/time.js";
import "../../support/console-texts.js";

const NOW = new Date("2026-11-24T12:00:00Z");

describe("a day in a filter", () => {
  it.each([
    ["24/11/2026", "2026-11-24"],
    [" 1/2/2026 ", "2026-02-01"],
    ["24.11", "2026-11-24"],
    ["24-11-2025", "2025-11-24"],
    ["2026-11-24", "2026-11-24"],
    ["29/02/2028", "2028-02-29"],
    ["24 Nov 2026", "2026-11-24"],
    ["24 september", "2026-09-24"],
    ["1 dez", "2026-12-01"],
    ["3 de fevereiro de 2027", "2027-02-03"],
  ])("may be written as %s", (text, iso) => {
    expect(dayOf(text, NOW)).toBe(iso);
  });

  it.each([
    "31/02/2026",
    "29/02/2026",
    "11/24/2026",
    "yesterday",
    "24",
    "24/11/26",
    "2026-13-01",
    "24 Foo 2026",
    "31 Nov",
    "",
  ])("is not %j", (text) => {
    expect(dayOf(text, NOW)).toBeNull();
  });

  it("is shown with the name of its month, as it may be written, and an address that has no day as it is", () => {
    expect(dayText("2026-11-04", "en")).toBe("4 Nov 2026");
    expect(dayText("2026-12-24", "pt-BR")).toBe("24 dez 2026");
    expect(dayOf(dayText("2026-09-01", "en"), NOW)).toBe("2026-09-01");
    expect(dayText("soon", "en")).toBe("soon");
  });
});

describe("an instant", () => {
  const at = new Date(2026, 11, 4, 2, 22, 34).getTime();

  it("has the name of its month in both languages, and no seconds", () => {
    expect(shortTime(at, "en")).toBe("4 Dec 02:22");
    expect(shortTime(at, "pt-BR")).toBe("4 dez 02:22");
  });

  it("has its seconds where they matter, and in the title", () => {
    expect(timeOfDay(at, "en")).toBe("02:22:34");
    expect(longTime(at, "en")).toContain("02:22:34");
  });

  it("has three letters for every month", () => {
    for (const language of ["en", "pt-BR"] as const) {
      for (let month = 0; month < 12; month += 1) {
        expect(shortTime(new Date(2026, month, 9).getTime(), language)).toMatch(/^9 \p{L}{3} 00:00$/u);
      }
    }
  });
});
