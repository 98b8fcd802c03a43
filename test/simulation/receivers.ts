import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { answerOf, fateOf } from "./model/reporting.js";

/** The receivers of all webhooks of a run, on one port. A URL is `<address>/<number>/<fate>`. */

export interface Arrived {
  readonly url: string;
  readonly type: string;
  readonly signature: string;
  readonly raw: string;
}

export interface Receivers {
  readonly address: string;
  /** Requests that arrived since this list was emptied. */
  readonly arrived: Arrived[];
  /** The attempts of each delivery that the service remembers. A receiver decides by them. */
  remember(attempts: ReadonlyMap<string, number>): void;
  /** From here on no answer is given until `open`. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const arrived: Arrived[] = [];
  let attempts = new Map<string, number>();
  let opened = Promise.resolve();
  let open = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const url = `http://${request.headers.host}${request.url}`;
      const header = (name: string) => String(request.headers[name] ?? "");
      const raw = Buffer.concat(chunks).toString("utf8");
      arrived.push({ url, type: header("x-qa-event-type"), signature: header("x-qa-signature"), raw });
      await opened;
      const delivery = header("x-qa-delivery-id");
      const earlier = attempts.get(delivery) ?? 0;
      attempts.set(delivery, earlier + 1);
      const status = answerOf(fateOf(url), earlier);
      if (status === null) request.socket.destroy();
      else response.writeHead(status).end(status >= 400 ? "no" : undefined);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    address: `http://127.0.0.1:${port}`,
    arrived,
    remember(known) {
      attempts = new Map(known);
    },
    shut() {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The year 2100: more is no time in seconds. */
const LATEST_SECONDS = Date.UTC(2100) / 1_000;

/** True if the signature of an arrived request is right for one of these secrets (docs/service/webhooks.md). */
export function isSigned({ type, signature, raw }: Arrived, secrets: readonly string[]): boolean {
  const digest = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
  if (/^(payment|withdrawal)\./.test(type)) return secrets.some((one) => signature === `sha256=${digest(one, raw)}`);
  const time = /^t=(\d+),v1=/.exec(signature)?.[1] ?? "";
  if (Number(time) > LATEST_SECONDS) return false;
  return secrets.some((one) => signature === `t=${time},v1=${digest(one, `${time}.${raw}`)}`);
}
