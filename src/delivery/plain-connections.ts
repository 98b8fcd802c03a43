import { createConnection, type Socket } from "node:net";
import { exchange, noAnswer, type Outgoing, TimeOver } from "../client/exchange.js";
import type { RealTime, TimerHandle } from "../kernel/runtime.js";
import { type Answer, answerOf, keptText, readAnswer } from "./answer.js";
import { HandedOver, openOver } from "./handed-over.js";
import { type AnswerHead, MAX_WHOLE, wholeAnswer } from "./whole-answer.js";

/**
 * Sends requests over plain connections that are kept open, one request at a time on each. It reads the answers that
 * arrive whole and are of the plainest form, which costs far less than node:http. An answer of any other form goes to
 * node:http byte for byte (docs/decisions/063-plain-connections.md).
 */

/** Real milliseconds after which an idle connection is closed. */
export const IDLE_MS = 60_000;
/** Real milliseconds between two looks for connections that have been idle for too long. */
const SWEEP_MS = 5_000;
/** An idle connection is closed so much earlier than the server has announced to do it. */
const MARGIN_MS = 1_000;
/** Idle connections to one server. */
const MAX_IDLE = 256;

/** Where a request goes. */
export interface Place {
  readonly hostname: string;
  readonly port: number;
}

/** A request for a plain connection: the same in parts and as the text that is sent. */
export interface PlainRequest {
  readonly outgoing: Outgoing;
  readonly text: string;
  readonly patienceMs: number;
}

/** A request that is under way. It settles once. */
class UnderWay {
  readonly request: PlainRequest;
  readonly answer: Promise<Answer>;
  /** Ends the exchange that node:http has taken over. */
  handedOver: AbortController | null = null;
  #isSettled = false;
  readonly #timer: TimerHandle;
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(request: PlainRequest, real: RealTime, giveUp: (reason: Error) => void) {
    this.request = request;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = real.after(request.patienceMs, () => giveUp(new TimeOver(request.patienceMs)));
  }

