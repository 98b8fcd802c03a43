import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createAssets } from "../../../src/web/console/assets.js";
import { openConsole } from "../../support/console.js";
import { newFolder } from "../../support/folder.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { shared, sharedEmulator } from "../../support/shared.js";

/** The page of the console and its files: public, without data, and under one strict policy. */

const emulator = sharedEmulator();
const folder = shared(newFolder);

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  emulator.call(method, path, { key: null, headers });

describe("the page", () => {
  it.each([
    "/console",
    "/console/",
    "/console/charges",
    "/console/charges/",
    "/console/charges/ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa?tab=money",
    "/console/go/00020126580014br.gov.bcb.pix0136",
    "/console/go/http%3A%2F%2F127.0.0.1%3A4600%2Fcheckout%2Fx.png",
    "/console/apiary",
  ])("is the answer to %s, without a session", async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(body).toContain('<script type="module" src="/console/assets/main.js"></script>');
    expect(body).toMatch(/<noscript>.*<p lang="pt-BR">/);
  });

  it("holds no data, no inline script and no style, for every client", async () => {
    const page = await openConsole(emulator);
    await page.charge({ body: { amount: 5, payment_method: "pix", description: "stored-text" } });
    const { body } = await ask("/console/charges", { cookie: page.cookie });
    for (const secret of [emulator.key, "stored-text", page.cookie.split("=")[1], emulator.url]) {
      expect(body).not.toContain(secret);
    }
    expect(body).not.toMatch(/<style|<script>|style=|\son\w+=/);
    expect(body).toBe((await ask("/console")).body);
  });

  it("loads its own files alone, by the address that the browser used", async () => {
    for (const name of ["127.0.0.1", "localhost"]) {
      const own = emulator.url.replace("127.0.0.1", name);
      const { headers } = await send(`${emulator.url}/console/`, { headers: { host: new URL(own).host } });
      expect(headers.get("content-security-policy")?.split("; ")).toEqual([
        "default-src 'none'",
        `script-src ${own}/console/assets/`,
        `style-src ${own}/console/assets/`,
        `img-src ${own}/console/assets/ ${own}/qr/ ${own}/console/api/files/`,
        `connect-src ${own}/console/api/ ${own}/qr/`,
        `frame-src ${own}/console/api/mail/ ${own}/console/api/files/`,
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
    }
    const { headers } = await ask("/console/");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  });

  it("is sent again only when it has changed", async () => {
    const etag = (await ask("/console/")).headers.get("etag") ?? "";
    const again = await ask("/console/med", { "if-none-match": etag });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, null, etag]);
    expect(again.headers.get("content-security-policy")).toContain("trusted-types 'none'");
  });

  it("answers HEAD without a body, and nothing else but GET", async () => {
    const { status, headers, body } = await ask("/console/", {}, "HEAD");
    expect([status, body, headers.get("etag")]).toEqual([200, null, (await ask("/console/")).headers.get("etag")]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expectRefused(await ask("/console/", {}, method), "not_found");
    }
  });

  it("is refused for a foreign Host and for a page of another origin", async () => {
    expectRefused(await send(`${emulator.url}/console/`, { headers: { host: "evil.test" } }), "origin_not_allowed");
    expectRefused(await ask("/console/", { origin: "https://evil.test" }), "origin_not_allowed");
  });

  it.each(["/console/x.png", "/console/charges/ch_1.json", "/console/favicon.ico"])(
    "is not the answer to %s, which is the name of a file",
    async (path) => {
      expectRefused(await ask(path), "not_found");
    },
  );
});

describe("a file of the page", () => {
  it("that was not built is a 404 that says how to build it, and the page is still served", async () => {
    const refused = expectRefused(await ask("/console/assets/nothing-here.js"), "not_found");
    expect(refused.message).toContain("`npm run build`");
    expect((await ask("/console/")).status).toBe(200);
  });

  it.each([
    "..%2f..%2fpackage.json",
    "%2e%2e%2fpackage.json",
    "..%5cpackage.json",
    ".hidden.js",
    "a/../../../package.json",
    "sub/main.js",
    "%00main.js",
    "main.js%00",
    "package.json.",
    "main.exe",
    "",
  ])("is never found outside of the folder: %j", async (name) => {
    const answer = await send(`${emulator.url}/console/assets/${name}`);
    expect([404, 200]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain('"dependencies');
    if (answer.status === 200) expect(answer.body).toContain('<div id="app">');
  });

  it("has its type, and is kept once it was read", async () => {
    const assets = createAssets(pathToFileURL(`${folder.path}/`));
    writeFileSync(join(folder.path, "main.js"), "one");
    writeFileSync(join(folder.path, "main.css"), "a{}");
    writeFileSync(join(folder.path, "icon.svg"), "<svg/>");
    const main = await assets("main.js");
    expect([main.type, Buffer.from(main.content.body).toString()]).toEqual(["text/javascript; charset=utf-8", "one"]);
    expect((await assets("main.css")).type).toBe("text/css; charset=utf-8");
    expect((await assets("icon.svg")).type).toBe("image/svg+xml");
    writeFileSync(join(folder.path, "main.js"), "other");
    expect((await assets("main.js")).content).toBe(main.content);
  });

  it("is sent as the build compressed it, and as it was to a browser that takes no brotli", async () => {
    const packed = brotliCompressSync("of the build");
    writeFileSync(join(folder.path, "packed.js.br"), packed);
    const { content } = await createAssets(pathToFileURL(`${folder.path}/`))("packed.js");
    expect(Buffer.from(content.body).toString()).toBe("of the build");
    expect(Buffer.from(content.br()).equals(packed)).toBe(true);
    expect(gunzipSync(content.gzip()).toString()).toBe("of the build");
  });

  it("that is missing is looked for again at the next request", async () => {
    const assets = createAssets(pathToFileURL(`${folder.path}/`));
    await expect(assets("late.js")).rejects.toThrow("npm run build");
    writeFileSync(join(folder.path, "late.js"), "here");
    expect(Buffer.from((await assets("late.js")).content.body).toString()).toBe("here");
  });

  it("has a name without a path, and is no folder", async () => {
    symlinkSync(tmpdir(), join(folder.path, "sub.js"));
    const assets = createAssets(pathToFileURL(`${folder.path}/`));
    for (const name of ["../main.js", "/etc/hosts.js", "..", "sub.js", "file:main.js", "main.js?x", "x".repeat(200)]) {
      await expect(assets(name)).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
