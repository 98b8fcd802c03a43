import { z } from "zod";
import { SNAPSHOT_NAME, type Snapshot } from "../../db/snapshots/snapshot.js";
import { defineOperation } from "../../features/operation.js";
import { fieldError } from "../../kernel/errors.js";
import { IsoInstant, page, queryInteger } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";
import { MAX_SNAPSHOT_BYTES, SNAPSHOT_TYPE } from "../snapshot-file.js";

/** Snapshots: copies of all accounts in both modes, with the clock. They can be restored. */

const SnapshotAnswer = z
  .object({
    object: z.literal("snapshot"),
    name: z.string(),
    created_at: IsoInstant.meta({ description: "When it was saved, in real time" }),
    size: z.int().meta({ description: "Bytes" }),
    now: IsoInstant.nullable().meta({ description: "What the emulated clock showed; null when the file is damaged" }),
    counts: z
      .object({
        accounts: z.int(),
        charges: z.int().meta({ description: "Charges and payments of every method" }),
        refunds: z.int(),
        payouts: z.int(),
        med_cases: z.int(),
        events: z.int(),
        deliveries: z.int(),
        emails: z.int(),
      })
      .nullable()
      .meta({ description: "How much it holds, of all accounts in both modes; null when the file is damaged" }),
    file: z
      .string()
      .nullable()
      .meta({ description: "Where it is; null when it is in memory and ends with the server" }),
  })
  .meta({ id: "Snapshot" });

const columns = [
  { header: "Snapshot", path: "name" },
  { header: "Saved", path: "created_at", format: "time" },
  { header: "Clock", path: "now", format: "time" },
  { header: "Charges", path: "counts.charges" },
  { header: "Events", path: "counts.events" },
  { header: "Bytes", path: "size" },
  { header: "File", path: "file" },
] as const;

function toSnapshot({ name, createdAt, size, file, contents }: Snapshot) {
  const { now = null, counts = null } = contents ?? {};
  const held = { now: now === null ? null : iso(now), counts };
  return { object: "snapshot" as const, name, created_at: iso(createdAt), size, ...held, file };
}

const NAME_RULE =
  "must be 1 to 64 letters, digits, dots, hyphens or underscores, begin with a letter or digit, and be no reserved file name such as con";

export const snapshotList = defineOperation({
  id: "sandbox.snapshots.list",
  method: "GET",
  path: "/_sandbox/snapshots",
  auth: "key",
  surface: "sandbox",
  summary: "List the saved snapshots",
  description:
    "Lists the snapshots of this database, newest first, one page at a time: `next_cursor` goes into `after`. An " +
    "unknown parameter and a bad value are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(SnapshotAnswer) },
  errors: [],
  cli: {
    command: "sandbox snapshots list",
    examples: ["qa-pay sandbox snapshots list", "qa-pay sandbox snapshots list --json"],
    rows: "data",
    columns: [...columns],
  },
}).control(({ query: { limit, after } }, controls) => {
  const all = controls.snapshots.list();
  const last = after === undefined ? -1 : all.findIndex(({ name }) => name === after);
  if (after !== undefined && last === -1) throw fieldError("after", "must be the next_cursor of a page before");
  const data = all.slice(last + 1, last + 1 + limit).map(toSnapshot);
  const more = all.length > last + 1 + limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.name ?? null) : null };
});

export const snapshotSave = defineOperation({
  id: "sandbox.snapshots.save",
  method: "POST",
  path: "/_sandbox/snapshots",
  auth: "key",
  surface: "sandbox",
  summary: "Save everything as it is now, of all accounts",
  description:
    "Saves everything that the database holds, of all accounts and both modes, with the clock and the work that is " +
    "due. A snapshot of the same name is replaced, in one step. A name that could not be a file's is refused.",
  body: z.object({
    name: z
      .string()
      .regex(SNAPSHOT_NAME, NAME_RULE)
      .meta({ description: "What to call it; an older snapshot of that name is replaced" }),
  }),
  success: { status: 201, description: "The snapshot", schema: SnapshotAnswer },
  errors: [],
  cli: {
    command: "sandbox snapshots save",
    argument: "name",
    examples: ["qa-pay sandbox snapshots save before-refund"],
    columns: [...columns],
    next: "Come back to it: qa-pay sandbox snapshots restore {name}",
  },
}).control(({ body: { name } }, controls) => controls.snapshots.save(name).then(toSnapshot));

