import type { IncomingHttpHeaders } from "node:http";
import type { Channel } from "../../emulator/sandbox/live-logs.js";
import type { Reader, Tx } from "../../service/features/tx.js";

type Params = Readonly<Record<string, string>>;

/** A resource for a browser, a payer's bank or an image tag. It needs no API key. Its refusals are JSON, unless it has a page for them. */
export interface Page {
  readonly path: string;
  /** Answers GET, with a stream that stays open if the page is one. Null becomes a 404. */
  render(
    reader: Reader,
    params: Params,
    query: URLSearchParams,
    asked: PageRequest,
  ): PageAnswer | PageStream | null | Promise<PageAnswer | PageStream | null>;
  /** Answers POST, in one unit of work. Null becomes a 404. A page without it refuses POST. */
  write?(tx: Tx, params: Params, query: URLSearchParams, sent: PageSubmission): PageAnswer | null;
}

export interface PageRequest {
  /** The origin by which the browser knows this server. */
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
}

export interface PageSubmission extends PageRequest {
  readonly body: string;
}

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an answer without a body, such as a 304. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** An answer of server-sent events. */
export interface PageStream {
  /** Asked before each message; the stream ends when it is false. */
  mayGoOn(): boolean;
  /** Called once. Returns a function that is called at the end of the stream. */
  subscribe(channel: Channel): () => void;
}
