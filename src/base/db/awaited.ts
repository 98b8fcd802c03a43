/**
 * SQL that is true for work that an advance of the clock waits for (docs/decisions/064-advances-under-load.md): no request
 * behind a place in the history, its one parameter, has added it. `row` is the SQL of the `seq` in the history of the change
 * that made the work due.
 */
export function isAwaited(row: string): string {
  return `NOT EXISTS (SELECT 1 FROM history h WHERE h.seq = ${row} AND h.seq > ? AND h.request IS NOT NULL)`;
}
