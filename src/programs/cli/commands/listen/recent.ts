const REMEMBERED = 10_000;

export type Recent = ReturnType<typeof recent>;

/** Remembers the latest texts only, so that a command that runs for days does not fill the memory. */
export function recent(texts: readonly string[]) {
  const seen = new Set(texts);
  return {
    has: (text: string) => seen.has(text),
    add(text: string): void {
      seen.add(text);
      for (const oldest of seen) {
        if (seen.size <= REMEMBERED) return;
        seen.delete(oldest);
      }
    },
  };
}
