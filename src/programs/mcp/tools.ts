import type { Tool } from "@modelcontextprotocol/server";
import { type Contract, isFileOperation } from "../../base/kernel/contract.js";
import { answerShape } from "../../service/openapi/answer-shape.js";
import { createSchemaWriter, type JsonSchema } from "../../service/openapi/schemas.js";
import { argumentsOf, inlined, inputSchema } from "./arguments.js";
import type { HostContext } from "./service-port.js";

/** The operations of the registry as tools. */

export type OperationTool = ReturnType<typeof toolOf>;

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

/** The name of an operation's tool: the words of its id joined by `_`. Many agents refuse dots, and some refuse dashes. */
export function toolName(operationId: string): string {
  return operationId.replace(/[.-]/g, "_");
}

export function toolOf(contract: Contract) {
  return {
    name: toolName(contract.id),
    contract,
    arguments: argumentsOf(contract),
    outputSchema: outputSchema(contract),
    answer: answerShape(contract),
    /** True when a call changes nothing, neither at the service nor on this machine. */
    isRead: contract.method === "GET" && !isFileOperation(contract),
    /** True when a call may send something to a receiver, if it is asked to. */
    mayProve: false,
  };
}

/** True for what cannot be undone: something is deleted, or the operation itself says what is lost. */
function isDestructive({ method, loses, upload }: Contract): boolean {
  return method === "DELETE" || upload !== undefined || loses !== undefined;
}

function description({ contract }: OperationTool): string {
  const { method, path, auth, preview, loses, summary } = contract;
  return [
    `${summary}. ${method} ${path}`,
    contract.description,
    ...(loses === undefined ? [] : [loses]),
    ...(auth === "jwt" ? ["It needs a user who is logged in: call auth_login first."] : []),
    ...(preview === undefined ? [] : [`A preview: a server answers it only when started with --preview ${preview}.`]),
  ].join("\n");
}

/** The tool as the protocol lists it. `withAnswer` adds the schema of its answer. */
export function listed(tool: OperationTool, { isEmulator, readOnly }: HostContext, withAnswer: boolean): Tool {
  const { method, summary } = tool.contract;
  const isRead = tool.isRead && !(tool.mayProve && isEmulator && readOnly === null);
  return {
    name: tool.name,
    title: summary,
    description: description(tool),
    inputSchema: inputSchema(tool.arguments),
    ...(tool.outputSchema === undefined || !withAnswer ? {} : { outputSchema: tool.outputSchema }),
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      destructiveHint: !tool.isRead && isDestructive(tool.contract),
      idempotentHint: method !== "POST",
      // Banks and payers stand behind a real service. Nothing stands behind an emulator.
      openWorldHint: !isEmulator,
    },
  };
}

/**
 * Tells whether a tool is of use now: no simulators without an emulator, no changes in a read-only session, and no preview
 * that the host does not serve.
 */
export function isOffered({ contract, isRead }: OperationTool, situation: HostContext): boolean {
  const { isEmulator, readOnly, previews } = situation;
  const { surface, preview } = contract;
  const isServed = preview === undefined || previews.includes(preview);
  return isServed && (isEmulator || surface === "api") && (isRead || readOnly === null);
}
