import type { Command } from "commander";
import type { ExitCode } from "./exit-codes.js";
import type { QaCommand } from "./help.js";
import type { Io } from "./io.js";

/**
 * Commands that are no single operation of the service. Each is declared in full only when the command line names it,
 * and what it does is loaded only when it runs.
 */
interface LocalCommand {
  readonly name: string;
  readonly summary: string;
  declare(command: QaCommand, context: Context): void;
}

interface Context {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
  readonly tree: () => WordNode;
}

/** One word of the command line, with what may follow it. */
export interface WordNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
  readonly children: readonly WordNode[];
}

function example(command: QaCommand, ...lines: readonly string[]): void {
  command.example = lines[0];
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}

const collect = (value: string, before: string[] = []) => [...before, value];

const api: LocalCommand = {
  name: "api",
  summary: "Send any request to the service and print what it answers",
  declare(command, { io, finish }) {
    command.sends = true;
    command
      .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
      .argument("<path>", "path with its query, such as /v1/payments?limit=5")
      .usage("<method> <path> [flags]")
      .option("--data <json|@file|->", "body: JSON, a file with it, or - for standard input")
      .option("--header <name:value>", "another header; may be repeated", collect)
      .option("--idempotency-key <text>", "the header Idempotency-Key; made for a POST when not given")
      .option("--include", "print status and headers first")
      .action(async (method: string, path: string) => {
        const { callApi } = await import("./commands/api.js");
        finish(await callApi(io, method, path, command.optsWithGlobals()));
      });
    example(
      command,
      "qa-pay api GET '/v1/payments?limit=5'",
      'qa-pay api POST /v1/charges --data \'{"amount":1990,"payment_method":"pix"}\'',
    );
  },
};

const logs: LocalCommand = {
  name: "logs",
  summary: "Requests to the emulator, as they come in: tail, show",
  declare(logsCommand, { io, finish }) {
    const tail = logsCommand.command("tail").description("Follow the requests to /v1 live") as QaCommand;
    tail.sends = true;
    tail
      .usage("[flags]")
      .option("--method <name>", "only GET, POST, PATCH or DELETE")
      .option("--path <prefix>", "only paths that start like this")
      .option("--status <number>", "only this status")
      .action(async () => {
        const { tailLogs } = await import("./commands/logs.js");
        finish(await tailLogs(io, tail.optsWithGlobals()));
      });
    example(tail, "qa-pay logs tail", "qa-pay logs tail --path /v1/charges --status 400 --json");
    const show = logsCommand.command("show").description("Show one request with its bodies") as QaCommand;
    show.sends = true;
    show
      .argument("<request_id>", "Id of the request: req_…, or what your X-Request-Id said")
      .usage("<request_id> [flags]")
      .action(async (id: string) => {
        const { showLog } = await import("./commands/logs.js");
        finish(await showLog(io, id, show.optsWithGlobals()));
      });
    example(show, "qa-pay logs show req_0198…");
  },
};

const doctor: LocalCommand = {
  name: "doctor",
  summary: "Check this machine, the profile, the server and its ledger",
  declare(command, { io, finish }) {
    command.sends = true;
    command
      .usage("[flags]")
      .option("--db <file>", "database to look into", ".qa-pay/qa-pay.db")
      .action(async () => {
        const { doctor: run } = await import("./commands/doctor.js");
        finish(await run(io, command.optsWithGlobals()));
      });
    example(command, "qa-pay doctor", "qa-pay doctor --json");
  },
};

const completion: LocalCommand = {
  name: "completion",
  summary: "Print a completion script for bash, zsh or fish",
  declare(command, { io, finish, tree }) {
    command
      .argument("<shell>", "bash, zsh or fish")
      .usage("<shell>")
      .action(async (shell: string) => {
        const { completion: run } = await import("./commands/completion.js");
        finish(run(io, shell, tree()));
      });
    example(command, "qa-pay completion bash > ~/.local/share/bash-completion/completions/qa-pay");
  },
};

export const LOCAL_COMMANDS: readonly LocalCommand[] = [api, logs, doctor, completion];

/** `webhooks verify`, which needs no server. */
export function addVerify(webhooks: Command, io: Io, finish: (code: ExitCode) => void): void {
  const command = webhooks
    .command("verify")
    .description("Check the signature of a webhook, and say what is wrong with it") as QaCommand;
  command
    .argument("[file]", "the body exactly as it came; standard input when left out")
    .usage("[file] --secret <text> --signature <text> [flags]")
    .requiredOption("--secret <text>", "secret of the endpoint")
    .requiredOption("--signature <text>", "value of the header X-QA-Signature")
    .option("--tolerance <duration>", "how old a timestamp may be", "5m")
    .option("--now <time>", "check as of this instant")
    .action(async (file: string | undefined) => {
      const { verifyWebhook } = await import("./commands/webhooks-verify.js");
      finish(await verifyWebhook(io, file, command.optsWithGlobals()));
    });
  example(command, 'qa-pay webhooks verify body.json --secret "$SECRET" --signature "t=1764000000,v1=0419da…"');
}