export const snapshotRestore = defineOperation({
  id: "sandbox.snapshots.restore",
  method: "POST",
  path: "/_sandbox/snapshots/{name}/restore",
  auth: "key",
  surface: "sandbox",
  summary: "Go back to a snapshot: charges, money, events, accounts, keys, clock and due work",
  description:
    "Puts the saved state in the place of the present one, in one step. Keys that were issued later stop working, " +
    "but for those that this start was given. A snapshot that is damaged or of a newer version is refused with 422 " +
    "and changes nothing. It needs no body.",
  params: z.object({ name: z.string() }),
  success: { status: 200, description: "The snapshot that everything is as in now", schema: SnapshotAnswer },
  errors: ["unprocessable_entity"],
  cli: {
    command: "sandbox snapshots restore",
    examples: ["qa-pay sandbox snapshots restore before-refund"],
    columns: [...columns],
    confirms: "Everything that happened on this server since then is lost, on all accounts.",
  },
}).control(({ params: { name }, cause }, controls) => controls.snapshots.restore(name, cause).then(toSnapshot));

export const snapshotDelete = defineOperation({
  id: "sandbox.snapshots.delete",
  method: "DELETE",
  path: "/_sandbox/snapshots/{name}",
  auth: "key",
  surface: "sandbox",
  summary: "Delete a snapshot",
  description: "Deletes a snapshot for good. What the server holds now does not change. It needs no body.",
  params: z.object({ name: z.string() }),
  success: { status: 204, description: "It is deleted", schema: z.undefined() },
  errors: [],
  cli: {
    command: "sandbox snapshots delete",
    examples: ["qa-pay sandbox snapshots delete before-refund"],
    columns: [],
    confirms: "This snapshot is lost.",
  },
}).control(({ params: { name } }, controls) => controls.snapshots.remove(name).then(() => undefined));

/** The commands `sandbox snapshots export` and `import` have code of their own: they read and write files. */
export const snapshotExport = defineOperation({
  id: "sandbox.snapshots.export",
  method: "GET",
  path: "/_sandbox/snapshots/{name}/file",
  auth: "key",
  surface: "sandbox",
  summary: "Download a snapshot as one file",
  description:
    "Answers the snapshot as a SQLite database that is complete by itself. It holds secrets: hashes of keys and " +
    "passwords, and the secrets that sign webhooks, tokens and addresses.",
  params: z.object({ name: z.string() }),
  query: z.strictObject({}),
  success: { status: 200, description: "The file", schema: z.string(), file: SNAPSHOT_TYPE },
  errors: [],
}).send(async ({ params: { name } }, controls) => ({
  name: `${name}.db`,
  content: await controls.snapshots.open(name),
}));

export const snapshotImport = defineOperation({
  id: "sandbox.snapshots.import",
  method: "PUT",
  path: "/_sandbox/snapshots/{name}/file",
  auth: "key",
  surface: "sandbox",
  summary: "Upload a file as a snapshot",
  description:
    "Makes a snapshot of a file that was exported, also from another server. An older snapshot of that name is " +
    "replaced, in one step. The present state does not change: restore the snapshot for that. Only rows are taken from " +
    "the file. One that is damaged, of a newer version, or holds anything else than qa-pay writes is refused with 422.",
  params: z.object({ name: z.string() }),
  upload: { type: SNAPSHOT_TYPE, maxBytes: MAX_SNAPSHOT_BYTES },
  success: { status: 201, description: "The snapshot", schema: SnapshotAnswer },
  errors: ["unprocessable_entity"],
}).receive(async ({ params: { name } }, controls, save) => {
  if (!SNAPSHOT_NAME.test(name)) throw fieldError("name", NAME_RULE);
  return toSnapshot(await controls.snapshots.adopt(name, save));
});
