import { beforeEach, describe, expect, it } from "vitest";
import {
  type ConsoleCall,
  type ConsoleSession,
  consoleUrlOf,
  openConsole,
  sessionFrom,
} from "../../support/console.js";
import { freshKey, startEmulator } from "../../support/emulator.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Callers that may not use the console's operations. Every refusal is held against a request that would be carried out. */

const emulator = sharedEmulator();
let page: ConsoleSession;
beforeEach(async () => {
  page = await openConsole(emulator);
});

const CHARGE = { amount: 1990, payment_method: "pix" };
const create = ({ headers = {}, ...others }: ConsoleCall = {}) =>
  page.call("POST", "/v1/charges", { body: CHARGE, ...others, headers: { "idempotency-key": freshKey(), ...headers } });

async function counts(): Promise<unknown> {
  const { total } = (await emulator.call("GET", "/v1/payments?limit=1")).body;
  return { total, requests: (await emulator.sandbox("/requests?limit=100")).data.filter(isChange).length };
}
const isChange = ({ method }: { method: string }) => method !== "GET";

/** A request that must be refused, of which nothing may be left: no charge, and no entry of the log. */
async function expectNothing(code: string, call: () => ReturnType<typeof create>, message: string): Promise<void> {
  const before = await counts();
  const { message: told } = expectRefused(await call(), code);
  expect(told).toContain(message);
  expect(await counts()).toEqual(before);
}

describe("a change through the console", () => {
  it("is carried out when the console's own page sends it", async () => {
    expect((await create()).status).toBe(201);
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await create({ headers })).status).toBe(201);
  });

  // The check of every route, which comes first.
  const FOREIGN = "none from a web page of another origin";
  const OTHER_PORT = "http://127.0.0.1:9";
  it.each<[string, Record<string, string | null>, string]>([
    ["from a page of another website", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }, FOREIGN],
    ["from a page of another port", { origin: OTHER_PORT, "sec-fetch-site": "same-site" }, FOREIGN],
    ["from another port by an old browser", { origin: OTHER_PORT, "sec-fetch-site": null }, FOREIGN],
    ["from a page without an origin", { origin: "null" }, FOREIGN],
    ["without Origin", { origin: null }, "Origin: http://"],
    ["that a person typed", { "sec-fetch-site": "none" }, "(none)"],
    ["from the same site", { "sec-fetch-site": "same-site" }, "(same-site)"],
    ["of a form", { "content-type": "application/x-www-form-urlencoded" }, "application/json"],
    ["as plain text", { "content-type": "text/plain" }, "application/json"],
    ["as another JSON type", { "content-type": "application/jsonx" }, "application/json"],
  ])("is refused %s", async (_what, headers, message) => {
    await expectNothing("origin_not_allowed", () => create({ headers }), message);
  });

  it("is refused from a page that was loaded by another name of this machine", async () => {
    const other = emulator.url.replace("127.0.0.1", "localhost");
    const headers = { origin: other, "sec-fetch-site": null };
    await expectNothing("origin_not_allowed", () => create({ headers }), `not one of ${other}`);
  });

  it("is refused without a body when it has no type either", async () => {
    const charge = await emulator.charge();
    const answer = await page.call("POST", `/_sandbox/charges/${charge.id}/pay`, { headers: { "content-type": null } });
    expectRefused(answer, "origin_not_allowed");
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).body.status).toBe("pending");
  });
});

