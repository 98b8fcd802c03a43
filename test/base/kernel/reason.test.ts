import { expect, it } from "vitest";
import { errorCode, reasonOf } from "../../../src/base/kernel/reason.js";

it.each([
  ["an error of the system", Object.assign(new Error("no file"), { code: "ENOENT" }), "ENOENT", "no file"],
  ["an error without a code", new Error("wrong"), undefined, "wrong"],
  ["an error with a number as its code", Object.assign(new Error("wrong"), { code: 5 }), undefined, "wrong"],
  ["a text", "ENOENT", undefined, "ENOENT"],
  ["nothing", null, undefined, "null"],
])("reads the code and the reason of %s", (_what, thrown, code, reason) => {
  expect(errorCode(thrown)).toBe(code);
  expect(reasonOf(thrown)).toBe(reason);
});
