import { shellWord } from "../../../../base/kernel/shell.js";
import { VERSION } from "../../../../base/platform/version.js";
import { asShopGot } from "../../../../checks/survive/failed-charge.js";
import type { FinishedRun } from "../../../../checks/survive/receiver-answers.js";
import type { RunSchedule, Survival } from "../../../../checks/survive/run-schedules.js";
import { ownConnection } from "../../host/connection.js";
import { requireFile, writeReport } from "../../reports/reporter.js";
import type { Io } from "../../terminal/io.js";
import { say, type TerminalText } from "../../terminal/terminal-text.js";
import type { ShopService } from "../shop-flags.js";

/** The files that `survive` writes: a report, and the charge of a failure. */

export const OUTPUT_FILE_FLAGS = {
  "--report <file>": "also write the result into this file, as a page of HTML",
  "--save <file>": "save the charge of the first failure in this file, as an incident",
} as const;

const OWNER_ONLY = 0o600;

/** Call it before the work: throws Failure (exit 2) when a file cannot be written. */
export async function openOutputFiles(io: Io, { report, save }: { readonly report?: string; readonly save?: string }) {
  if (report !== undefined) await requireFile(io, "--report", report);
  if (save !== undefined) await requireFile(io, "--save", save);
  const startedAt = io.now();
  const schedules: RunSchedule[] = [];

  async function writePage(file: string, survival: Survival, end: FinishedRun & ShopService): Promise<void> {
    const durationMs = io.now() - startedAt;
    const { receiverAnswers } = await import("../../../../checks/survive/receiver-answers.js");
    const receiver = survival.isGone
      ? "The shop no longer answered when its cases were sent."
      : await receiverAnswers({ ...end, real: io.real, uuid: io.random, pause: io.pause });
    const { reportHtml } = await import("../../../../checks/survive/report/report-html.js");
    const command = [io.program, ...io.argv.map(shellWord)].join(" ");
    const versions = { "qa-pay": VERSION, "Node.js": io.nodeVersion, Platform: `${io.platform} ${process.arch}` };
    const secrets = [end.apiKey, end.webhookSecret];
    const html = reportHtml({ survival, command, startedAt, durationMs, schedules, receiver, versions, secrets });
    await writeReport(io, file, html);
  }

  /** Returns the line about it for a person. */
  async function saveCharge(
    file: string,
    { failures }: Survival,
    { baseUrl, apiKey }: ShopService,
  ): Promise<TerminalText> {
    const found = failures.find(({ charge }) => charge !== null);
    if (found === undefined || found.charge === null) {
      const why = failures.length === 0 ? "Nothing failed" : "No failure concerns a charge";
      return say`${why}, so ${file} was not written.\n`;
    }
    const { captureCharge, buildFileText } = await import("../incident/save.js");
    const connection = ownConnection(baseUrl, apiKey, { command: "survive" });
    const captured = await captureCharge(io, connection, found.charge, {});
    const { text } = await buildFileText(io, connection, asShopGot(captured, found.handed), false);
    await writeReport(io, file, text, OWNER_ONLY);
    const { oracle, schedule } = found;
    const next = say`\`qa-pay incident test ${shellWord(file)}\` writes a test for it.`;
    return say`The charge of ${oracle} in schedule ${schedule} is in ${file}. ${next}\n`;
  }

  return {
    /** Call it for each schedule. */
    ran: (schedule: RunSchedule) => void schedules.push(schedule),
    /** Call it while the shop and the service still run. Returns what to say at the end. */
    async end(survival: Survival, end: FinishedRun & ShopService): Promise<TerminalText> {
      if (report !== undefined) await writePage(report, survival, end);
      return save === undefined ? say`` : saveCharge(save, survival, end);
    },
  };
}
