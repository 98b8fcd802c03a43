import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { QaCommand } from "../help.js";
import type { Io } from "../io.js";

export interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly db: string;
  readonly testKey?: string;
  readonly liveKey?: string;
  readonly forwardTo?: string;
  readonly webhookSecret?: string;
  readonly events?: string;
  readonly seed?: string;
  readonly frozen?: boolean;
  readonly fees?: string;
  readonly settlementHold?: string;
  readonly smtpUrl?: string;
  readonly medOutcomeNotices?: boolean;
  readonly acquirerDelay?: string;
  readonly refundDelay?: string;
  readonly retryBase?: string;
  readonly maxAttempts?: string;
  readonly strictHttps?: boolean;
  readonly insecureWebhookTls?: boolean;
  readonly rateLimit?: string;
  readonly customerVelocity?: string;
  readonly accountVelocity?: string;
  readonly qr: string;
  readonly preview?: string[];
  readonly writeEnv?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** What the service can be told, whoever starts it. */
export function addServiceFlags(command: Command): Command {
  return command
    .option("--forward-to <url>", "send every event to this URL, signed")
    .option("--events <names>", "only these events (comma-separated), with --forward-to")
    .option("--webhook-secret <secret>", "sign webhooks with this secret of 64 hexadecimal digits, for CI")
    .option("--test-key <key>", "test API key to accept (qa_test_…), for CI")
    .option("--live-key <key>", "live API key to accept (qa_live_…), for CI")
    .option("--seed <fixture>", "fill an empty database from this script: a name of `fixtures list`, or a file")
    .option("--frozen", "the clock stands still until it is advanced")
    .option("--fees <json>", "fees by payment method, as JSON or @file")
    .option("--acquirer-delay <duration>", "how long the acquirer takes to issue a payment's codes (default 0)")
    .option("--refund-delay <duration>", "time between two steps of a refund (default 2s)")
    .option("--settlement-hold <duration>", "keep settled money pending this long, such as 1d")
    .option("--retry-base <duration>", "delay before the first webhook retry, doubled each time (default 10s)")
    .option("--max-attempts <number>", "webhook attempts before the dead letter (default 15)")
    .option("--smtp-url <url>", "hand notice e-mails to this mail server too, such as smtp://localhost:1025")
    .option("--no-med-outcome-notices", "do not tell outcomes of MED cases, by event or e-mail")
    .option("--strict-https", "refuse http:// webhook URLs on this machine too")
    .option("--insecure-webhook-tls", "accept self-signed certificates of webhook receivers")
    .option("--rate-limit <number>", "requests to /v1 that one API key may send within a minute (default: any)")
    .option("--customer-velocity <count/duration>", "charges one customer may have in a window, such as 5/60s")
    .option("--account-velocity <count/duration>", "charges an account may have in a window, such as 100/60s")
    .option("--qr <url|base64>", "what a charge carries: the address of its QR image or the image", "url")
    .option("--preview <names...>", "serve routes that are not released yet: charge-list");
}

/**
 * Declares `serve`, its flags only when the command line names it. What it does is loaded only when it runs: no other
 * command pays for the server.
 */
export function addServe(program: Command, io: Io, finish: (code: ExitCode) => void, isNamed: boolean): void {
  const command = program.command("serve").usage("[flags]").description("start the service on this machine");
  if (!isNamed) return;
  (command as QaCommand).exceptions = { quiet: true };
  command
    .option("--port <number>", "port to listen on; 0 takes any free one", "4600")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--db <file>", "database file, or :memory:", ".qa-pay/qa-pay.db")
    .option("--write-env <file>", "write address, test key and webhook secret into this file, keeping the rest");
  addServiceFlags(command)
    .addHelpText(
      "after",
      "\nExamples:\n  $ qa-pay serve\n  $ qa-pay serve --forward-to http://localhost:3000/webhooks --events charge.paid\n" +
        "  $ qa-pay serve --port 0 --db :memory: --json",
    )
    .action(async (_own: unknown, self: Command) => {
      const { serve } = await import("./serve.js");
      finish(await serve(io, self.optsWithGlobals()));
    });
}
