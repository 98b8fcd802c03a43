import * as z from "zod";
import { createSchemaWriter } from "../../service/openapi/schemas.js";
import { inlineReferences } from "./arguments.js";
import { type AgentTool, answerSchema, toolName } from "./tools.js";

/** `serve --detach` as a tool, for an agent that begins in a folder without a server. */

const TITLE = "Start an emulator for this folder in the background";

const DESCRIPTION =
  "Starts the service on this machine for the folder of this session, unless its server runs already, and answers its address. No " +
  "money is real there. Then the sandbox_ tools are offered, and every tool goes to it. Data and keys stay in the folder (.qa-pay), and " +
  "the server goes on when this session ends, until the command in `stop` ends it. The command in `env` prints the address, the test key and " +
  "the webhook secret for the program that you write.";

const Started = z.object({
  url: z.string().describe("Its address, for the program that you write"),
  started: z.boolean().describe("False when it ran already"),
  env: z.string().describe("The command that prints address, test key and webhook secret"),
  console: z.string().describe("The command that prints a link for a person"),
  stop: z.string().nullable().describe("The command that stops it; null for one that is not of this folder"),
});

const writer = createSchemaWriter();
const id = "emulator.start";

export const emulatorStartTool: AgentTool = {
  id,
  name: toolName(id),
  title: TITLE,
  description: `${TITLE}.\n${DESCRIPTION}`,
  arguments: [],
  outputSchema: answerSchema(inlineReferences(writer.write(Started, "output"), writer.components)),
  traits: ({ mayStart }) => (mayStart ? { isRead: false, isDestructive: false, isRepeatable: true } : null),
  changes: () => true,
  run: async (port, _given, signal) => ({ answer: await port.startEmulator(signal) }),
};
