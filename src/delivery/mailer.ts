import type { EmailRow, NoticeStore } from "../features/notices/store.js";
import type { Clock, Log } from "../kernel/runtime.js";

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

/**
 * An smtp:// server may offer TLS on top, and a mail catcher has but a certificate of its own making for it. Without
 * TLS the message would go in the clear, so any certificate is better than none; smtps:// needs a good one.
 */
async function connectTo(url: string) {
  const tls = { rejectUnauthorized: /^smtps:/i.test(url) };
  return (await library()).createTransport({
    url,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    tls,
  });
}

/** Whether a mail server refused this message or its recipient; others may pass. */
function isOfMessage(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? reason.code : null;
  return code === "EENVELOPE" || code === "EMESSAGE";
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
  readonly log: Log;
}): Mailer {
  const { smtpUrl, notices, clock, log } = parts;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const complain = (reason: unknown) =>
    log.warn(`the mail server took no message: ${reason instanceof Error ? reason.message : reason}`);

  async function relay(url: string): Promise<void> {
    const transport = await connectTo(url);
    for (const row of notices.toRelay()) {
      if (stopped) break;
      try {
        await transport.sendMail(messageOf(row));
      } catch (reason) {
        if (!isOfMessage(reason)) throw reason;
        complain(reason);
        continue;
      }
      // Also while stopping, which waits for it: otherwise the next start would send it again.
      notices.relayed(clock.now(), row.seq, row.id);
    }
    transport.close();
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
      await running;
    },
  };
}
