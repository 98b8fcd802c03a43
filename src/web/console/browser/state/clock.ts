import { computed, effect, signal } from "@preact/signals";
import { callAny } from "../api/call.js";
import { type Message, onMessages } from "../api/live.js";

/** The emulated clock as the page knows it. */
interface Reading {
  /** Emulated milliseconds at the moment of `readAt`. */
  readonly now: number;
  readonly isFrozen: boolean;
  /** The speed of the clock: 2 is twice as fast as real time. */
  readonly speed: number;
  /** Milliseconds of the browser's own clock that only goes forward. */
  readonly readAt: number;
}

const reading = signal<Reading | null>(null);

export const isKnown = computed(() => reading.value !== null);

const tick = signal(0);

/** The emulated time in milliseconds, renewed each second; null until it is known. All countdowns of the page read it. */
export const now = computed<number | null>(() => {
  const known = reading.value;
  if (known === null) return null;
  void tick.value;
  return known.isFrozen ? known.now : known.now + (performance.now() - known.readAt) * known.speed;
});

export const isFrozen = computed(() => reading.value?.isFrozen ?? false);

export const clockSpeed = computed(() => reading.value?.speed ?? 1);

/** True if the emulated time differs from the real one: it was advanced, set or stopped, or is faster. */
export const isEmulated = computed(() => {
  const at = now.value;
  return at !== null && (isFrozen.value || clockSpeed.value > 1 || Math.abs(at - Date.now()) > 5_000);
});

/** The clock as operations answer it. */
export interface ClockAnswer {
  readonly now: string;
  readonly frozen: boolean;
  readonly speed: number;
}

export function learnClock({ now: at, frozen, speed }: ClockAnswer): void {
  reading.value = { now: Date.parse(at), isFrozen: frozen, speed, readAt: performance.now() };
}

function nextTick(): void {
  tick.value += 1;
}

async function read(): Promise<void> {
  try {
    learnClock(await callAny("sandbox.clock.show"));
  } catch {
    // The stream reports the return of the server, and then the clock is read again.
  }
}

const tellsClock = ({ kind }: Message) => kind === "clock" || kind === "resync";

/** Reads the clock, follows its changes, and lets it tick while the page is visible. Called once. */
export function startClock(): void {
  void read();
  onMessages((messages) => {
    if (messages.some(tellsClock)) void read();
  });
  let timer: ReturnType<typeof setInterval> | null = null;
  const setTicking = () => {
    if (timer !== null) clearInterval(timer);
    const isTicking = !document.hidden && !isFrozen.value;
    timer = isTicking ? setInterval(nextTick, 1_000) : null;
    if (!document.hidden) nextTick();
  };
  effect(() => {
    void isFrozen.value;
    queueMicrotask(setTicking);
  });
  document.addEventListener("visibilitychange", setTicking);
}
