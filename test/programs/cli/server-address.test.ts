import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginServe, type Serving } from "../../support/running.js";
import { freshCli } from "../../support/shared.js";

/**
 * Requests go to the address in the file of the server, also where a flag, a variable or .env names it `localhost`: that can lead to
 * another address, at which nobody listens, or another user of the machine.
 */

const cli = freshCli();
let server: Serving;
beforeEach(async () => {
  server = await beginServe(cli);
});
afterEach(async () => {
  await server.stop();
});

const portOf = (url: string) => Number(new URL(url).port);

describe("a server that is named by `localhost`", () => {
  const read = ["wallets", "list", "--verbose"];

  it.each([
    ["a flag", ["--base-url"], {}],
    ["a variable", [], { QA_PAY_BASE_URL: "" }],
  ])("in %s is reached at the address in its file", async (_where, flags, variables) => {
    const { url } = server.ready;
    const name = url.replace("127.0.0.1", "localhost");
    const env = Object.fromEntries(Object.keys(variables).map((variable) => [variable, name]));
    const { code, err } = await cli.run([...read, ...flags.flatMap((flag) => [flag, name])], { env });
    expect(code).toBe(0);
    expect(err).toContain(`> GET ${url}/v1/wallets\n`);
    expect(err).not.toContain("localhost");
  });

  it("in .env gets no key of the user at another address; nor does its console open there", async () => {
    const { url } = server.ready;
    writeFileSync(join(cli.folder, ".env"), `QA_PAY_BASE_URL=${url.replace("127.0.0.1", "localhost")}/\n`);
    const key = { env: { QA_PAY_API_KEY: server.ready.test_key } };
    expect((await cli.run(read, key)).err).toContain(`> GET ${url}/v1/wallets\n`);
    const { out } = await cli.run(["console", "--no-open"], key);
    expect(out.startsWith(`${url}/console/open?`)).toBe(true);
  });
});

it("a path after the address stays", async () => {
  const words = ["wallets", "list", "--dry-run", "--json", "--base-url"];
  const { out } = await cli.run([...words, `${server.ready.url.replace("127.0.0.1", "localhost")}/pay/`]);
  expect(JSON.parse(out).url).toBe(`${server.ready.url}/pay/v1/wallets`);
});

it.each([
  ["localhost", /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/],
  ["::1", /^http:\/\/\[::1\]:\d+$/],
  ["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
  ["::", /^http:\/\/127\.0\.0\.1:\d+$/],
])("the file of a server with --host %s names an address in numbers, which requests go to", async (host, address) => {
  const cwd = join(cli.folder, "other");
  mkdirSync(cwd);
  const flags = ["--host", host, "--public-url", "https://pay.example.com"];
  const other = await beginServe(cli, flags, { cwd });
  const { url } = JSON.parse(readFileSync(join(cwd, ".qa-pay", "server.json"), "utf8"));
  expect(url).toMatch(address);
  for (const flag of [[], ["--base-url", `http://localhost:${portOf(url)}`]]) {
    const { code, err } = await cli.run(["wallets", "list", "--verbose", ...flag], { cwd });
    expect([code, err]).toEqual([0, expect.stringContaining(`> GET ${url}/v1/wallets\n`)]);
  }
  await other.stop();
});
