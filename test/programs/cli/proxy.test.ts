import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { proxyOf } from "../../../src/programs/cli/host/proxy.js";
import { evidenceOf, openCase, PNG } from "../../support/med.js";
import { OF_OWN_AUTHORITY } from "../../support/own-authority.js";
import { startProxy } from "../../support/proxy.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands behind a proxy. Its name for this machine is pay.example.test. */

const NAME = "pay.example.test";
const emulator = sharedEmulator({ frozen: true, allowHost: [NAME] });
const proxy = shared(startProxy);
const cli = sharedCli();

afterEach(() => {
  proxy.asked.length = 0;
  proxy.answer = null;
  proxy.refusedMethod = null;
});

const withLogin = () => `http://maria:se%40cret@127.0.0.1:${proxy.port}`;
const ofService = () => `http://${NAME}:${new URL(emulator.url).port}`;

/** Runs a command for a host behind the proxy. */
function through(words: string, baseUrl: string, env: Record<string, string> = {}) {
  const address = { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: emulator.key };
  const proxies = { HTTPS_PROXY: withLogin(), HTTP_PROXY: withLogin() };
  return cli.run(words.split(" "), { env: { ...proxies, ...address, ...env } });
}

/** Neither of the outputs shows what stands in front of the `@` of the proxy. */
function expectNoLogin({ out, err }: { out: string; err: string }) {
  expect(out + err).not.toMatch(/maria|se%40cret|se@cret|bWFyaWE/);
}

describe("the proxy of an address", () => {
  const nameOf = (url: string, env: Record<string, string>) => {
    const proxy = proxyOf({ env }, url);
    return proxy === null ? null : String(proxy.name);
  };
  const HTTPS_PROXY = "http://one.test:3128";
  const HTTP_PROXY = "http://two.test";

  it("is that of its scheme, in either case, in lower case first", () => {
    expect(nameOf("https://pay.test", { HTTPS_PROXY, HTTP_PROXY })).toBe("http://one.test:3128 (from HTTPS_PROXY)");
    expect(nameOf("http://pay.test", { HTTPS_PROXY, HTTP_PROXY })).toBe("http://two.test (from HTTP_PROXY)");
    expect(nameOf("https://pay.test", { https_proxy: "x.test", HTTPS_PROXY })).toBe("http://x.test (from https_proxy)");
    expect(nameOf("https://pay.test", { https_proxy: "", HTTPS_PROXY })).toBe(
      "http://one.test:3128 (from HTTPS_PROXY)",
    );
    expect(nameOf("https://pay.test", { HTTP_PROXY })).toBeNull();
    expect(nameOf("https://pay.test", { HTTPS_PROXY: " " })).toBeNull();
  });

  it.each([
    "http://localhost:4600",
    "http://127.0.0.1:4600",
    "http://127.9.9.9",
    "http://[::1]:4600",
    "https://LOCALHOST",
  ])("is none for %s, which is this machine", (url) => expect(nameOf(url, { HTTPS_PROXY, HTTP_PROXY })).toBeNull());

  it.each([
    ["*", true],
    ["pay.example.test", true],
    ["PAY.example.test", true],
    ["example.test", true],
    [".example.test", true],
    ["*.example.test", true],
    ["other.test, pay.example.test", true],
    ["other.test pay.example.test", true],
    ["pay.example.test:8443", true],
    [".example.test:8443", true],
    ["pay.example.test:443", false],
    ["ample.test", false],
    ["y.example.test", false],
    ["pay.example.test.evil.test", false],
    ["other.test", false],
    [",", false],
    ["", false],
  ])("with NO_PROXY=%s goes around it: %s", (around, isAround) => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const found = nameOf("https://pay.example.test:8443", { HTTPS_PROXY, [name]: around });
      expect(found === null).toBe(isAround);
    }
  });

  it("knows the usual ports and IPv6 addresses in NO_PROXY", () => {
    expect(nameOf("https://pay.test", { HTTPS_PROXY, NO_PROXY: "pay.test:443" })).toBeNull();
    expect(nameOf("http://pay.test", { HTTP_PROXY, NO_PROXY: "pay.test:80" })).toBeNull();
    for (const around of ["fd00::7", "[fd00::7]", "[fd00::7]:80"]) {
      expect(nameOf("http://[fd00::7]", { HTTP_PROXY, NO_PROXY: around })).toBeNull();
    }
  });

  it.each(["socks5://maria:secret@one.test", "http://", "http://maria:secret@", "ftp://maria:secret@one.test", "://"])(
    "is refused as %s, and not shown",
    async (value) => {
      const ended = await through("wallets list", "https://pay.example.test", { HTTPS_PROXY: value });
      const message = "HTTPS_PROXY must be the address of an HTTP proxy, such as http://proxy.example:3128.";
      expect([ended.code, ended.out, ended.err]).toEqual([2, "", expect.stringContaining(message)]);
      expect(ended.err).not.toContain("secret");
      const told = await through("doctor --json", "https://pay.example.test", { HTTPS_PROXY: value });
      expect(JSON.parse(told.out).checks).toContainEqual({ name: "proxy", status: "fail", detail: message });
    },
  );
});

