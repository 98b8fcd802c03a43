import type { Tool } from "@modelcontextprotocol/server";
import type { Contract } from "../../base/kernel/contract.js";
import { isJsonObject } from "../../base/kernel/json.js";
import type { JsonSchema } from "../../service/openapi/schemas.js";
import { type Argument, inputSchema } from "./arguments.js";
import type { HostContext, PortAnswer, ServicePort } from "./service-port.js";
import { MARK } from "./texts-by-others.js";

/** A tool of a session, whatever is behind it: an operation, a command, or a server that is started. */

export type Given = Readonly<Record<string, unknown>>;

/** What clients ask a person about before a call: the annotations of the protocol. */
export interface Traits {
  readonly isRead: boolean;
  /** True when a call removes or replaces something, or cannot be undone. */
  readonly isDestructive: boolean;
  /** True when a second call with the same arguments changes nothing more. */
  readonly isRepeatable: boolean;
}

/** The answer of a call, and its idempotency key if it has one. */
export interface Outcome {
  readonly answer: PortAnswer;
  readonly key?: string;
}

export interface AgentTool {
  /** The operation behind it, if it is one. */
  readonly contract?: Contract;
  /** The name in `--tools`: the id of its operation, or the words of its own name. */
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** The schema of its answer; undefined for an answer without content. */
  readonly outputSchema: JsonSchema | undefined;
  /** The traits where the session goes now; null where the tool is of no use. */
  traits(situation: HostContext): Traits | null;
  /** True if a call with these arguments changes something, at the service or on this machine. */
  changes(given: Given): boolean;
  /** The names of the arguments are checked before. Throws WrongArguments for a value that cannot be sent. */
  run(port: ServicePort, given: Given, signal: AbortSignal): Promise<Outcome>;
}

/** The name of a tool: the words of its id joined by `_`. Many agents refuse dots, and some refuse dashes. */
export function toolName(id: string): string {
  return id.replace(/[.-]/g, "_");
}

/**
 * The schema of an answer as a tool has it. A list stands under `result`, because the protocol takes objects only, and every answer may have
 * a note about the texts in it.
 */
export function answerSchema(schema: JsonSchema): JsonSchema {
  const whole =
    schema.type === "array" ? { type: "object", properties: { result: schema }, required: ["result"] } : schema;
  return isJsonObject(whole.properties)
    ? { ...whole, properties: { ...whole.properties, [MARK]: { type: "string" } } }
    : whole;
}

/** Returns whether a tool is of use now: no changes in a read-only session, and nothing that the host does not serve. */
export function isOffered(tool: AgentTool, situation: HostContext): boolean {
  const traits = tool.traits(situation);
  return traits !== null && (traits.isRead || situation.readOnly === null);
}

/** The tool as the protocol lists it. `withAnswer` adds the schema of its answer. */
export function toListedTool(tool: AgentTool, situation: HostContext, withAnswer: boolean): Tool {
  const { name, title, description, outputSchema } = tool;
  const { isRead = true, isDestructive = false, isRepeatable = true } = tool.traits(situation) ?? {};
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.arguments),
    ...(outputSchema === undefined || !withAnswer ? {} : { outputSchema }),
    annotations: {
      title,
      readOnlyHint: isRead,
      destructiveHint: isDestructive,
      idempotentHint: isRepeatable,
      // Banks and payers stand behind a real service. Nothing stands behind an emulator.
      openWorldHint: !situation.isEmulator,
    },
  };
}
