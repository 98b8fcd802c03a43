import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCache } from "../../../src/base/kernel/cache.js";

/** The size that the maximum counts: two bytes for each character and 200 for each entry. */
const sizeOf = (key: string, value: string) => 200 + 2 * (key.length + value.length);

const newCache = (maxBytes: number) => createCache<string>(maxBytes, (value) => value);

describe("a cache", () => {
  it("returns the last value that was stored under a key, until the key is deleted", () => {
    const cache = newCache(100_000);
    expect(cache.get("a")).toBeUndefined();
    cache.keep("a", "one");
    cache.keep("b", "two");
    cache.keep("a", "three");
    expect([cache.get("a"), cache.get("b")]).toEqual(["three", "two"]);
    cache.forget("a");
    cache.forget("nobody");
    expect([cache.get("a"), cache.get("b")]).toEqual([undefined, "two"]);
    cache.clear();
    expect(cache.get("b")).toBeUndefined();
  });

  it("is emptied when it is full", () => {
    const cache = newCache(64 * sizeOf("00", "x".repeat(100)));
    const keys = Array.from({ length: 65 }, (_, n) => String(n).padStart(2, "0"));
    for (const key of keys.slice(0, 64)) cache.keep(key, "x".repeat(100));
    expect(keys.filter((key) => cache.get(key) !== undefined)).toHaveLength(64);
    cache.keep("64", "x".repeat(100));
    expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(["64"]);
  });

  it("does not store a value that is too large, and drops the value that it would have replaced", () => {
    const cache = newCache(64 * sizeOf("a", "x".repeat(100)));
    cache.keep("a", "x".repeat(100));
    cache.keep("b", "x".repeat(101));
    expect([cache.get("a"), cache.get("b")]).toEqual(["x".repeat(100), undefined]);
    cache.keep("a", "x".repeat(101));
    expect(cache.get("a")).toBeUndefined();
  });

  it("never exceeds its maximum, whatever is stored, replaced and deleted", () => {
    const keys = Array.from({ length: 128 }, (_, n) => String(n).padStart(3, "0"));
    const largest = "x".repeat(700);
    const bound = 64 * sizeOf("000", largest);
    const step = fc.record({
      key: fc.constantFrom(...keys),
      length: fc.integer({ min: 500, max: 720 }),
      isKept: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 400, size: "max" }), (steps) => {
        const cache = newCache(bound);
        const held = () => keys.filter((key) => cache.get(key) !== undefined);
        for (const { key, length, isKept } of steps) {
          if (isKept > 0) cache.keep(key, "x".repeat(length));
          else cache.forget(key);
        }
        expect(held().reduce((sum, key) => sum + sizeOf(key, cache.get(key) ?? ""), 0)).toBeLessThanOrEqual(bound);
        for (const key of held()) cache.forget(key);
        // The whole size is free again.
        for (const key of keys.slice(0, 64)) cache.keep(key, largest);
        expect(held()).toHaveLength(64);
      }),
    );
  });
});
