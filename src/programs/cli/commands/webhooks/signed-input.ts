import { inputBytes } from "../../terminal/bounded-read.js";
import { usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { readNamed } from "../../terminal/named-file.js";

/**
 * Reads the body and the secret that a command line names: the body from a file or standard input, the secret from its flag or
 * standard input. The body is read as bytes, because its encoding may be what is wrong with it. Throws Failure (exit 2) when both would come from standard input.
 */
export async function readSigned(io: Io, file: string | undefined, given: string) {
  const isRead = given === "-";
  const isPiped = file === undefined || file === "-";
  if (given === "" || (isRead && isPiped)) {
    throw usage("--secret takes the secret, or - to read it from standard input while the body is a file.");
  }
  const secret = isRead ? (await io.readInput()).replace(/\r?\n$/, "") : given;
  const body = isPiped ? await inputBytes(io.streams().input) : readNamed(io, file);
  return { secret, body };
}
