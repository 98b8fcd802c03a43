import type { Loose } from "../emulator.js";
import { exchange } from "../exchange.js";
import type { Chance } from "./chance.js";
import type { Pool } from "./pool.js";
import type { Fact, Known, Span, Turn } from "./worlds.js";

/** Clients of a server that may be killed at any moment. They record their requests and the answers. */

/** The answer to a request. The status is 0 when the answer was lost: then the outcome is unknown. */
export interface Reply extends Span {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Headers;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  /** The API key. Without it, no key is sent. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is sent unchanged in place of `body`. */
  readonly raw?: Uint8Array<ArrayBuffer>;
}

/** A create. Its repetition with the same idempotency key must create no second object. */
export interface Create {
  readonly object: string;
  /** The request with an API key that is not revoked. Idempotency keys belong to the book, not to the API key. */
  readonly request: Request;
  /** The first answer; null when it was lost. */
  readonly answer: Loose | null;
}

/** An object that was created, with the events of its creation. */
export interface Creation extends Span {
  readonly mode: Mode;
  /** Raw id. */
  readonly subject: string;
  readonly types: readonly string[];
}

export type Mode = "test" | "live";

/** A forbidden behaviour of the server that a client has found. */
export class Misbehaviour extends Error {
  override readonly name = "Misbehaviour";
}

/** The records of all clients of one run. Records of one round are deleted after its kill. */
export class Notebook {
  /** Moments count requests and answers, over the whole run. */
  #moment = 0;
  #wasReplaced = false;
  readonly history: string[] = [];
  known: Known[] = [];
  turns: Turn[] = [];
  creates: Create[] = [];
  creations: Creation[] = [];
  /** The actions that were requested on each object, answered or not, over the whole run. */
  readonly asked = new Map<string, Set<string>>();
  /** Deliveries and subjects for which a resend was requested, over the whole run. */
  readonly resent = new Set<string>();
  /** For each receiving address the possible secrets, and the events that it may get, over the whole run. */
  readonly secrets = new Map<string, Set<string>>();
  readonly subscriptions = new Map<string, Set<string>>();
  readonly modes = new Map<string, Mode>();
  /** Names of snapshots that are known to exist. */
  readonly snapshots = new Set<string>();
  readonly passwords = new Map<string, string>();
  /** Every API key that was issued, by the name of its object. */
  readonly keys = new Map<string, string>();
  /** Tokens that were logged out, by the name of their object. */
  readonly loggedOut = new Map<string, string>();

  tick(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Adds facts from a reply: certain for an answer, possible for a lost answer, none for a refusal. */
  learn({ from, until, status }: Reply, ...facts: readonly Fact[]): void {
    if (status >= 300) return;
    for (const fact of facts) this.known.push({ fact, from, until, sure: status !== 0 });
  }

  /**
   * Adds the facts from a create: the object in its answer or, when the answer was lost, a possible object in its first
   * status. Returns the object of the answer, else null.
   */
  learnMade(reply: Reply, object: string, first: string, seen: (shown: Loose) => Fact): Loose | null {
    const isAnswered = reply.status !== 0;
    if (reply.status < 300) this.learn(reply, isAnswered ? seen(reply.body) : { is: "at", object, status: first });
    return isAnswered && reply.status < 300 ? reply.body : null;
  }

  ask(object: string, ...verbs: readonly string[]): void {
    const known = this.asked.get(object) ?? new Set();
    for (const verb of verbs) known.add(verb);
    this.asked.set(object, known);
  }

  addTo(map: Map<string, Set<string>>, name: string, values: readonly string[]): void {
    map.set(name, new Set([...(map.get(name) ?? []), ...values]));
  }

  /** Whether contents were replaced in this round, or in the one before, whose webhooks may arrive late. */
  isReplaced(): boolean {
    return this.#wasReplaced || this.turns.some(({ kind }) => kind !== "save");
  }

  /** Whether contents were replaced since a request was sent, so that its answer may describe deleted contents. */
  isOutdated({ from }: Reply): boolean {
    return this.turns.some(({ kind, until }) => kind !== "save" && until > from);
  }

  nextRound(): void {
    this.#wasReplaced = this.turns.some(({ kind }) => kind !== "save");
    this.known = [];
    this.turns = [];
    this.creations = [];
  }
}

/** The things that the clients of one round share: the server, the records, and objects to work on. */
export interface Scene {
  readonly url: string;
  readonly receiver: string;
  readonly testKey: string;
  readonly liveKey: string;
  readonly notebook: Notebook;
  readonly pool: Pool;
  /** True when no client may begin another request. */
  isOver: boolean;
  /** Called with every request as it is sent, and with every answer. */
  readonly onSend: (client: Client, path: string) => void;
  readonly onAnswer: (client: Client, path: string) => void;
  /** True while a request replaces or copies all contents. Only one such request may run at a time. */
  isTurning: boolean;
  /** Resolves with the end of a request that changes the time or all contents; null when there is none. */
  journey: Promise<unknown> | null;
}

const KEPT_HISTORY = 20;

export class Client {
  readonly scene: Scene;
  readonly chance: Chance;
  /** The current action of the client, in words. */
  doing = "";
  /** The number of requests without an answer yet. */
  open = 0;
  readonly #prefix: string;
  #names = 0;

