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

/** What must hold of the files of a server that was killed, against what its clients were told. */

/** What is remembered from one check to the next. */
export interface Memory {
  world: World;
  /** Of each snapshot's file, so that only those that were written since are read again. */
  readonly files: Map<string, string>;
  /** Deliveries that were on their way when the server was killed, with the attempts they had had. */
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

/** What somebody must have asked for before an object can be in a status. */
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

/** What a script says is still to be paid must be due. */
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

/** Opens a copy, so that nothing is left beside the file itself. */
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
  /** What is in each file that is new; the others are as they were. */
  readonly images: ReadonlyMap<string, Image>;
  readonly names: readonly string[];
  readonly wrong: readonly string[];
}

/** Every snapshot file is whole, and as good a database as any. */
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
        // Rows are asked for after the copy is gone, so they are looked up now.
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

/** The way in which things may have gone that what was found fits best. */
function bestFit(worlds: readonly World[], image: Image, snapshots: Snapshots): Fit {
  const fits = worlds.map((world) => ({
    world,
    wrong: [...differences(world.known, image), ...wrongSnapshots(world, snapshots)],
  }));
  return fits.reduce((best, fit) => (fit.wrong.length < best.wrong.length ? fit : best));
}

export interface Checked {
  readonly wrong: readonly string[];
  /** How things went, by what was found. */
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
 * Looks at the files of a server that is down; throws when the database cannot be read at all. What is found is what is
 * known from then on: it was durable when nobody was there any more to make it so.
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

/** Those whose answers were lost are known from here. */
function learnSecrets({ settings }: Image, notebook: Notebook): void {
  for (const [name, secret] of settings) {
    const endpoint = /^endpoint (\S+) secret$/.exec(name)?.[1];
    if (endpoint !== undefined) notebook.addTo(notebook.secrets, endpoint, [secret]);
  }
}

/** What was found is what is known from now on. */
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
