import { errorCode, reasonOf } from "../kernel/reason.js";

/** The database cannot be used; the message says what to do about it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** True if another server is using the file. */
  isInUse = false;
  /** The message for a client of the service, who need not know where the file is. */
  answer: string | null = null;
}

/** The codes of SQLite and of the file system for a full disk. */
export const NO_ROOM = /SQLITE_FULL|disk is full|ENOSPC|EDQUOT|EFBIG/;

/** Returns the error of a write, with a sentence when the disk is full. Returns every other error as it is. */
export function writeError(error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  if (!NO_ROOM.test(`${errorCode(error) ?? ""} ${reasonOf(error)}`)) return error;
  const full = "The disk is full, so nothing was changed.";
  const explained = new DatabaseError(`${full} When there is room again, this server goes on by itself.`, {
    cause: error,
  });
  explained.answer = `${full} Make room where the emulator keeps its database, then try again with the same idempotency key.`;
  return explained;
}
