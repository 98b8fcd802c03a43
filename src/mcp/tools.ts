import type { Tool } from "@modelcontextprotocol/server";
import { type Contract, isFileOperation } from "../kernel/contract.js";
import { createSchemaWriter, type JsonSchema } from "../openapi/schemas.js";
import { type Argument, argumentsOf, inputSchema } from "./arguments.js";
import type { AnswerShape, Situation } from "./desk.js";
import { inlined } from "./inlined.js";

/** The operations of the registry as tools. */

export interface OperationTool {
  readonly name: string;
  readonly contract: Contract;
  readonly arguments: readonly Argument[];
  readonly outputSchema: JsonSchema | undefined;
  readonly answer: AnswerShape;
  /** True when a call changes nothing, neither at the service nor on this machine. */
  readonly isRead: boolean;
}

/** The answer of an export: the file is too large for a message. */
const WRITTEN: JsonSchema = {
  type: "object",
  properties: {
    file: { type: "string", description: "Path of the file that was written" },
    size: { type: "integer", description: "Its bytes" },
  },
  required: ["file", "size"],
};

function outputSchema({ success }: Contract): JsonSchema | undefined {
  if (success.file !== undefined) return WRITTEN;
  if (success.status === 204) return undefined;
  const writer = createSchemaWriter();
  return inlined(writer.write(success.schema, "output"), writer.components);
}

function answerShape(schema: JsonSchema | undefined): AnswerShape {
  if (schema === undefined) return { type: "nothing", has: [] };
  if (schema.type === "array") return { type: "array", has: [] };
  const required: readonly string[] = Array.isArray(schema.required) ? schema.required : [];
  return { type: "object", has: required.includes("id") ? ["id"] : required.slice(0, 1) };
}

/** The name of an operation's tool: its id with `_` for `.`. */
export function toolName(operationId: string): string {
  return operationId.replaceAll(".", "_");
}

export function toolOf(contract: Contract): OperationTool {
  const schema = outputSchema(contract);
  return {
    name: toolName(contract.id),
    contract,
    arguments: argumentsOf(contract),
    outputSchema: schema,
    answer: answerShape(schema),
    isRead: contract.method === "GET" && !isFileOperation(contract),
  };
}

/** True for what cannot be undone: something is deleted, or the operation itself says what is lost. */
function isDestructive({ method, cli, upload }: Contract): boolean {
  return method === "DELETE" || upload !== undefined || cli?.confirms !== undefined;
}

function description({ contract }: OperationTool): string {
  const { method, path, auth, preview, cli, summary } = contract;
  return [
    `${summary}. ${method} ${path}`,
    contract.description,
    ...(cli?.confirms === undefined ? [] : [cli.confirms]),
    ...(auth === "jwt" ? ["It needs a user who is logged in: call auth_login first."] : []),
    ...(preview === undefined ? [] : [`A preview: a server answers it only when started with --preview ${preview}.`]),
  ].join("\n");
}

/** The tool as the protocol lists it. */
export function listed(tool: OperationTool, { isEmulator }: Situation): Tool {
  const { method, summary } = tool.contract;
  return {
    name: tool.name,
    title: summary,
    description: description(tool),
    inputSchema: inputSchema(tool.arguments),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    annotations: {
      title: summary,
      readOnlyHint: tool.isRead,
      destructiveHint: !tool.isRead && isDestructive(tool.contract),
      idempotentHint: method !== "POST",
      // Banks and payers stand behind a real service. Nothing stands behind an emulator.
      openWorldHint: !isEmulator,
    },
  };
}

/** Tells whether a tool is of use now: no simulators without an emulator, and no changes in a read-only session. */
export function isOffered({ contract, isRead }: OperationTool, { isEmulator, readOnly }: Situation): boolean {
  return (isEmulator || contract.surface === "api") && (isRead || readOnly === null);
}
