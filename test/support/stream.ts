import type { Loose, TestEmulator } from "./emulator.js";

/** A live stream of the emulator as a client reads it. */
export interface LiveStream {
  readonly headers: Headers;
  /** The next message, without comments such as the heartbeat. Null when the stream has ended. */
  next(): Promise<{ event: string; id: string; data: Loose } | null>;
  close(): void;
}

export async function openStream(
  emulator: TestEmulator,
  path: string,
  key = emulator.key,
  lastId = "",
): Promise<LiveStream> {
  const abort = new AbortController();
  const response = await fetch(emulator.url + path, {
    headers: { apikey: key, accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) },
    signal: abort.signal,
  });
  return streamOf(response, abort);
}

/** Reads an answer as a live stream. `abort` ends its request. */
export function streamOf(response: Response, abort: AbortController): LiveStream {
  if (response.body === null) throw new Error("a stream without a body");
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  return {
    headers: response.headers,
    async next() {
      for (;;) {
        const end = buffer.indexOf("\n\n");
        if (end === -1) {
          const { done, value } = await chunks.read();
          if (done) return null;
          buffer += value;
          continue;
        }
        const lines = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
        if (field("data") !== "") return { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
      }
    },
    close: () => abort.abort(),
  };
}
