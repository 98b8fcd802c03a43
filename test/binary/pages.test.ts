import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, newPlace, type Server, serve } from "../support/binary.js";
import { fresh } from "../support/shared.js";

/** The pages as the build made them: their styles and scripts are files of the source, put into the code as text. */

const place = fresh(newPlace);
let server: Server;
beforeEach(async () => {
  server = await serve(place, [], true);
});
afterEach(async () => {
  server.signal("SIGKILL");
  await server.ended;
});

describe("the checkout of the built command", () => {
  it("has the scripts and styles of src/web/checkout/browser, as files of their own", async () => {
    const body = { amount: 1990, payment_method: "pix" };
    const charge = await ask(server.ready, server.ready.test_key, "POST", "/v1/charges", body);
    const html = await (await fetch(charge.body.checkout_url)).text();
    const assets = [...html.matchAll(/(?:src|href)="\/checkout\/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
    expect(assets).toEqual(expect.arrayContaining(["checkout.js", "checkout.css"]));
    for (const name of assets) {
      const served = await (await fetch(`${server.ready.url}/checkout/assets/${name}`)).text();
      const tokens = name === "payer.css" ? readFileSync("src/web/checkout/tokens.css", "utf8") : "";
      expect(served.trim(), name).toBe((tokens + readFileSync(`src/web/checkout/browser/${name}`, "utf8")).trim());
    }
  });

  it("has no style sheet beside it in the package", () => {
    expect(readdirSync("dist").filter((name) => name.endsWith(".css"))).toEqual([]);
  });
});
