import { shellWord } from "../../../kernel/shell.js";
import { realTime } from "../../../platform/real-runtime.js";
import { VERSION } from "../../../platform/version.js";
import type { Result } from "../../../receiver-check/judge.js";
import type { Shop } from "../../../shop/shop.js";
import type { RunSchedule, Survival } from "../../../survive/survive.js";
import { requireFile, writeReport } from "../../reports/reporter.js";
import type { Io } from "../../terminal/io.js";
import { say, type TerminalText } from "../../terminal/terminal-text.js";
import type { ShopService } from "../shop-flags.js";

/** What `survive` writes for others: a report, and the charge of a failure. */

export const HAND_ON_FLAGS = {
  "--report <file>": "also write the result into this file, as a page of HTML",
  "--save <file>": "keep the charge of the first failure in this file, as an incident",
} as const;

/** Real milliseconds for each answer to a case. */
const ANSWER_MS = 10_000;
const OWNER_ONLY = 0o600;

interface AtTheEnd extends ShopService {
  readonly shop: Shop;
  /** Ends what waits for the shop. */
  readonly stopped: AbortSignal;
}

/** The cases of `webhooks test`, or why there are no answers to them. */
async function answersOf(
  io: Io,
  { shop, webhookSecret: secret, stopped }: AtTheEnd,
): Promise<readonly Result[] | string> {
  if (stopped.aborted) return "The run was stopped before its cases were sent.";
  const { casesFor } = await import("../../../receiver-check/cases.js");
  const { checkReceiver } = await import("../../../receiver-check/check-receiver.js");
  const { attemptErrorOf } = await import("../../../kernel/attempt-errors.js");
  const url = shop.webhooks;
  const receiver = { url, secret, oldSecret: "", real: realTime, uuid: () => io.random(), insecureTls: false };
  const how = { timeoutMs: ANSWER_MS, pause: io.pause, stop: stopped };
  const checked = await checkReceiver(casesFor(undefined, false).cases, { ...receiver, ...how });
  if ("results" in checked) return checked.results;
  return `Nobody answers at ${url} (${attemptErrorOf(checked.unreachable).error}).`;
}

/** Call it before the work: throws Failure (exit 2) when a file cannot be written. */
export async function handingOn(io: Io, { report, save }: { readonly report?: string; readonly save?: string }) {
  if (report !== undefined) await requireFile(io, "--report", report);
  if (save !== undefined) await requireFile(io, "--save", save);
  const startedAt = io.now();
  const schedules: RunSchedule[] = [];

  async function writePage(file: string, survival: Survival, end: AtTheEnd): Promise<void> {
    const durationMs = io.now() - startedAt;
    const receiver = await answersOf(io, end);
    const { reportHtml } = await import("./report/report-html.js");
    const command = [io.program, ...io.argv.map(shellWord)].join(" ");
    const versions = { "qa-pay": VERSION, "Node.js": io.nodeVersion, Platform: `${io.platform} ${process.arch}` };
    const secrets = [end.apiKey, end.webhookSecret];
    const html = reportHtml({ survival, command, startedAt, durationMs, schedules, receiver, versions, secrets });
    await writeReport(io, file, html);
  }

  /** Returns what there is to say of it. */
  async function saveCharge(
    file: string,
    { failures }: Survival,
    { baseUrl, apiKey }: AtTheEnd,
  ): Promise<TerminalText> {
    const found = failures.find(({ charge }) => charge !== null);
    if (found === undefined || found.charge === null)
      return say`No failure is about a charge, so ${file} was not written.\n`;
    const { failureText } = await import("./save.js");
    const text = await failureText(io, { baseUrl, apiKey, command: "survive" }, found.charge, found.handed);
    await writeReport(io, file, text, OWNER_ONLY);
    const { oracle, schedule } = found;
    const next = say`\`qa-pay incident test ${shellWord(file)}\` writes a test of it.`;
    return say`The charge of ${oracle} in schedule ${schedule} is in ${file}. ${next}\n`;
  }

  return {
    /** Call it for each schedule. */
    ran: (schedule: RunSchedule) => void schedules.push(schedule),
    /** Call it while the shop and the service still run. Returns what to say at the end. */
    async end(survival: Survival, end: AtTheEnd): Promise<TerminalText> {
      if (report !== undefined) await writePage(report, survival, end);
      return save === undefined ? say`` : saveCharge(save, survival, end);
    },
  };
}
