import { type Db, getter, runner } from "./driver.js";

/** A text that is made once and kept in the database, such as a key: `make` is called when it is asked for first. */
export function keptText(db: Db, name: string, make: () => string): () => string {
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = ?");
  const save = runner(db, "INSERT INTO settings (name, value) VALUES (?, ?)");
  let held: string | null = null;
  return () => {
    held ??= load(name)?.value ?? null;
    if (held === null) {
      held = make();
      save(name, held);
    }
    return held;
  };
}
