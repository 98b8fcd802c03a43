import { PREVIEWS } from "../../../../base/kernel/contract.js";
import { durationText } from "../../../../base/kernel/duration.js";
import { USUAL_PORT } from "../../../../base/kernel/page-address.js";
import { DEFAULT_SETTINGS } from "../../../../service/features/service-settings.js";

/** The flags for the service's address and its database. */
export const PLACE_FLAGS = {
  "--port <number>": { about: "port to listen on; 0 takes any free one", default: USUAL_PORT },
  "--host <host>": { about: "address to listen on", default: "127.0.0.1" },
  "--public-url <url>": "address by which other machines reach this server, such as that of a TLS proxy",
  "--db <file>": { about: "database file, or :memory:", default: ".qa-pay/qa-pay.db" },
} as const;

/** The levels of the server's log, from all messages to errors only. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const { acquirerDelayMs, refundDelayMs, retryBaseMs, maxAttempts, qr } = DEFAULT_SETTINGS;
const usually = (value: string | number) => `(default ${value})`;

/** The flags for the behaviour of the service. `serve` and `exec` have them. */
export const SERVICE_FLAGS = {
  "--forward-to <url>": "send every event to this URL, signed",
  "--events <names>": "only these events (comma-separated), with --forward-to",
  "--allow-http <hosts>": {
    about: "webhooks may go to these hosts by http:// (comma-separated; *.suffix too), or QA_PAY_ALLOW_HTTP",
    many: true,
  },
  "--allow-host <names>": {
    about: "answer requests to these names too (comma-separated), or QA_PAY_ALLOW_HOST",
    many: true,
  },
  "--webhook-secret <secret>": "sign webhooks with this secret of 64 hexadecimal digits, for CI",
  "--test-key <key>": "test API key to accept (qa_test_…), for CI",
  "--live-key <key>": "live API key to accept (qa_live_…), for CI",
  "--seed <fixture>": "fill an empty database from this fixture: a name of `fixtures list`, or a file",
  "--frozen": "the clock stands still until it is advanced",
  "--start-at <instant>": "start the clock of a new database here, such as 2026-01-31T12:00:00Z",
  "--clock-speed <factor>": "let the running clock go this many times as fast, 1 to 100000",
  "--random-seed <text>": "the same ids, keys and secrets in each run with this text, --start-at and --frozen",
  "--fees <json>": "fees by payment method, as JSON or @file",
  "--acquirer-delay <duration>": `how long the acquirer takes to issue a payment's codes ${usually(durationText(acquirerDelayMs))}`,
  "--refund-delay <duration>": `time between two steps of a refund ${usually(durationText(refundDelayMs))}`,
  "--settlement-hold <duration>": "keep settled money pending this long, such as 1d",
  "--retry-base <duration>": `delay before the first webhook retry, doubled each time ${usually(durationText(retryBaseMs))}`,
  "--max-attempts <number>": `webhook attempts before the dead letter ${usually(maxAttempts)}`,
  "--signature-time <machine|emulated>":
    "whose time webhook signatures have (default machine; emulated with --random-seed)",
  "--smtp-url <url>": "hand notice e-mails to this mail server too, such as smtp://localhost:1025",
  "--otlp <url>": "send traces to this collector, such as http://localhost:4318 (QA_PAY_OTLP)",
  "--no-med-outcome-notices": "do not tell outcomes of MED cases, by event or e-mail",
  "--strict-https": "refuse http:// webhook URLs on this machine too",
  "--insecure-webhook-tls": "accept self-signed certificates of webhook receivers",
  "--console": "serve the web console also to other machines, with --host or --public-url",
  "--no-console": "serve no web console",
  "--rate-limit <number>": "requests to /v1 that one API key may send within a minute (default: any)",
  "--customer-velocity <count/duration>": "charges one customer may have in a window, such as 5/60s",
  "--account-velocity <count/duration>": "charges an account may have in a window, such as 100/60s",
  "--qr <url|base64>": {
    about: "what a charge carries: the address of its QR image or the image",
    default: qr,
  },
  "--preview <names...>": `serve routes that are not released yet: ${PREVIEWS.join(", ")}`,
  "--log-level <level>": {
    about: "what the server tells on standard error, or QA_PAY_LOG",
    choices: LOG_LEVELS,
  },
} as const;
