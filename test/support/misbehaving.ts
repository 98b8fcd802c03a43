import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { SELF_SIGNED } from "./self-signed.js";

/**
 * Servers that misbehave in every way that a server can. A sender must end each exchange once, describe the problem in
 * words, and store no part of an endless answer.
 */
export interface Misbehaviour {
  readonly name: string;
  readonly scheme?: "https";
  /** The server's behaviour on an open connection. */
  readonly serve: (socket: Socket) => void;
  /** The status that the exchange ends with, or what its error says. */
  readonly ends: number | RegExp;
}

const LINE = "\r\n";
/** A flood goes on as fast as the reader takes it, and ends with the connection. */
function flood(socket: Socket, piece: string): void {
  const much = piece.repeat(Math.ceil(65_536 / piece.length));
  const more = (error?: Error | null) => {
    if (!error && !socket.destroyed) socket.write(much, more);
  };
  more();
}

/** A piece every few milliseconds, for as long as the connection stands. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.once("close", () => clearInterval(timer));
}

/** Calls back for each complete request. */
function onRequest(socket: Socket, then: () => void): void {
  let head = "";
  /** Bytes of the body that are still to come; null within the head. */
  let missing: number | null = null;
  socket.on("data", (piece) => {
    let body = piece.length;
    if (missing === null) {
      head += piece.toString("latin1");
      const end = head.indexOf(LINE + LINE);
      if (end === -1) return;
      missing = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      body = head.length - end - 4;
      head = "";
    }
    missing -= body;
    if (missing > 0) return;
    missing = null;
    then();
  });
}

const answerWith = (then: (socket: Socket) => void) => (socket: Socket) => onRequest(socket, () => then(socket));
const answerText = (text: string) => answerWith((socket) => socket.write(text));
const answerTextAndClose = (text: string) => answerWith((socket) => socket.end(text));
const head = (...lines: string[]) => ["HTTP/1.1 200 OK", ...lines, "", ""].join(LINE);

/** How an exchange ends that only the time limit of the sender ends. */
export const TIME = /no answer within/;
const TOO_LARGE = /headers of the answer are larger/;
const NO_HTTP = /the answer (is not HTTP|breaks the rules of HTTP)|more data than/;
const CLOSED_BEFORE = /closed before an answer came|connection reset/;
const CLOSED_WITHIN = /closed in the middle of the answer|connection reset/;

