import { expect, it } from "vitest";
import { recent } from "../../../src/programs/cli/commands/listen/recent.js";

it("the list of recently seen ids has the latest 10000 ids, each only once", () => {
  const seen = recent(["first", "second"]);
  for (let n = 0; n < 9_998; n++) seen.add(`text ${n}`);
  seen.add("first");
  expect([seen.has("first"), seen.has("second"), seen.has("text 9997"), seen.has("never")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  seen.add("one more");
  expect([seen.has("first"), seen.has("second"), seen.has("one more")]).toEqual([false, true, true]);
});
