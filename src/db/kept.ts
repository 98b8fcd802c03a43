import { type Db, getter, runner } from "./driver.js";

export interface KeptText {
  (): string;
  /** Reads it again when it is asked for next: the database may hold another. */
  forget(): void;
}

/**
 * A text that is made once and kept in the database, such as a key: `make` is called when it is asked for first. That is
 * in the unit of work in which the database gets its contents, so that no other unit can take it away by failing.
 */
export function keptText(db: Db, name: string, make: () => string): KeptText {
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = ?");
  const save = runner(db, "INSERT INTO settings (name, value) VALUES (?, ?)");
  let held: string | null = null;
  function made(): string {
    const text = make();
    save(name, text);
    return text;
  }
  function text(): string {
    held ??= load(name)?.value ?? made();
    return held;
  }
  const forget = () => {
    held = null;
  };
  return Object.assign(text, { forget });
}
