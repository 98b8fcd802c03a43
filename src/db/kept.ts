import { type Db, getter, runner } from "./driver.js";

export interface KeptText {
  (): string;
  /** The next call reads the text from the database again, which may hold another one. */
  forget(): void;
}

/**
 * A text that is made once and stored in the database, such as a key. The first call makes it with `make`. That call
 * must come from the unit of work that fills a new database: if another unit made the text and was undone, the text
 * would be lost.
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
