import { type Command, Option } from "commander";
import { profilesCommand } from "./commands/profiles-options.js";
import { addServiceFlags } from "./commands/serve-options.js";
import type { QaCommand } from "./help.js";
import type { Io } from "./io.js";

/**
 * Commands that are no single operation of the service. Each is declared in full only when the command line names it,
 * and what it does is loaded only when it runs.
 */
export interface LocalCommand {
  readonly name: string;
  readonly summary: string;
  declare(command: QaCommand, context: Context): void;
}

interface Context {
  readonly io: Io;
  /** The exit code; `exec` ends with that of its command. */
  readonly finish: (code: number) => void;
  readonly tree: () => WordNode;
}

/** One word of the command line, with what may follow it. */
export interface WordNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly WordFlag[];
  readonly children: readonly WordNode[];
}

export interface WordFlag {
  /** With its dashes. */
  readonly name: string;
  /** The next word is its value. */
  readonly takesValue: boolean;
  /** All that it may be, or that an item of it may be; nothing when anything may. */
  readonly values: readonly string[];
}

function example(command: QaCommand, ...lines: readonly string[]): void {
  command.example = lines[0];
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}

/** Commands that ask for more than one thing and change nothing have no request worth a look. */
const NOTHING_TO_SHOW = { dryRun: false };

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
    tail.exceptions = NOTHING_TO_SHOW;
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
    show.exceptions = NOTHING_TO_SHOW;
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
    command.exceptions = NOTHING_TO_SHOW;
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

const exec: LocalCommand = {
  name: "exec",
  summary: "Run a command against a service of its own, in memory, and stop it again",
  declare(command, { io, finish }) {
    command
      .argument("<command...>", "the program and its arguments, behind two dashes")
      .usage("[flags] -- <command> [args...]")
      .option("--quiet", "nothing but what the command prints")
      .option("--port <number>", "port of the service; 0 takes any free one", "0")
      .option("--assert <condition>", "what must be true of the deliveries in the end; may be repeated", collect);
    addServiceFlags(command).action(async (words: string[]) => {
      const { exec: run } = await import("./commands/exec.js");
      finish(await run(io, words, { ...command.optsWithGlobals(), host: "127.0.0.1", db: ":memory:" }));
    });
    example(
      command,
      "qa-pay exec -- npm test",
      "qa-pay exec --forward-to http://localhost:3000/webhooks --assert 'every delivery 2xx within 5s' -- npm test",
      "qa-pay exec --seed small-shop -- sh -c 'curl -H \"apikey: $QA_PAY_API_KEY\" $QA_PAY_BASE_URL/v1/payments'",
    );
  },
};

const listen: LocalCommand = {
  name: "listen",
  summary: "Forward events of a running service to this machine, signed, without a tunnel",
  declare(command, { io, finish }) {
    command.sends = true;
    command.exceptions = NOTHING_TO_SHOW;
    command
      .usage("[flags]")
      .option("--forward-to <url>", "where events go that no route takes")
      .option("--route <pattern=url>", "where events of a kind go, such as charge.*=http://…; may be repeated", collect)
      .option("--events <names>", "only these (comma-separated; charge.* is a pattern)")
      .option("--timeout <duration>", "how long a receiver may take to answer", "30s")
      .option("--webhook-secret <secret>", "sign with this secret of 64 hexadecimal digits")
      .option("--print-secret", "print the signing secret and end")
      .option("--write-env <file>", "write the secret into this file as QA_PAY_WEBHOOK_SECRET, keeping the rest")
      .action(async () => {
        const { listen: run } = await import("./commands/listen.js");
        finish(await run(io, command.optsWithGlobals()));
      });
    example(
      command,
      "qa-pay listen --forward-to http://localhost:3000/webhooks",
      "qa-pay listen --route 'charge.*=http://localhost:3000/charges' --route 'med*=http://localhost:3001/med' --write-env .env",
    );
  },
};

const env: LocalCommand = {
  name: "env",
  summary: "Print address, key and webhook secret of the emulator, for an application",
  declare(command, { io, finish }) {
    command.sends = true;
    command.exceptions = NOTHING_TO_SHOW;
    command
      .usage("[flags]")
      .addOption(
        new Option("--format <form>", "form of the lines, dotenv when left out").choices(["dotenv", "shell", "json"]),
      )
      .action(async () => {
        const { printEnv } = await import("./commands/env.js");
        finish(await printEnv(io, command.optsWithGlobals()));
      });
    example(command, "qa-pay env >> .env", 'eval "$(qa-pay env --format shell)"');
  },
};

const trigger: LocalCommand = {
  name: "trigger",
  summary: "Make an event happen, by real objects that reach its state",
  declare(command, { io, finish }) {
    command.sends = true;
    command
      .argument("<event>", "name of the event, such as charge.paid")
      .usage("<event> [flags]")
      .option("--set <path=value>", "another value for a field, such as charge.amount=500; may be repeated", collect)
      .option("--charge <id>", "use this charge instead of a new one")
      .action(async (event: string) => {
        const { trigger: run } = await import("./commands/trigger.js");
        finish(await run(io, event, command.optsWithGlobals()));
      });
    example(
      command,
      "qa-pay trigger charge.paid",
      "qa-pay trigger payment.refunded --set charge.amount=5000 --set refund.amount=100",
      "qa-pay trigger charge.expired --charge ch_0198…",
    );
  },
};

