import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestEmulator } from "../../../support/emulator.js";
import { freePort } from "../../../support/free-port.js";
import { act, emails, openCase, parseMail } from "../../../support/med.js";
import { SELF_SIGNED } from "../../../support/self-signed.js";
import { ownEmulator, ownFolder } from "../../../support/shared.js";

/** Notices handed on to a mail server on loopback (docs/decisions/023-med-cases.md). */

interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

interface MailServer {
  readonly port: number;
  readonly mails: Delivered[];
  /** Comes back once at least `count` messages have arrived. */
  waitFor(count: number): Promise<Delivered[]>;
  close(): Promise<void>;
}

/** `accepts` decides for each message by what it says. */
async function startMailServer(
  port = 0,
  accepts: (text: string) => boolean = () => true,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const mails: Delivered[] = [];
  const waiting: { count: number; wake: () => void }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, answer) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        if (!accepts(textOf(raw))) return answer(Object.assign(new Error("not this one"), { responseCode: 554 }));
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, raw });
        answer();
        for (const { count, wake } of waiting) if (mails.length >= count) wake();
      });
    },
    ...options,
  });
  // A client that ends a connection early is none of this test's business.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  const address = server.server.address() as { port: number };
  return {
    port: address.port,
    mails,
    waitFor: (count) =>
      new Promise((resolve) => {
        const wake = () => resolve(mails);
        if (mails.length >= count) wake();
        else waiting.push({ count, wake });
      }),
    close,
  };
}

interface Relaying extends TestEmulator {
  readonly warnings: string[];
  waitForWarnings(count: number): Promise<string[]>;
}

async function relayingTo(port: number, options: object = {}): Promise<Relaying> {
  const warnings: string[] = [];
  const waiting: { count: number; wake: () => void }[] = [];
  const warn = (message: string) => {
    warnings.push(message);
    for (const { count, wake } of waiting) if (warnings.length >= count) wake();
  };
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const emulator = await ownEmulator({ frozen: true, smtpUrl, log: { warn, error: warn }, ...options });
  const waitForWarnings = (count: number) =>
    new Promise<string[]>((resolve) => {
      const wake = () => resolve(warnings);
      if (warnings.length >= count) wake();
      else waiting.push({ count, wake });
    });
  return { ...emulator, warnings, waitForWarnings };
}

const textOf = (raw: string) => String(parseMail(raw).parts.get("text/plain"));
const subjects = (mails: Delivered[]) => mails.map(({ raw }) => parseMail(raw).headers.get("subject"));

describe("8 --smtp-url", () => {
  it("has each notice arrive as a real message, once, in order", async () => {
    const server = await startMailServer();
    const emulator = await relayingTo(server.port);
    const { id } = await openCase(emulator, { reason: "Não recebi" });
    await server.waitFor(1);
    await act(emulator, id, "withdraw");
    await server.waitFor(2);
    const kept = (await emails(emulator)).reverse();
    expect(server.mails).toHaveLength(2);
    for (const [index, mail] of server.mails.entries()) {
      const { headers, parts } = parseMail(mail.raw);
      expect(mail.to).toEqual([kept[index].to]);
      expect(headers.get("from")).toContain(mail.from);
      expect([headers.get("to"), headers.get("subject")]).toEqual([kept[index].to, kept[index].subject]);
      expect(parts.get("text/plain")?.trimEnd().replace(/\r\n/g, "\n")).toBe(kept[index].text);
      expect(parts.get("text/html")?.trimEnd().replace(/\r\n/g, "\n")).toBe(kept[index].html);
    }
    expect(emulator.warnings).toEqual([]);
  });

  it("delivers many notices one after the other, none twice", async () => {
    const server = await startMailServer();
    const emulator = await relayingTo(server.port);
    const made = await Promise.all(Array.from({ length: 6 }, () => openCase(emulator)));
    await server.waitFor(6);
    const text = (await Promise.all(server.mails.map(({ raw }) => parseMail(raw).parts.get("text/plain")))).join();
    for (const { id } of made) expect(text.split(id)).toHaveLength(2);
    expect(server.mails).toHaveLength(6);
  });

  it("does not let a reason end the message or command the server", async () => {
    const server = await startMailServer();
    const emulator = await relayingTo(server.port);
    const reason = "a\r\n.\r\nMAIL FROM:<x@elsewhere.test>\r\nRCPT TO:<y@elsewhere.test>\r\nDATA\r\n..b\r\n.\r\nQUIT";
    await openCase(emulator, { reason });
    await openCase(emulator);
    const mails = await server.waitFor(2);
    expect(mails.map(({ to }) => to)).toEqual([mails[0]?.to, mails[0]?.to]);
    expect(parseMail(String(mails[0]?.raw)).parts.get("text/plain")).toContain(reason);
  });

  it("takes a server that offers TLS with a certificate of its own making", async () => {
    const server = await startMailServer(0, () => true, { disabledCommands: [], ...SELF_SIGNED });
    const emulator = await relayingTo(server.port);
    await openCase(emulator);
    expect(await server.waitFor(1)).toHaveLength(1);
    expect(emulator.warnings).toEqual([]);
  });

  it("is not needed for the local mailbox", async () => {
    const emulator = await ownEmulator({ frozen: true });
    await openCase(emulator);
    expect(await emails(emulator)).toHaveLength(1);
  });
});