describe("a request over http://", () => {
  it("goes through the proxy, with its user and password for it alone", async () => {
    const ended = await through("charges create --amount 1990 --yes --json", ofService());
    expect([ended.code, JSON.parse(ended.out).amount]).toEqual([0, 1990]);
    const [first] = proxy.asked;
    expect(first).toMatchObject({ line: `POST ${ofService()}/v1/charges` });
    expect(first?.headers["proxy-authorization"]).toBe(`Basic ${Buffer.from("maria:se@cret").toString("base64")}`);
    expect(first?.headers.host).toBe(new URL(ofService()).host);
    expect(JSON.stringify(await emulator.sandbox("/requests"))).not.toContain("bWFyaW");
    expectNoLogin(ended);
  });

  it("to this machine goes to it directly", async () => {
    const ended = await through("wallets list", emulator.url);
    expect([ended.code, proxy.asked]).toEqual([0, []]);
  });

  it("may be a stream", async () => {
    const stopping = new Promise<() => void>((known) => {
      void cli
        .run(["listen", "--forward-to", "http://127.0.0.1:9", "--json"], {
          env: { HTTP_PROXY: withLogin(), QA_PAY_BASE_URL: ofService(), QA_PAY_API_KEY: emulator.key },
          onStop: (callback) => known(() => callback("SIGINT")),
        })
        .then(({ code }) => ended.push(code));
    });
    const ended: number[] = [];
    const stop = await stopping;
    expect(proxy.asked.map(({ line }) => line)).toContainEqual(expect.stringMatching(/GET .*\/_sandbox\/events/));
    stop();
    await expect.poll(() => ended).toEqual([0]);
  });

  it("is reported as answered by the proxy when the proxy needs a user", async () => {
    proxy.answer = { status: 407 };
    const ended = await through("charges create --amount 1990 --yes", ofService());
    expect(ended.code).toBe(7);
    expect(ended.err).toContain(
      `The proxy http://127.0.0.1:${proxy.port} (from HTTP_PROXY) does not connect to ${ofService()} (it answered 407 Proxy Authentication Required).`,
    );
    expect(ended.err).toContain(`Set its user and password: HTTP_PROXY=http://user:password@127.0.0.1:${proxy.port}.`);
    expectNoLogin(ended);
  });

  it.each([403, 502])("with an answer %d that is none of the service names the proxy", async (status) => {
    proxy.answer = { status };
    const ended = await through("wallets list", ofService());
    expect(ended.err).toContain(`It came through the proxy http://127.0.0.1:${proxy.port} (from HTTP_PROXY)`);
    expectNoLogin(ended);
  });
});

describe("the upload of evidence", () => {
  const behind = sharedEmulator({ frozen: true, publicUrl: `http://${NAME}` });
  const add = async () => {
    proxy.onwardPort = Number(new URL(behind.url).port);
    onTestFinished(() => {
      proxy.onwardPort = null;
    });
    const { id } = await openCase(behind);
    writeFileSync(join(cli.folder, "invoice.png"), PNG);
    const ended = await cli.run(["med", "evidence", "add", id, "invoice.png", "--yes"], {
      env: { HTTP_PROXY: withLogin(), QA_PAY_BASE_URL: `http://${NAME}`, QA_PAY_API_KEY: behind.key },
    });
    return { id, ended };
  };

  it("goes through the proxy too", async () => {
    const { id, ended } = await add();
    expect([ended.code, await evidenceOf(behind, id)]).toMatchObject([0, [{ file_size: PNG.length }]]);
    expect(proxy.asked.map(({ line }) => line.split(" ")[0])).toContain("PUT");
  });

  it("is reported as refused by the proxy, and is not confirmed", async () => {
    proxy.refusedMethod = "PUT";
    const { id, ended } = await add();
    expect([ended.code, await evidenceOf(behind, id)]).toEqual([7, []]);
    expect(ended.err).toContain(
      `The upload to http://${NAME} failed (the proxy http://127.0.0.1:${proxy.port} (from HTTP_PROXY) does not connect to it: it answered 407`,
    );
    expectNoLogin(ended);
  });
});

