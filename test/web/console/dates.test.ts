import { describe, expect, it } from "vitest";
import { dayOf, dayText } from "../../../src/web/console/browser/words/dates.js";

const NOW = new Date("2026-11-24T12:00:00Z");

describe("a day in a filter", () => {
  it.each([
    ["24/11/2026", "2026-11-24"],
    [" 1/2/2026 ", "2026-02-01"],
    ["24.11", "2026-11-24"],
    ["24-11-2025", "2025-11-24"],
    ["2026-11-24", "2026-11-24"],
    ["29/02/2028", "2028-02-29"],
  ])("may be written as %s", (text, iso) => {
    expect(dayOf(text, NOW)).toBe(iso);
  });

  it.each(["31/02/2026", "29/02/2026", "11/24/2026", "yesterday", "24", "24/11/26", "2026-13-01", ""])(
    "is not %j",
    (text) => {
      expect(dayOf(text, NOW)).toBeNull();
    },
  );

  it("is shown with its day first, and an address that has no day as it is", () => {
    expect(dayText("2026-11-24")).toBe("24/11/2026");
    expect(dayText("soon")).toBe("soon");
  });
});
