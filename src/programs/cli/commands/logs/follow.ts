import { type ServerEvent, StreamBroken, serverEvents } from "../../../../api/client/event-stream.js";
import { Unreachable } from "../../../../api/client/send.js";
import type { Connection } from "../../host/connection.js";
import { openEvents } from "../../host/read.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";

const PAUSE_MS = 1_000;

interface FollowOptions {
  readonly path: string;
  /** How often in a row a connection that is lost is opened again. */
  readonly tries: number;
  /** Called when the first connection is there. */
  readonly onStart: () => void;
  /** Prints a message. False ends the connection, and another one is opened at once. */
  readonly print: (message: ServerEvent) => boolean;
}

function unreachable(message: string): Failure {
  return new Failure(EXIT.unreachable, "unreachable", message);
}

/**
 * Prints the messages of an emulator's stream, until Ctrl-C. After a lost connection it continues after the last message. Throws
 * Failure for a refusal, and when nobody answers any more.
 */
export async function follow(
  io: Io,
  connection: Connection,
  { path, tries, onStart, print }: FollowOptions,
): Promise<void> {
  const stop = new AbortController();
  let lastId = "";
  let hasBegun = false;
  let failures = 0;

  /** Prints the messages of one stream. Returns false when it has ended by itself. */
  async function printStream(): Promise<boolean> {
    const resume: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
    const stream = await openEvents(connection, path, stop.signal, resume);
    if (!hasBegun) {
      hasBegun = true;
      io.onStop(() => stop.abort());
      onStart();
    }
    for await (const message of serverEvents(stream)) {
      failures = 0;
      lastId = message.id;
      if (!print(message)) return true;
    }
    return false;
  }

  while (!stop.signal.aborted) {
    let why = `${connection.host.url} no longer answers.`;
    try {
      if (await printStream()) continue;
    } catch (error) {
      if (stop.signal.aborted) return;
      const isBroken = error instanceof StreamBroken || error instanceof Unreachable;
      if (!isBroken || !hasBegun) throw error instanceof Unreachable ? unreachable(error.message) : error;
      // Without another try the error itself is more exact: another server may use this address now.
      if (tries === 0 && error instanceof Unreachable) why = error.message;
    }
    if (stop.signal.aborted) return;
    failures += 1;
    if (failures > tries) throw unreachable(why);
    await io.pause(PAUSE_MS, stop.signal);
  }
}
