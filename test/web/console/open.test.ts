import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/base/kernel/language.js";
import { consoleUrlOf, openConsole, sessionFrom, sessionIn } from "../../support/console.js";
import { startEmulator } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** The links that start a session of the console. How long they work is in access.test.ts. */

const emulator = sharedEmulator();

const visit = (link: string, init: RequestInit = {}) => fetch(link, { redirect: "manual", ...init });
const newLink = async (body: object = {}) => (await emulator.sandbox("/console/links", body)).url as string;

/** The address that the answer to a link leads to. */
async function addressIn(response: Response): Promise<string | undefined> {
  return /<meta name="qa-pay-session" content="[\w-]*" data-address="([^"]*)">/.exec(await response.text())?.[1];
}

/** The answer to a link that opens nothing: a page for a person, and no session. */
async function expectUseless(link: string): Promise<void> {
  const response = await visit(link);
  expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^' ]+';/);
  const text = await response.text();
  expect(text).toContain("<code>qa-pay console</code>");
  expect(text.match(/<a href="\/console\/">/g), "a way into the console in each language").toHaveLength(
    LANGUAGES.length,
  );
  expect(text).not.toMatch(/<script|\son\w+=/);
}

describe("the link of the start", () => {
  it("starts a session: a cookie for the operations alone, and a part for the page, which leads to the first page", async () => {
    const response = await visit(consoleUrlOf(emulator));
    const { port } = new URL(emulator.url);
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
    expect(response.headers.get("set-cookie")).toMatch(
      new RegExp(`^qa_pay_console_${port}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/console/api$`),
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const { cookie, pagePart } = await sessionIn(response.clone());
    expect(pagePart).toMatch(/^[\w-]{32}$/);
    expect(cookie).not.toContain(pagePart);
    expect(await addressIn(response)).toBe("/console/");
  });

  it("is answered by the page of the console, which nobody keeps and no other page can show or read", async () => {
    const { headers } = await visit(consoleUrlOf(emulator));
    const page = await visit(`${emulator.url}/console/`);
    for (const name of ["content-type", "content-security-policy", "cross-origin-resource-policy"]) {
      expect(headers.get(name)).toBe(page.headers.get(name));
    }
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect([headers.get("etag"), headers.get("access-control-allow-origin")]).toEqual([null, null]);
  });

  it("works again, also when the emulated clock was moved", async () => {
    const first = await openConsole(emulator);
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const second = await openConsole(emulator);
    for (const page of [first, second]) expect((await page.call("GET", "/v1/wallets")).status).toBe(200);
  });

  it.each([
    ["charges/ch_1?tab=money#x", "/console/charges/ch_1?tab=money#x"],
    ["go/br.gov.bcb.pix", "/console/go/br.gov.bcb.pix"],
    ["go/http%3A%2F%2Flocalhost%2Fcheckout%2F1", "/console/go/http%3A%2F%2Flocalhost%2Fcheckout%2F1"],
    ["", "/console/"],
    ["../v1/wallets", "/console/"],
    ["//evil.test/x", "/console///evil.test/x"],
    ["/evil.test", "/console//evil.test"],
    ["\\\\evil.test", "/console/"],
    ["a\r\nx-evil: 1", "/console/"],
    ["https://evil.test/", "/console/https://evil.test/"],
    ["api/v1/wallets", "/console/"],
    ["open?k=x", "/console/"],
    ["x/../api", "/console/"],
    ["%2e%2e/v1", "/console/"],
    ['x"><script>alert(1)</script>', "/console/x%22%3E%3Cscript%3Ealert(1)%3C/script%3E"],
  ])("with to=%j leads below /console/", async (to, address) => {
    const response = await visit(`${consoleUrlOf(emulator)}&to=${encodeURIComponent(to)}`);
    expect([response.status, response.headers.get("x-evil")]).toEqual([200, null]);
    expect(await addressIn(response)).toBe(address);
    expect(new URL(address, emulator.url).origin).toBe(emulator.url);
  });
});

describe("a link that was requested", () => {
  it("leads to the page of an object, by its id or by an address of it", async () => {
    for (const id of ["ch_1", `${emulator.url}/console/charges/ch_1?tab=money`]) {
      expect(await addressIn(await visit(await newLink({ id })))).toBe("/console/go/ch_1");
    }
    const odd = await newLink({ id: "a/b?c d" });
    expect(await addressIn(await visit(odd))).toBe("/console/go/a%2Fb%3Fc%20d");
  });

  it("is not used up by a HEAD, nor by another method", async () => {
    const link = await newLink();
    expect((await visit(link, { method: "HEAD" })).status).toBe(403);
    expectRefused(await emulator.call("POST", link.slice(emulator.url.length), { key: null }), "not_found");
    expect((await sessionFrom(link)).cookie).not.toBe("");
  });

  it("needs an API key, and never stands in a log", async () => {
    expectRefused(await emulator.call("POST", "/_sandbox/console/links", { key: null }), "unauthorized");
    const bad = await emulator.call("POST", "/_sandbox/console/links", { body: { id: " " } });
    expectRefused(bad, "invalid_request", "id");
  });
});

describe("a link that opens nothing", () => {
  it.each(["", "?k=", "?k=wrong", "?to=charges"])("%j is answered by a page that says what to do", async (query) => {
    await expectUseless(`${emulator.url}/console/open${query}`);
  });

  it("is one of another server, whose sessions are not known here either", async () => {
    const other = await startEmulator();
    const { cookie: foreign, pagePart } = await sessionFrom(consoleUrlOf(other));
    const token = new URL(consoleUrlOf(other)).searchParams.get("k");
    await other.close();
    await expectUseless(`${emulator.url}/console/open?k=${token}`);
    const { port } = new URL(emulator.url);
    const cookie = foreign.replace(/_\d+=/, `_${port}=`);
    const page = await openConsole(emulator);
    const headers = { cookie, "x-qa-console": pagePart };
    expectRefused(await page.call("GET", "/v1/wallets", { headers }), "unauthorized");
  });
});

describe("a console that is switched off", () => {
  it.each([
    ["by an option", { console: false }],
    ["because other machines reach the server", { host: "0.0.0.0" }],
  ])("%s has no link and no page", async (_why, options) => {
    const closed = await startEmulator(options);
    try {
      expect(closed.consoleUrl).toBeNull();
      for (const path of ["/console", "/console/", "/console/open?k=x", "/console/assets/main.js"]) {
        expectRefused(await closed.call("GET", path, { key: null }), "not_found");
      }
      expectRefused(await closed.call("GET", "/console/api/v1/wallets"), "not_found");
      const refused = expectRefused(await closed.call("POST", "/_sandbox/console/links"), "not_found");
      expect(refused.message).toContain("--no-console");
    } finally {
      await closed.close();
    }
  });

  it("can be switched on where other machines reach the server", async () => {
    const open = await startEmulator({ host: "0.0.0.0", console: true });
    try {
      expect((await (await openConsole(open)).call("GET", "/v1/wallets")).status).toBe(200);
    } finally {
      await open.close();
    }
  });
});
