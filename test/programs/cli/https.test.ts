import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get, type RequestOptions } from "node:https";
import { join } from "node:path";
import { createServer } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { newFolder } from "../../support/folder.js";
import { projectServers } from "../../support/project-servers.js";
import { begin } from "../../support/running.js";
import { SELF_SIGNED } from "../../support/self-signed.js";

/** `serve --https`: its addresses, and that commands believe this server alone. */

const shared = newFolder();
afterAll(shared.remove);
const servers = projectServers();
const { at, project, serve, serverFile, written } = servers;
const run = (words: readonly string[], options: CliOptions = {}) => servers.cli.run(words, options);
const certificateIn = (file: string) => new X509Certificate(readFileSync(file));
/** A start with --https, of a database in memory. The certificate is that of all tests. */
const startHttps = (name: string, words: readonly string[] = []) =>
  serve(project(name), ["--https", "--db", ":memory:", ...words], { env: { XDG_CACHE_HOME: shared.path } });

/** An answer over TLS with these options alone. */
function answerTo(url: string, options: RequestOptions) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    get(url, { agent: false, ...options }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    }).on("error", reject);
  });
}

describe("serve --https", () => {
  it("answers at https://localhost with a certificate that is made once, and names its file", async () => {
    const { ready } = await startHttps("shop");
    expect(ready).toMatchObject({
      url: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      cert: join(shared.path, "qa-pay", "localhost.pem"),
      console_url: expect.stringContaining(`${ready.url}/console/open?k=`),
    });
    const certificate = certificateIn(ready.cert);
    expect([certificate.ca, certificate.subject === certificate.issuer]).toEqual([false, true]);
    expect(readFileSync(ready.cert, "utf8")).not.toContain("PRIVATE KEY");
    const ca = readFileSync(ready.cert);
    for (const host of ["localhost", "127.0.0.1"]) {
      const url = ready.url.replace("localhost", host);
      expect((await answerTo(`${url}/_sandbox/server`, { ca })).status).toBe(200);
    }
    await expect(answerTo(ready.url, {})).rejects.toThrow(/self-signed/);
    const second = await startHttps("other");
    expect(second.ready.cert).toBe(ready.cert);
    expect(certificateIn(second.ready.cert).fingerprint256).toBe(certificate.fingerprint256);
  });

  it("is in every address that the server and the commands of its folder print", async () => {
    const cwd = project("shop");
    const env = join(cwd, "app.env");
    const { ready } = await startHttps("shop", ["--write-env", env, "--seed", "charge-paid"]);
    const { url } = ready;
    expect(written(cwd)).toMatchObject({ url, certificate: readFileSync(ready.cert, "utf8") });
    expect(readFileSync(env, "utf8")).toContain(`QA_PAY_BASE_URL=${url}\n`);
    const charge = await run(["charges", "create", "--amount", "1990", "--json"], { cwd });
    const { checkout_url: checkout, pix } = JSON.parse(charge.out);
    expect([checkout, JSON.stringify(pix)]).toEqual([
      expect.stringContaining(`${url}/checkout/`),
      expect.stringContaining(`"${url}/qr/`),
    ]);
    for (const command of [["env"], ["console", "--no-open"], ["doctor"]]) {
      const { code, out } = await run(command, { cwd });
      expect([command, code, out]).toEqual([command, 0, expect.stringContaining(url)]);
      expect(out).not.toContain("http://");
    }
  });

  it("is believed by commands in other folders, under every name of this machine, and by the commands that stop it", async () => {
    const { ready } = await startHttps("shop");
    const cwd = project("elsewhere");
    for (const host of ["localhost", "127.0.0.1"]) {
      const url = ready.url.replace("localhost", host);
      const words = ["wallets", "list", "--base-url", url, "--api-key", ready.test_key];
      expect(await run(words, { cwd })).toMatchObject({ code: 0, err: "" });
    }
    expect(await run(["wallets", "list"], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${ready.url}  ${at("shop")}`),
    });
    const again = await startHttps("shop");
    expect((await run(["wallets", "list"], { cwd: at("shop") })).code).toBe(0);
    expect(again.ready.url).not.toBe(ready.url);
  });

  it("is believed by the commands that upload, follow and stop", async () => {
    const server = await startHttps("shop", ["--seed", "med-opened"]);
    const cwd = at("shop");
    const cases = await run(["med", "list", "--json"], { cwd });
    writeFileSync(join(cwd, "proof.pdf"), "%PDF-1.7");
    const upload = ["med", "evidence", "add", JSON.parse(cases.out).data[0].id, join(cwd, "proof.pdf")];
    expect(await run(upload, { cwd })).toMatchObject({ code: 0 });
    const following = await begin(servers.cli, ["listen", "--forward-to", "http://127.0.0.1:9/", "--json"], { cwd });
    expect((await following.stop()).out).toContain(server.ready.url);
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
    });
    const pause = () => new Promise<void>((done) => void setImmediate(done));
    expect(await run(["stop", "--json"], { cwd, pause, isRunning: () => !hasEnded })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`"url":"${server.ready.url}"`),
    });
  });

  it("is not mixed up with a program that takes its port, though that one has a certificate for localhost too", async () => {
    const server = await startHttps("shop");
    const { url, test_key: key } = server.ready;
    const content = readFileSync(serverFile(at("shop")), "utf8");
    await servers.stop(server);
    let received = "";
    const other = createServer(SELF_SIGNED, (socket) => {
      socket
        .on("error", () => undefined)
        .on("data", (part) => {
          received += String(part);
        });
    });
    other.on("tlsClientError", () => undefined);
    await new Promise<void>((done) => other.listen(Number(new URL(url).port), "127.0.0.1", done));
    // As after a kill: the file still says that the server runs.
    writeFileSync(serverFile(at("shop")), content, { mode: 0o600 });
    const env = { NODE_EXTRA_CA_CERTS: "" };
    const command = ["charges", "create", "--amount", "1990"];
    expect(await run(command, { cwd: at("shop"), env })).toMatchObject({ code: 7 });
    const named = [...command, "--base-url", url, "--api-key", key];
    expect(await run(named, { cwd: at("shop") })).toMatchObject({
      code: 7,
      err: expect.stringContaining("invalid TLS certificate"),
    });
    expect(received).toBe("");
    await new Promise((done) => void other.close(done));
  });

  it("has cookies that are sent by TLS alone, and checks Host and Origin by its scheme", async () => {
    const { ready } = await startHttps("shop");
    const { url, cert } = ready;
    const ca = readFileSync(cert);
    const opened = await answerTo(ready.console_url, { ca });
    expect([opened.status, opened.headers["set-cookie"]]).toEqual([200, [expect.stringMatching(/; Secure$/)]]);
    const statusWith = async (headers: Record<string, string>) =>
      (
        await answerTo(`${url}/_sandbox`, {
          ca,
          servername: "localhost",
          headers: { apikey: ready.test_key, ...headers },
        })
      ).status;
    const { port, host } = new URL(url);
    expect(await statusWith({ origin: url })).toBe(200);
    expect(await statusWith({ origin: `https://127.0.0.1:${port}` })).toBe(200);
    for (const origin of [`http://${host}`, "https://localhost", "https://shop.example", "null"])
      expect([origin, await statusWith({ origin })]).toEqual([origin, 403]);
    for (const name of ["localhost", "shop.example", `shop.example:${port}`])
      expect([name, await statusWith({ host: name })]).toEqual([name, 403]);
  });

  it("closes connections without TLS, and goes on", async () => {
    const { ready } = await startHttps("shop");
    const plain = ready.url.replace("https:", "http:");
    const words = ["wallets", "list", "--base-url", plain, "--api-key", ready.test_key];
    expect(await run(words)).toMatchObject({ code: 7, err: expect.stringContaining("https://") });
    expect((await run(["wallets", "list"], { cwd: at("shop") })).code).toBe(0);
  });
});

describe("--https and --open are refused before the start", () => {
  it.each([
    [
      ["--https", "--public-url", "http://pay.example.com"],
      "--https and a --public-url with http:// contradict each other.\nWrite the address with https://",
    ],
    [
      ["--https", "--host", "127.0.0.2"],
      "--https does not go with --host 127.0.0.2: its certificate is for localhost, 127.0.0.1 and ::1 alone.\n",
    ],
    [["--open", "--no-console"], "--open needs the console, which this server does not have.\n"],
    [["--open", "--host", "0.0.0.0"], "--open needs the console, which this server does not have.\n"],
  ])("with %j", async (words, message) => {
    const { code, out, err } = await run(["serve", "--db", ":memory:", "--port", "0", ...words]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`Error: ${message}`);
    expect(readdirSync(at())).toEqual([]);
  });
});
