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
    headers: { "Content-Language": "pt-BR", "Auto-Submitted": "auto-generated" },
  };
}

/** The message as a mail server would get it. */
export async function mimeOf(row: EmailRow): Promise<string> {
  const composer = (await library()).createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await composer.sendMail(messageOf(row));
  return message.toString();
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

  async function relay(url: string): Promise<void> {
    const transport = (await library()).createTransport({ url, connectionTimeout: 10_000, socketTimeout: 30_000 });
    for (const row of notices.toRelay()) {
      if (stopped) break;
      await transport.sendMail(messageOf(row));
      if (!stopped) notices.relayed(clock.now(), row.seq, row.id);
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
      .catch((reason) =>
        log.warn(`the mail server took no message: ${reason instanceof Error ? reason.message : reason}`),
      )
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
