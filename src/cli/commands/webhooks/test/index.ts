import * as http from "node:http";
import * as https from "node:https";
import { exchange, NOTHING_KEPT, type Open, type Outgoing, readText } from "../../../../client/exchange.js";
import { nearest } from "../../../../kernel/nearest.js";
import type { RealTime } from "../../../../kernel/runtime.js";
import { mayBeSent } from "../../../target/safety.js";
import { EXIT } from "../../../terminal/exit-codes.js";
import { Failure, usage } from "../../../terminal/failure.js";
import type { Io } from "../../../terminal/io.js";
import { palette, printTable } from "../../../terminal/output.js";
import { jsonText, say } from "../../../terminal/terminal-text.js";
import { defineCommand } from "../../../tree/define-command.js";
import type { FlagsOf, GlobalFlags } from "../../../tree/flags.js";
import { answerTimeOf } from "../../answer-time.js";
import { CASES, type TestCase } from "./cases.js";
import { createKit, type Delivery, type Kit } from "./events.js";

/**
 * `webhooks test`: sends a receiver the deliveries that production sends, and forged ones (docs/service/webhooks.md). It
 * uses the service's own transport, and needs neither a server nor an API key.
 */

const FLAGS = {
  "--secret <text>": { about: "secret that the receiver knows, or - to read it from standard input", required: true },
  "--old-secret <text>": "the secret before a rotation, to see whether it is still accepted",
  "--only <names>": "only these cases (comma-separated)",
  "--timeout <duration>": { about: "how long to wait for each answer", default: "30s" },
} as const;

type TestFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

interface Answer {
  /** Null when there was no answer. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** The reason why there was no answer; null when there was one. */
  readonly error: string | null;
}

/** The result of one case, in the form that `--json` prints. */
interface Result {
  readonly name: string;
  readonly sends: string;
  readonly expected: string;
  /** True when the command fails if this case fails. */
  readonly required: boolean;
  readonly verdict: "passed" | "failed" | "noted";
  readonly answers: readonly Answer[];
  /** For a failed case: what to do. For other cases: a note on the answer, or null. */
  readonly advice: string | null;
}

interface Sender {
  run(one: TestCase): Promise<Answer[]>;
}

/** The pause between the two parts of a body. */
const PIECE_MS = 400;
const EXPECTED = { accept: "2xx", refuse: "4xx", either: "2xx or 4xx" } as const;