const fixtures: LocalCommand = {
  name: "fixtures",
  summary: "Scripts of requests: list, run",
  declare(group, { io, finish }) {
    const list = group.command("list").description("List the scripts that come along") as QaCommand;
    list.usage("[flags]").action(async () => {
      const { listFixtures } = await import("./commands/trigger.js");
      finish(listFixtures(io, list.optsWithGlobals()));
    });
    example(list, "qa-pay fixtures list");
    const run = group.command("run").description("Run a script against the service") as QaCommand;
    run.sends = true;
    run
      .argument("<name_or_file>", "a name of `fixtures list`, or a JSON file of your own")
      .usage("<name_or_file> [flags]")
      .option("--set <path=value>", "another value for a field of a step; may be repeated", collect)
      .action(async (name: string) => {
        const { runFixtureFile } = await import("./commands/trigger.js");
        finish(await runFixtureFile(io, name, run.optsWithGlobals()));
      });
    example(run, "qa-pay fixtures run small-shop", "qa-pay fixtures run ./checkout.json --set charge.amount=500");
  },
};

const login: LocalCommand = {
  name: "login",
  summary: "Log in as a user of the account, to manage API keys",
  declare(command, { io, finish }) {
    command.sends = true;
    command
      .usage("[flags]")
      .option("--email <text>", "e-mail address of the user; asked for when left out")
      .option("--password-stdin", "read the password from standard input instead of asking for it")
      .action(async () => {
        const { logIn } = await import("./commands/login.js");
        finish(await logIn(io, command.optsWithGlobals()));
      });
    example(command, "qa-pay login", "qa-pay login --email owner@qa-pay.test --password-stdin < password.txt");
  },
};

const logout: LocalCommand = {
  name: "logout",
  summary: "End the login: its token stops working",
  declare(command, { io, finish }) {
    command.sends = true;
    command.usage("[flags]").action(async () => {
      const { logOut } = await import("./commands/login.js");
      finish(await logOut(io, command.optsWithGlobals()));
    });
    example(command, "qa-pay logout");
  },
};

const whoami: LocalCommand = {
  name: "whoami",
  summary: "Show who is logged in, and until when",
  declare(command, { io, finish }) {
    command.sends = true;
    command.exceptions = NOTHING_TO_SHOW;
    command.usage("[flags]").action(async () => {
      const { whoAmI } = await import("./commands/login.js");
      finish(await whoAmI(io, command.optsWithGlobals()));
    });
    example(command, "qa-pay whoami", "qa-pay whoami --json");
  },
};

export const LOCAL_COMMANDS: readonly LocalCommand[] = [
  ...[exec, listen, env, trigger, fixtures, logs, login, logout, whoami, profilesCommand],
  ...[api, doctor, completion],
];

/** `webhooks verify`, which needs no server. */
export function addVerify(webhooks: Command, io: Io, finish: (code: number) => void): void {
  const command = webhooks
    .command("verify")
    .description("Check the signature of a webhook, and say what is wrong with it") as QaCommand;
  command
    .argument("[file]", "the body exactly as it came; standard input when left out")
    .usage("[file] --secret <text> --signature <text> [flags]")
    .requiredOption("--secret <text|->", "secret of the endpoint, or - to read it from standard input")
    .requiredOption("--signature <text>", "value of the header X-QA-Signature")
    .option("--tolerance <duration>", "how old a timestamp may be", "5m")
    .option("--now <time>", "check as of this instant")
    .action(async (file: string | undefined) => {
      const { verifyWebhook } = await import("./commands/webhooks-verify.js");
      finish(await verifyWebhook(io, file, command.optsWithGlobals()));
    });
  example(command, 'qa-pay webhooks verify body.json --secret "$SECRET" --signature "t=1764000000,v1=0419da…"');
}

/** `webhooks test`, which needs neither a server nor a key. */
export function addWebhookTest(webhooks: Command, io: Io, finish: (code: number) => void): void {
  const command = webhooks
    .command("test")
    .description("Send a receiver what production will one day send it, and say how it answered") as QaCommand;
  command.exceptions = { quiet: true, yes: true, dryRun: true };
  command
    .argument("<url>", "address of the receiver")
    .usage("<url> --secret <text|-> [flags]")
    .requiredOption("--secret <text>", "secret that the receiver knows, or - to read it from standard input")
    .option("--old-secret <text>", "the secret before a rotation, to see whether it is still accepted")
    .option("--only <names>", "only these cases (comma-separated)")
    .option("--timeout <duration>", "how long to wait for each answer", "30s")
    .action(async (url: string) => {
      const { testWebhooks } = await import("./commands/webhooks-test.js");
      finish(await testWebhooks(io, url, command.optsWithGlobals()));
    });
  example(
    command,
    'qa-pay webhooks test http://localhost:3000/webhooks --secret "$SECRET"',
    "qa-pay webhooks test http://localhost:3000/webhooks --secret - --only same-event,stale-timestamp < secret.txt",
  );
}
