/** What the process ends with. Scripts branch on these, so they never change meaning. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  /** Wrong usage, or refused before anything was sent. */
  usage: 2,
  /** 401 and 403. */
  denied: 3,
  notFound: 4,
  /** 400, 409, 413, 422: the service said no. */
  refused: 5,
  rateLimited: 6,
  /** Nobody answered, or the answer was a 5xx. */
  unreachable: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(status: number): ExitCode {
  // 101 was not asked for: whatever comes behind it is no answer of the service.
  if (status < 200) return EXIT.unreachable;
  if (status < 400) return EXIT.done;
  if (status === 401 || status === 403) return EXIT.denied;
  if (status === 404) return EXIT.notFound;
  if (status === 429) return EXIT.rateLimited;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}
