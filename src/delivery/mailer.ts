import { createConnection, type Socket } from "node:net";
import type { EmailRow, NoticeStore } from "../features/notices/store.js";
import type { Clock, Log, RealTime } from "../kernel/runtime.js";

/** Notice e-mails as real messages: MIME for whoever wants to see it, SMTP for whoever runs a mail server. */

const FROM = { name: "qa-pay", address: "avisos@qa-pay.test" };

// Nobody pays for the library who never reads or relays a message.
async function library() {
  return (await import("nodemailer")).default;
}

function messageOf(row: EmailRow) {
  return {
    from: FROM,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    date: new Date(row.created_at),
    messageId: `<${row.id}@qa-pay.test>`,
    // Else by chance: the message would be another one each time that it is read.
    baseBoundary: row.id,
    headers: { "Content-Language": "pt-BR", "Auto-Submitted": "auto-generated" },
  };
}

/** The message as a mail server would get it. */
export async function mimeOf(row: EmailRow): Promise<string> {
  const composer = (await library()).createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await composer.sendMail(messageOf(row));
  return message.toString();
}

/** Real milliseconds for one message, however slowly a mail server answers. */
const MESSAGE_MS = 60_000;
/** Real milliseconds that a message which is on its way has to end when the server stops. */
const STOPPING_MS = 1_000;

interface SmtpAddress {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}

/** A connection that can be cut from here: the library has no way to end a message that is on its way. */
function connect(options: SmtpAddress, cut: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const port = Number(options.port ?? (options.secure ? 465 : 587));
    const socket = createConnection({ host: options.host ?? "localhost", port, signal: cut });
    socket.once("connect", () => resolve(socket));
    socket.on("error", reject);
  });
}

/**
 * An smtp:// server may offer TLS on top, and a mail catcher has but a certificate of its own making for it. Without
 * TLS the message would go in the clear, so any certificate is better than none; smtps:// needs a good one.
 */
async function connectTo(url: string, cut: AbortSignal) {
  const tls = { rejectUnauthorized: /^smtps:/i.test(url) };
  return (await library()).createTransport({
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

/** Whether a mail server refused this message or its recipient; others may pass. */
function isOfMessage(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? reason.code : null;
  return code === "EENVELOPE" || code === "EMESSAGE";
}

/** Gives one message to the mail server. Throws when it is not taken, or when `cut` ends it. */
async function handOver(url: string, row: EmailRow, cut: AbortController, real: RealTime): Promise<void> {
  const timer = real.after(MESSAGE_MS, () => cut.abort());
  try {
    await (await connectTo(url, cut.signal)).sendMail(messageOf(row));
  } catch (reason) {
    throw cut.signal.aborted ? new Error("it took too long") : reason;
  } finally {
    timer.cancel();
    // The library leaves the connection to whoever made it.
    cut.abort();
  }
}

export interface Mailer {
  /** Relays what was not relayed yet, one message after the other. */
  pump(): void;
  stop(): Promise<void>;
}

/** Hands messages on to a mail server. What it does not take stays in the mailbox and is tried at the next message. */
export function createMailer(parts: {
  readonly smtpUrl: string | undefined;
  readonly notices: NoticeStore;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
}): Mailer {
  const { smtpUrl, notices, clock, real, log } = parts;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let underWay: AbortController | null = null;

  const complain = (reason: unknown) =>
    log.warn(`the mail server took no message: ${reason instanceof Error ? reason.message : reason}`);

  async function relay(url: string): Promise<void> {
    for (const row of notices.toRelay()) {
      if (stopped) return;
      underWay = new AbortController();
      try {
        await handOver(url, row, underWay, real);
      } catch (reason) {
        if (stopped || !isOfMessage(reason)) throw reason;
        complain(reason);
        continue;
      }
      // Also while stopping: otherwise the next start would send it again.
      notices.relayed(clock.now(), row.seq, row.id);
    }
  }

  function pump(): void {
    if (smtpUrl === undefined || stopped) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = relay(smtpUrl)
      .catch(complain)
      .finally(() => {
        running = null;
        if (again) {
          again = false;
          pump();
        }
      });
  }

  return {
    pump,
    async stop() {
      stopped = true;
      const cut = real.after(STOPPING_MS, () => underWay?.abort());
      await running;
      cut.cancel();
    },
  };
}
