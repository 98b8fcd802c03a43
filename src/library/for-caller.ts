/** Errors whose message says all there is to know, and what to do next. */
const EXPLAINED: readonly string[] = ["OptionError", "DatabaseError", "ListenError"];

/** The flags that a message advises to use, as options. */
function withOptions(message: string): string {
  const camel = (flag: string) => flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return message.replace(/\bwith --([a-z-]+)( \d+)?/g, (_match, flag: string, value?: string) =>
    value === undefined ? `with the option ${camel(flag)}` : `with ${camel(flag)}:${value}`,
  );
}

/**
 * An error as the caller of `entry` can use it. Where its message explains it, its stack begins at the line of theirs
 * that called, which is also the line that Node prints for an error that nobody caught. Any other keeps all of its own.
 */
export function forCaller(error: unknown, entry: (...args: never[]) => unknown): unknown {
  if (!(error instanceof Error) || !EXPLAINED.includes(error.name)) return error;
  error.message = withOptions(error.message);
  Error.captureStackTrace(error, entry);
  return error;
}
