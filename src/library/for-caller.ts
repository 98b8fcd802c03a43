/** The errors whose message explains everything and says what to do next. */
const EXPLAINED: readonly string[] = ["OptionError", "DatabaseError", "ListenError"];

/** Turns flags in the advice of a message into options. */
function withOptions(message: string): string {
  const camel = (flag: string) => flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return message.replace(/\bwith --([a-z-]+)( \d+)?/g, (_match, flag: string, value?: string) =>
    value === undefined ? `with the option ${camel(flag)}` : `with ${camel(flag)}:${value}`,
  );
}

/**
 * Prepares an error for the caller of `entry`. The stack of an error that explains itself begins at the line that called
 * `entry`, which is also the line that Node prints for an uncaught error. Every other error keeps its stack.
 */
export function forCaller(error: unknown, entry: (...args: never[]) => unknown): unknown {
  if (!(error instanceof Error) || !EXPLAINED.includes(error.name)) return error;
  error.message = withOptions(error.message);
  Error.captureStackTrace(error, entry);
  return error;
}
