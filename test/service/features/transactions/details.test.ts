import { expect, it } from "vitest";
import { textSchema } from "../../../../src/service/features/transactions/detail-schemas.js";

it("a declared text has at most as many characters as its row says, and may be missing", () => {
  const note = textSchema({ most: 3, about: "A note" });
  expect([note.parse("abc"), note.parse(undefined)]).toEqual(["abc", undefined]);
  const { error } = note.safeParse("abcd");
  expect(error?.issues.map(({ message }) => message)).toEqual(["must have at most 3 characters"]);
});