describe("8 a mail server that is down", () => {
  it("is warned about, and gets what it missed with the next notice", async () => {
    const port = await freePort();
    const emulator = await relayingTo(port);
    const { id } = await openCase(emulator);
    const [warning] = await emulator.waitForWarnings(1);
    expect(warning).toMatch(/mail server/);
    expect(await emails(emulator)).toHaveLength(1);
    const server = await startMailServer(port);
    await act(emulator, id, "accept");
    expect(subjects(await server.waitFor(2))).toEqual([
      expect.stringMatching(/^Contestação aberta/),
      expect.stringMatching(/^Contestação concluída/),
    ]);
  });

  it("holds up no case", async () => {
    const emulator = await relayingTo(await freePort());
    const { id } = await openCase(emulator);
    expect((await act(emulator, id, "accept")).status).toBe("accepted");
    await emulator.waitForWarnings(1);
  });

  it("gets what it missed at the next start, and nothing that it had", async () => {
    const options = { db: ownFolder().db, testKey: "qa_test_mail-lives-here" };
    const server = await startMailServer();
    const first = await relayingTo(server.port, options);
    await openCase(first, { reason: "first" });
    await server.waitFor(1);
    await first.close();
    const without = await relayingTo(await freePort(), options);
    await openCase(without, { reason: "second" });
    await without.waitForWarnings(1);
    await without.close();
    const last = await relayingTo(server.port, options);
    await server.waitFor(2);
    await openCase(last, { reason: "third" });
    const reasons = (await server.waitFor(3)).map(({ raw }) => /Motivo alegado: (\w+)/.exec(textOf(raw))?.[1]);
    expect(reasons).toEqual(["first", "second", "third"]);
  });
});

describe("8 a mail server that refuses a message", () => {
  it("gets that one again with the next notice", async () => {
    let refusals = 1;
    const server = await startMailServer(0, () => refusals-- <= 0);
    const emulator = await relayingTo(server.port);
    const { id } = await openCase(emulator);
    expect(await emulator.waitForWarnings(1)).toEqual([expect.stringContaining("not this one")]);
    await act(emulator, id, "withdraw");
    expect(subjects(await server.waitFor(2))).toEqual([
      expect.stringMatching(/^Contestação aberta/),
      expect.stringMatching(/^Contestação concluída/),
    ]);
  });

  it("gets the messages after it, however often it refuses one", async () => {
    const server = await startMailServer(0, (text) => !text.includes("poison"));
    const emulator = await relayingTo(server.port);
    await openCase(emulator, { reason: "poison" });
    await emulator.waitForWarnings(1);
    for (const [index, reason] of ["second", "third"].entries()) {
      await openCase(emulator, { reason });
      const mails = await server.waitFor(index + 1);
      expect(textOf(String(mails[index]?.raw))).toContain(reason);
    }
    expect(await emails(emulator)).toHaveLength(3);
  });
});
