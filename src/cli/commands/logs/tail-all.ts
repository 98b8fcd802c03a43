import type { ServerEvent } from "../../../client/event-stream.js";
import type { GlobalFlags } from "../../../client/flags.js";
import type { Target } from "../../target/target.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, palette, timeText } from "../../terminal/output.js";
import { bodyText, joined, say, type TerminalText } from "../../terminal/terminal-text.js";
import { follow } from "./follow.js";

type Data = Readonly<Record<string, unknown>>;

const RESYNC: Readonly<Record<string, string>> = {
  missed: "some messages were missed: they came faster than they were read",
  unknown_id: "the server was started anew, or some messages were missed",
  replaced: "a reset or a restored snapshot has replaced everything",
};

/** How often a server that does not answer is tried again. */
const TRIES = 10;

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

/** Follows everything that happens on an emulator. */
export async function tailAll(io: Io, target: Target, flags: GlobalFlags): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  await follow(io, target, {
    path: "/_sandbox/stream",
    tries: TRIES,
    begun: () => flags.quiet || flags.json || io.err(say`Following everything. Ctrl-C stops.\n`),
    print(message) {
      const { id, event, data } = message;
      const line = `{"id":${JSON.stringify(id)},"event":${JSON.stringify(event)},"data":${data}}\n`;
      io.out(flags.json ? bodyText(io, line) : lineOf(message, paint, flags.utc));
      return true;
    },
  });
}
