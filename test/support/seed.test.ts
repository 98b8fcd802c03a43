import { describe, expect, it } from "vitest";
import { startEmulator } from "./emulator.js";
import { beginFile } from "./seed.js";

async function keyOfStart(): Promise<string> {
  const emulator = await startEmulator();
  await emulator.close();
  return emulator.key;
}

describe("the random data of an emulator in the tests", () => {
  it("is the same again for the same place in the same file", async () => {
    beginFile("some.test.ts");
    const first = [await keyOfStart(), await keyOfStart()];
    beginFile("some.test.ts");
    expect([await keyOfStart(), await keyOfStart()]).toEqual(first);
  });

  it("differs between two emulators of one file and between two files", async () => {
    beginFile("some.test.ts");
    const keys = [await keyOfStart(), await keyOfStart()];
    beginFile("other.test.ts");
    keys.push(await keyOfStart());
    expect(new Set(keys).size).toBe(3);
  });
});
