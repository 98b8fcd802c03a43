/** The most answers that are remembered of one query. */
const MOST = 10_000;

/**
 * Asks a query for each key once, until `forget`. It is for rows that nearly every request reads and hardly any changes. The
 * store forgets with every change of them; the rest is `forgetRows` (src/service/features/stores.ts). An answer of null is not
 * remembered: callers may ask for anything.
 */
export function remembered<Key, Answer>(query: (key: Key) => Answer | null) {
  const answers = new Map<Key, Answer>();
  return {
    of(key: Key): Answer | null {
      const found = answers.get(key);
      if (found !== undefined) return found;
      const answer = query(key);
      if (answer === null) return null;
      if (answers.size >= MOST) answers.clear();
      answers.set(key, answer);
      return answer;
    },
    forget: () => answers.clear(),
  };
}

/** The same change of rows, before which the store forgets what it remembers of them. */
export function forgetting<Values extends unknown[], Result>(
  forget: () => void,
  change: (...values: Values) => Result,
): (...values: Values) => Result {
  return (...values) => {
    forget();
    return change(...values);
  };
}
