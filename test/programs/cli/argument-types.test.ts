import { describe, expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Arguments that set a field of the body are sent as the field's type. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
const speed = (...words: string[]) => cli.run(["sandbox", "clock", "speed", ...words, "--json"]);

describe("an argument that is a number", () => {
  it.each([[["60"]], [["--factor", "61"]]])("is sent as a number: %j", async (words) => {
    const { code, out } = await speed(...words);
    expect([code, JSON.parse(out).speed]).toEqual([0, Number(words.at(-1))]);
  });

  it.each(["fast", "1.5", "1e3", ""])("is refused when it is none, before anything is sent: %j", async (word) => {
    await speed("5");
    const { code, err } = await speed(word);
    expect(code).toBe(2);
    expect(err).toContain("factor");
    expect((await emulator.sandbox("/clock")).speed).toBe(5);
  });
});
