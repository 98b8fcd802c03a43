import { expect } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/base/db/open.js";
import { newFolder } from "./folder.js";
import { openFile } from "./sqlite.js";

/** A folder for the database files of one test. */
export interface DatabasePlace {
  readonly folder: string;
  /** The default path of the calls. There is no file yet. */
  readonly file: string;
  open(path?: string): OpenDatabase;
  /** The message with which opening is refused; it names the file and a way out. */
  refusal(path?: string): string;
  /** Writes another program's SQLite file. */
  foreign(sql: string): void;
  /** Closes the databases that were opened. */
  close(): void;
  remove(): void;
}

export function newDatabasePlace(): DatabasePlace {
  const { path: folder, db: file, remove: removeFolder } = newFolder();
  const opened: OpenDatabase[] = [];
  function open(path = file): OpenDatabase {
    const database = openDatabase(path);
    opened.push(database);
    return database;
  }
  function refusal(path = file): string {
    let message = "";
    try {
      open(path);
    } catch (error) {
      expect((error as Error).name).toBe("DatabaseError");
      message = (error as Error).message;
    }
    expect(message).toContain(path);
    expect(message).toContain("--db");
    return message;
  }
  function foreign(sql: string): void {
    const database = openFile(file);
    database.exec(sql);
    database.close();
  }
  function close(): void {
    for (const database of opened.splice(0)) database.close();
  }
  function remove(): void {
    close();
    removeFolder();
  }
  return { folder, file, open, refusal, foreign, close, remove };
}
