import { createServer, type Server, type Socket } from "node:net";
import { listenOnLoopback } from "../../src/base/platform/listening.js";

/** The pieces that a server sends after a request, and the end of the connection. */
export interface Script {
  readonly pieces: readonly Buffer[];
  readonly end: "stay" | "close" | "reset";
}

export interface ScriptedServer {
  readonly port: number;
  /** Adds a script. Requests whose path begins with the returned text are answered by it. */
  add(script: Script): string;
  /** How many connections the requests with this beginning of a path came over. */
  connections(path: string): number;
  /** All bytes that came with requests of this path, in order. */
  bytes(path: string): string;
  /** How many connections are open. */
  open(): number;
  close(): Promise<void>;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Several turns of the event loop, so that what was written to a connection of this machine arrives by itself. */
export async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await turn();
}

/** Plays the script of the path that a request names. It reads heads and bodies by their Content-Length. */
export async function startScripted(): Promise<ScriptedServer> {
  const scripts = new Map<string, Script>();
  const seen = new Map<string, { sockets: Set<Socket>; bytes: string }>();
  const sockets = new Set<Socket>();

  async function play(socket: Socket, { pieces, end }: Script): Promise<void> {
    for (const piece of pieces) {
      socket.write(piece);
      await turns(2);
    }
    if (end === "close") socket.end();
    if (end === "reset") {
      await turns(3);
      socket.resetAndDestroy();
    }
  }

  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    let text = "";
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      const headEnd = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      if (headEnd === -1 || text.length < headEnd + 4 + length) return;
      const name = /^\S+ (\/[a-z0-9]+)/i.exec(text)?.[1] ?? "";
      const known = seen.get(name) ?? { sockets: new Set(), bytes: "" };
      known.sockets.add(socket);
      known.bytes += text;
      seen.set(name, known);
      text = "";
      const script = scripts.get(name);
      if (script !== undefined) void play(socket, script);
    });
  }

  const server: Server = createServer({ allowHalfOpen: true }, serve);
  const port = await listenOnLoopback(server);
  let count = 0;
  return {
    port: port,
    add(script) {
      count += 1;
      const path = `/s${count}`;
      scripts.set(path, script);
      return path;
    },
    connections: (path) => seen.get(path)?.sockets.size ?? 0,
    bytes: (path) => seen.get(path)?.bytes ?? "",
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