describe("every request to the console's operations", () => {
  it.each(["same-site", "cross-site", "none"])("is refused with Sec-Fetch-Site %s, reads too", async (site) => {
    const answer = await page.call("GET", "/v1/wallets", { headers: { "sec-fetch-site": site } });
    expect(expectRefused(answer, "origin_not_allowed").message).toContain(`${emulator.url}/console/`);
  });

  it("may leave out Sec-Fetch-Site, which old browsers do not know", async () => {
    expect((await page.call("GET", "/v1/wallets", { headers: { "sec-fetch-site": null } })).status).toBe(200);
  });

  it("is refused with an Origin of another port, reads too", async () => {
    const headers = { origin: "http://127.0.0.1:9", "sec-fetch-site": null };
    expectRefused(await page.call("GET", "/v1/wallets", { headers }), "origin_not_allowed");
  });

  it.each<[string, () => string]>([
    ["no cookie", () => ""],
    ["another cookie", () => `session=${page.cookie.split("=")[1]}`],
    ["the cookie of another port", () => page.cookie.replace(/_\d+=/, "_9=")],
    ["a changed secret", () => `${page.cookie}x`],
    [
      "the token of a link",
      () => page.cookie.replace(/=.*/, `=${new URL(consoleUrlOf(emulator)).searchParams.get("k")}`),
    ],
  ])("needs a session: %s", async (_what, cookie) => {
    for (const path of ["/v1/wallets", "/_sandbox", "/nowhere", "/mail/em_1", "/files/evidence/ev_1"]) {
      const answer = await page.call("GET", path, { headers: { cookie: cookie() } });
      expect(expectRefused(answer, "unauthorized").message).toContain("`qa-pay console`");
    }
    await expectNothing("unauthorized", () => create({ headers: { cookie: cookie() } }), "session");
  });

  it.each<[string, () => string | null | Promise<string>]>([
    ["without it", () => null],
    ["with an empty one", () => ""],
    ["with a text of another page", () => "1"],
    ["with the cookie in its place", () => page.cookie.split("=")[1] ?? ""],
    ["with that of another session", async () => (await openConsole(emulator)).pagePart],
    ["with a changed one", () => `${page.pagePart}x`],
    ["with the token of a link", () => new URL(consoleUrlOf(emulator)).searchParams.get("k") ?? ""],
  ])("needs the part of the session that the page keeps, reads too: %s", async (_what, part) => {
    const headers = { "x-qa-console": await part() };
    const paths = ["/v1/wallets", "/_sandbox", "/_sandbox/stream", "/nowhere", "/mail/em_1", "/files/evidence/ev_1"];
    const more = ["/files/receipt/tx_1", "/files/snapshot/kept", "/_sandbox/snapshots/kept/file", "/tickets/mail/em_1"];
    for (const path of [...paths, ...more]) {
      expectRefused(await page.call("GET", path, { headers }), "unauthorized");
    }
    await expectNothing("unauthorized", () => create({ headers }), "session");
  });

  it("needs a session even for operations that need no key", async () => {
    const answer = await page.call("POST", "/v1/auth/login", {
      body: { email: "a", password: "b" },
      headers: { cookie: "" },
    });
    expect(expectRefused(answer, "unauthorized").message).toContain("session");
  });

  it("finds its cookie among others", async () => {
    const headers = { cookie: `a=1; qa_pay_console_9=x;${page.cookie}; b=2` };
    expect((await page.call("GET", "/v1/wallets", { headers })).status).toBe(200);
  });

  it("finds its cookie beside others of the same name, which another local server can set", async () => {
    const [name] = page.cookie.split("=");
    const headers = { cookie: `${name}=x; ${page.cookie}; ${name}=y` };
    expect((await page.call("GET", "/v1/wallets", { headers })).status).toBe(200);
    expectRefused(
      await page.call("GET", "/v1/wallets", { headers: { cookie: `${name}=x; ${name}=` } }),
      "unauthorized",
    );
  });

  it("is not let in by an API key alone", async () => {
    const answer = await page.call("GET", "/v1/wallets", { headers: { cookie: "", apikey: emulator.key } });
    expectRefused(answer, "unauthorized");
  });

  it("is refused for a foreign Host", async () => {
    const answer = await send(`${emulator.url}/console/api/v1/wallets`, {
      headers: { host: "evil.test", cookie: page.cookie, "x-qa-console": page.pagePart },
    });
    expectRefused(answer, "origin_not_allowed");
  });

  it.each(["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"])(
    "finds nothing by %s where there is no such operation",
    async (method) => {
      const answer = await page.call(method, "/v1/wallets");
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([404, null]);
      expect(answer.headers.get("allow")).toBeNull();
    },
  );

  it("is refused as a preflight of another page", async () => {
    const headers = {
      origin: "http://127.0.0.1:9",
      "sec-fetch-site": "same-site",
      "access-control-request-method": "POST",
    };
    const answer = await page.call("OPTIONS", "/v1/charges", { headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  it.each(["x", "acc_1:test", ":other", "test"])("names an account and a mode that are there, not %s", async (book) => {
    expectRefused(await page.call("GET", "/v1/wallets", { book }), "invalid_request", "x-qa-book");
  });
});

describe("a session", () => {
  it("of a server that was stopped opens nothing when it starts again", async () => {
    const first = await startEmulator();
    const { cookie, pagePart } = await sessionFrom(consoleUrlOf(first));
    const port = Number(new URL(first.url).port);
    await first.close();
    const second = await startEmulator({ port });
    try {
      const again = await openConsole(second);
      expect((await again.call("GET", "/v1/wallets")).status).toBe(200);
      const headers = { cookie, "x-qa-console": pagePart };
      expectRefused(await again.call("GET", "/v1/wallets", { headers }), "unauthorized");
    } finally {
      await second.close();
    }
  });

  it("has a name with the port, so that two emulators do not end each other's", async () => {
    const other = await startEmulator();
    try {
      const theirs = await openConsole(other);
      expect(theirs.cookie.split("=")[0]).not.toBe(page.cookie.split("=")[0]);
      const cookie = `${page.cookie}; ${theirs.cookie}`;
      for (const one of [page, theirs])
        expect((await one.call("GET", "/v1/wallets", { headers: { cookie } })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("ends by the operation that logs out, and stays ended", async () => {
    expect((await page.call("POST", "/v1/auth/logout")).status).toBe(204);
    expectRefused(await page.call("GET", "/v1/wallets"), "unauthorized");
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    expectRefused(await page.call("GET", "/v1/wallets"), "unauthorized");
    expect((await (await openConsole(emulator)).call("GET", "/v1/wallets")).status).toBe(200);
  });
});
