import type { IncomingHttpHeaders } from "node:http";
import type { Reader, Tx } from "../features/tx.js";

type Params = Readonly<Record<string, string>>;

/** A resource for a browser, a payer's bank or an image tag. It needs no API key. Only its refusals are JSON. */
export interface Page {
  readonly path: string;
  /** Answers GET. Null becomes a 404. */
  render(
    reader: Reader,
    params: Params,
    query: URLSearchParams,
    headers: IncomingHttpHeaders,
  ): PageAnswer | null | Promise<PageAnswer | null>;
  /** Answers POST of an HTML form, in one unit of work. Null becomes a 404. A page without it refuses POST. */
  write?(tx: Tx, params: Params, query: URLSearchParams, form: URLSearchParams): PageAnswer | null;
}

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an answer without a body, such as a 304. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}
