import { readdirSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { ask, newPlace, serve } from "../support/binary.js";

/** The pages as the build made them: their styles and scripts are files of the source, put into the code as text. */

it("the checkout of the built command has the scripts and styles of src/web/checkout/browser, as files of their own", async () => {
  const place = newPlace();
  onTestFinished(place.remove);
  const server = await serve(place);
  onTestFinished(async () => void (await server.stop()));
  const body = { amount: 1990, payment_method: "pix" };
  const charge = await ask(server, server.ready.test_key, "POST", "/v1/charges", body);
  const html = await (await fetch(charge.body.checkout_url)).text();
  const assets = [...html.matchAll(/(?:src|href)="\/checkout\/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  expect(assets).toEqual(expect.arrayContaining(["checkout.js", "checkout.css"]));
  for (const name of assets) {
    const served = await (await fetch(`${server.url}/checkout/assets/${name}`)).text();
    const shared = name === "payer.css" ? ["tokens", "shapes"].map((sheet) => `src/base/pages/${sheet}.css`) : [];
    const files = [...shared, `src/web/checkout/browser/${name}`].map((path) => readFileSync(path, "utf8"));
    expect(served.trim(), name).toBe(files.join("").trim());
  }
});

it("the package has no style sheet beside its code", () => {
  expect(readdirSync("dist").filter((name) => name.endsWith(".css"))).toEqual([]);
});
