import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { FILE_IS_WHOLE } from "../invariants/records.js";
import { breachesOf } from "../invariants.js";
import type { Notebook } from "./clients.js";
import { type Image, imageOf } from "./image.js";
import type { Pool } from "./pool.js";
import { type Inbox, wrongWebhooks } from "./webhooks.js";
import { differences, type Found, factsOf, type Known, type World, worldsAfter } from "./worlds.js";

/** Checks of a killed server's files, against the answers that its clients received. */

/** The state that is kept from one check to the next. */
export interface Memory {
  world: World;
  /** The state of each snapshot's file, so that only files that were written since are read again. */
  readonly files: Map<string, string>;
  /** Deliveries that were being sent when the server was killed, with their earlier attempts. */
  underWay: ReadonlyMap<string, number>;
}

/** The forward target is made by the first start. */
const FORWARD: Known = {
  fact: { is: "at", object: "endpoint forward", status: "there" },
  from: 0,
  until: 0,
  sure: true,
};

export function newMemory(): Memory {
  const world = { story: "the first start", known: [FORWARD], snapshots: new Map() };
  return { world, files: new Map(), underWay: new Map() };
}

/** The requests of which one must have been sent before an object can be in a status. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  "transaction paid": ["pay"],
  "transaction processing": ["pay"],
  "transaction refunded": ["pay"],
  "transaction disputed": ["case"],
  "transaction failed": ["fail"],
  "transaction cancelled": ["cancel"],
  "refund FAILED": ["fail"],
  "payout paid": ["pay"],
  "payout failed": ["fail"],
  "case appealed": ["appeal"],
  "case rejected": ["decide"],
  "case accepted": ["accept"],
  "case closed": ["decide", "withdraw"],
  "evidence uploaded": ["upload"],
  "evidence confirmed": ["complete"],
  "endpoint deleted": ["delete"],
  "key revoked": ["revoke"],
};

function unasked({ objects }: Found, asked: Notebook["asked"]): string[] {
  return [...objects].flatMap(([object, { status }]) => {
    const needs = object.startsWith("case of ") ? undefined : NEEDS[`${object.split(" ")[0]} ${status}`];
    if (needs === undefined || needs.some((verb) => asked.get(object)?.has(verb))) return [];
    return [`${object} is ${status}, which nobody asked for`];
  });
}

/** A payment that a script still has to make must be due. */
function forgottenPayments(db: Database.Database, now: number): string[] {
  const rows = db
    .prepare(
      `SELECT 'transaction ' || json_extract(metadata, '$.key') || ' has no payment due' FROM transactions t
        WHERE created_at + json_extract(metadata, '$.pay_after') * 1000 > ?
          AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'transaction.pay' AND j.subject = t.id)`,
    )
    .pluck()
    .all(now);
  return rows.map(String);
}

