import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Open } from "../client/exchange.js";

/**
 * What node:http gets in place of a connection over which the request was sent already. It swallows the request, and gives
 * the answer as it comes. Destroying it closes the connection, unless that was given back before.
 */
export class HandedOver extends Duplex {
  readonly #socket: Socket;
  #isPaused = false;
  #isGivenBack = false;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    // node:http listens too, but not at all times. An error that nobody hears would end the process.
    this.on("error", () => undefined);
  }

  /** Takes a piece of the answer. Answers whether more may follow now. */
  pass(piece: Buffer): boolean {
    this.#isPaused = !this.push(piece);
    return !this.#isPaused;
  }

  giveBack(): void {
    this.#isGivenBack = true;
    this.#goOn();
  }

  /** node:http calls this in place of `destroy` when the server does not keep the connection open. */
  destroySoon(): void {
    this.destroy();
  }

  override _read(): void {
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  override _write(_piece: unknown, _encoding: unknown, done: () => void): void {
    done();
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isGivenBack) this.#socket.destroy();
    done(error);
  }
}

/** An agent with one connection, which it gives back when it could be used again. */
class OneConnection extends Agent {
  readonly #stream: HandedOver;
  readonly #free: () => void;

  constructor(stream: HandedOver, free: () => void) {
    super({ keepAlive: true });
    this.#stream = stream;
    this.#free = free;
  }

  override createConnection(): Duplex {
    return this.#stream;
  }

  override keepSocketAlive(stream: Duplex): boolean {
    // What came behind the answer is lost in the stream, so the connection is of no use.
    if (stream.readableLength > 0) return false;
    this.#stream.giveBack();
    this.#free();
    return false;
  }
}

/** Opens a request whose answer comes from `stream`. `free` is called when the connection can be used again. */
export function openOver(stream: HandedOver, free: () => void): Open {
  const agent = new OneConnection(stream, free);
  return (url, options) => request(url, { ...options, agent });
}
