/** Values that are kept because making them again costs more, by key, within a bound of bytes. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  /** Takes the place of what was kept under `key`. What is too large for the cache is not kept. */
  keep(key: string, value: Value): void;
  forget(key: string): void;
  clear(): void;
}

/** What an entry takes besides its texts. */
const ENTRY_BYTES = 200;
const BYTES_PER_CHARACTER = 2;
/** No single entry may push out more than a small part of the others. */
const LARGEST_PART = 1 / 64;

/**
 * `textOf` is what makes up the size of a value. A cache that is full is emptied: everything in it can be made again, and
 * an order of age would cost every look-up.
 */
export function createCache<Value>(maxBytes: number, textOf: (value: Value) => string): Cache<Value> {
  const values = new Map<string, Value>();
  let bytes = 0;
  const sizeOf = (key: string, value: Value) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + textOf(value).length);

  function forget(key: string): void {
    const known = values.get(key);
    if (known === undefined) return;
    values.delete(key);
    bytes -= sizeOf(key, known);
  }

  function clear(): void {
    values.clear();
    bytes = 0;
  }

  return {
    get: (key) => values.get(key),
    keep(key, value) {
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
