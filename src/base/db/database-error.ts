import { errorCode, reasonOf } from "../kernel/reason.js";

/** The database cannot be used; the message says what to do about it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** Whether another server is using the file. */
  isInUse = false;
  /** What a client of the service is told, who need not know where the file is. */
  answer: string | null = null;
}

/** SQLite and the file system say so when there is no room left. */
export const NO_ROOM = /SQLITE_FULL|disk is full|ENOSPC|EDQUOT|EFBIG/;

/** The error of a write, told in words when the disk is full. Every other error is answered as it is. */
export function writeError(error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  if (!NO_ROOM.test(`${errorCode(error) ?? ""} ${reasonOf(error)}`)) return error;
  const full = "The disk is full, so nothing was changed.";
  const told = new DatabaseError(`${full} When there is room again, this server goes on by itself.`, { cause: error });
  told.answer = `${full} Make room where the emulator keeps its database, then try again with the same idempotency key.`;
  return told;
}
