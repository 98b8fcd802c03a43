/**
 * How long a test waits for something that must happen. Far longer than it takes, because other programs may use the
 * machine; a wait that ends in time costs nothing. Vitest's own limit is one second.
 */
export const PATIENCE = { timeout: 30_000, interval: 20 } as const;