function checkUrl(text: string): string {
  if (URL.canParse(text) && /^https?:\/\//i.test(text)) return text;
  throw usage(`webhooks test takes a complete URL such as http://localhost:3000/webhooks, not ${text}.`);
}

function openerOf(url: string): Open {
  return /^https:/i.test(url) ? https.request : http.request;
}

async function secretsOf(io: Io, flags: TestFlags): Promise<{ secret: string; oldSecret: string }> {
  if (flags.secret === "-" && flags.oldSecret === "-") throw usage("Only one secret can come from standard input.");
  const read = async (flag: string, text: string) => {
    const secret = text === "-" ? (await io.readInput()).trim() : text;
    if (secret === "") throw usage(`${flag} is empty.`);
    return secret;
  };
  const secret = await read("--secret", flags.secret);
  return { secret, oldSecret: flags.oldSecret === undefined ? "" : await read("--old-secret", flags.oldSecret) };
}

function casesFor({ only, oldSecret }: TestFlags): readonly TestCase[] {
  const possible = CASES.filter(({ name }) => name !== "old-secret" || oldSecret !== undefined);
  if (only === undefined) return possible;
  const names = only.split(",").map((name) => name.trim());
  for (const name of names) {
    if (possible.some((one) => one.name === name)) continue;
    if (name === "old-secret") throw usage("The case old-secret needs --old-secret.");
    const known = CASES.map((one) => one.name);
    const meant = nearest(name, known);
    const advice = meant === undefined ? "" : ` Did you mean ${meant}?`;
    throw usage(`There is no case ${name}. There are ${known.join(", ")}.${advice}`);
  }
  return possible.filter(({ name }) => names.includes(name));
}

/** The place to cut a body: inside its first character of several bytes, or in the middle when there is none. */
function cutOf(body: Buffer): number {
  const wide = body.findIndex((byte) => byte > 0x7f);
  return wide === -1 ? body.length >> 1 : wide + 1;
}

/** Sends a body in two parts. Never rejects: an error is returned in the answer. */
async function sendInPieces(
  io: Io,
  url: string,
  delivery: Delivery,
  real: RealTime,
  timeoutMs: number,
): Promise<Answer> {
  const started = real.monotonic();
  const stop = new AbortController();
  const body = Buffer.from(delivery.body);
  const cut = cutOf(body);
  const outgoing: Outgoing = {
    method: "POST",
    url,
    headers: delivery.headers,
    body: (request) =>
      request.write(body.subarray(0, cut), async () => {
        await io.pause(PIECE_MS, stop.signal);
        if (!request.destroyed) request.end(body.subarray(cut));
      }),
  };
  const answer = await exchange(openerOf(url), outgoing, { real, timeoutMs }, async (incoming) => {
    await readText(incoming, NOTHING_KEPT);
    return { status_code: incoming.status, error: null };
  }).catch((error: Error) => ({ status_code: null, error: error.message }));
  stop.abort();
  return { ...answer, duration_ms: Math.round(real.monotonic() - started) };
}

/**
 * Sends cases in the same way as the service. Each case gets new connections, so that no case can disturb the next one.
 */
async function senderFor(io: Io, url: string, timeoutMs: number, kitNow: () => Kit): Promise<Sender> {
  const { createTransport } = await import("../../../../delivery/transport.js");
  const { realTime: real } = await import("../../../../runtime.js");
  return {
    async run(one) {
      const transport = createTransport({ real, insecureTls: false, timeoutMs });
      const post = async ({ headers, body }: Delivery): Promise<Answer> => {
        const { statusCode, durationMs, error } = await transport.post(url, headers, body);
        return { status_code: statusCode, duration_ms: durationMs, error };
      };
      const deliveries = one.deliveries(kitNow());
      try {
        if (one.manner === "at once") return await Promise.all(deliveries.map(post));
        const answers: Answer[] = [];
        for (const delivery of deliveries) {
          const slowly = one.manner === "in pieces";
          answers.push(await (slowly ? sendInPieces(io, url, delivery, real, timeoutMs) : post(delivery)));
        }
        return answers;
      } finally {
        transport.close();
      }
    },
  };
}

const within = (answer: Answer, hundred: number) => Math.floor((answer.status_code ?? 0) / 100) === hundred;

function isRight({ expects }: TestCase, answer: Answer): boolean {
  // A 429 does not tell whether the receiver would accept or refuse the delivery.
  if (answer.status_code === 429) return false;
  return (expects !== "refuse" && within(answer, 2)) || (expects !== "accept" && within(answer, 4));
}

/** The advice for an answer that was not expected. */
function adviceFor(one: TestCase, { status_code, error }: Answer): string {
  if (status_code === null) {
    const late = error?.startsWith("no answer within") ?? false;
    return late
      ? `There was ${error}: answer first and work afterwards. The service waits 30 seconds and then sends again.`
      : `There was no answer (${error}): answer every request, and use a TLS certificate that clients trust.`;
  }
  if (status_code >= 300 && status_code < 400) {
    return `A redirect (${status_code}) is not followed and counts as a failure: register the address it points to.`;
  }
  if (status_code === 429)
    return "The receiver limits the rate (429): the service would wait and send again. Remove the limit for this test.";
  const remedy = one.remedy ?? "Answer 2xx or 4xx.";
  if (status_code < 500) return remedy;
  return one.expects === "accept"
    ? `The receiver failed (${status_code}). ${remedy}`
    : `The receiver failed (${status_code}) instead of refusing with a 4xx: the service would send again. ${remedy}`;
}

function noteFor({ notes }: TestCase, answers: readonly Answer[]): string | null {
  const accepted = answers.filter((answer) => within(answer, 2)).length;
  if (notes?.accepted === undefined) return notes?.passed ?? null;
  if (accepted === answers.length) return notes.accepted;
  return accepted === 0 ? (notes.refused ?? null) : `${accepted} of ${answers.length} deliveries are accepted`;
}

function judge(one: TestCase, answers: readonly Answer[]): Result {
  const wrong = answers.find((answer) => !isRight(one, answer));
  const required = one.expects !== "either";
  const passed = required ? "passed" : "noted";
  return {
    name: one.name,
    sends: one.sends,
    expected: EXPECTED[one.expects],
    required,
    verdict: wrong !== undefined && required ? "failed" : passed,
    answers,
    advice: wrong === undefined ? noteFor(one, answers) : adviceFor(one, wrong),
  };
}

/** The answers and the time of the slowest one, such as `10 × 204, 31 ms`. */
function gotText({ answers }: Result): string {
  const words = answers.map(({ status_code }) => (status_code === null ? "no answer" : String(status_code)));
  const counted = [...new Set(words)].map((word) => {
    const count = words.filter((other) => other === word).length;
    return count === 1 ? word : `${count} × ${word}`;
  });
  return `${counted.join(", ")}, ${Math.max(...answers.map(({ duration_ms }) => duration_ms))} ms`;
}

/** A hint when all valid deliveries were refused: the receiver probably has another secret. */
function commonCause(results: readonly Result[]): string | null {
  const valid = results.filter(({ expected }) => expected === "2xx");
  const refused = valid.every(({ answers }) => answers.every((answer) => within(answer, 4)));
  if (valid.length < 2 || !refused) return null;
  return "All valid deliveries were refused. Does the receiver know this secret, and is this its address?";
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
    results.map((result) => ({ ...result, got: gotText(result) })),
    paint,
  );
  const told = results.filter(({ advice }) => advice !== null);
  if (told.length > 0) io.out(say`\n`);
  const marks = { passed: paint.dim("•"), noted: paint.wait("•"), failed: paint.bad("✗") };
  for (const { name, verdict, advice } of told) io.out(say`${marks[verdict]} ${name}: ${advice ?? ""}\n`);
  const cause = commonCause(results);
  if (cause !== null) io.out(say`\n${paint.bad(cause)}\n`);
  const required = results.filter((result) => result.required);
  const failed = required.filter(({ verdict }) => verdict === "failed").length;
  io.out(say`\n${required.length - failed} of ${required.length} answered as they should be.\n`);
}

