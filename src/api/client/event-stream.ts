import { reasonOf } from "../../base/kernel/reason.js";

/** The reader of server-sent events (WHATWG HTML, section 9.2). The console's page uses it too. */

export interface ServerEvent {
  readonly event: string;
  /** Empty when the event has none. */
  readonly id: string;
  readonly data: string;
}

/** An event, or only an id. A comment, the server's sign of life, yields nothing. */
type Block = Omit<ServerEvent, "data"> & { readonly data: string | null };

function blockOf(text: string): Block {
  let event = "message";
  let id = "";
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const name = line.slice(0, colon);
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
  return { event, id, data: data.length === 0 ? null : data.join("\n") };
}

/** The maximum of characters of one event, so that a server that never ends an event does not fill the memory. */
const MAX_EVENT = 1_048_576;

/** The stream was interrupted, was silent for too long, or sent no valid events. The caller may open it again. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new StreamBroken(`the stream of events broke off (${reason})`, { cause });
  }
}

/** Yields the blocks of a stream until it ends. Throws StreamBroken when it breaks, or for an event above 1 MiB. */
export async function* serverBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(body)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > MAX_EVENT) throw new StreamBroken("one event of the stream is larger than 1 MB");
    yield* blocks.map(blockOf);
  }
}

/** Yields the events of a stream that have data, as `serverBlocks` does. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  for await (const { data, ...rest } of serverBlocks(body)) if (data !== null) yield { ...rest, data };
}
