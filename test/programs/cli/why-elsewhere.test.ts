import { describe, expect, it } from "vitest";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `why` for an id that the host does not have with this key. */

const UNKNOWN = "ch_01a0c0de-0000-7000-8000-000000000000";
const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key }));

describe("why on an emulator", () => {
  it("says that an id belongs to the other mode of the account: exit 4", async () => {
    const { id } = await emulator.charge();
    const { code, out, err } = await cli.run(["why", id, "--api-key", emulator.live]);
    const message = `Error: ${id} belongs to this account, in test mode. Use its test key.\n`;
    expect([code, out, err]).toEqual([4, "", expect.stringContaining(message)]);
    const json = await cli.run(["why", id, "--api-key", emulator.live, "--json"]);
    expect(JSON.parse(json.err).error).toMatchObject({ code: "not_found", message: message.slice(7, -1) });
  });

  it("says that nothing there has the id", async () => {
    const { code, err } = await cli.run(["why", UNKNOWN]);
    expect([code, err]).toEqual([4, `Error: Nothing on this emulator has the id ${UNKNOWN}.\n`]);
  });
});

describe("why on another host", () => {
  it("names the mode of the key and the other profiles, and sends nothing to these", async () => {
    const asked: string[] = [];
    const listen = () =>
      startHost(({ method, url }, response) => {
        asked.push(`${method} ${url}`);
        response.writeHead(404, { "content-type": "application/json" }).end('{"error":{}}');
      });
    const [host, other] = [await listen(), await listen()];
    const key = ["--api-key", "qa_live_0123456789abcdef"];
    await cli.run(["profiles", "add", "staging", "--base-url", other.url, ...key]);
    asked.length = 0;
    const { code, err } = await cli.run(["why", UNKNOWN, "--base-url", host.url, ...key]);
    expect([code, err]).toEqual([4, expect.stringContaining(`This host does not know ${UNKNOWN}.\n`)]);
    expect(err).toContain("The key is of live mode, and sees nothing of the other mode.");
    expect(err).toContain(`\nOther hosts are named with --profile: staging (${other.url}).`);
    expect(asked).toEqual(["GET /_sandbox", `GET /v1/payments/${UNKNOWN.slice(3)}`]);
    await Promise.all([host.close(), other.close()]);
  });
});
