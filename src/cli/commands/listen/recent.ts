/** Remembers the latest texts only, so that a command that runs for days does not fill the memory. */
export interface Recent {
  has(text: string): boolean;
  add(text: string): void;
}

const REMEMBERED = 10_000;

export function recent(texts: readonly string[]): Recent {
  const seen = new Set(texts);
  return {
    has: (text) => seen.has(text),
    add(text) {
      seen.add(text);
      for (const oldest of seen) {
        if (seen.size <= REMEMBERED) return;
        seen.delete(oldest);
      }
    },
  };
}
