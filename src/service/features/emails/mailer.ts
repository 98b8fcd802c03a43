import { createConnection, type Socket } from "node:net";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { reasonOf } from "../../../base/kernel/reason.js";
import type { RealTime } from "../../../base/kernel/runtime.js";
import type { BackgroundParts, BackgroundWork } from "../noun.js";
import { mailLibrary, messageOf } from "./email-message.js";
import type { EmailRow } from "./store.js";

/** Real milliseconds for one message, however slowly a mail server answers. */
const MESSAGE_MS = 60_000;
/** Real milliseconds that a message has to reach the mail server when the service stops. */
const STOPPING_MS = 1_000;

interface SmtpAddress {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}

/** Opens the connection here, so that `cut` can end it: the library cannot end a message that is being sent. */
function connect(options: SmtpAddress, cut: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const port = Number(options.port ?? (options.secure ? 465 : 587));
    const socket = createConnection({ host: options.host ?? "localhost", port, signal: cut });
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
}

/**
 * An smtp:// server may offer TLS, and a local mail catcher has a self-signed certificate for it. Any certificate is
 * accepted there: without TLS the message would be sent in clear text. An smtps:// server needs a valid certificate.
 */
async function connectTo(url: string, cut: AbortSignal) {
  const tls = { rejectUnauthorized: /^smtps:/i.test(url) };
  return (await mailLibrary()).createTransport({
    url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    tls,
    getSocket(options, done) {
      connect(options, cut).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error, undefined),
      );
    },
  });
}

class MessageError extends Error {
  override readonly name = "MessageError";
}

/** True if this message or its recipient is at fault, and not the mail server. Other messages may pass then. */
function isOfMessage(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? reason.code : null;
  return code === "EENVELOPE" || code === "EMESSAGE" || reason instanceof MessageError;
}

function messageFrom(row: EmailRow): ReturnType<typeof messageOf> {
  try {
    return messageOf(row);
  } catch (cause) {
    throw new MessageError(`e-mail ${ID_PREFIX.email}${row.id} could not be built`, { cause });
  }
}

/** Sends one message to the mail server. Throws when the server does not take it, or when `cut` ends it. */
async function handOver(url: string, row: EmailRow, cut: AbortController, real: RealTime): Promise<void> {
  const timer = real.after(MESSAGE_MS, () => cut.abort());
  try {
    await (await connectTo(url, cut.signal)).sendMail(messageFrom(row));
  } catch (reason) {
    throw cut.signal.aborted ? new Error("it took too long") : reason;
  } finally {
    timer.cancel();
    // The library does not close a connection that it did not open.
    cut.abort();
  }
}

/** Relays messages to a mail server. A refused message stays in the mailbox and is sent again with the next one. */
export class Mailer implements BackgroundWork {
  readonly #parts: BackgroundParts;
  #running: Promise<void> | null = null;
  /** A message came while others were being relayed. */
  #again = false;
  #stopped = false;
  /** Ends the message that is being sent. */
  #cut: AbortController | null = null;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  /** Relays the messages that were not relayed yet, and from now on each new message. */
  start(): void {
    this.#parts.feeds.news.subscribe(() => this.lookAgain());
    this.lookAgain();
  }

  /** Relays the messages that were not relayed yet, one after the other. Without an address nothing is relayed. */
  lookAgain(): void {
    const { smtpUrl } = this.#parts.settings;
    if (smtpUrl === null || this.#stopped) return;
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    this.#running = this.#relay(smtpUrl)
      .catch((reason) => this.#warn(reason))
      .finally(() => {
        this.#running = null;
        if (!this.#again) return;
        this.#again = false;
        this.lookAgain();
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const timer = this.#parts.real.after(STOPPING_MS, () => this.#cut?.abort());
    await this.#running;
    timer.cancel();
  }

  async #relay(url: string): Promise<void> {
    const { clock, real } = this.#parts;
    const { emails } = this.#parts.stores;
    for (const row of emails.toRelay()) {
      if (this.#stopped) return;
      this.#cut = new AbortController();
      try {
        await handOver(url, row, this.#cut, real);
      } catch (reason) {
        if (this.#stopped || !isOfMessage(reason)) throw reason;
        this.#warn(reason);
        continue;
      }
      // Recorded while stopping, too: otherwise the next start would send the message again.
      emails.relayed(clock.now(), row.seq, row.id);
    }
  }

  #warn(reason: unknown): void {
    this.#parts.log.warn(`the mail server did not take a message: ${reasonOf(reason)}`);
  }
}
