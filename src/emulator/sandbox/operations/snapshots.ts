import * as z from "zod";
import { cursorError, cursorPage, PAGE_QUERY, page } from "../../../base/kernel/cursor-page.js";
import { fieldError } from "../../../base/kernel/errors.js";
import { byName } from "../../../base/kernel/names.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { defineOperation } from "../../../service/features/operation.js";
import { COUNT_NAMES } from "../../snapshots/contents.js";
import { SNAPSHOT_NAME, type Snapshot } from "../../snapshots/snapshot.js";
import type { Controls } from "../control-interface.js";
import { MAX_SNAPSHOT_BYTES, SNAPSHOT_TYPE } from "../snapshot-file.js";

/** Snapshots: copies of all accounts in both modes, with the clock. They can be restored. */

const SnapshotAnswer = z
  .object({
    object: z.literal("snapshot"),
    name: z.string(),
    created_at: IsoInstant.describe("When it was saved, in real time"),
    size: z.int().describe("Bytes"),
    now: IsoInstant.nullable().describe("What the emulated clock showed; null when the file is damaged"),
    counts: z
      .object({
        ...byName(COUNT_NAMES, () => z.int()),
        charges: z.int().describe("Charges and payments of every method"),
      })
      .nullable()
      .describe("How much it holds, of all accounts in both modes; null when the file is damaged"),
    file: z.string().nullable().describe("Where it is; null when it is in memory and ends with the server"),
  })
  .meta({ id: "Snapshot" });

const columns =
  "name as Snapshot, created_at as Saved, now as Clock, counts.charges, counts.events, size as Bytes, file";

function toSnapshot({ name, createdAt, size, file, contents }: Snapshot) {
  const { now = null, counts = null } = contents ?? {};
  const held = { now: now === null ? null : iso(now), counts };
  return { object: "snapshot" as const, name, created_at: iso(createdAt), size, ...held, file };
}

const NAME_RULE =
  "must be 1 to 64 letters, digits, dots, hyphens or underscores, begin with a letter or digit, and be no reserved file name such as con";

export const snapshotList = defineOperation({
  id: "sandbox.snapshots.list",
  route: "GET /_sandbox/snapshots",
  summary: "List the saved snapshots",
  description:
    "Lists the snapshots of this database, newest first, one page at a time: `next_cursor` goes into `after`. An " +
    "unknown parameter and a bad value are refused.",
  query: z.strictObject(PAGE_QUERY),
  success: { status: 200, description: "Newest first", schema: page(SnapshotAnswer) },
  cli: {
    examples: ["qa-pay sandbox snapshots list", "qa-pay sandbox snapshots list --json"],
    columns,
  },
}).control(({ query: { limit, after } }, controls: Controls) => {
  const all = controls.snapshots.list();
  const last = after === undefined ? -1 : all.findIndex(({ name }) => name === after);
  if (after !== undefined && last === -1) throw cursorError();
  return cursorPage(all.slice(last + 1), limit, toSnapshot, "name");
});

export const snapshotSave = defineOperation({
  id: "sandbox.snapshots.save",
  route: "POST /_sandbox/snapshots",
  summary: "Save everything as it is now, of all accounts",
  description:
    "Saves everything that the database holds, of all accounts and both modes, with the clock and the work that is " +
    "due. A snapshot of the same name is replaced, in one step. A name that could not be a file's is refused.",
  body: z.object({
    name: z
      .string()
      .regex(SNAPSHOT_NAME, NAME_RULE)
      .describe("Name of the snapshot; an older one of that name is replaced"),
  }),
  success: { status: 201, description: "The snapshot", schema: SnapshotAnswer },
  cli: {
    argument: "name",
    examples: ["qa-pay sandbox snapshots save before-refund"],
    columns,
    next: "Restore it: qa-pay sandbox snapshots restore {name}",
  },
}).control(({ body: { name } }, controls: Controls) => controls.snapshots.save(name).then(toSnapshot));

export const snapshotRestore = defineOperation({
  id: "sandbox.snapshots.restore",
  route: "POST /_sandbox/snapshots/{name}/restore",
  summary: "Go back to a snapshot: charges, money, events, accounts, keys, clock and due work",
  description:
    "Puts the saved state in the place of the present one, in one step. Keys that were issued later stop working, " +
    "but for those that were passed to this start. A snapshot that is damaged or of a newer version is refused with 422 " +
    "and changes nothing. It needs no body.",
  success: { status: 200, description: "The snapshot that was restored", schema: SnapshotAnswer },
  errors: ["unprocessable_entity"],
  loses: "Everything that happened on this server since then is lost, on all accounts.",
  cli: {
    examples: ["qa-pay sandbox snapshots restore before-refund"],
    columns,
  },
}).control(({ params: { name }, cause }, controls: Controls) =>
  controls.snapshots.restore(name, cause).then(toSnapshot),
);

export const snapshotDelete = defineOperation({
  id: "sandbox.snapshots.delete",
  route: "DELETE /_sandbox/snapshots/{name}",
  summary: "Delete a snapshot",
  description: "Deletes a snapshot permanently. What the server holds now does not change. It needs no body.",
  success: { status: 204, description: "It is deleted", schema: z.undefined() },
  loses: "This snapshot is lost.",
  cli: {
    examples: ["qa-pay sandbox snapshots delete before-refund"],
    columns: [],
  },
}).control(({ params: { name } }, controls: Controls) => controls.snapshots.remove(name).then(() => undefined));

/** The commands `sandbox snapshots export` and `import` have code of their own: they read and write files. */
export const snapshotExport = defineOperation({
  id: "sandbox.snapshots.export",
  route: "GET /_sandbox/snapshots/{name}/file",
  summary: "Download a snapshot as one file",
  description:
    "Answers the snapshot as a SQLite database that is complete by itself. It holds secrets: hashes of keys and " +
    "passwords, and the secrets that sign webhooks, tokens and addresses.",
  query: z.strictObject({}),
  success: { status: 200, description: "The file", schema: z.string(), file: SNAPSHOT_TYPE },
}).send(async ({ params: { name } }, controls: Controls) => ({
  name: `${name}.db`,
  content: await controls.snapshots.open(name),
}));

export const snapshotImport = defineOperation({
  id: "sandbox.snapshots.import",
  route: "PUT /_sandbox/snapshots/{name}/file",
  summary: "Upload a file as a snapshot",
  description:
    "Creates a snapshot from a file that was exported, also from another server. An older snapshot of that name is " +
    "replaced, in one step. The present state does not change: restore the snapshot for that. Only rows are taken from " +
    "the file. One that is damaged, of a newer version, or holds anything else than qa-pay writes is refused with 422.",
  upload: { type: SNAPSHOT_TYPE, maxBytes: MAX_SNAPSHOT_BYTES },
  success: { status: 201, description: "The snapshot", schema: SnapshotAnswer },
  errors: ["unprocessable_entity"],
}).receive(async ({ params: { name } }, controls: Controls, save) => {
  if (!SNAPSHOT_NAME.test(name)) throw fieldError("name", NAME_RULE);
  return toSnapshot(await controls.snapshots.adopt(name, save));
});
