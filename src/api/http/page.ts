import type { IncomingHttpHeaders } from "node:http";
import type { Channel } from "../../emulator/sandbox/live-logs.js";
import type { Reader, Tx } from "../../service/features/tx.js";

type Params = Readonly<Record<string, string>>;

/** A resource for browsers, payers' banks or image tags, without an API key. Refusals are JSON or its own page. */
export interface Page {
  readonly path: string;
  /** Answers GET, for a stream page with an open stream. Null becomes a 404. */
  render(
    reader: Reader,
    params: Params,
    query: URLSearchParams,
    request: PageRequest,
  ): PageAnswer | PageStream | null | Promise<PageAnswer | PageStream | null>;
  /** Answers POST, in one unit of work. Null becomes a 404. Without it, a page refuses POST. */
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
  /** Called before each message; the stream ends when it returns false. */
  mayGoOn(): boolean;
  /** Called once. Returns a function that is called at the end of the stream. */
  subscribe(channel: Channel): () => void;
}