function printJson(io: Io, url: string, results: readonly Result[]): void {
  const count = (wanted: Result["verdict"]) => results.filter(({ verdict }) => verdict === wanted).length;
  const failed = count("failed");
  const summary = { passed: count("passed"), failed, noted: count("noted") };
  const hint = commonCause(results);
  io.out(jsonText({ url, passed: failed === 0, summary, hint, cases: results }));
}

/**
 * Tells whether to send. With --dry-run it prints all requests and returns false; else the person may have to confirm.
 */
async function agreed(io: Io, url: string, deliveries: readonly Delivery[], flags: TestFlags): Promise<boolean> {
  const shown = flags.dryRun ? deliveries : deliveries.slice(0, 1);
  let sent = true;
  for (const delivery of shown) {
    sent = await mayBeSent(io, {}, { method: "POST", url, ...delivery }, flags, { others: deliveries.length - 1 });
  }
  return sent;
}

/**
 * Runs the cases. Two cases with different expected answers run first, usually an event and a forgery. When the
 * receiver answers neither of them, the other cases would only take time: throws Failure (exit 7).
 */
async function runCases(cases: readonly TestCase[], sender: Sender, url: string): Promise<Result[]> {
  const answers = new Map<TestCase, Answer[]>();
  const [first, ...rest] = cases;
  const probes = new Set([first, rest.find(({ expects }) => expects !== first?.expects) ?? rest[0]]);
  const ordered = [...cases.filter((one) => probes.has(one)), ...cases.filter((one) => !probes.has(one))];
  for (const [index, one] of ordered.entries()) {
    answers.set(one, await sender.run(one));
    const all = [...answers.values()].flat();
    const looked = index + 1 >= Math.min(probes.size, ordered.length);
    if (!looked || all.some(({ status_code }) => status_code !== null)) continue;
    const reason = all[0]?.error ?? "no answer";
    throw new Failure(EXIT.unreachable, "unreachable", `Nobody answers at ${new URL(url).origin} (${reason}).`);
  }
  return cases.map((one) => judge(one, answers.get(one) ?? []));
}

// The exit code is 0 when the receiver answered every required case as expected.
export const command = defineCommand({
  command: "webhooks test",
  summary: "Send a receiver what production will one day send it, and say how it answered",
  takes: { "<url>": "address of the receiver" },
  flags: FLAGS,
  usage: "<url> --secret <text|-> [flags]",
  examples: [
    'qa-pay webhooks test http://localhost:3000/webhooks --secret "$SECRET"',
    "qa-pay webhooks test http://localhost:3000/webhooks --secret - --only same-event,stale-timestamp < secret.txt",
  ],
  globals: { quiet: true, yes: true, dryRun: true },
}).run(async ({ io, given, flags }) => {
  const url = checkUrl(given.url);
  const timeoutMs = answerTimeOf("--timeout", flags.timeout);
  const cases = casesFor(flags);
  const secrets = await secretsOf(io, flags);
  const { signature } = await import("../../../../delivery/signer.js");
  const kitNow = () => createKit({ now: io.now(), uuid: () => io.random(), sign: signature, ...secrets });
  const deliveries = cases.flatMap((one) => one.deliveries(kitNow()));
  if (!(await agreed(io, url, deliveries, flags))) return EXIT.done;
  if (!flags.json && !flags.quiet) {
    io.err(say`Sending ${deliveries.length} deliveries to ${url}, waiting up to ${flags.timeout} for each answer.\n`);
  }
  const results = await runCases(cases, await senderFor(io, url, timeoutMs, kitNow), url);
  if (flags.json) printJson(io, url, results);
  else await report(io, results, flags);
  return results.some(({ verdict }) => verdict === "failed") ? EXIT.unexpected : EXIT.done;
});
