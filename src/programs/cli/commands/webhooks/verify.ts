import { checkSignature } from "../../../../base/kernel/check-signature.js";
import { hmacHex } from "../../../../base/kernel/hmac.js";
import { EXIT } from "../../terminal/failure.js";
import { readInstant } from "../../terminal/moment.js";
import { readDuration } from "../../terminal/read-value.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { readSigned } from "./signed-input.js";

export const command = defineCommand({
  command: "webhooks verify",
  summary: "Check the signature of a webhook, and say what is wrong with it",
  takes: { "[file]": "the body exactly as it came; standard input when left out" },
  flags: {
    "--secret <text|->": { about: "secret of the endpoint, or - to read it from standard input", required: true },
    "--signature <text>": { about: "value of the header X-QA-Signature", required: true },
    "--tolerance <duration>": { about: "how far from now a timestamp may be", default: "5m" },
    "--now <time>": "check as of this instant",
  },
  usage: "[file] --secret <text> --signature <text> [flags]",
  examples: ['qa-pay webhooks verify body.json --secret "$SECRET" --signature "t=1764000000,v1=0419da…"'],
  globals: { utc: true },
}).run(async ({ io, given: { file }, flags }) => {
  const now =
    flags.now === undefined ? io.now() : Date.parse(readInstant("--now", flags.now, { utc: flags.utc, now: io.now() }));
  const clock = flags.now === undefined ? undefined : "--now";
  const ms = readDuration("--tolerance", flags.tolerance, "such as 5m");
  const { secret, body } = await readSigned(io, file, flags.secret);
  const given = { header: flags.signature, secret, body, now, tolerance: { ms, written: flags.tolerance, clock } };
  const { code, family: form, reason } = await checkSignature(given, hmacHex);
  const valid = code === "valid";
  if (flags.json) io.out(jsonText({ valid, form, reason }));
  else io.out(say`${valid ? "✓ verified" : "✗ refused"}: ${reason}\n`);
  return valid ? EXIT.done : EXIT.unexpected;
});
