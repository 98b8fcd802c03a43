import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { newPlace, run } from "../support/binary.js";
import { OF_OWN_AUTHORITY } from "../support/own-authority.js";
import { startProxy } from "../support/proxy.js";

/** The built command behind a proxy, to a host whose certificate is of an authority of its own. */

const NAME = "pay.example.test";

async function startHost() {
  const asked: (string | undefined)[] = [];
  const server = createServer(OF_OWN_AUTHORITY, ({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers.apikey} ${headers["proxy-authorization"]}`);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const port = await listenOnLoopback(server);
  return { asked, port };
}

it("a command goes through HTTPS_PROXY and trusts the authority of NODE_EXTRA_CA_CERTS", async () => {
  const place = newPlace();
  onTestFinished(place.remove);
  const proxy = await startProxy();
  onTestFinished(proxy.close);
  const { asked, port } = await startHost();
  const authority = join(place.folder, "authority.pem");
  writeFileSync(authority, OF_OWN_AUTHORITY.authority);
  const env = {
    HTTPS_PROXY: `http://maria:secret@127.0.0.1:${proxy.port}`,
    QA_PAY_BASE_URL: `https://${NAME}:${port}`,
    QA_PAY_API_KEY: "qa_test_behind_the_proxy",
  };
  const words = ["wallets", "list", "--json", "--verbose"];
  const unknown = await run(place, words, { env });
  expect([unknown.code, unknown.out, asked]).toEqual([7, "", []]);
  expect(unknown.err).toContain("invalid TLS certificate");

  const trusted = await run(place, words, { env: { ...env, NODE_EXTRA_CA_CERTS: authority } });
  expect([trusted.code, trusted.out]).toEqual([0, "[]\n"]);
  expect(trusted.err).toContain(`Proxy: http://127.0.0.1:${proxy.port} (from HTTPS_PROXY)`);
  expect(unknown.err + trusted.err).not.toMatch(/maria|secret/);
  expect(asked).toEqual(["GET /v1/wallets qa_test_behind_the_proxy undefined"]);
  expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT ${NAME}:${port}`, `CONNECT ${NAME}:${port}`]);
});

it("a command ends by itself when the proxy says nothing", async () => {
  const place = newPlace();
  onTestFinished(place.remove);
  const proxy = await startProxy();
  onTestFinished(proxy.close);
  const env = {
    https_proxy: `127.0.0.1:${proxy.port}`,
    QA_PAY_BASE_URL: `https://${NAME}`,
    QA_PAY_API_KEY: "qa_test_behind_the_proxy",
  };
  proxy.answer = "silence";
  const ended = await run(place, ["wallets", "list", "--request-timeout", "500ms"], { env });
  expect([ended.code, ended.out]).toEqual([7, ""]);
  expect(ended.err).toContain(
    `The proxy http://127.0.0.1:${proxy.port} (from https_proxy) does not connect to https://${NAME}`,
  );
});
