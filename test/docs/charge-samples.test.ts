import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The samples that create a charge for an order name the order, so that `payments find`, `reconcile` and `survive` see it. */

const files = readdirSync("examples", { recursive: true, encoding: "utf8" })
  .map((name) => `examples/${name.replaceAll("\\", "/")}`)
  .filter((name) => /\.(?:mjs|js|ts|py|php|rb|go|java)$/.test(name) && !name.includes("node_modules"));

test("every example that creates the charge of an order sends metadata.order", () => {
  const ofOrders = files.filter((name) => {
    const text = readFileSync(name, "utf8");
    return /\/v1\/charges["'`]/.test(text) && /order_?id|orders?\b/i.test(text);
  });
  expect(ofOrders.length).toBeGreaterThan(15);
  const without = ofOrders.filter((name) => !/metadata["']?\s*(?::|=>|=)/.test(readFileSync(name, "utf8")));
  expect(without).toEqual([]);
});
