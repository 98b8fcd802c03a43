import type { Client } from "../../../client/types.js";
import { attemptErrorOf } from "../../../kernel/attempt-errors.js";
import { ID_PREFIX } from "../../../kernel/ids.js";
import { shellWord } from "../../../kernel/shell.js";
import { SAMPLE_PAYER_CPF } from "../../../kernel/tax-id.js";
import { VERSION } from "../../../platform/version.js";
import type { Result } from "../../../receiver-check/judge.js";
import { plainId } from "../../../reconcile/orders.js";
import type { Shop } from "../../../shop/shop.js";
import type { RunSchedule, Survival } from "../../../survive/run-schedules.js";
import { requireFile, writeReport } from "../../reports/reporter.js";
import type { Io } from "../../terminal/io.js";
import { say, type TerminalText } from "../../terminal/terminal-text.js";
import type { ShopService } from "../shop-flags.js";

/** What `survive` writes for others: a report, and the charge of a failure. */

export const OUTPUT_FILE_FLAGS = {
  "--report <file>": "also write the result into this file, as a page of HTML",
  "--save <file>": "keep the charge of the first failure in this file, as an incident",
} as const;

/** Real milliseconds for each answer to a case. */
const ANSWER_MS = 10_000;
const OWNER_ONLY = 0o600;

interface FinishedRun extends ShopService {
  readonly shop: Shop;
  readonly client: Client;
  /** Ends what waits for the shop. */
  readonly stopped: AbortSignal;
}

/** The amount of the charges in the cases. */
const AMOUNT = 1_990;

/** Buys and pays an order for the cases: a receiver may ask the service for the charge that it is told of. */
async function knownCharge(io: Io, { shop, client }: FinishedRun): Promise<string | undefined> {
  const order = `receiver-${io.random().slice(0, 8)}`;
  const bought = await shop.buy({ order, amount: AMOUNT, document: SAMPLE_PAYER_CPF });
  if (bought.kind === "refused") return undefined;
  const id = plainId(bought.charge);
  await client["sandbox.charges.pay"]({ params: { id: ID_PREFIX.charge + id }, body: {} }).catch(() => undefined);
  return id;
}

/** The cases of `webhooks test`, or why there are no answers to them. */
async function answersOf(io: Io, end: FinishedRun): Promise<readonly Result[] | string> {
  const { shop, webhookSecret: secret, stopped } = end;
  if (stopped.aborted) return "The run was stopped before its cases were sent.";
  const { casesFor } = await import("../../../receiver-check/cases.js");
  const { checkReceiver } = await import("../../../receiver-check/check-receiver.js");
  const charge = await knownCharge(io, end);
  const url = shop.webhooks;
  const receiver = { url, secret, oldSecret: "", charge, real: io.real, uuid: () => io.random(), insecureTls: false };
  const how = { timeoutMs: ANSWER_MS, pause: io.pause, stop: stopped };
  const checked = await checkReceiver(casesFor(undefined, false).cases, { ...receiver, ...how });
  if ("results" in checked) return checked.results;
  return `Nobody answers at ${url} (${attemptErrorOf(checked.unreachable).error}).`;
}

/** Call it before the work: throws Failure (exit 2) when a file cannot be written. */
export async function openOutputFiles(io: Io, { report, save }: { readonly report?: string; readonly save?: string }) {
  if (report !== undefined) await requireFile(io, "--report", report);
  if (save !== undefined) await requireFile(io, "--save", save);
  const startedAt = io.now();
  const schedules: RunSchedule[] = [];

  async function writePage(file: string, survival: Survival, end: FinishedRun): Promise<void> {
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
    { baseUrl, apiKey }: FinishedRun,
  ): Promise<TerminalText> {
    const found = failures.find(({ charge }) => charge !== null);
    if (found === undefined || found.charge === null) {
      const why = failures.length === 0 ? "Nothing failed" : "No failure is about a charge";
      return say`${why}, so ${file} was not written.\n`;
    }
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
    async end(survival: Survival, end: FinishedRun): Promise<TerminalText> {
      if (report !== undefined) await writePage(report, survival, end);
      return save === undefined ? say`` : saveCharge(save, survival, end);
    },
  };
}
