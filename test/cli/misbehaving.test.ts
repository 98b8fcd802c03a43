import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CliOutcome } from "../support/cli.js";
import type { Loose } from "../support/emulator.js";
import {
  MISBEHAVIOURS,
  type MisbehavingServer,
  startMisbehaving,
  TIME,
  TLS_MISBEHAVIOURS,
} from "../support/misbehaving.js";
import { PATIENCE } from "../support/patience.js";
import { begin, type Running } from "../support/running.js";
import { sharedCli, sharedEmulator } from "../support/shared.js";

/** `listen` and `webhooks test` against every receiver that misbehaves. The worker has a test of its own for each. */

const ALL = [...MISBEHAVIOURS, ...TLS_MISBEHAVIOURS];
const TABLE = ALL.map((one, index) => [one.name, index, one.ends] as const);

/** Only a receiver whose exchange the time limit ends has a short one: a slow machine must not end the others early. */
const limitOf = (index: number) => ["--timeout", ALL[index]?.ends === TIME ? "2s" : "60s"];

const cli = sharedCli();
let servers: MisbehavingServer[];

beforeAll(async () => {
  servers = await Promise.all([
    ...MISBEHAVIOURS.map((one) => startMisbehaving(one)),
    ...TLS_MISBEHAVIOURS.map((one) => startMisbehaving(one, "https")),
  ]);
});

afterAll(async () => {
  for (const server of servers) await server.close();
});

describe("listen", () => {
  const emulator = sharedEmulator({ frozen: true });
  let commands: Running[];
  let lines: string[][];

  beforeAll(async () => {
    lines = servers.map(() => []);
    const common = ["--base-url", emulator.url, "--api-key", emulator.key, "--json"];
    commands = await Promise.all(
      servers.map(({ url }, index) => {
        const words = ["listen", "--forward-to", url, "--events", "charge.created", ...limitOf(index), ...common];
        return begin(cli, words, { screen: lines[index] ?? [] });
      }),
    );
    await emulator.charge();
  });

  afterAll(async () => {
    for (const command of commands) await command.stop();
  });

  it.each(TABLE)("to a receiver that %s prints the outcome in words", async (_name, index, ends) => {
    const said = await vi.waitFor(() => {
      const line = lines[index]
        ?.join("")
        .split("\n")
        .find((text) => text.includes('"event":"delivery"'));
      expect(line).toBeDefined();
      return JSON.parse(line ?? "") as Loose;
    }, PATIENCE);
    if (typeof ends === "number") expect(said).toMatchObject({ status_code: ends, error: null });
    else expect(said).toMatchObject({ status_code: null, error: expect.stringMatching(ends) });
  });
});

describe("webhooks test", () => {
  let outcomes: CliOutcome[];

  // All at the same time, because with most receivers each delivery waits until its time limit.
  beforeAll(async () => {
    const cases = ["--only", "charge.paid,wrong-signature,slow-body"];
    const secret = ["--secret", "s".repeat(64)];
    outcomes = await Promise.all(
      servers.map(({ url }, index) =>
        cli.run(["webhooks", "test", url, ...secret, ...cases, ...limitOf(index), "--json", "--yes"]),
      ),
    );
  });

  it.each(TABLE)("of a receiver that %s prints the outcome in words", (_name, index, ends) => {
    const { code, out, err } = outcomes[index] as CliOutcome;
    if (typeof ends === "number") {
      const statuses = JSON.parse(out)
        .cases.flatMap(({ answers }: Loose) => answers)
        .map(({ status_code }: Loose) => status_code);
      expect(statuses).toContain(ends);
      expect(code).toBe(1);
      return;
    }
    expect(code).toBe(7);
    expect(JSON.parse(err).error).toMatchObject({ code: "unreachable", message: expect.stringMatching(ends) });
  });
});