  succeed(answer: Answer): void {
    if (this.#settle()) this.#resolve(answer);
  }

  fail(reason: unknown): void {
    if (this.#settle()) this.#reject(reason);
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#timer.cancel();
    return true;
  }
}

/** The error of node:http for a connection that was closed before an answer began. */
function hangUp(): Error {
  return Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}

interface Owner {
  readonly real: RealTime;
  /** Takes a connection that can be used again. */
  free(connection: Connection, idleMs: number): void;
  /** Forgets a connection that is closed. */
  closed(connection: Connection): void;
}

/** Real milliseconds that a connection may be idle, by the Keep-Alive header of the last answer. 0: not at all. */
function idleTime(hint: string | string[] | undefined): number {
  const seconds = /^timeout=(\d+)/.exec(String(hint ?? ""))?.[1];
  return seconds === undefined ? IDLE_MS : Math.max(0, Math.min(IDLE_MS, Number(seconds) * 1_000 - MARGIN_MS));
}

/** The head of the latest answer, and what follows from it. */
interface Known {
  readonly head: AnswerHead;
  /** The answer without its body. */
  readonly answer: Answer;
  readonly idleMs: number;
}

class Connection {
  readonly place: string;
  /** Real monotonic milliseconds until which it may be used again. */
  usableUntil = 0;
  readonly #owner: Owner;
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafeSlow(MAX_WHOLE);
  #underWay: UnderWay | null = null;
  #stream: HandedOver | null = null;
  #known: Known | null = null;

  constructor(place: string, { hostname, port }: Place, owner: Owner) {
    this.place = place;
    this.#owner = owner;
    const callback = (size: number) => this.#read(this.#buffer.subarray(0, size));
    const onread = { buffer: this.#buffer, callback };
    this.#socket = createConnection({ host: hostname, port, keepAlive: true, noDelay: true, onread })
      .on("error", (error) => this.#failed(error))
      .on("end", () => this.#ended())
      .on("close", () => this.#closed());
  }

  send(request: PlainRequest): Promise<Answer> {
    const underWay = new UnderWay(request, this.#owner.real, (reason) => this.giveUp(reason));
    this.#underWay = underWay;
    this.#socket.write(request.text);
    return underWay.answer;
  }

  /** Whether a request can be sent over it at this instant. */
  isUsable(now: number): boolean {
    return this.usableUntil > now && this.#socket.writable;
  }

  /** Sets whether it keeps the process alive. */
  holdProcess(isHeld: boolean): void {
    if (isHeld) this.#socket.ref();
    else this.#socket.unref();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Ends the request that is under way. */
  giveUp(reason: Error): void {
    if (this.#underWay === null) return;
    const { handedOver } = this.#underWay;
    if (handedOver === null) this.#fail(reason);
    else handedOver.abort(reason);
  }

  #fail(reason: Error): void {
    const underWay = this.#underWay;
    const wasSent = !this.#socket.connecting;
    this.#underWay = null;
    this.#socket.destroy();
    underWay?.fail(noAnswer(reason, wasSent));
  }

  /** Reads a piece of what comes. Answers whether more may follow now. */
  #read(bytes: Buffer): boolean {
    if (this.#stream !== null) return this.#stream.pass(Buffer.from(bytes));
    const underWay = this.#underWay;
    if (underWay === null) {
      // Nobody has asked for it, so it cannot be told whose answer it is.
      this.#socket.destroy();
      return false;
    }
    const whole = wholeAnswer(bytes, this.#known?.head ?? null);
    if (whole === null) return this.#handOver(underWay).pass(Buffer.from(bytes));
    const { answer, idleMs } = this.#meaningOf(whole.head);
    underWay.succeed(whole.body.length === 0 ? answer : { ...answer, responseBody: keptText(whole.body) });
    this.#free(idleMs);
    return true;
  }

  #meaningOf(head: AnswerHead): Known {
    if (this.#known?.head === head) return this.#known;
    const { status, headers, isKept } = head;
    const answer = answerOf(status, headers, "", this.#owner.real);
    const known = { head, answer, idleMs: isKept ? idleTime(headers["keep-alive"]) : 0 };
    // A wait that is asked for may be an instant: it is another one each time.
    this.#known = answer.retryAfterMs === null ? known : null;
    return known;
  }

  #free(idleMs: number): void {
    this.#underWay = null;
    this.#stream = null;
    // A server may answer before it has read the whole request. It may never read the rest.
    if (idleMs === 0 || this.#socket.writableLength > 0 || !this.#socket.writable) this.#socket.destroy();
    else this.#owner.free(this, idleMs);
  }

  /** Gives the answer that has begun to node:http. */
  #handOver(underWay: UnderWay): HandedOver {
    const stream = new HandedOver(this.#socket);
    this.#stream = stream;
    const controller = new AbortController();
    underWay.handedOver = controller;
    let idleMs = 0;
    const { real } = this.#owner;
    const { outgoing, patienceMs } = underWay.request;
    // The time of the attempt has its timer already.
    const limits = {
      real: { after: () => ({ cancel: () => undefined }) },
      timeoutMs: patienceMs,
      signal: controller.signal,
    };
    const open = openOver(stream, () => this.#free(idleMs));
    exchange(open, outgoing, limits, (incoming) => {
      idleMs = idleTime(incoming.headers["keep-alive"]);
      return readAnswer(incoming, real);
    }).then(
      (answer) => underWay.succeed(answer),
      (reason) => underWay.fail(reason),
    );
    return stream;
  }

  #failed(error: Error): void {
    const stream = this.#stream;
    if (stream === null) this.#fail(error);
    // What came before the error is read first.
    else this.#owner.real.soon(() => stream.destroy(error));
  }

  #ended(): void {
    if (this.#stream !== null) this.#stream.push(null);
    else if (this.#underWay !== null) this.#fail(hangUp());
  }

  #closed(): void {
    // To make an error, with its stack, takes time. Most connections close while they are idle.
    if (this.#stream === null && this.#underWay !== null) this.#fail(hangUp());
    this.#owner.closed(this);
  }
}

/** All plain connections of a sender. */
export class PlainConnections implements Owner {
  readonly real: RealTime;
  readonly #open = new Set<Connection>();
  /** By place; the one that became idle last is the first to be used again. */
  readonly #idle = new Map<string, Connection[]>();
  #sweep: TimerHandle | null = null;

  constructor(real: RealTime) {
    this.real = real;
  }

  /** Sends a request. Rejects with NoAnswer only. */
  send(to: Place, request: PlainRequest): Promise<Answer> {
    const place = `${to.hostname}:${to.port}`;
    return this.#connectionTo(place, to).send(request);
  }

  /** Ends all requests under way; they fail. */
  abort(): void {
    const reason = new Error("the attempt was given up");
    for (const connection of this.#open) connection.giveUp(reason);
  }

  close(): void {
    this.#sweep?.cancel();
    this.#sweep = null;
    this.abort();
    for (const connection of this.#open) connection.close();
  }

  free(connection: Connection, idleMs: number): void {
    const idle = this.#idle.get(connection.place) ?? [];
    if (idle.length >= MAX_IDLE) {
      connection.close();
      return;
    }
    connection.usableUntil = this.real.monotonic() + idleMs;
    connection.holdProcess(false);
    idle.push(connection);
    this.#idle.set(connection.place, idle);
    this.#sweep ??= this.real.after(SWEEP_MS, () => this.#closeOld());
  }

  closed(connection: Connection): void {
    this.#open.delete(connection);
    const idle = this.#idle.get(connection.place) ?? [];
    const index = idle.indexOf(connection);
    if (index !== -1) idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(connection.place);
  }

  #connectionTo(place: string, to: Place): Connection {
    const idle = this.#idle.get(place) ?? [];
    const now = idle.length === 0 ? 0 : this.real.monotonic();
    for (let known = idle.pop(); known !== undefined; known = idle.pop()) {
      if (known.isUsable(now)) {
        known.holdProcess(true);
        return known;
      }
      known.close();
    }
    const connection = new Connection(place, to, this);
    this.#open.add(connection);
    return connection;
  }

  #closeOld(): void {
    this.#sweep = null;
    const now = this.real.monotonic();
    for (const idle of this.#idle.values()) for (const one of idle) if (!one.isUsable(now)) one.close();
    if (this.#idle.size > 0) this.#sweep = this.real.after(SWEEP_MS, () => this.#closeOld());
  }
}
