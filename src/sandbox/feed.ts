/** Tells every listener of each item as it happens. A listener that throws hurts nobody else. */
export interface Feed<Item> {
  publish(item: Item): void;
  /** Answers how to stop listening. */
  subscribe(listener: (item: Item) => void): () => void;
  readonly size: number;
}

export function createFeed<Item>(): Feed<Item> {
  const listeners = new Set<(item: Item) => void>();
  return {
    publish(item) {
      for (const listener of listeners) {
        try {
          listener(item);
        } catch {
          listeners.delete(listener);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get size() {
      return listeners.size;
    },
  };
}
