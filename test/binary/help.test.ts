import { describe, expect, it } from "vitest";
import { newPlace, run } from "../support/binary.js";
import { shared } from "../support/shared.js";

/** Help texts of the built command, which are made when it is built. */

const place = shared(newPlace);

/** With `--json` a command line is read by the program, which finds its help in the same texts. */
const byProgram = (words: readonly string[]) => run(place, ["--json", ...words, "--help"]);

describe("a command line that only asks for help", () => {
  it.each([[[]], [["charges", "create"]]])("is answered as by the program: %j", async (words) => {
    const expected = await byProgram(words);
    expect(expected.out).toMatch(/^Usage: /);
    expect(await run(place, [...words, "--help"])).toEqual(expected);
    expect(await run(place, [...words, "-h"])).toEqual(expected);
    expect(await run(place, ["help", ...words])).toEqual(expected);
  });

  it.each([[["nothing"]], [["charges", "constructor"]], [[""]]])(
    "is refused when there is no such command: %j",
    async (words) => {
      const { code, out, err } = await run(place, [...words, "--help"]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^Error: Unknown command '/);
    },
  );

  it("is refused when help is asked for help", async () => {
    expect((await run(place, ["help", "--help"])).code).toBe((await run(place, ["--help", "--help"])).code);
  });
});
