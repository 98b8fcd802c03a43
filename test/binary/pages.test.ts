import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, newPlace, type Place, type Server, serve } from "../support/binary.js";

/** The pages as the build made them: their styles and scripts are files of the source, put into the code as text. */

let place: Place;
let server: Server;
beforeEach(async () => {
  place = newPlace();
  server = await serve(place, [], true);
});
afterEach(async () => {
  server.signal("SIGKILL");
  await server.ended;
  place.remove();
});

/** The contents of a page's elements of one kind. */
const elements = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, "gs"))].map(([, text = ""]) => text);

const source = (folder: string) =>
  readdirSync(`src/${folder}/browser`).map((name) => readFileSync(`src/${folder}/browser/${name}`, "utf8").trim());

describe("a page of the built command", () => {
  it.each([
    [
      "checkout",
      async () => {
        const body = { amount: 1990, payment_method: "pix" };
        return (await ask(server.ready, server.ready.test_key, "POST", "/v1/charges", body)).body.checkout_url;
      },
    ],
  ])("has the styles and scripts of src/%s/browser", async (folder, address) => {
    const html = await (await fetch(await address())).text();
    const texts = [...elements(html, "style"), ...elements(html, "script")].map((text) => text.trim());
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(source(folder).some((one) => text.includes(one))).toBe(true);
  });

  it("has no style sheet beside it in the package", () => {
    expect(readdirSync("dist").filter((name) => name.endsWith(".css"))).toEqual([]);
  });
});
