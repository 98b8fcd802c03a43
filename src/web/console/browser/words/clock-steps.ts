/** The steps by which the clock is advanced with one press. */
export const CLOCK_STEPS = [
  { seconds: 60, label: "1 min" },
  { seconds: 600, label: "10 min" },
  { seconds: 3_600, label: "1 h" },
  { seconds: 86_400, label: "1 d" },
] as const;
