/** The exit codes of the process. Their meaning must never change, because scripts depend on them. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  /** A wrong command line, or a refusal before anything was sent. */
  usage: 2,
  /** 401 and 403. */
  denied: 3,
  notFound: 4,
  /** 400, 409, 413, 422 and other 4xx: the service refused the request. */
  refused: 5,
  rateLimited: 6,
  /** No answer, a 5xx, or an answer that is not from a qa-pay service. */
  unreachable: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code for the HTTP status of an answer. */
export function exitCodeOf(status: number): ExitCode {
  // A 1xx is not an answer of the service: the command line never asks for another protocol (101).
  if (status < 200) return EXIT.unreachable;
  if (status < 400) return EXIT.done;
  if (status === 401 || status === 403) return EXIT.denied;
  if (status === 404) return EXIT.notFound;
  if (status === 429) return EXIT.rateLimited;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}