export const MISBEHAVIOURS: readonly Misbehaviour[] = [
  {
    name: "switches protocols and stays",
    serve: answerText(`HTTP/1.1 101 Switching Protocols${LINE}Upgrade: x${LINE}Connection: Upgrade${LINE}${LINE}`),
    ends: 101,
  },
  {
    name: "switches protocols and floods",
    serve: answerWith((socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols${LINE}Upgrade: x${LINE}Connection: Upgrade${LINE}${LINE}`);
      flood(socket, "x".repeat(65_536));
    }),
    ends: 101,
  },
  {
    name: "says 101 without an upgrade",
    serve: answerText(`HTTP/1.1 101 Switching Protocols${LINE}${LINE}`),
    ends: 101,
  },
  {
    name: "continues for ever",
    serve: answerWith((socket) => flood(socket, `HTTP/1.1 100 Continue${LINE}${LINE}`)),
    ends: /only informational answers/,
  },
  {
    name: "hints for ever",
    serve: answerWith((socket) => flood(socket, `HTTP/1.1 103 Early Hints${LINE}Link: <x>${LINE}${LINE}`)),
    ends: /only informational answers/,
  },
  {
    name: "never ends its headers",
    serve: answerWith((socket) => {
      socket.write(`HTTP/1.1 200 OK${LINE}`);
      flood(socket, `X-More: ${"x".repeat(100)}${LINE}`);
    }),
    ends: TOO_LARGE,
  },
  {
    name: "never ends one header",
    serve: answerWith((socket) => {
      socket.write(`HTTP/1.1 200 OK${LINE}X-Long: `);
      flood(socket, "x".repeat(4_096));
    }),
    ends: TOO_LARGE,
  },
  {
    name: "never ends its status line",
    serve: answerWith((socket) => {
      socket.write("HTTP/1.1 200 ");
      flood(socket, "x".repeat(4_096));
    }),
    ends: TOO_LARGE,
  },
  {
    name: "never ends its chunks",
    serve: answerWith((socket) => {
      socket.write(head("Transfer-Encoding: chunked"));
      flood(socket, `10000${LINE}${"x".repeat(65_536)}${LINE}`);
    }),
    ends: 200,
  },
  {
    name: "never ends the name of a chunk",
    serve: answerWith((socket) => {
      socket.write(`${head("Transfer-Encoding: chunked")}1;`);
      flood(socket, "x".repeat(4_096));
    }),
    ends: NO_HTTP,
  },
  {
    name: "announces more than any memory holds",
    serve: answerWith((socket) => {
      socket.write(head("Content-Length: 9007199254740991"));
      flood(socket, "x".repeat(65_536));
    }),
    ends: 200,
  },
  {
    name: "never ends a body without length",
    serve: answerWith((socket) => {
      socket.write(head("Connection: close"));
      flood(socket, "x".repeat(65_536));
    }),
    ends: 200,
  },
  {
    name: "drips its head",
    serve: answerWith((socket) => {
      socket.write(`HTTP/1.1 200 OK${LINE}X-Slow: `);
      drip(socket, "x");
    }),
    ends: TIME,
  },
  {
    name: "drips its body",
    serve: answerWith((socket) => {
      socket.write(head("Content-Length: 100000"));
      drip(socket, "x");
    }),
    ends: TIME,
  },
  {
    name: "sends a bomb of gzip",
    serve: answerWith((socket) => {
      const bomb = gzipSync(Buffer.alloc(5_000_000));
      socket.write(head("Content-Encoding: gzip", `Content-Length: ${bomb.length}`));
      socket.write(bomb);
    }),
    ends: 200,
  },
  { name: "resets at once", serve: (socket) => void socket.resetAndDestroy(), ends: CLOSED_BEFORE },
  { name: "resets after the request", serve: answerWith((socket) => socket.resetAndDestroy()), ends: CLOSED_BEFORE },
  {
    name: "resets within its head",
    serve: answerWith((socket) => socket.write(`HTTP/1.1 200 OK${LINE}X-`, () => socket.resetAndDestroy())),
    ends: CLOSED_BEFORE,
  },
  {
    name: "resets within its body",
    serve: answerWith((socket) => socket.write(`${head("Content-Length: 10")}half`, () => socket.resetAndDestroy())),
    ends: CLOSED_WITHIN,
  },
  { name: "closes at once", serve: (socket) => void socket.end(), ends: CLOSED_BEFORE },
  { name: "closes its half after the request", serve: answerWith((socket) => socket.end()), ends: CLOSED_BEFORE },
  {
    name: "closes its half within its head",
    serve: answerTextAndClose(`HTTP/1.1 200 OK${LINE}X-`),
    ends: /closed before an answer came|HTTP/,
  },
  {
    name: "closes its half within its body",
    serve: answerTextAndClose(`${head("Content-Length: 10")}half`),
    ends: CLOSED_WITHIN,
  },
  {
    name: "closes its half within a chunk",
    serve: answerTextAndClose(`${head("Transfer-Encoding: chunked")}a${LINE}half`),
    ends: CLOSED_WITHIN,
  },
  { name: "sends more than it announced", serve: answerText(`${head("Content-Length: 2")}much more`), ends: 200 },
  {
    name: "announces two lengths",
    serve: answerText(`${head("Content-Length: 2", "Content-Length: 3")}abc`),
    ends: NO_HTTP,
  },
  {
    name: "announces a length and chunks",
    serve: answerText(`${head("Content-Length: 2", "Transfer-Encoding: chunked")}0${LINE}${LINE}`),
    ends: NO_HTTP,
  },
  { name: "announces a length that is no number", serve: answerText(head("Content-Length: many")), ends: NO_HTTP },
  {
    name: "sends a chunk of no size",
    serve: answerText(`${head("Transfer-Encoding: chunked")}zz${LINE}`),
    ends: NO_HTTP,
  },
  {
    name: "speaks another protocol",
    serve: (socket) => void socket.write(`SSH-2.0-OpenSSH_9.2${LINE}`),
    ends: NO_HTTP,
  },
  {
    name: "speaks HTTP/2",
    serve: answerWith((socket) => socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))),
    ends: NO_HTTP,
  },
  { name: "puts control characters into a header", serve: answerText(head("X-Bad: a\0b")), ends: NO_HTTP },
  { name: "answers twice", serve: answerText(`${head("Content-Length: 0")}${head("Content-Length: 0")}`), ends: 200 },
  {
    name: "sends itself elsewhere for ever",
    serve: answerText(["HTTP/1.1 302 Found", "Location: /again", "Content-Length: 0", "", ""].join(LINE)),
    ends: 302,
  },
  { name: "says nothing", serve: (socket) => void socket.resume(), ends: TIME },
  { name: "never reads", serve: (socket) => void socket.pause(), ends: TIME },
  {
    name: "answers first and never reads",
    serve: (socket) => {
      socket.pause();
      socket.write(head("Connection: close", "Content-Length: 0"));
    },
    ends: 200,
  },
  {
    name: "has a certificate of its own making",
    scheme: "https",
    serve: () => undefined,
    ends: /invalid TLS certificate: self-signed/,
  },
];

/** Plain sockets where a client expects TLS. */
export const TLS_MISBEHAVIOURS: readonly Misbehaviour[] = [
  {
    name: "speaks HTTP where TLS is expected",
    serve: (socket) => void socket.write(head("Content-Length: 0")),
    ends: /TLS/,
  },
  { name: "says nothing where TLS is expected", serve: (socket) => void socket.resume(), ends: TIME },
  {
    name: "closes within the handshake of TLS",
    serve: (socket) => void socket.end(),
    ends: /before secure TLS connection|closed before|connection reset/,
  },
];

export interface MisbehavingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on loopback and treats every connection in this way. */
export async function startMisbehaving(
  { scheme, serve }: Misbehaviour,
  urlScheme = scheme ?? "http",
): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    if (scheme === undefined) serve(socket);
  };
  const server: Server =
    scheme === "https"
      ? createTlsServer(SELF_SIGNED, serve)
      : createSocketServer({ allowHalfOpen: true }, onConnection);
  if (scheme === "https") server.on("connection", onConnection);
  server.on("tlsClientError", () => undefined);
  const port = await listenOnLoopback(server);
  return {
    url: `${urlScheme}://127.0.0.1:${port}/hooks`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
