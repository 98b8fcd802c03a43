import { type Db, getter, runner } from "./driver.js";

export interface KeptText {
  (): string;
  /** Reads it again when it is asked for next: the database may hold another. */
  forget(): void;
}

/** A text that is made once and kept in the database, such as a key: `make` is called when it is asked for first. */
export function keptText(db: Db, name: string, make: () => string): KeptText {
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = ?");
  const save = runner(db, "INSERT INTO settings (name, value) VALUES (?, ?)");
  let held: string | null = null;
  function text(): string {
    held ??= load(name)?.value ?? null;
    if (held === null) {
      held = make();
      save(name, held);
    }
    return held;
  }
  const forget = () => {
    held = null;
  };
  return Object.assign(text, { forget });
}
