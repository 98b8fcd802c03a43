/** Bytes that an entry takes besides its texts. */
const ENTRY_BYTES = 200;
const BYTES_PER_CHARACTER = 2;
/** The largest entry, as a part of the whole cache: one entry must not push out many others. */
const LARGEST_PART = 1 / 64;

/**
 * A cache of values by key, with a limit in bytes. `textOf` returns the text whose length is the size of a value. A full cache
 * is emptied: every value can be computed again, and remembering the order of the values would slow down every look-up.
 */
export function createCache<Value>(maxBytes: number, textOf: (value: Value) => string) {
  const values = new Map<string, Value>();
  let bytes = 0;
  const sizeOf = (key: string, value: Value) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + textOf(value).length);

  function forget(key: string): void {
    const cached = values.get(key);
    if (cached === undefined) return;
    values.delete(key);
    bytes -= sizeOf(key, cached);
  }

  function clear(): void {
    values.clear();
    bytes = 0;
  }

  return {
    get: (key: string) => values.get(key),
    /** Keeps `value` in place of an older value of `key`. A value that is too large for the cache is not kept. */
    keep(key: string, value: Value): void {
      forget(key);
      const size = sizeOf(key, value);
      if (size > maxBytes * LARGEST_PART) return;
      if (bytes + size > maxBytes) clear();
      values.set(key, value);
      bytes += size;
    },
    forget,
    clear,
  };
}
