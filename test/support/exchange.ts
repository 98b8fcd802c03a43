import { createConnection, type Socket } from "node:net";

/**
 * Requests of tests to services on this machine, over plain connections that are used again. They carry what `fetch` would
 * send. The client of node:http takes twice as much of the processor, and `fetch` more: it makes a web stream for every body.
 */

/** What `fetch` sends when a caller does not choose otherwise, but for the encodings: no answer here is compressed. */
const USUAL: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "user-agent": "node",
  connection: "keep-alive",
};

export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Milliseconds that a connection may be idle. Services close theirs much later. */
const IDLE_MS = 20_000;
const BUFFER_BYTES = 65_536;
const END_OF_HEAD = Buffer.from("\r\n\r\n");
const NO_BYTES: Buffer = Buffer.alloc(0);
const decoder = new TextDecoder();

/** The connections to each host that nobody uses now. */
const idle = new Map<string, Connection[]>();

/** The head of an answer. */
interface Head {
  readonly status: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Where its body begins. */
  readonly end: number;
}

function headOf(bytes: Buffer): Head | null {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.slice(9, 12)), fields, end: end + END_OF_HEAD.length };
}

function field({ fields }: Head, name: string): string | undefined {
  return fields.find(([own]) => own.toLowerCase() === name)?.[1];
}

/** The parts of a body that is sent in chunks, when all of them are there. */
function unchunked(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    if (line === -1) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    const begin = line + 2;
    if (bytes.length < begin + size + 2) return null;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
  }
}

/** The body that belongs to a head, when all of it has come. */
function bodyOf(head: Head, bytes: Buffer, isEnded: boolean): Buffer | null {
  if (head.status === 204 || head.status === 304) return NO_BYTES;
  const rest = bytes.subarray(head.end);
  if (field(head, "transfer-encoding") === "chunked") return unchunked(rest);
  const length = field(head, "content-length");
  if (length === undefined) return isEnded ? rest : null;
  return rest.length < Number(length) ? null : rest.subarray(0, Number(length));
}

/** One that makes its headers when somebody asks for them, which most tests do not. */
class Answered implements Exchange {
  readonly status: number;
  readonly text: string;
  readonly #fields: Head["fields"];
  #headers: Headers | null = null;

  constructor(head: Head, body: Buffer) {
    this.status = head.status;
    this.text = decoder.decode(body);
    this.#fields = head.fields;
  }

  get headers(): Headers {
    this.#headers ??= new Headers(this.#fields.map(([name, value]) => [name, value]));
    return this.#headers;
  }
}

/** The error of node:http for a connection that was closed before its answer was whole. */
function hangUp(): Error {
  return Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}

interface Waiting {
  readonly method: string;
  resolve(answer: Exchange): void;
  reject(reason: Error): void;
}

class Connection {
  readonly #host: string;
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  #come: Buffer = NO_BYTES;
  #usableUntil = 0;

  constructor(host: string, { hostname, port }: URL) {
    this.#host = host;
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const callback = (size: number) => this.#read(buffer.subarray(0, size));
    const name = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const place = { host: name, port: Number(port || 80), noDelay: true, onread: { buffer, callback } };
    this.#socket = createConnection(place)
      .on("error", (cause) => this.#cut(cause))
      .on("end", () => this.#look(true))
      .on("close", () => this.#cut(hangUp()));
  }

  get isUsable(): boolean {
    return this.#socket.writable && this.#socket.readable && performance.now() < this.#usableUntil;
  }

  send(method: string, bytes: Buffer): Promise<Exchange> {
    this.#socket.ref();
    return new Promise((resolve, reject) => {
      this.#waiting = { method, resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): boolean {
    if (this.#waiting === null) {
      // Nobody has asked for it, so it must not become the answer to the next request.
      this.close();
      return false;
    }
    // The buffer is used for the next piece, so this one is copied.
    this.#come = this.#come.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#come, bytes]);
    this.#look(false);
    return true;
  }

  /** Looks whether the whole answer is there. */
  #look(isEnded: boolean): void {
    const head = headOf(this.#come);
    if (head === null) return;
    if (head.status < 200) {
      this.#come = this.#come.subarray(head.end);
      this.#look(isEnded);
      return;
    }
    const waiting = this.#waiting;
    const body = waiting?.method === "HEAD" ? NO_BYTES : bodyOf(head, this.#come, isEnded);
    if (body === null || waiting === null) return;
    this.#waiting = null;
    const answer = new Answered(head, body);
    this.#come = NO_BYTES;
    if (isEnded || field(head, "connection") === "close" || this.#socket.writableLength > 0) this.close();
    else this.#rest();
    waiting.resolve(answer);
  }

  #rest(): void {
    this.#socket.unref();
    this.#usableUntil = performance.now() + IDLE_MS;
    const others = idle.get(this.#host);
    if (others === undefined) idle.set(this.#host, [this]);
    else others.push(this);
  }

  /** Rejects as `fetch` does when the connection is cut. */
  #cut(cause: Error): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) {
      const hasBegun = headOf(this.#come) !== null;
      waiting.reject(new TypeError(hasBegun ? "terminated" : "fetch failed", { cause }));
    }
    this.#socket.destroy();
    const others = idle.get(this.#host);
    const index = others?.indexOf(this) ?? -1;
    if (index !== -1) others?.splice(index, 1);
    if (others?.length === 0) idle.delete(this.#host);
  }
}

function connectionTo(url: URL): Connection {
  const own = idle.get(url.host);
  for (let known = own?.pop(); known !== undefined; known = own?.pop()) {
    if (known.isUsable) return known;
    known.close();
  }
  return new Connection(url.host, url);
}

/** One request and its whole answer. Redirects are not followed. Rejects as `fetch` does when the connection is cut. */
export function exchange(address: string, { method = "GET", headers = {}, body }: Sending = {}): Promise<Exchange> {
  const url = new URL(address);
  const bytes = body === undefined ? NO_BYTES : Buffer.from(body);
  const isBodyUsual = method === "POST" || method === "PUT" || method === "PATCH";
  const length = body === undefined && !isBodyUsual ? {} : { "content-length": String(bytes.length) };
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n`;
  const all: Readonly<Record<string, string>> = { host: url.host, ...USUAL, ...length, ...headers };
  for (const name in all) head += `${name}: ${all[name]}\r\n`;
  return connectionTo(url).send(method, Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), bytes]));
}
