import type { Command } from "commander";
import type { ExitCode } from "../exit-codes.js";
import type { Io } from "../io.js";

export interface OpenApiFlags {
  readonly sandbox?: boolean;
  readonly preview?: string[];
}

/** Declares `openapi`. What it does is loaded only when it runs: it needs every schema of the service. */
export function addOpenApi(program: Command, io: Io, finish: (code: ExitCode) => void): void {
  program
    .command("openapi")
    .usage("[flags]")
    .description("print the OpenAPI 3.1 document of the service (needs no server)")
    .option("--sandbox", "with the emulator's own control interface, /_sandbox")
    .option("--preview <names...>", "with routes that are not released yet: charge-list")
    .addHelpText(
      "after",
      "\nExamples:\n  $ qa-pay openapi > openapi.json\n  $ qa-pay openapi --sandbox --preview charge-list",
    )
    .action(async (flags: OpenApiFlags) => {
      const { openApi } = await import("./openapi.js");
      finish(await openApi(io, flags));
    });
}
