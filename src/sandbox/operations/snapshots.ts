import { z } from "zod";
import { SNAPSHOT_NAME, type Snapshot } from "../../db/snapshots/snapshot.js";
import { defineOperation } from "../../features/operation.js";
import { fieldError } from "../../kernel/errors.js";
import { IsoInstant, page, queryInteger } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";

/** Snapshots: copies of all accounts in both modes, with the clock. They can be restored. */

const SnapshotAnswer = z
  .object({
    object: z.literal("snapshot"),
    name: z.string(),
    created_at: IsoInstant.meta({ description: "When it was saved, in real time" }),
    size_bytes: z.int(),
    file: z
      .string()
      .nullable()
      .meta({ description: "Where it is; null when it is in memory and ends with the server" }),
  })
  .meta({ id: "Snapshot" });

const columns = [
  { header: "Snapshot", path: "name" },
  { header: "Saved", path: "created_at", format: "time" },
  { header: "Bytes", path: "size_bytes" },
  { header: "File", path: "file" },
] as const;

function toSnapshot({ name, createdAt, size, file }: Snapshot) {
  return { object: "snapshot" as const, name, created_at: iso(createdAt), size_bytes: size, file };
}

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
      .regex(
        SNAPSHOT_NAME,
        "must be 1 to 64 letters, digits, dots, hyphens or underscores, begin with a letter or digit, and be no reserved file name such as con",
      )
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
