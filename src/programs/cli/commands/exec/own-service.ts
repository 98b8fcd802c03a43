import { type Connection, ownConnection } from "../../host/connection.js";
import { requireKey } from "../../host/credential.js";
import { readFrom } from "../../host/read.js";
import { sendOrFail } from "../../host/send.js";
import { refusalOf } from "../../terminal/failure.js";

/** Requests of `exec` to the service that it has started. */

/** The time for all deliveries that are due at the end. Each receiver without an answer takes 30 seconds of it. */
const DRAIN_MS = 600_000;

export function connectionTo({ url }: { readonly url: string }, apiKey: string): Connection {
  return ownConnection(url, apiKey, { command: "exec", timeoutMs: DRAIN_MS });
}

/** Sends a request such as `POST /_sandbox/faults`. Throws Failure for a refusal. */
export async function sendTo(
  connection: Connection,
  route: string,
  body?: string,
  signal?: AbortSignal,
): Promise<void> {
  const [method = "", path = ""] = route.split(" ");
  const headers = { apikey: requireKey(connection), "content-type": "application/json" };
  const request = { method, url: connection.host.url + path, headers, body, signal };
  const { status, text } = await sendOrFail(request, connection.policy);
  if (status >= 300) throw refusalOf(status, text);
}

/** Reads a list of the control interface page by page, newest first. */
export async function* rowsOf<Row>(connection: Connection, path: string): AsyncGenerator<Row> {
  let next = "";
  do {
    const page = await readFrom<{ data: Row[]; next_cursor: string | null }>(connection, `${path}?limit=100${next}`);
    yield* page.data;
    next = page.next_cursor === null ? "" : `&after=${encodeURIComponent(page.next_cursor)}`;
  } while (next !== "");
}
