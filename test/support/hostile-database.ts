import { copyFileSync } from "node:fs";
import { startEmulator } from "./emulator.js";
import { act, openCase, paidCharge } from "./med.js";
import { startReceiver } from "./receiver.js";
import { paidPayment, refund } from "./refunds.js";
import { postSave, restore, snapshotFile } from "./snapshots.js";
import { columnOf, openFile } from "./sqlite.js";
import { settle, subscribe } from "./webhooks.js";

/** Writes a complete snapshot with a row in almost every table to `file`, as an export would be. */
export async function writeSample(folder: string, file: string): Promise<void> {
  const receiver = await startReceiver();
  const db = `${folder}/sample.db`;
  const emulator = await startEmulator({ db, frozen: true, testKey: "qa_test_sample-of-all" });
  try {
    await subscribe(emulator, receiver.url, ["charge.created", "charge.paid"]);
    receiver.replies.push({ status: 500 });
    await emulator.charge({ metadata: { order: 1, _sandbox: { pay_after: 60, med_after: 60 } } });
    await settle(emulator);
    const paid = await paidPayment(emulator);
    await refund(emulator, paid.id, { amount: 100 });
    const contested = await openCase(emulator, { charge_id: (await paidCharge(emulator)).id });
    const { body: ticket } = await emulator.call("POST", `/v1/med/cases/${contested.id}/evidence`, {
      body: { file_name: "nota.png", file_size: 3, mime_type: "image/png" },
    });
    if (ticket.id === undefined) throw new Error(`no ticket: ${JSON.stringify(ticket)}`);
    await act(emulator, contested.id, "request-evidence");
    await postSave(emulator, "sample");
    // Restored and saved again, as snapshots that go round are.
    await restore(emulator, "sample");
    await postSave(emulator, "sample");
    copyFileSync(snapshotFile(db, "sample"), file);
  } finally {
    await emulator.close();
    await receiver.close();
  }
}

/** Changes a database in ways that its constraints and triggers forbid. */
export function tamper(file: string, sql: string): void {
  const db = openFile(file);
  try {
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all();
    const ours = triggers as { name: string; sql: string }[];
    const isSchema = /TRIGGER/.test(sql);
    db.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    if (!isSchema) for (const { name } of ours) db.exec(`DROP TRIGGER "${name}"`);
    db.exec(sql);
    const tables = new Set(columnOf(db, "SELECT name FROM sqlite_schema WHERE type = 'table'"));
    for (const { sql: trigger } of isSchema ? [] : ours) {
      if (tables.has(/ ON (\w+)/.exec(trigger)?.[1])) db.exec(trigger);
    }
  } finally {
    db.close();
  }
}
