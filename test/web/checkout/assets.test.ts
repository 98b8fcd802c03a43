import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "../../../src/web/checkout/texts/en.json" with { type: "json" };
import ptBr from "../../../src/web/checkout/texts/pt-BR.json" with { type: "json" };
import { sharedEmulator } from "../../support/shared.js";
import { open } from "./pages.js";

const emulator = sharedEmulator();

const FILES = readdirSync("src/web/checkout/browser");

describe("the files of the payer's pages", () => {
  it.each(FILES)("%s has its type and a tag, and is not sent again to a browser that has it", async (file) => {
    const url = `${emulator.url}/checkout/assets/${file}`;
    const first = await fetch(url);
    expect(first.status).toBe(200);
    const types: Record<string, string> = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
    expect(first.headers.get("content-type")).toContain(types[file.split(".").at(-1) ?? ""]);
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^(W\/)?"[\w-]{22}"$/);
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  });

  it("are no others", async () => {
    for (const file of ["other.js", "checkout.js.map", "..%2fshell.ts", "toString"]) {
      expect((await open(`${emulator.url}/checkout/assets/${file}`)).status, file).toBe(404);
    }
  });

  it("put nothing into a page but text", async () => {
    for (const file of FILES.filter((name) => name.endsWith(".js"))) {
      const { text } = await open(`${emulator.url}/checkout/assets/${file}`);
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
    }
  });
});

describe("the policy of a checkout page", () => {
  it("allows its own files and requests below its own address, and nothing else; its token is no part of it", async () => {
    const { checkout_url: url } = await emulator.charge();
    const { headers, text } = await open(url);
    const { pathname, searchParams } = new URL(url);
    const own = `${emulator.url}/checkout/assets/`;
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toBe(
      `default-src 'none'; style-src ${own}; img-src ${own}; script-src ${own}; connect-src ${emulator.url}${pathname}/; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(policy).not.toContain(searchParams.get("k"));
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(text).not.toMatch(/<script(?! type="module" src="\/checkout\/assets\/checkout\.js")|<style|nonce=| on\w+=/);
  });

  it("names the address that the browser used", async () => {
    const { checkout_url: url } = await emulator.charge();
    const { headers } = await open(url.replace("127.0.0.1", "localhost"));
    expect(headers.get("content-security-policy")).toContain(
      `script-src ${emulator.url.replace("127.0.0.1", "localhost")}/checkout/assets/;`,
    );
  });
});

describe("the texts of the payer's pages", () => {
  /** Every text with its path. A text that is a function is called with sample values. */
  function textsOf(node: unknown, path = ""): [string, string][] {
    if (typeof node === "string") return [[path, node]];
    if (typeof node === "function") return [[path, node("«1»", "«2»")]];
    return Object.entries(node as object).flatMap(([name, value]) => textsOf(value, `${path}.${name}`));
  }

  it("are there in both languages, with the same values in them", () => {
    const [english, portuguese] = [new Map(textsOf(en)), new Map(textsOf(ptBr))];
    expect([...portuguese.keys()]).toEqual([...english.keys()]);
    const values = (text: string) => (text.match(/«\d»|\{\}/g) ?? []).toSorted();
    for (const [path, text] of english) {
      const other = portuguese.get(path) ?? "";
      expect([text.trim(), other.trim()], path).not.toContain("");
      expect(values(other), path).toEqual(values(text));
    }
  });

  it("say when the time ends in the words that integrators rely on", () => {
    expect([en.time.countdown, ptBr.time.countdown]).toEqual(["Expires in {time}", "Expira em {time}"]);
  });
});