  constructor(scene: Scene, chance: Chance, prefix: string) {
    this.scene = scene;
    this.chance = chance;
    this.#prefix = prefix;
  }

  get notebook(): Notebook {
    return this.scene.notebook;
  }

  get pool(): Pool {
    return this.scene.pool;
  }

  /** A name that is unique in this run. It also serves as an idempotency key. */
  name(): string {
    this.#names += 1;
    return `${this.#prefix}-${String(this.#names).padStart(4, "0")}`;
  }

  async send({ method, path, key, headers = {}, body, raw }: Request): Promise<Reply> {
    const { scene, notebook } = this;
    const from = notebook.tick();
    const lost = () => ({ from, until: notebook.tick(), status: 0, body: null, headers: new Headers() });
    if (scene.isOver) return lost();
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const sent = exchange(scene.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { apikey: key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
    this.open += 1;
    scene.onSend(this, path);
    const answered = await sent.catch(() => null);
    this.open -= 1;
    if (answered === null) return lost();
    const { status, headers: heads } = answered;
    const isJson = heads.get("content-type")?.startsWith("application/json") ?? false;
    const reply = {
      from,
      until: notebook.tick(),
      status,
      body: isJson && answered.text !== "" ? JSON.parse(answered.text) : null,
      headers: heads,
    };
    notebook.history.push(`${reply.until}: ${this.doing}, ${method} ${path} → ${status}`);
    if (notebook.history.length > KEPT_HISTORY) notebook.history.shift();
    if (status >= 500 && status !== 503)
      throw new Misbehaviour(`${method} ${path} answered ${status}: ${answered.text}`);
    scene.onAnswer(this, path);
    return reply;
  }

  /** The same for what everything else has to wait for, or mostly does. */
  async travel(request: Request): Promise<Reply> {
    const sent = this.send(request);
    const journey = sent.catch(() => null);
    this.scene.journey = journey;
    const reply = await sent;
    if (this.scene.journey === journey) this.scene.journey = null;
    return reply;
  }

  /**
   * Repeats a create with its idempotency key until it is answered. When an answer was lost, and the server then refuses or
   * is gone, the outcome is unknown.
   */
  async create(object: string, request: Request, key = request.key ?? ""): Promise<Reply> {
    const first = await this.send(request);
    let last = first;
    for (let tries = 0; tries < 5 && last.status === 0 && !this.scene.isOver; tries++) last = await this.send(request);
    const isUnknown = first.status === 0 && last.status >= 300;
    const reply = { ...last, from: first.from, status: isUnknown ? 0 : last.status };
    if (reply.status < 300) {
      const answer = reply.status === 0 ? null : reply.body;
      this.notebook.creates.push({ object, request: { ...request, key }, answer });
    }
    return reply;
  }
}
