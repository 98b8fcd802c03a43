import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite } from "../../../src/web/docs/site.js";
import { serveSite } from "../../../src/web/docs/site-server.js";
import { newFolder } from "../../support/folder.js";
import { sendBytes } from "../../support/raw-http.js";
import { shared } from "../../support/shared.js";

/** The server of `qa-pay docs`, with a small site of the test's own. */

const top = shared(newFolder);
/** As `dist` of the package. */
let folder: string;
let server: Awaited<ReturnType<typeof serveSite>>;
beforeAll(async () => {
  folder = join(top.path, "dist");
  const files = {
    "../docs/images/charge.svg": "<svg/>",
    "secret.txt": "outside",
    "docs/index.html": "<h1>Documentation</h1>",
    "docs/ERRORS.html": "<h1>Errors</h1>",
    "docs/guides/refunds.html": "<h1>Refunds</h1>",
    "docs/pt-br/index.html": "<h1>Documentação</h1>",
    "docs/pt-br/guides/refunds.html": "<h1>Devoluções</h1>",
    "docs/assets/site.js": "export {};",
    "docs/assets/notes.exe": "no kind of file that pages have",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "docs/guides/clock.html.br"), brotliCompressSync("<h1>The clock</h1>"));
  server = await serveSite(await openSite(pathToFileURL(`${folder}/docs/`)), 0);
});
afterAll(async () => {
  await server.close(0);
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

it("a page that is stored compressed is answered as it was written, at the address of a page", async () => {
  const answer = await ask("/guides/clock.html");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await answer.text()).toBe("<h1>The clock</h1>");
  expect((await ask("/guides/clock")).headers.get("location")).toBe("/guides/clock.html");
  expect((await ask("/guides/clock.html.br")).status).toBe(404);
});

it("a picture that only the documents beside the site have is answered as a part of the site", async () => {
  const answer = await ask("/images/charge.svg");
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    200,
    "image/svg+xml",
    "<svg/>",
  ]);
  expect((await ask("/images/other.svg")).status).toBe(404);
});

describe("the language of a page", () => {
  it.each([
    ["/", "", "/index.html"],
    ["/", "pt-BR,pt;q=0.9", "/pt-br/index.html"],
    ["/", "de, en;q=0.3", "/index.html"],
    ["/?lang=pt", "en", "/pt-br/index.html"],
    ["/?lang=en", "pt", "/index.html"],
    ["/guides/refunds", "pt", "/pt-br/guides/refunds.html"],
    ["/guides/refunds", "en", "/guides/refunds.html"],
    ["/ERRORS", "pt", "/ERRORS.html"],
    ["/pt-br/guides/refunds", "en", "/pt-br/guides/refunds.html"],
  ])("%s with Accept-Language %j is %s", async (path, accepted, expected) => {
    const { status, headers } = await ask(path, { "accept-language": accepted });
    expect([status, headers.get("location"), headers.get("vary")]).toEqual([302, expected, "accept-language"]);
  });

  it("is that of the address where the address has one", async () => {
    const answer = await ask("/guides/refunds.html", { "accept-language": "pt" });
    expect([answer.status, await answer.text()]).toEqual([200, "<h1>Refunds</h1>"]);
  });
});

describe("every page", () => {
  it("may load what lies beside it and nothing else", async () => {
    const { headers } = await ask("/index.html");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  it("is sent again only when it has changed", async () => {
    const etag = (await ask("/index.html")).headers.get("etag") ?? "";
    expect((await ask("/index.html", { "if-none-match": etag })).status).toBe(304);
  });

  it("answers HEAD without a body, and takes no other method", async () => {
    const head = await fetch(`${server.url}/index.html`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const { status, headers } = await fetch(`${server.url}/index.html`, { method });
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("an address outside the site", () => {
  it.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/guides/../../secret.txt",
    "//secret.txt",
    "/secret.txt%00.html",
    "/assets/notes.exe",
    "/assets/",
    "/assets",
    "/nothing.html",
    "/%zz",
  ])("%s is not there", async (path) => {
    const { port } = new URL(server.url);
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    const answer = await sendBytes(server.url, request);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain("outside");
  });

  it("refuses another host, and a page of another origin", async () => {
    const answer = await sendBytes(server.url, "GET / HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).not.toContain("evil.test");
    expect((await ask("/index.html", { origin: "https://elsewhere.test" })).status).toBe(403);
  });
});

it("a site that was not built is an error", async () => {
  await expect(openSite(pathToFileURL(`${folder}/none/`))).rejects.toThrow("ENOENT");
});

it("a port that is taken is an error that says so", async () => {
  const site = await openSite(pathToFileURL(`${folder}/docs/`));
  await expect(serveSite(site, server.port)).rejects.toThrow(`Port ${server.port} is in use`);
});
