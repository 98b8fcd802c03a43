/**
 * The page may read once it receives changes. Data from before could be old without notice, and would have to be read
 * again.
 */

/**
 * The maximum wait for the stream before a tab reads without it. A tab that did not wait reads everything once more when
 * the stream begins, so this is longer than a busy machine takes for its first answer.
 */
export const PATIENCE_MS = 1_500;

let release: (() => void) | null = null;
let allowed: Promise<void> = Promise.resolve();
const waiting = new Map<string, Promise<unknown>>();

export const reading = {
  /** Holds back all reading from now on. */
  hold(): void {
    if (release !== null) return;
    allowed = new Promise((done) => {
      release = done;
    });
  },
  begin(): void {
    release?.();
    release = null;
    waiting.clear();
  },
  /** Reads as soon as it is allowed. Parts of a page that wait for the same share one reading. */
  whenAllowed(what: string, read: () => Promise<unknown>): Promise<unknown> {
    const shared = waiting.get(what);
    if (shared !== undefined) return shared;
    const answer = allowed.then(read);
    if (release !== null) waiting.set(what, answer);
    return answer;
  },
};
