import { expect, it } from "vitest";
import { MOVED_PAGES, movedTo } from "../../../src/web/console/browser/words/moved.js";
import { pageNames } from "../../support/console-menu.js";

/** Old addresses of the console, which are in notes and bookmarks. */

it.each([
  ["/console/deliveries", {}, "/console/webhooks"],
  ["/console/deliveries", { status: "FAILED", endpoint: "we_1" }, "/console/webhooks?status=FAILED&endpoint=we_1"],
  ["/console/deliveries/wd_1", { attempt: "3" }, "/console/webhooks/wd_1?attempt=3"],
  ["/console/events", { type: "charge.paid" }, "/console/webhooks?view=event&type=charge.paid"],
  ["/console/events/evt_1", {}, "/console/webhooks/evt_1"],
  ["/console/receiver", { endpoint: "we_1" }, "/console/endpoints?view=check&endpoint=we_1"],
  ["/console/charges", {}, null],
])("%s with %o leads to %s", (path, query, target) => {
  expect(movedTo(path, query)).toBe(target);
});

it("none of them is a page of the menu", () => {
  expect(MOVED_PAGES.filter((name) => pageNames.includes(name))).toEqual([]);
});
