import { parseDuration } from "../../../kernel/duration.js";
import { parseInstant } from "../../../kernel/time.js";
import { checkSignature } from "../../../receiver-check/check-signature.js";
import { EXIT } from "../../terminal/exit-codes.js";
import { usage } from "../../terminal/failure.js";
import { readNamed } from "../../terminal/named-file.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";

export const command = defineCommand({
  command: "webhooks verify",
  summary: "Check the signature of a webhook, and say what is wrong with it",
  takes: { "[file]": "the body exactly as it came; standard input when left out" },
  flags: {
    "--secret <text|->": { about: "secret of the endpoint, or - to read it from standard input", required: true },
    "--signature <text>": { about: "value of the header X-QA-Signature", required: true },
    "--tolerance <duration>": { about: "how old a timestamp may be", default: "5m" },
    "--now <time>": "check as of this instant",
  },
  usage: "[file] --secret <text> --signature <text> [flags]",
  examples: ['qa-pay webhooks verify body.json --secret "$SECRET" --signature "t=1764000000,v1=0419da…"'],
}).run(async ({ io, given: { file }, flags }) => {
  const now = flags.now === undefined ? io.now() : parseInstant(flags.now);
  if (now === null) throw usage(`--now takes a time such as 2026-11-21T12:00:00Z, not ${flags.now}.`);
  const ms = parseDuration(flags.tolerance);
  if (ms === null) throw usage(`--tolerance takes a duration such as 5m, not ${flags.tolerance}.`);
  const { secret: given } = flags;
  if (given === "" || (given === "-" && file === undefined)) {
    throw usage("--secret takes the secret, or - to read it from standard input while the body is a file.");
  }
  const secret = given === "-" ? (await io.readInput()).replace(/\r?\n$/, "") : given;
  const body = file === undefined || file === "-" ? await io.readInput() : String(await readNamed(io, file));
  const verdict = checkSignature(flags.signature, secret, body, now, { ms, written: flags.tolerance });
  if (flags.json) io.out(jsonText(verdict));
  else io.out(say`${verdict.valid ? "✓ verified" : "✗ refused"}: ${verdict.reason}\n`);
  return verdict.valid ? EXIT.done : EXIT.unexpected;
});
