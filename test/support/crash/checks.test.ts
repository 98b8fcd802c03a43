import { copyFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startEmulator } from "../emulator.js";
import { FILE_IS_WHOLE } from "../invariants/records.js";
import { type Receiver, startReceiver } from "../receiver.js";
import { type Folder, newFolder, save, snapshotFile } from "../snapshots.js";
import { type Checked, checkFiles, type Files, newMemory } from "./checks.js";
import { Notebook } from "./clients.js";
import { Pool } from "./pool.js";
import { Inbox } from "./webhooks.js";

/** The checks of a killed server's files, against the answers to its clients and its snapshots. */

/** A charge, a snapshot of it, and its payment. */
let original: Folder;
let folder: Folder;
let receiver: Receiver;
let secrets: readonly (readonly [name: string, secret: string])[];
let charge: string;
let files: Files;

beforeAll(async () => {
  original = newFolder();
  receiver = await startReceiver();
  const emulator = await startEmulator({ db: original.db, forwardTo: `${receiver.url}/forward` });
  charge = (await emulator.charge({ metadata: { key: "crash-a" } })).id;
  await save(emulator, "s");
  await emulator.sandbox(`/charges/${charge}/pay`);
  await emulator.close();
  secrets = [
    ["forward", emulator.forward?.secret ?? ""],
    ["private", emulator.signingSecret],
  ];
});

afterAll(async () => {
  await receiver.close();
  original.remove();
});

beforeEach(() => {
  folder = newFolder();
  cpSync(original.path, folder.path, { recursive: true });
  const notebook = new Notebook();
  for (const [name, secret] of secrets) notebook.addTo(notebook.secrets, name, [secret]);
  const told = { is: "at", object: "transaction crash-a", details: { id: charge.slice(3) } } as const;
  notebook.known.push({ fact: { ...told, status: "pending" }, from: 1, until: 2, sure: true });
  notebook.turns.push({ kind: "save", name: "s", from: 3, until: 4, sure: true, at: 0 });
  notebook.known.push({ fact: { ...told, status: "paid" }, from: 5, until: 6, sure: true });
  notebook.ask("transaction crash-a", "pay");
  const inbox = new Inbox(receiver, () => false);
  const keys = { test: "test", live: "live" };
  files = { file: folder.db, memory: newMemory(), notebook, inbox, pool: new Pool(), keys };
});

afterEach(() => folder.remove());

/** The findings without those about deliveries, which another check covers: there was no receiver. */
function check(): Pick<Checked, "wrong" | "story"> {
  const { wrong, story } = checkFiles(files);
  return { wrong: wrong.filter((text) => !/^delivery .* never taken$/.test(text)), story };
}

function change(sql: string): void {
  const db = new Database(folder.db);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.close();
}

describe("correct files", () => {
  it("have no findings, and become the known state", () => {
    expect(check()).toEqual({ wrong: [], story: "the first start, save s" });
    files.notebook.nextRound();
    expect(check()).toEqual({ wrong: [], story: "all was well" });
    change("DELETE FROM deliveries; DELETE FROM events WHERE seq = (SELECT MAX(seq) FROM events)");
    const { wrong } = check();
    expect(wrong).toContainEqual(expect.stringMatching(/^every change of a transaction was told by its own events/));
    expect(wrong).toContainEqual(expect.stringMatching(/of events is gone$/));
  });
});

describe("wrong files", () => {
  it("are found when an answer to a client is not true any more", () => {
    files.notebook.known.push({
      fact: { is: "at", object: "payout crash-b", status: "paid" },
      from: 7,
      until: 8,
      sure: true,
    });
    expect(check().wrong).toEqual(["payout crash-b was told to be paid and is gone"]);
  });

  it("are found when they hold an object that no client asked for", () => {
    files.notebook.asked.clear();
    expect(check().wrong).toEqual(["transaction crash-a is paid, which nobody asked for"]);
  });

  it("are found when the job of a scripted payment is missing", () => {
    const pays = "json_set(metadata, '$.pay_after', 1000)";
    change(`UPDATE transactions SET metadata = ${pays}`);
    expect(check().wrong).toEqual(["transaction crash-a has no payment due"]);
  });

  it("are found when an object was made twice", () => {
    change(
      `INSERT INTO payouts (id, book_id, status, amount, currency, pix_key, pix_key_type, created_at, updated_at)
       VALUES ('1', 1, 'pending', 1, 'BRL', 'crash-b@x', 'EMAIL', 1, 1), ('2', 1, 'pending', 1, 'BRL', 'crash-b@x', 'EMAIL', 1, 1)`,
    );
    expect(check().wrong).toContain("payout crash-b was made twice");
  });

  it("are found when a snapshot is missing, or exists without a request for it", () => {
    files.notebook.turns.push({ kind: "save", name: "other", from: 9, until: 10, sure: true, at: 0 });
    expect(check().wrong).toEqual(["the snapshot other is gone"]);
    files.notebook.turns.splice(0);
    copyFileSync(snapshotFile(folder.db, "s"), snapshotFile(folder.db, "another"));
    expect(check().wrong).toContain("there is a snapshot another, which cannot be");
    rmSync(snapshotFile(folder.db, "another"));
    expect(check().wrong).toEqual(["the snapshot another is gone"]);
    rmSync(snapshotFile(folder.db, "s"));
    expect(check().wrong).toEqual(["the snapshot s is gone"]);
  });

  it("are found when a snapshot holds other contents than were saved", () => {
    files.notebook.turns.splice(0, 1, { kind: "save", name: "s", from: 7, until: 8, sure: true, at: 0 });
    expect(check().wrong).toEqual(["in the snapshot s transaction crash-a was told to be paid and is pending"]);
  });

  it("cannot be read when they are damaged", () => {
    writeFileSync(folder.db, "nothing of what was here");
    expect(check).toThrow(FILE_IS_WHOLE.name);
  });

  it.each(["nothing of what was here", ""])("are found when a snapshot is damaged: %j", (contents) => {
    writeFileSync(snapshotFile(folder.db, "s"), contents);
    expect(check().wrong).toContainEqual(expect.stringMatching(/^the snapshot s cannot be read: /));
  });
});
