import type { EmailRow } from "./store.js";

/** Notice e-mails as MIME messages. */

const FROM = { name: "qa-pay", address: "avisos@qa-pay.test" };

/** Loaded when the first message is read or relayed: most servers never need it. */
export async function mailLibrary() {
  return (await import("nodemailer")).default;
}

export function messageOf(row: EmailRow) {
  return {
    from: FROM,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    date: new Date(row.created_at),
    messageId: `<${row.id}@qa-pay.test>`,
    // The default, a random boundary, would change the message of an e-mail at every call.
    baseBoundary: row.id,
    headers: { "Content-Language": "pt-BR", "Auto-Submitted": "auto-generated" },
  };
}

/** The text of the message as a mail server would receive it. */
export async function mimeOf(row: EmailRow): Promise<string> {
  const composer = (await mailLibrary()).createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await composer.sendMail(messageOf(row));
  return message.toString();
}
