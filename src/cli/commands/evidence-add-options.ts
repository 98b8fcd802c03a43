import type { Command } from "commander";
import type { QaCommand } from "../help.js";
import type { Io } from "../io.js";

/** Declares `med evidence add`: the three steps of an upload as one command. */
export function addEvidenceAdd(evidence: Command, io: Io): void {
  const command = evidence
    .command("add")
    .description("Upload a file as evidence: ticket, file and confirmation in one")
    .argument("<id>", "Id of the MED case: med_…")
    .argument("<file>", "PNG, JPEG, WebP, GIF or PDF of at most 10 MB") as QaCommand;
  command.sends = true;
  command.example = "qa-pay med evidence add med_0198… invoice.pdf";
  command
    .usage("<id> <file> [flags]")
    .addHelpText("after", `\nExamples:\n  $ ${command.example}`)
    .action(async (id: string, file: string) => {
      const { addEvidence } = await import("./evidence-add.js");
      await addEvidence(io, id, file, command.optsWithGlobals());
    });
}
