/** Random numbers that are the same for the same seed. */
export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  happens(probability: number): boolean;
  /** Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  /** One of the items, chosen by their weights. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item;
}

/** mulberry32. The numbers after the first identify a part of a run, so that the parts draw independently. */
export function chanceOf(...seeds: readonly number[]): Chance {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x51ab1e);
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(fraction() * limit);
  function pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[below(items.length)] as Item;
  }
  function weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let left = fraction() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return pick(items);
  }
  return { fraction, below, happens: (probability) => fraction() < probability, pick, weighted };
}
