import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, bodyOf, type CallOptions, type Loose, startEmulator, type TestEmulator } from "./emulator.js";
import { newFolder } from "./folder.js";
import { openFile } from "./sqlite.js";

/** Helpers for tests of snapshots. */

/** The path of the snapshot with this name. */
export function snapshotFile(db: string, name: string): string {
  return join(`${db}.snapshots`, `${name}.db`);
}

export function postSave(emulator: TestEmulator, name: unknown, key = emulator.key): Promise<Answer> {
  return emulator.call("POST", "/_sandbox/snapshots", { body: { name }, key });
}

/** A call that must succeed. Returns the snapshot. */
export async function save(emulator: TestEmulator, name: string): Promise<Loose> {
  return bodyOf(await postSave(emulator, name));
}

export function postRestore(emulator: TestEmulator, name: string, key = emulator.key): Promise<Answer> {
  return emulator.call("POST", `/_sandbox/snapshots/${name}/restore`, { key });
}

/** A call that must succeed. Returns the snapshot. */
export async function restore(emulator: TestEmulator, name: string): Promise<Loose> {
  return bodyOf(await postRestore(emulator, name));
}

/**
 * The contents that a database and its snapshot have in common: a restore adds itself to the history, and a snapshot says
 * in its own file what it holds.
 */
export function asSaved({ schema, rows }: ReturnType<typeof contentsOf>): ReturnType<typeof contentsOf> {
  const { history = [], settings = [] } = rows;
  const isRestored = history.at(-1)?.includes("restore") === true;
  const common = settings.filter(([name]) => name !== "snapshot");
  return { schema, rows: { ...rows, history: isRestored ? history.slice(0, -1) : history, settings: common } };
}

/** The file of a snapshot. */
export async function exportSnapshot(emulator: TestEmulator, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = `${emulator.url}/_sandbox/snapshots/${name}/file`;
  const answer = await fetch(url, { headers: { apikey: emulator.key } });
  if (answer.status !== 200) throw new Error(`not exported: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export function putFile(
  emulator: TestEmulator,
  name: string,
  raw: string | Uint8Array<ArrayBuffer>,
  options: CallOptions = {},
): Promise<Answer> {
  const headers = { "content-type": "application/octet-stream", ...options.headers };
  return emulator.call("PUT", `/_sandbox/snapshots/${name}/file`, { ...options, raw, headers });
}

/** Every row of every table of a database, and its schema, whether or not a server is using it. */
export function contentsOf(file: string): { readonly schema: Loose[]; readonly rows: Record<string, Loose[]> } {
  const db = openFile(file, true);
  try {
    const schema: Loose[] = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2").all();
    const tables = schema.filter(({ type }) => type === "table").map(({ name }) => String(name));
    const rows = tables.map((table) => [
      table,
      db
        .prepare(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => Object.values(row ?? {})),
    ]);
    return { schema, rows: Object.fromEntries(rows) };
  } finally {
    db.close();
  }
}

/** A restore of a snapshot whose file was changed. */
export async function restoreDamaged(): Promise<Answer> {
  const folder = newFolder();
  const emulator = await startEmulator({ db: folder.db });
  try {
    await save(emulator, "broken");
    writeFileSync(snapshotFile(folder.db, "broken"), "nothing of what was here");
    return await postRestore(emulator, "broken");
  } finally {
    await emulator.close();
    folder.remove();
  }
}
