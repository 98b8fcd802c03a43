import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { attemptErrorOf } from "../../../../base/kernel/attempt-errors.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { CASES, casesFor, type TestCase } from "../../../../emulator/receiver-check/cases.js";
import type { Delivery } from "../../../../emulator/receiver-check/deliveries.js";
import { answersText, commonCause, type Result, summaryOf } from "../../../../emulator/receiver-check/judge.js";
import { ENGLISH } from "../../../../emulator/receiver-check/texts.js";
import { mayBeSent } from "../../host/consent.js";
import type { ReportCase } from "../../reports/junit.js";
import { buildServerOf, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT, Failure, suggestion, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette, printTable } from "../../terminal/output.js";
import { listItems } from "../../terminal/read-value.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { answerTimeOf, receiverUrl } from "../receiver.js";

/**
 * `webhooks test`: sends a receiver the deliveries that production sends, and forged ones (docs/service/webhooks.md). It
 * uses the service's own transport, and needs neither a server nor an API key.
 */

const FLAGS = {
  "--secret <text>": { about: "secret that the receiver knows, or - to read it from standard input", required: true },
  "--old-secret <text>": "the secret before a rotation, to see whether it is still accepted",
  "--only <names>": "only these cases (comma-separated)",
  "--timeout <duration>": { about: "how long to wait for each answer", default: "30s" },
  ...REPORT_FLAGS,
} as const;

type TestFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

async function secretsOf(io: Io, flags: TestFlags): Promise<{ secret: string; oldSecret: string }> {
  if (flags.secret === "-" && flags.oldSecret === "-") throw usage("Only one secret can come from standard input.");
  const read = async (flag: string, text: string) => {
    const secret = text === "-" ? trimPasted(await io.readInput()) : text;
    if (secret === "") throw usage(`${flag} is empty.`);
    return secret;
  };
  const secret = await read("--secret", flags.secret);
  return { secret, oldSecret: flags.oldSecret === undefined ? "" : await read("--old-secret", flags.oldSecret) };
}

function chooseCases({ only, oldSecret }: TestFlags): readonly TestCase[] {
  const names = only === undefined ? undefined : listItems(only);
  const { cases, impossible } = casesFor(names, oldSecret !== undefined);
  if (impossible === undefined) return cases;
  if (impossible === "old-secret") throw usage("The case old-secret needs --old-secret.");
  const all = CASES.map(({ name }) => name);
  throw usage(`There is no case ${impossible}. There are ${all.join(", ")}.`, suggestion(impossible, all));
}

function reportCaseOf(result: Result): ReportCase {
  const { name, sends, expected, verdict, advice } = result;
  const seen = `Sent: ${sends}. Expected: ${expected}. Got: ${answersText(result)}.`;
  return {
    group: "webhooks",
    name,
    status: verdict === "failed" ? "failed" : "passed",
    message: `expected ${expected}, got ${answersText(result)}`,
    detail: advice === null ? "" : `${seen}\n${advice}`,
    ms: result.answers.reduce((sum, one) => sum + one.duration_ms, 0),
  };
}

async function report(io: Io, results: readonly Result[], flags: TestFlags): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  const columns = [
    { header: "VERDICT", path: "verdict", format: "status" as const },
    { header: "CASE", path: "name" },
    { header: "SENT", path: "sends" },
    { header: "EXPECTED", path: "expected" },
    { header: "GOT", path: "got" },
  ];
  await printTable(
    io,
    columns,
    results.map((result) => ({ ...result, got: answersText(result) })),
    { paint },
  );
  const advised = results.filter(({ advice }) => advice !== null);
  if (advised.length > 0) io.out(say`\n`);
  const marks = { passed: paint.dim("•"), noted: paint.wait("•"), failed: paint.bad("✗") };
  for (const { name, verdict, advice } of advised) io.out(say`${marks[verdict]} ${name}: ${advice ?? ""}\n`);
  const cause = commonCause(results);
  if (cause !== null) io.out(say`\n${paint.bad(ENGLISH.hints[cause])}\n`);
  const required = results.filter((result) => result.required);
  const failed = required.filter(({ verdict }) => verdict === "failed").length;
  io.out(say`\n${required.length - failed} of ${required.length} answered correctly.\n`);
}

/**
 * Returns whether to send. With --dry-run it prints all requests and returns false; otherwise a person may have to confirm.
 */
async function confirmSending(
  io: Io,
  url: string,
  deliveries: readonly Delivery[],
  flags: TestFlags,
): Promise<boolean> {
  const listed = flags.dryRun ? deliveries : deliveries.slice(0, 1);
  const asks = `Send ${formatCount(deliveries.length, "webhook")} to ${url}?`;
  let sent = true;
  for (const delivery of listed)
    sent = await mayBeSent(io, {}, { method: "POST", url, ...delivery }, { ...flags, asks });
  return sent;
}

// The exit code is 0 when the receiver answered every required case as expected.
export const command = defineCommand({
  command: "webhooks test",
  summary: "Send a receiver the webhooks that production can send, and report its answers",
  takes: { "<url>": "address of the receiver" },
  flags: FLAGS,
  usage: "<url> --secret <text|-> [flags]",
  examples: [
    'qa-pay webhooks test http://localhost:3000/webhooks --secret "$SECRET"',
    'qa-pay webhooks test http://localhost:3000/webhooks --secret "$SECRET" --junit webhooks.xml',
    "qa-pay webhooks test http://localhost:3000/webhooks --secret - --only same-event,stale-timestamp < secret.txt",
  ],
  globals: { quiet: true, yes: true, dryRun: true },
}).run(async ({ io, given, flags }) => {
  const url = receiverUrl("webhooks test", given.url);
  const timeoutMs = answerTimeOf("--timeout", flags.timeout);
  const cases = chooseCases(flags);
  const secrets = await secretsOf(io, flags);
  const { checkReceiver, deliveriesOf } = await import("../../../../emulator/receiver-check/check-receiver.js");
  const receiver = { url, ...secrets, real: io.real, uuid: () => io.random(), insecureTls: false, timeoutMs };
  const deliveries = cases.flatMap((one) => deliveriesOf(one, receiver));
  const reportToBuildServer = await buildServerOf(io, "webhooks test", flags.junit);
  if (!(await confirmSending(io, url, deliveries, flags))) return EXIT.done;
  if (!flags.json && !flags.quiet) {
    io.err(say`Sending ${deliveries.length} deliveries to ${url}, waiting up to ${flags.timeout} for each answer.\n`);
  }
  const checked = await checkReceiver(cases, { ...receiver, pause: io.pause });
  if ("unreachable" in checked) {
    const message = `No receiver answers at ${new URL(url).origin} (${attemptErrorOf(checked.unreachable).error}).`;
    const hint =
      "Start the receiver, or correct the address, and run the command again.\n" +
      `If the receiver needs longer than ${flags.timeout} to answer, --timeout allows more time.`;
    throw new Failure(EXIT.unreachable, "unreachable", message, hint);
  }
  const { results } = checked;
  if (flags.json) io.out(jsonText({ url, ...summaryOf(results) }));
  else await report(io, results, flags);
  await reportToBuildServer(results.map(reportCaseOf));
  return results.some(({ verdict }) => verdict === "failed") ? EXIT.unexpected : EXIT.done;
});
