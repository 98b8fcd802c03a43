import { describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `--wait-for` and `--watch`. Waiting takes no time here: each pause is a step of the test's own clock. */

const emulator = sharedEmulator();
const cli = sharedCli(emulator);

/** Each pause moves the test's clock and runs the action of its turn. The first turn is 0. */
function waiting(happens: (turn: number) => unknown = () => undefined): CliOptions & { waited(): number } {
  let now = 0;
  let turn = 0;
  return {
    now: () => now,
    async pause(ms) {
      now += ms;
      await happens(turn++);
    },
    waited: () => now,
  };
}

/** The same, with Ctrl-C pressed at one turn. */
function interrupted(at: number, happens: (turn: number) => unknown = () => undefined): CliOptions {
  let press: () => void = () => undefined;
  const options = waiting((turn) => (turn === at ? press() : happens(turn)));
  return {
    ...options,
    onStop: (callback) => {
      press = () => callback("SIGINT");
    },
  };
}

describe("--wait-for", () => {
  it("ends with 0 when the status is reached, and shows the object", async () => {
    const { id } = await emulator.charge();
    const options = waiting((turn) => (turn === 2 ? emulator.sandbox(`/charges/${id}/pay`, {}) : undefined));
    const { code, out, err } = await cli.run(["charges", "get", id, "--wait-for", "paid", "--json"], options);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ id, status: "paid" });
    expect(options.waited()).toBe(1_500);
  });

  it("does not wait when the object already has the status, and accepts both spellings", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`, {});
    const raw = id.slice("ch_".length);
    for (const words of [
      ["charges", "get", id],
      ["payments", "get", `tx_${raw}`],
    ]) {
      const options = waiting();
      const { code, out } = await cli.run([...words, "--wait-for", "paid"], options);
      expect([code, options.waited()]).toEqual([0, 0]);
      expect(out).toMatch(/Status +✓ paid/i);
    }
  });

  it("ends with 1 when the time is over, and prints the current status", async () => {
    const { id } = await emulator.charge();
    const options = waiting();
    const words = ["charges", "get", id, "--wait-for", "paid", "--timeout", "1700ms"];
    const { code, out, err } = await cli.run(words, options);
    expect([code, out, options.waited()]).toEqual([1, "", 1_700]);
    expect(err).toBe("Error: It is still pending after 1700ms, not paid.\n");
    const asJson = await cli.run([...words, "--json"], waiting());
    expect([asJson.code, asJson.out]).toEqual([1, ""]);
    expect(JSON.parse(asJson.err).error.code).toBe("wait_timeout");
    const usual = waiting();
    expect((await cli.run(["charges", "get", id, "--wait-for", "paid"], usual)).code).toBe(1);
    expect(usual.waited()).toBe(60_000);
  });

  it.each([
    ["expire", "expired", "paid"],
    ["fail", "failed", "refunded"],
  ])("ends with 1 at once when a charge that would %s is %s and %s cannot come", async (move, status, wanted) => {
    const { id } = await emulator.charge();
    const options = waiting(() => emulator.sandbox(`/charges/${id}/${move}`, {}));
    const { code, err } = await cli.run(["charges", "get", id, "--wait-for", wanted, "--timeout", "1h"], options);
    expect([code, options.waited()]).toEqual([1, 500]);
    expect(err).toContain(`It is ${status}, and ${wanted} cannot come after that.`);
  });

  it("goes on while the status can still be reached by a detour", async () => {
    const { id } = await emulator.charge();
    const words = ["payments", "get", id.slice("ch_".length), "--wait-for", "CHARGEBACK", "--timeout", "1s"];
    const { code, err } = await cli.run(words, waiting());
    expect([code, err]).toEqual([1, "Error: It is still WAITING_PAYMENT after 1s, not CHARGEBACK.\n"]);
  });

  it("follows MED cases by their own states", async () => {
    const { id } = await openCase(emulator);
    const options = waiting((turn) => (turn === 0 ? emulator.call("POST", `/v1/med/cases/${id}/accept`) : undefined));
    expect((await cli.run(["med", "get", id, "--wait-for", "closed"], options)).err).toContain(
      "It is accepted, and closed",
    );
    expect((await cli.run(["med", "get", id, "--wait-for", "accepted"], waiting())).code).toBe(0);
  });

  it("goes on when the service is busy or away for a moment", async () => {
    const answers = [
      { status: 200, body: { id: "ch_1", status: "pending" } },
      { status: 429, body: { error: { type: "rate_limit_error", code: "rate_limited", message: "slow down" } } },
      { status: 503, body: { error: { type: "api_error", code: "unavailable", message: "away" } } },
      { status: 200, body: { id: "ch_1", status: "something_new" } },
      { status: 200, body: { id: "ch_1", status: "paid" } },
    ];
    const host = await startHost((_request, response) => {
      const { status, body } = answers.shift() ?? { status: 500, body: {} };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const options = waiting();
    const env = { QA_PAY_BASE_URL: host.url };
    const { code, out } = await cli.run(["charges", "get", "ch_1", "--wait-for", "paid", "--json"], {
      ...options,
      env,
    });
    await host.close();
    expect([code, out, options.waited()]).toEqual([0, '{"id":"ch_1","status":"paid"}\n', 2_000]);
  });
});

describe("--watch", () => {
  const pays = (id: string) => (turn: number) => (turn === 1 ? emulator.sandbox(`/charges/${id}/pay`, {}) : undefined);

  it("prints every change as a line of JSON until Ctrl-C, and then ends with 0", async () => {
    const { id } = await emulator.charge();
    const { code, out } = await cli.run(["charges", "get", id, "--watch", "--json"], interrupted(4, pays(id)));
    expect(code).toBe(0);
    const bodies: Loose[] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(bodies.map(({ status }) => status)).toEqual(["pending", "paid"]);
  });

  it("shows a person what has changed, and when", async () => {
    const { id } = await emulator.charge();
    const { code, out } = await cli.run(
      ["charges", "get", id, "--watch", "--wait-for", "paid", "--utc"],
      waiting(pays(id)),
    );
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines[1]).toMatch(/^Status +• pending$/);
    expect(lines.at(-1)).toMatch(/^1970-01-01 00:00:01Z {2}✓ paid {2}End-to-end id E/);
  });
});
