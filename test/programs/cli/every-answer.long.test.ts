import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { userOf } from "../../support/access.js";
import { type Exchange, prepare, startWire } from "../../support/every-command.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";
import { expectNoSteering, expectToFit, lengthen, SHOWN, steered } from "../../support/terminal-lines.js";

/**
 * How every command shows its answer, whatever texts that has. Each command runs once against an emulator; then its
 * answers are given to it again, with other texts in them.
 */

/** A narrow terminal, and one with room for every column. */
const WIDTHS = [60, 200];
const ON_SCREEN = { answers: [], isScreen: true };

const changing = (change: (value: unknown) => unknown) => (answer: Buffer) =>
  answer.length > 0 ? Buffer.from(JSON.stringify(change(JSON.parse(answer.toString())))) : answer;

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const wire = shared(() => startWire(emulator));
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: wire.url, QA_PAY_API_KEY: emulator.key }));

beforeAll(async () => {
  const { email, password } = userOf(emulator);
  await cli.run(["login", "--email", email, "--password-stdin"], { input: password });
});

/** Commands whose table has shown a text with control characters. */
const told = new Set<string>();

describe.each(operations)("$command", (spec) => {
  let line: string[];
  let answers: readonly Exchange[];

  beforeAll(async () => {
    const { words, ids, flags } = await prepare(emulator, spec);
    line = [...words, ...ids, ...flags, "--yes"];
    wire.taken();
    const { code } = await cli.run(line, ON_SCREEN);
    expect(code).toBe(0);
    answers = wire.taken();
  });

  it("lets no text of the service control the terminal", async () => {
    const hasTexts = answers.some(({ answer }) => answer.includes('":"'));
    for (const flags of [["--no-color"], ["--json"]]) {
      const outcome = await wire.replay(answers, changing(steered), () => cli.run([...line, ...flags], ON_SCREEN));
      expectNoSteering(outcome);
      const isShown = `${outcome.out}${outcome.err}`.includes(SHOWN);
      // A body is shown whole; a table may leave its texts out.
      if (flags[0] === "--json") expect(isShown).toBe(hasTexts);
      else if (isShown) told.add(spec.command);
    }
  });

  it.skipIf(spec.command === "payments receipt")(
    "fits on a terminal of any width, however long the texts are",
    async () => {
      for (const columns of WIDTHS) {
        const run = () => cli.run(line, { answers: [], columns });
        expectToFit(columns, await wire.replay(answers, changing(lengthen), run));
      }
    },
  );
});

it("most tables of this test have shown a hostile text", () => {
  expect(told.size).toBeGreaterThan(operations.length / 2);
});
