import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ID_PREFIX, UUID_FORM } from "../../../../base/kernel/ids.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { makeFolder } from "../../../../base/platform/own-folder.js";
import { requireFile } from "../../reports/reporter.js";
import { formatValue, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";

/** The folder of `exec --artifacts`. Nothing else in it is ever changed. */

export const DATABASE = "emulator.db";
const LISTS = ["requests.jsonl", "deliveries.jsonl", "events.jsonl"] as const;
const TIMELINES = "timelines";

export type ListFile = (typeof LISTS)[number];

/** Returns the file with the timeline of a charge, below the folder. */
export const timelineFile = (charge: string) => join(TIMELINES, `${charge}.txt`);

/** A build server may read them as another user. */
const FOR_ALL = 0o777;

const TIMELINE = new RegExp(`^${ID_PREFIX.charge}${UUID_FORM}\\.txt$`);

/** Throws Error for a link that leads nowhere, or that another user has placed where this user was to write. */
function checkLink(path: string, { uid }: Pick<Io, "uid">): void {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink()) return;
  if (uid !== null && found.uid !== uid) throw new Error("it is a link of another user");
  if (!fs.existsSync(path)) throw new Error("it is a link that leads nowhere");
}

/** Throws Error for a file in the place of the folder of timelines. */
function checkTimelines(timelines: string): void {
  const found = fs.lstatSync(timelines, { throwIfNoEntry: false });
  if (found?.isFile()) throw new Error(`${TIMELINES} in it is no folder`);
}

/** Removes what an earlier run has written. Links are removed, and not followed. */
function removeOld(folder: string): void {
  for (const name of [...LISTS, DATABASE]) fs.rmSync(join(folder, name), { force: true });
  const timelines = join(folder, TIMELINES);
  const found = fs.lstatSync(timelines, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) fs.rmSync(timelines);
  if (!found?.isDirectory()) return;
  for (const name of fs.readdirSync(timelines)) if (TIMELINE.test(name)) fs.rmSync(join(timelines, name));
}

/**
 * Checks the folder before the work, and removes the files of an earlier run, which could be taken for those of this one, however
 * it ends. Throws Failure (exit 2).
 */
export async function openArtifactFolder(io: Io, name: string) {
  await requireFile(io, "--artifacts", name, "folder");
  const folder = resolve(io.cwd, name);
  try {
    checkLink(folder, io);
    checkTimelines(join(folder, TIMELINES));
  } catch (error) {
    throw usage(`${formatValue(name)} cannot be used: ${reasonOf(error)}. Choose another folder with --artifacts.`);
  }
  try {
    removeOld(folder);
  } catch {
    // A file that cannot be removed cannot be written either, which is reported then.
  }
  /** Returns the path of a file that is not there any more: whoever put a link there does not get the text elsewhere. */
  const place = (file: string) => {
    const path = join(folder, file);
    makeFolder(dirname(path), FOR_ALL);
    fs.rmSync(path, { force: true });
    return path;
  };
  return {
    /** As the flag has it. */
    name,
    /** Creates what is missing. */
    write: (file: string, text: string) => fs.writeFileSync(place(file), text, { flag: "wx" }),
    /** Moves a file into the folder, also from another disk. */
    move(from: string, file: string): void {
      fs.copyFileSync(from, place(file), fs.constants.COPYFILE_EXCL);
      fs.rmSync(from);
    },
  };
}

export type ArtifactFolder = Awaited<ReturnType<typeof openArtifactFolder>>;
