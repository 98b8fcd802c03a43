/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

function eventOf(block: string): ServerEvent | null {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`;
  }
  return fields.data === undefined
    ? null
    : { event: fields.event ?? "message", id: fields.id ?? "", data: fields.data };
}

/** The most characters of one event, so that a server that never ends an event does not fill the memory. */
const MAX_EVENT = 1_048_576;

/** The stream was interrupted, was silent for too long, or sent no valid events. The caller may open it again. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StreamBroken(`the stream of events broke off (${reason})`, { cause });
  }
}

/** Yields the events of a stream until it ends. Throws StreamBroken when it breaks, or for an event above 1 MiB. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(body)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > MAX_EVENT) throw new StreamBroken("one event of the stream is larger than 1 MB");
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}
