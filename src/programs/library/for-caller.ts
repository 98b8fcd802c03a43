/** The names of the errors whose messages explain everything, so that their stack inside the package is not needed. */
const EXPLAINED: readonly string[] = ["OptionError", "DatabaseError", "ListenError", "WaitTimeoutError"];

/** Replaces the flags in a message by the names of the options: `with --port 0` becomes `with port: 0`. */
function withOptions(message: string): string {
  const camel = (flag: string) => flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return message.replace(/\bwith --([a-z-]+)( \d+)?/g, (_match, flag: string, value?: string) =>
    value === undefined ? `with the option ${camel(flag)}` : `with ${camel(flag)}:${value}`,
  );
}

/**
 * Prepares an error for the caller of `entry`. When its message explains everything, its stack begins at the caller's
 * own line; Node prints this line for an uncaught error. Any other error is returned unchanged.
 */
export function forCaller(error: unknown, entry: (...args: never[]) => unknown): unknown {
  if (!(error instanceof Error) || !EXPLAINED.includes(error.name)) return error;
  error.message = withOptions(error.message);
  Error.captureStackTrace(error, entry);
  return error;
}

/** An error of `act` begins at the caller's own line. */
export function withCallerStack<Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) {
  return async function entry(...given: Given): Promise<Result> {
    try {
      return await act(...given);
    } catch (error) {
      throw forCaller(error, entry);
    }
  };
}
