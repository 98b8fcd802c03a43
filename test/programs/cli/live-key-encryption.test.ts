import { beforeAll, expect, it } from "vitest";
import { freshCli, shared } from "../../support/shared.js";
import { startCapture } from "../../support/sources.js";

/** A live key does not go to another machine over http://, where anybody on the way could read it. */

const LIVE = "qa_live_0123456789abcdef";
const TEST = "qa_test_0123456789abcdef";

const capture = shared(startCapture);
const cli = freshCli();
/** An address that leads to this machine and does not look like it. */
let elsewhere: string;
beforeAll(() => {
  elsewhere = capture.url.replace("127.0.0.1", "0.0.0.0");
});

const add = (name: string, url: string, key: string, ...more: string[]) =>
  cli.run(["profiles", "add", name, "--base-url", url, "--api-key", key, ...more]);

it.each([
  [["wallets", "list"]],
  [["api", "GET", "/v1/wallets"]],
  [["logs", "tail"]],
  [["conform"]],
  [["env"]],
  [["console", "--no-open"]],
])("%j sends nothing, and says why and how it would be sent", async (words) => {
  const { code, out, err } = await cli.run([...words, "--base-url", elsewhere, "--api-key", LIVE]);
  expect([code, out, capture.taken()]).toEqual([2, "", []]);
  expect(err).toBe(
    `Error: A live key is not sent to ${elsewhere}: http:// is not encrypted, and anybody on the network path could read the key.\n` +
      "Use an https:// address, or add --yes to confirm it.\n",
  );
});

it("a live key of a header or for the other book is a live key too", async () => {
  const host = ["--base-url", elsewhere, "--api-key", TEST];
  for (const words of [
    ["api", "GET", "/v1/wallets", "--header", `apikey: ${LIVE}`],
    ["conform", "--other-key", LIVE],
  ]) {
    const { code, err } = await cli.run([...words, ...host]);
    expect([code, capture.taken()]).toEqual([2, []]);
    expect(err).toContain("A live key is not sent to");
  }
});

it("with --yes it is sent, and --dry-run shows the request", async () => {
  const words = ["wallets", "list", "--json", "--base-url", elsewhere, "--api-key", LIVE];
  expect((await cli.run([...words, "--dry-run"])).code).toBe(0);
  expect(capture.taken()).toEqual([]);
  expect((await cli.run([...words, "--yes"])).code).toBe(0);
  expect(capture.taken()).toEqual([`GET /v1/wallets ${LIVE}`]);
});

it.each([
  ["a test key to another machine", () => elsewhere, TEST],
  ["a live key to this machine", () => capture.url, LIVE],
])("%s is sent as before", async (_what, url, key) => {
  expect((await cli.run(["wallets", "list", "--base-url", url(), "--api-key", key])).code).toBe(0);
  expect(capture.taken()).toEqual([`GET /v1/wallets ${key}`]);
});

it("a profile with such a host and key is kept, and says what it needs; doctor says it too", async () => {
  const { code, err } = await add("prod", elsewhere, LIVE, "--read-only");
  expect(code).toBe(0);
  expect(err).toContain("http:// is not encrypted: this live key is sent there only by commands with --yes.\n");
  for (const [url, key] of [
    [elsewhere, TEST],
    [capture.url, LIVE],
    ["https://pay.example", LIVE],
  ] as const) {
    expect((await add("other", url, key, "--yes")).err).not.toContain("encrypted");
  }
  expect((await cli.run(["wallets", "list", "--profile", "prod"])).code).toBe(2);
  const { out } = await cli.run(["doctor", "--profile", "prod"]);
  expect(out).toContain(`✗ server    A live key is not sent to ${elsewhere}`);
  expect(capture.taken()).toEqual([]);
});
