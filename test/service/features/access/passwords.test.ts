import { expect, it } from "vitest";
import { isPassword } from "../../../../src/service/features/access/passwords.js";

it("two passwords are checked at once, two hundred wait, and others are refused until one has ended", async () => {
  const check = () => isPassword("wrong", null, 16).catch((error) => error.code);
  const answers = await Promise.all(Array.from({ length: 204 }, check));
  expect(answers).toEqual([...Array(202).fill(false), "service_unavailable", "service_unavailable"]);
  expect(await check()).toBe(false);
});
