/** Reads server-sent events (WHATWG HTML, section 9.2) from an answer's body. */

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

/** The events of a stream, until it ends. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}
