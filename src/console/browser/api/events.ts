/** The reader of server-sent events (WHATWG HTML, section 9.2) from the body of an answer. */

export interface ServerEvent {
  readonly event: string;
  /** Empty when the event has none. */
  readonly id: string;
  /** Null for an event that only tells an id. */
  readonly data: string | null;
}

function eventIn(block: string): ServerEvent {
  let event = "message";
  let id = "";
  const data: string[] = [];
  for (const line of block.split("\n")) {
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

/** Yields the events of a body until it ends. A comment, which the server sends as a sign of life, is an event without data. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield eventIn(block);
  }
}
