import type { CallToolResult } from "@modelcontextprotocol/server";
import { isTooDeep, MAX_DEPTH } from "../../base/kernel/json.js";
import { checkNames } from "./arguments.js";
import type { PortError, ServicePort } from "./service-port.js";
import { withMark } from "./texts-by-others.js";
import type { AgentTool, Given, Outcome } from "./tools.js";
import { WrongArguments } from "./wrong-arguments.js";

/** Calls of tools. A refusal of the service is a result with an error for the agent, not an error of the protocol. */

/**
 * An error is text alone: as structured content it would have to fit the schema of the tool's answer, and clients of the
 * official package throw the whole result away when it does not.
 */
function errorResult(failure: PortError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(failure) }] };
}

export function refusalResult(code: string, message: string, hint: string, param?: string): CallToolResult {
  const error = { type: "invalid_request_error", code, message, ...(param === undefined ? {} : { param }), hint };
  return errorResult({ error, request_id: null });
}

function resultOf({ answer, key }: Outcome): CallToolResult {
  if ("failure" in answer) return errorResult(answer.failure);
  const { text, requestId } = answer;
  const _meta = {
    ...(requestId === null ? {} : { "qa-pay/request-id": requestId }),
    ...(key === undefined ? {} : { "qa-pay/idempotency-key": key }),
  };
  if (text === "") return { content: [{ type: "text", text: "Done." }], _meta };
  // Clients that read one of the two forms read the mark too: several give only the structured content to their model.
  const structuredContent = withMark(JSON.parse(text));
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent, _meta };
}

/** Calls a tool. `signal` ends the exchange with the service. Does not throw for mistakes that the agent can correct. */
export async function callTool(
  port: ServicePort,
  tool: AgentTool,
  given: Given,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const readOnly = await port.readOnly();
  if (readOnly !== null && tool.changes(given)) {
    const hint = "Read with the other tools, or ask the user to allow changes.";
    return refusalResult(
      "read_only",
      `${tool.name} changes something, and this session is read-only. ${readOnly}`,
      hint,
    );
  }
  try {
    if (isTooDeep(given)) {
      const message = `The arguments are nested deeper than ${MAX_DEPTH} levels.`;
      return refusalResult("invalid_arguments", message, `Call ${tool.name} again with fewer levels.`);
    }
    checkNames(tool.name, tool.arguments, given);
    return resultOf(await tool.run(port, given, signal));
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    return refusalResult(error.code, error.message, error.hint, error.param);
  }
}
