import { EXIT, usage } from "../../terminal/failure.js";
import { say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { createServicePort } from "./service-port.js";

export const command = defineCommand({
  command: "mcp",
  summary: "Offer the operations to an agent, as tools (Model Context Protocol on standard input and output)",
  flags: {
    "--tools <names>": {
      about: "core, all or ids of operations, comma-separated; core is enough to build and debug an integration",
      default: "core",
    },
    "--read-only": "send only requests that change nothing",
  },
  examples: [
    "qa-pay mcp",
    "qa-pay mcp --tools core,payments.cancel",
    "qa-pay mcp --tools all --read-only --profile staging",
  ],
  sends: true,
  globals: { json: false, quiet: true, dryRun: false },
}).run(async (call) => {
  const { io, flags } = call;
  if (flags.apiKey === "-") throw usage("--api-key - would read standard input, which the agent uses.");
  const { chosenTools, serveMcp } = await import("../../../mcp/server.js");
  const selection = chosenTools(flags.tools);
  if ("unknown" in selection) throw usage(selection.unknown, selection.hint);
  const port = createServicePort(call, [...selection.tools.values()]);
  const { host, mode, isEmulator, readOnly } = await port.situation();
  const streams = io.streams();
  const serving = serveMcp(port, selection, streams, (error) => io.err(say`${error.message}\n`));
  io.onStop(() => void serving.close());
  const notify = (text: string) => flags.quiet || io.err(say`${text}\n`);
  const facts = [...(mode === null ? [] : [`${mode} key`]), isEmulator ? "an emulator" : "not known as an emulator"];
  notify(`Tools for ${host ?? "a server that does not run yet"} (${facts.join(", ")}).`);
  if (readOnly !== null) notify(`Nothing is changed. ${readOnly}`);
  if (io.isTerminal) notify("This command waits for an agent on standard input. Ctrl-C ends it.");
  await serving.closed;
  // An open standard input would keep the process alive.
  streams.input.destroy();
  return EXIT.done;
});
