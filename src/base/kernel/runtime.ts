/**
 * The outside world as the service sees it: time, random values and the log. They are passed in, so that a test or a user can
 * replace them. src/base/platform/real-runtime.ts has the real ones.
 */

/** The emulated clock. Its time is in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

export interface Random {
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
  /** `length` characters of `[0-9A-Za-z]`. */
  alphanumeric(length: number): string;
  /** Base64url of `count` random bytes, without padding. */
  token(count: number): string;
  /** Lower-case hex of `count` random bytes. */
  hex(count: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}

export interface Ids {
  /** A new UUID version 7 of the emulated instant. An id that is created later sorts later. */
  next(): string;
}

/**
 * Real time, for timers, durations and network timeouts, which must not follow the emulated clock. It is that of the machine also
 * when a test has replaced the functions of time by fake ones, but for `readShownTime`.
 */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  epoch(): number;
  /**
   * As `epoch`, but read from `Date.now` of this process, fake or not. A signature has this time: a receiver in the same
   * process compares it with the same `Date`.
   */
  readShownTime(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
  /** Calls `callback` once after `ms`. The timer does not keep the process alive. */
  after(ms: number, callback: () => void): TimerHandle;
  /** Calls `callback` at the end of this turn of the event loop. */
  callSoon(callback: () => void): void;
}

export interface TimerHandle {
  cancel(): void;
}

/** Particulars of a line of the log. Never a key, a token, a secret, a password or the body of a request. */
export type LogFacts = Readonly<Record<string, string | number | null>>;

/** The log of the server, one line each, for the person who runs it. */
export interface Log {
  /**
   * Missing when these lines are switched off. Call it as `log.debug?.(…)`: JavaScript does not evaluate the arguments of a
   * missing method, so a line that is switched off costs nothing.
   */
  readonly debug?: ((message: string, facts?: LogFacts) => void) | undefined;
  /** Missing when these lines are switched off, like `debug`. */
  readonly info?: ((message: string, facts?: LogFacts) => void) | undefined;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

export interface Runtime {
  readonly random: Random;
  /** Random values that follow from a seed and this name alone. Missing without a seed. */
  readonly seeded?: ((name: string) => Random) | undefined;
  readonly real: RealTime;
  readonly log: Log;
}