/** Opens a copy, because opening the file itself could leave new files beside it. */
function inspect<Result>(file: string, look: (db: Database.Database) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "qa-pay-crash-"));
  const copy = join(folder, "copy.db");
  try {
    copyFileSync(file, copy);
    const db = new Database(copy);
    try {
      return look(db);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Snapshots {
  /** The contents of each new file; the other files have not changed. */
  readonly images: ReadonlyMap<string, Image>;
  readonly names: readonly string[];
  readonly wrong: readonly string[];
}

/** Every snapshot file is complete and obeys all invariants. */
function readSnapshots(file: string, memory: Memory): Snapshots {
  const folder = `${file}.snapshots`;
  const entries = existsSync(folder) ? readdirSync(folder).filter((name) => /^[a-z0-9].*\.db$/.test(name)) : [];
  const images = new Map<string, Image>();
  const wrong: string[] = [];
  for (const entry of entries) {
    const { ino, mtimeMs, size } = statSync(join(folder, entry));
    const stamp = `${ino} ${mtimeMs} ${size}`;
    if (memory.files.get(entry) === stamp) continue;
    memory.files.set(entry, stamp);
    const name = entry.slice(0, -".db".length);
    try {
      inspect(join(folder, entry), (db) => {
        wrong.push(...breachesOf(db).map((text) => `in the snapshot ${name} ${text}`));
        // The copy is deleted before the rows are used, so they are read now.
        const image = imageOf(db);
        const ids = new Map(image.newest.map(([table]) => [table, new Set(allIds(db, table))]));
        images.set(name, { ...image, has: (table, id) => ids.get(table)?.has(id) ?? false });
      });
    } catch (error) {
      wrong.push(`the snapshot ${name} cannot be read: ${error}`);
    }
  }
  return { images, names: entries.map((entry) => entry.slice(0, -".db".length)), wrong };
}

function allIds(db: Database.Database, table: string): string[] {
  return db.prepare(`SELECT id FROM ${table}`).pluck().all().map(String);
}

function wrongSnapshots(world: World, { images, names }: Snapshots): string[] {
  const wanted = [...world.snapshots.keys()];
  const wrong = [
    ...wanted.filter((name) => !names.includes(name)).map((name) => `the snapshot ${name} is gone`),
    ...names.filter((name) => !wanted.includes(name)).map((name) => `there is a snapshot ${name}, which cannot be`),
  ];
  for (const [name, image] of images) {
    wrong.push(...differences(world.snapshots.get(name) ?? [], image).map((text) => `in the snapshot ${name} ${text}`));
  }
  return wrong;
}

interface Fit {
  readonly world: World;
  readonly wrong: readonly string[];
}

/** The possible world that fits the findings best. */
function bestFit(worlds: readonly World[], image: Image, snapshots: Snapshots): Fit {
  const fits = worlds.map((world) => ({
    world,
    wrong: [...differences(world.known, image), ...wrongSnapshots(world, snapshots)],
  }));
  return fits.reduce((best, fit) => (fit.wrong.length < best.wrong.length ? fit : best));
}

export interface Checked {
  readonly wrong: readonly string[];
  /** The world that fits the findings. */
  readonly story: string;
  readonly image: Image;
}

export interface Files {
  /** The database. */
  readonly file: string;
  readonly memory: Memory;
  readonly notebook: Notebook;
  readonly inbox: Inbox;
  readonly pool: Pool;
  readonly keys: Readonly<Record<"test" | "live", string>>;
}

/**
 * Reads the files of a stopped server. Throws when the database cannot be read at all. The contents become the known state:
 * they are durable, because no process runs that could change them.
 */
export function checkFiles({ file, memory, notebook, inbox, pool, keys }: Files): Checked {
  const db = new Database(file, { readonly: true });
  try {
    const broken = breachesOf(db);
    if (broken.some((text) => text.startsWith(FILE_IS_WHOLE.name))) throw new Error(broken.join("\n"));
    const image = imageOf(db);
    const snapshots = readSnapshots(file, memory);
    const { world, wrong } = bestFit(worldsAfter(memory.world, notebook.turns, notebook.known), image, snapshots);
    learnSecrets(image, notebook);
    const webhooks = wrongWebhooks({ db, known: world.known, notebook, inbox });
    const forgotten = forgottenPayments(db, image.now);
    const twice = image.twice.map((object) => `${object} was made twice`);
    remember(db, { memory, notebook }, world, image, snapshots);
    if (notebook.turns.some(({ kind }) => kind !== "save")) pool.refill(db, keys, notebook.keys);
    return {
      wrong: [
        ...broken,
        ...snapshots.wrong,
        ...twice,
        ...wrong,
        ...unasked(image, notebook.asked),
        ...forgotten,
        ...webhooks,
      ],
      story: world.story,
      image,
    };
  } finally {
    db.close();
  }
}

/** Objects whose answers were lost are known from now on. */
function learnSecrets({ settings }: Image, notebook: Notebook): void {
  for (const [name, secret] of settings) {
    const endpoint = /^endpoint (\S+) secret$/.exec(name)?.[1];
    if (endpoint !== undefined) notebook.addTo(notebook.secrets, endpoint, [secret]);
  }
}

/** The findings become the known state. */
function remember(
  db: Database.Database,
  { memory, notebook }: Pick<Files, "memory" | "notebook">,
  world: World,
  image: Image,
  { names, images }: Snapshots,
): void {
  const moment = notebook.tick();
  const contents = names.map((name): [string, readonly Known[]] => {
    const read = images.get(name);
    return [name, read === undefined ? (world.snapshots.get(name) ?? []) : factsOf(read, moment)];
  });
  memory.world = { story: "all was well", known: factsOf(image, moment), snapshots: new Map(contents) };
  notebook.snapshots.clear();
  for (const name of names) notebook.snapshots.add(name);
  const underWay = db.prepare("SELECT id, attempts FROM deliveries WHERE status = 'PROCESSING'").raw().all();
  memory.underWay = new Map(underWay as [string, number][]);
}
