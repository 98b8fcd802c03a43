/** The most results that are remembered of one query. */
const MOST = 10_000;

/**
 * Runs a query for each key once, until `forget`. It is for rows that nearly every request reads and hardly any changes. The
 * store calls `forget` with every change of them; the other calls are in `forgetRows` (src/service/features/stores.ts). A
 * result of null is not remembered, because callers may try any key.
 */
export function rememberAnswers<Key, Answer>(query: (key: Key) => Answer | null) {
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

/** Wraps a change of rows: the store forgets its remembered rows before it. */
export function forgetBefore<Values extends unknown[], Result>(
  forget: () => void,
  change: (...values: Values) => Result,
): (...values: Values) => Result {
  return (...values) => {
    forget();
    return change(...values);
  };
}