describe("a request over https://", () => {
  const host = `https://${NAME}:8443`;

  it.each([
    [407, "Proxy Authentication Required"],
    [403, "Forbidden"],
    [502, "Bad Gateway"],
  ])("that the proxy refuses with %d ends with an error of the proxy", async (status, text) => {
    proxy.answer = { status };
    const ended = await through("charges create --amount 1990 --yes", host);
    expect([ended.code, ended.out]).toEqual([7, ""]);
    expect(ended.err).toContain(
      `The proxy http://127.0.0.1:${proxy.port} (from HTTPS_PROXY) does not connect to ${host} (it answered ${status} ${text}).`,
    );
    const hint = status === 407 ? "Set its user and password: HTTPS_PROXY=" : `NO_PROXY=${NAME} goes around it.`;
    expect(ended.err).toContain(hint);
    expect(proxy.asked).toEqual([{ line: `CONNECT ${NAME}:8443`, headers: expect.anything() }]);
    expect(proxy.asked[0]?.headers).not.toHaveProperty("apikey");
    expectNoLogin(ended);
  });

  it("for a program has the same error as an envelope", async () => {
    proxy.answer = { status: 407 };
    const ended = await through("wallets list --json", host);
    expect(JSON.parse(ended.err).error).toMatchObject({ code: "unreachable" });
    expectNoLogin(ended);
  });

  it.each([["close"], ["silence"]] as const)("ends when the proxy answers by %s", async (answer) => {
    proxy.answer = answer;
    const ended = await through("wallets list --request-timeout 300ms", host);
    expect([ended.code, ended.out]).toEqual([7, ""]);
    expect(ended.err).toMatch(/The proxy http:\/\/127\.0\.0\.1:\d+ \(from HTTPS_PROXY\) does not connect to https:/);
  });

  it("ends when nobody is at the address of the proxy", async () => {
    const ended = await through("wallets list", host, { HTTPS_PROXY: "http://maria:se%40cret@127.0.0.1:9" });
    expect([ended.code, ended.out]).toEqual([7, ""]);
    const reason = "connection refused (ECONNREFUSED)";
    expect(ended.err).toContain(
      `The proxy http://127.0.0.1:9 (from HTTPS_PROXY) does not connect to ${host} (${reason}).`,
    );
    expectNoLogin(ended);
  });

  it("names the host, and how to trust its authority, when the proxy connects and the certificate is unknown", async () => {
    const server = createServer(OF_OWN_AUTHORITY, (_request, response) => response.end("{}"));
    onTestFinished(() => void server.close());
    const port = await listenOnLoopback(server);
    const ended = await through("charges create --amount 1990 --yes", `https://${NAME}:${port}`);
    expect(ended.code).toBe(7);
    expect(ended.err).toContain(`Nobody answers at https://${NAME}:${port} (invalid TLS certificate: issuer unknown`);
    expect(ended.err).toContain("NODE_EXTRA_CA_CERTS=<file> adds the certificate of an authority.");
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT ${NAME}:${port}`]);
  });
});

describe("which proxy is used", () => {
  it("is said with --verbose, and only where one is", async () => {
    const ended = await through("wallets list --verbose", ofService());
    expect(ended.err).toContain(`Proxy: http://127.0.0.1:${proxy.port} (from HTTP_PROXY)\n`);
    expectNoLogin(ended);
    expect((await through("wallets list --verbose", emulator.url)).err).not.toContain("Proxy");
  });

  it("is said by doctor", async () => {
    const checks = async (baseUrl: string, env: Record<string, string> = {}) => {
      const ended = await through("doctor --json", baseUrl, env);
      expectNoLogin(ended);
      return JSON.parse(ended.out).checks;
    };
    const used = `http://127.0.0.1:${proxy.port} (from HTTP_PROXY), on the way to ${ofService()}`;
    expect(await checks(ofService())).toContainEqual({ name: "proxy", status: "ok", detail: used });
    const unused = `none on the way to ${emulator.url}; HTTPS_PROXY, HTTP_PROXY are set`;
    expect(await checks(emulator.url)).toContainEqual({ name: "proxy", status: "ok", detail: unused });
    const names = (await checks(emulator.url, { HTTPS_PROXY: "", HTTP_PROXY: "" })).map(
      ({ name }: { name: string }) => name,
    );
    expect(names).not.toContain("proxy");
    proxy.answer = { status: 403 };
    const refused = `The proxy http://127.0.0.1:${proxy.port} (from HTTPS_PROXY) does not connect to https://${NAME} (it answered 403 Forbidden).`;
    expect(await checks(`https://${NAME}`)).toContainEqual({ name: "server", status: "warn", detail: refused });
  });
});
