import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { VERSION } from "../../../src/base/platform/version.js";
import { commandTree } from "../../../src/programs/cli/tree/command-tree.js";
import { openApiDocument } from "../../../src/service/openapi/document.js";
import { EXAMPLES } from "../../../src/service/openapi/examples.js";
import { consoleUrlOf } from "../../support/console.js";
import { startEmulator } from "../../support/emulator.js";
import { sendBytes } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** The server's own address answers without a key: a first page, the reference and the OpenAPI document. */

const emulator = sharedEmulator();

const PAGES = ["/", "/docs", "/openapi.json", "/llms.txt"] as const;
const ask = (path: string, headers: Record<string, string> = {}) => emulator.call("GET", path, { key: null, headers });
const contracts = registry.map(({ contract }) => contract);

/** The words of a command line: `charges create` of `qa-pay charges create --amount 1990`. */
const wordsIn = (line: string) => line.replace(/^qa-pay /, "").replace(/ (?:--|<|&lt;).*$/, "");

it("the commands of the first page are commands that there are", async () => {
  const { body } = await ask("/", { accept: "text/html" });
  const lines = String(body).match(/^(?:<pre>(?:<code>)?)?qa-pay [a-z].*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(3);
  const known = commandTree.map(({ command }) => command);
  for (const line of lines) expect(known).toContain(wordsIn(line.replace(/<[^>]+>/g, "")));
});

it("/llms.txt describes this server to an agent in plain text, with existing addresses and commands", async () => {
  const { status, headers, body } = await ask("/llms.txt");
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(body).toMatch(/^# qa-pay\n\n> \S/);
  const addresses = [...String(body).matchAll(/\]\((\S+)\)/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) {
    expect(address.startsWith(emulator.url)).toBe(true);
    expect((await ask(address.slice(emulator.url.length))).status).toBe(200);
  }
  const lines = [...String(body).matchAll(/`(qa-pay [^`]+)`/g)].map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(5);
  const known = [...commandTree.map(({ command }) => command), "serve"];
  for (const line of lines)
    expect(
      known.some((command) => `${wordsIn(line)} `.startsWith(`${command} `)),
      line,
    ).toBe(true);
});

describe("/openapi.json", () => {
  it("is the document of `qa-pay openapi`, with this server as its server", async () => {
    const options = { previews: new Set<never>(), sandbox: false, version: VERSION, examples: EXAMPLES };
    const expected = openApiDocument(contracts, options);
    const { status, headers, body } = await ask("/openapi.json");
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(body).toEqual({
      ...JSON.parse(JSON.stringify(expected)),
      servers: [{ url: emulator.url, description: "This server" }],
    });
    expect(Object.keys((await ask("/openapi.json?sandbox=true")).body.paths)).toContain("/_sandbox/reset");
  });

  it("has the routes of previews where they are served", async () => {
    expect((await ask("/openapi.json")).body.paths["/v1/charges"]).not.toHaveProperty("get");
    const other = await startEmulator({ preview: new Set(["charge-list"]) });
    try {
      expect((await other.call("GET", "/openapi.json")).body.paths["/v1/charges"]).toHaveProperty("get");
    } finally {
      await other.close();
    }
  });
});

describe("/docs", () => {
  it("has every operation with its address, and every alias", async () => {
    const { body, headers } = await ask("/docs");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const served = contracts.filter((contract) => !("preview" in contract));
    for (const { id, method, path } of served) {
      expect(body).toContain(`<article id="${id}">`);
      expect(body).toContain(`<span class="method">${method}</span> <code>${path}</code>`);
    }
  });

  it("shows how an operation is called: fields, curl, command, answer and errors", async () => {
    const { body } = await ask("/docs");
    const [, article = ""] = /<article id="charges\.create">([\s\S]*?)<\/article>/.exec(body) ?? [];
    expect(article).toContain("<code>customer.document</code>");
    expect(article).toContain(`curl -X POST ${emulator.url}/v1/charges`);
    expect(article).toContain("qa-pay charges create");
    expect(article).toContain("&quot;settlement&quot;: {}");
    expect(article).toContain("-d &#39;{&quot;amount&quot;:1990,&quot;payment_method&quot;:&quot;pix&quot;}&#39;");
    expect(article).toContain("<code>idempotency_key_reused</code>");
  });

  it("says of an optional list in a body what is in it", async () => {
    const { body } = await ask("/docs");
    const article = /<article id="webhooks.endpoints.update">.*?<\/article>/s.exec(String(body))?.[0];
    expect(article).toContain('<dt><code>events</code> <span class="soft">list of &quot;charge.created&quot; | ');
    expect(body).not.toMatch(/<span class="soft">array\b/);
  });

  it("leads nowhere that is not on the page or the server", async () => {
    const { body } = await ask("/docs");
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => String(href));
    const broken = links.filter((href) => (href.startsWith("#") ? !ids.has(href.slice(1)) : !href.startsWith("/")));
    expect(broken).toEqual([]);
    expect(ids.size).toBe([...body.matchAll(/ id="/g)].length);
  });
});

describe("/", () => {
  it.each([
    ["", {}, "en"],
    ["", { "accept-language": "pt-BR,pt;q=0.9,en;q=0.8" }, "pt-BR"],
    ["", { "accept-language": "de, en;q=0.5, pt;q=0.7" }, "pt-BR"],
    ["", { "accept-language": "pt;q=0, *" }, "en"],
    ["?lang=pt", { "accept-language": "en" }, "pt-BR"],
    ["?lang=en", { "accept-language": "pt" }, "en"],
    ["?lang=%22%3E%3Cb%3E", {}, "en"],
  ])("%s with %j is in %s", async (query, headers, language) => {
    const { body, headers: told } = await ask(`/${query}`, { accept: "text/html", ...headers });
    expect([told.get("content-language"), told.get("vary")]).toEqual([
      language,
      "accept, accept-language, accept-encoding",
    ]);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).not.toContain("<b>");
  });

  it("is JSON for a client that takes JSON and no HTML", async () => {
    const { headers, body } = await ask("/", { accept: "application/json" });
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({
      name: "qa-pay",
      emulator: true,
      version: VERSION,
      links: {
        reference: `${emulator.url}/docs`,
        openapi: `${emulator.url}/openapi.json`,
        emulator: `${emulator.url}/_sandbox`,
      },
    });
  });

  it("has a command of ours in every line of its first block", async () => {
    const { body } = await ask("/", { accept: "text/html" });
    expect(body).toContain(`qa-pay doctor --base-url ${emulator.url}`);
    expect(body).toContain(`curl ${emulator.url}/v1/charges`);
  });
});

describe("every page", () => {
  it.each(PAGES)("%s is sent again only when it has changed", async (path) => {
    const first = await ask(path, { accept: "text/html" });
    const etag = first.headers.get("etag") ?? "";
    const again = await ask(path, { accept: "text/html", "if-none-match": `"other", W/${etag}` });
    expect([first.status, again.status, again.body, again.headers.get("etag")]).toEqual([200, 304, null, etag]);
    expect((await ask(path, { accept: "text/html", "if-none-match": '"other"' })).status).toBe(200);
  });

  it.each(PAGES)("%s holds no key, secret or stored text, and lets a browser load nothing", async (path) => {
    await emulator.charge({ description: "stored-text" });
    const { body, headers } = await ask(path, { accept: "text/html" });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const token = new URL(consoleUrlOf(emulator)).searchParams.get("k");
    for (const secret of [emulator.key, emulator.live, emulator.signingSecret, token, "stored-text"]) {
      expect(text).not.toContain(secret);
    }
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    if (path === "/openapi.json" || path === "/llms.txt") return;
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^' ]+'; base-uri/);
    expect(text).not.toMatch(/<script|<img|<link|style="|@import|url\(|src=/);
  });

  it.each(PAGES)("%s refuses a foreign Host and Origin, and shows no page", async (path) => {
    const refused = await sendBytes(
      emulator.url,
      `GET ${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    );
    expect(refused).toMatch(/^HTTP\/1\.1 403 /);
    expect(refused).toMatch(/^content-type: application\/json/im);
    expect(refused).toContain('"code":"origin_not_allowed"');
    expectRefused(await ask(path, { origin: "https://elsewhere.test" }), "origin_not_allowed");
  });

  it("names the server by its own address, with any Host in the request", async () => {
    const { port } = new URL(emulator.url);
    const told = await sendBytes(
      emulator.url,
      `GET / HTTP/1.1\r\nHost: LOCALHOST:${port}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(told).toMatch(/^HTTP\/1\.1 200 /);
    expect(told).toContain(emulator.url);
    expect(told).not.toMatch(/LOCALHOST/);
  });

  it.each(PAGES)("%s takes no other method, and other paths stay unknown", async (path) => {
    for (const method of ["POST", "PUT", "DELETE"]) expectRefused(await emulator.call(method, path), "not_found");
    expectRefused(await ask("/docs/charges"), "not_found");
    expectRefused(await ask("/openapi.yaml"), "not_found");
  });
});
