import { type ServerEvent, StreamBroken, serverEvents } from "../../../client/event-stream.js";
import { Unreachable } from "../../../client/send.js";
import { openEvents } from "../../target/ask-host.js";
import type { Target } from "../../target/target.js";
import { EXIT } from "../../terminal/exit-codes.js";
import { Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, palette, timeText } from "../../terminal/output.js";
import { bodyText, joined, say, type TerminalText } from "../../terminal/terminal-text.js";
import type { GlobalFlags } from "../../tree/flags.js";

/** Follows everything that happens on an emulator. After a broken connection it continues after the last message. */

type Data = Readonly<Record<string, unknown>>;

const RESYNC: Readonly<Record<string, string>> = {
  missed: "some messages were missed: they came faster than they were read",
  unknown_id: "the server was started anew, or some messages were missed",
  replaced: "a reset or a restored snapshot has replaced everything",
};

/** How often, and after how many milliseconds, a server that does not answer is tried again. */
const TRIES = 10;
const PAUSE_MS = 1_000;

function valueText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The facts of a message: those of requests in the form of `logs tail`, others with their names. */
function factsOf(event: string, data: Data): TerminalText {
  if (event === "resync") return say`${RESYNC[String(data.reason)] ?? "messages were missed"}`;
  if (event === "request") {
    const { status, method, path, duration_ms: took, number } = data;
    const outcome = status === 0 ? "cut" : String(status);
    return say`${outcome} ${String(method)} ${String(path)} ${Math.round(Number(took))} ms #${String(number)}`;
  }
  const facts = Object.entries(data).filter(([name, value]) => name !== "at" && value !== null);
  return joined(
    facts.map(([name, value]) => say`${name}=${valueText(value)}`),
    " ",
  );
}

function lineOf({ event, data }: ServerEvent, paint: Palette, utc = false): TerminalText {
  const said = JSON.parse(data) as Data;
  const at = typeof said.at === "string" ? timeText(said.at, utc) : "";
  const kind = event === "resync" ? paint.bad(event.padEnd(11)) : event.padEnd(11);
  return say`${at === "" ? "" : say`${paint.dim(at)} `}${kind} ${factsOf(event, said)}\n`;
}

export async function tailAll(io: Io, target: Target, flags: GlobalFlags): Promise<void> {
  const stop = new AbortController();
  const paint = await palette(io, flags.color !== false);
  let lastId = "";
  let hasBegun = false;
  let failures = 0;

  function print(message: ServerEvent): void {
    failures = 0;
    lastId = message.id;
    const { id, event, data } = message;
    const line = `{"id":${JSON.stringify(id)},"event":${JSON.stringify(event)},"data":${data}}\n`;
    io.out(flags.json ? bodyText(io, line) : lineOf(message, paint, flags.utc));
  }

  /** Prints the messages of one connection until it ends. */
  async function follow(): Promise<void> {
    const resume: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
    const stream = await openEvents(target, "/_sandbox/stream", stop.signal, resume);
    if (!hasBegun) begin();
    for await (const message of serverEvents(stream)) print(message);
  }

  function begin(): void {
    hasBegun = true;
    io.onStop(() => stop.abort());
    if (!flags.quiet && !flags.json) io.err(say`Following everything. Ctrl-C stops.\n`);
  }

  for (;;) {
    try {
      await follow();
    } catch (error) {
      if (stop.signal.aborted) return;
      const isBroken = error instanceof StreamBroken || error instanceof Unreachable;
      if (!isBroken || !hasBegun) throw asFailure(error);
    }
    if (stop.signal.aborted) return;
    failures += 1;
    if (failures > TRIES) {
      throw new Failure(EXIT.unreachable, "unreachable", `Nobody answers at ${target.baseUrl} any more.`);
    }
    await io.pause(PAUSE_MS, stop.signal);
  }
}

function asFailure(error: unknown): unknown {
  return error instanceof Unreachable ? new Failure(EXIT.unreachable, "unreachable", error.message) : error;
}
