import { describe, expect, it } from "vitest";
import { rawId } from "../../../src/base/kernel/ids.js";
import { createIds, createRuntime } from "../../../src/base/platform/real-runtime.js";

const UUID = "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";

describe("reading an id", () => {
  it("accepts ids with the named prefixes or none, and no others", () => {
    expect(rawId(`ch_${UUID}`, "ch_")).toBe(UUID);
    expect(rawId(UUID, "ch_", "")).toBe(UUID);
    expect(rawId(UUID, "ch_")).toBeNull();
    expect(rawId(`tx_${UUID}`, "ch_", "")).toBeNull();
    expect(rawId(`tx_${UUID}`, "ch_", "tx_")).toBe(UUID);
  });

  it.each(["", "ch_", UUID.slice(1), `${UUID}0`, UUID.toUpperCase(), ` ${UUID}`, `ch_ch_${UUID}`, "constructor"])(
    "finds none in %o",
    (text) => {
      expect(rawId(text, "ch_", "")).toBeNull();
    },
  );
});

describe("making ids", () => {
  const { random } = createRuntime({ warn: () => undefined, error: () => undefined });
  const at = (now: { value: number }) => createIds({ now: () => now.value }, random);

  it("creates UUIDs of version 7 that begin with the emulated time", () => {
    const id = at({ value: 0x0190_1234_5678 }).next();
    expect(id).toMatch(/^01901234-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("creates ascending ids within one millisecond, even more than 4096, and none twice", () => {
    const ids = at({ value: 1_790_000_000_000 });
    const made = Array.from({ length: 10_000 }, () => ids.next());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it("creates ascending ids when the clock steps back a little, and follows the clock when it is set back", () => {
    const now = { value: 1_790_000_000_000 };
    const ids = at(now);
    const first = ids.next();
    now.value -= 1_000;
    expect(ids.next() > first).toBe(true);
    now.value -= 86_400_000;
    expect(ids.next() < first).toBe(true);
  });
});
