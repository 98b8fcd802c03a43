import type { Preview } from "../../../base/kernel/contract.js";
import type { PaymentMethod } from "../../../service/features/transactions/catalogue.js";
import type { EventName } from "../../../service/features/webhooks/catalogue.js";

/** A part of an amount: `fixed` in the smallest unit of the currency, and `bps` in hundredths of a percent. */
interface FeeOption {
  readonly fixed?: number | undefined;
  readonly bps?: number | undefined;
}

/** The fees of each payment method, and of the Pix that a cashout sends (`PIX_OUT`). A missing one means no fee. */
export type FeeOptions = {
  readonly [Method in PaymentMethod | "PIX_OUT"]?: {
    readonly provider?: FeeOption | undefined;
    readonly platform?: FeeOption | undefined;
  };
};

/**
 * The options of a service: the flags of `qa-pay serve`. All are optional. A duration is a number of whole
 * milliseconds, or a text such as `500ms`, `10s`, `5m`, `1h` or `1d`.
 */
export interface ServiceOptions {
  /** The path of the database file, which is created when it does not exist, or `:memory:`, the default. */
  readonly db?: string | undefined;
  /** Address to listen on; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** Port to listen on, 0 to 65535. The default 0 takes any free port. */
  readonly port?: number | undefined;
  /** The address by which other machines reach the service, such as `https://pay.example.com` of a proxy. Links in answers have it. */
  readonly publicUrl?: string | undefined;
  /** API key of the test book: `qa_test_` and 8 to 120 of `A-Z a-z 0-9 _ -`. By default a new key is made. */
  readonly testKey?: string | undefined;
  /** API key of the live book: `qa_live_` and 8 to 120 of `A-Z a-z 0-9 _ -`. The live book is simulated too. */
  readonly liveKey?: string | undefined;
  /**
   * Secret that signs webhooks: 64 hexadecimal digits (0-9 a-f). By default the first start of a database makes one.
   */
  readonly webhookSecret?: string | undefined;
  /** Sends the events of the test book to this URL: `https://`, or `http://` to this machine and to `allowHttp`. */
  readonly forwardTo?: string | undefined;
  /** The events to send to `forwardTo`; all events by default. */
  readonly events?: readonly EventName[] | undefined;
  /** Hosts beside this machine to which webhooks may go by `http://`: names, addresses, or `*.suffix` for names below one. */
  readonly allowHttp?: readonly string[] | undefined;
  /** Names and addresses that requests may have in `Host`, with any port, beside those of the server's own address. */
  readonly allowHost?: readonly string[] | undefined;
  /** The clock stands still until it is advanced or resumed. */
  readonly frozen?: boolean | undefined;
  /**
   * Where the clock of a new database starts, and where a reset goes back to: an instant such as `2026-01-31T12:00:00Z`.
   * Without effect on a database that has its clock.
   */
  readonly startAt?: string | undefined;
  /** The clock goes this many times as fast as real time while it runs, 1 to 100000; as before, or 1, by default. */
  readonly clockSpeed?: number | undefined;
  /**
   * With the same text, `startAt`, a frozen clock and the same requests one after the other, ids, codes, keys and secrets are the
   * same in each run: 1 to 200 characters. Whoever knows it knows the keys.
   */
  readonly randomSeed?: string | undefined;
  /** The fees of the payment methods; no fees by default. */
  readonly fees?: FeeOptions | undefined;
  /** Duration: how long the acquirer takes to issue a payment's codes; 0 by default. */
  readonly acquirerDelay?: number | string | undefined;
  /** Duration: the time between two steps of a refund; 2 s by default. */
  readonly refundDelay?: number | string | undefined;
  /** Duration: how long settled money stays pending; 0 by default. */
  readonly settlementHold?: number | string | undefined;
  /** Duration: the delay before the first webhook retry, doubled each time; 10 s by default. */
  readonly retryBase?: number | string | undefined;
  /** Attempts to deliver a webhook before it becomes a dead letter, 1 to 1000; 15 by default. */
  readonly maxAttempts?: number | undefined;
  /**
   * Whose time the signatures of canonical events have: `machine` is that of this machine, however far the emulated clock is, and
   * `emulated` is that of the emulated clock. `machine` by default, and `emulated` with `randomSeed`.
   */
  readonly signatureTime?: "machine" | "emulated" | undefined;
  /** Mail server for the notice e-mails, such as `smtp://localhost:1025`. */
  readonly smtpUrl?: string | undefined;
  /** True sends notices of the outcomes of MED cases, by event and by e-mail; true by default. */
  readonly medOutcomeNotices?: boolean | undefined;
  /** Where a collector of OpenTelemetry takes traces over HTTP, such as `http://localhost:4318`; no traces by default. */
  readonly otlp?: string | undefined;
  /** True refuses all webhook URLs with `http://`, also those on this machine; false by default. */
  readonly strictHttps?: boolean | undefined;
  /** Accepts self-signed certificates of webhook receivers. */
  readonly insecureWebhookTls?: boolean | undefined;
  /** True serves the web console, also to other machines; true by default on a `host` of this machine alone. */
  readonly console?: boolean | undefined;
  /** Requests to `/v1` that one API key may send within a minute, 1 to 1000000; any number by default. */
  readonly rateLimit?: number | undefined;
  /** Charges that one customer may have in a window, such as `5/60s`; any number by default. */
  readonly customerVelocity?: string | undefined;
  /** Charges that an account may have in a window, such as `100/60s`; any number by default. */
  readonly accountVelocity?: string | undefined;
  /** The QR code in a charge: the address of the image (`url`, the default) or the image itself (`base64`). */
  readonly qr?: "url" | "base64" | undefined;
  /** The unreleased routes to enable. */
  readonly preview?: readonly Preview[] | undefined;
}
