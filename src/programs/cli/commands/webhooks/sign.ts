import { FAMILIES } from "../../../../base/kernel/webhook-signature.js";
import { eventIn, signWebhook } from "../../../../service/webhooks/sign.js";
import { usage } from "../../terminal/failure.js";
import { readInstant } from "../../terminal/moment.js";
import { bodyText, jsonText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { readSigned } from "./signed-input.js";

export const command = defineCommand({
  command: "webhooks sign",
  summary: "Sign a body as the service does, for the test of a receiver",
  takes: { "[file]": "the body; standard input when left out or -" },
  flags: {
    "--secret <text|->": { about: "secret of the endpoint, or - to read it from standard input", required: true },
    "--format <form>": {
      about: "form of the signature (default: that of the event in the body)",
      choices: FAMILIES,
    },
    "--at <time>": "instant of the signature (default: now)",
  },
  usage: "[file] --secret <text> [flags]",
  examples: [
    'qa-pay webhooks sign body.json --secret "$SECRET"',
    'qa-pay webhooks sample charge.paid | qa-pay webhooks sign --secret "$SECRET" --json',
  ],
  globals: { utc: true },
}).run(async ({ io, given: { file }, flags }) => {
  const timestamp =
    flags.at === undefined ? io.now() : Date.parse(readInstant("--at", flags.at, { utc: flags.utc, now: io.now() }));
  const { secret, body: bytes } = await readSigned(io, file, flags.secret);
  const body = String(bytes);
  if (secret === "") throw usage("The secret is empty.");
  const format = flags.format ?? eventIn(body)?.family;
  if (format === undefined) {
    throw usage("The body is no event, so say the form of the signature: --format canonical or --format legacy.");
  }
  const signed = signWebhook({ body, secret, format, timestamp });
  if (flags.json) io.out(jsonText(signed));
  else {
    const lines = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}\n`);
    io.out(bodyText(io, `${lines.join("")}\n${signed.body}${io.isScreen ? "\n" : ""}`));
  }
});
