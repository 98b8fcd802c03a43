import type { CallToolResult } from "@modelcontextprotocol/server";
import { isFileOperation } from "../../base/kernel/contract.js";
import { isJsonObject, isTooDeep, MAX_DEPTH } from "../../base/kernel/json.js";
import { checkNames, WrongArguments } from "./arguments.js";
import { toolRequest } from "./request.js";
import type { PortAnswer, PortError, ServicePort } from "./service-port.js";
import type { OperationTool } from "./tools.js";

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

/** The token of a login stays in the session, which sends it. The agent does not need it. */
const KEPT = "(kept by this session)";

function resultOf({ contract }: OperationTool, outcome: PortAnswer, key: string | null): CallToolResult {
  if ("failure" in outcome) return errorResult(outcome.failure);
  const { text, requestId } = outcome;
  const known = { "qa-pay/request-id": requestId, "qa-pay/idempotency-key": key };
  const _meta = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  if (text === "") return { content: [{ type: "text", text: "Done." }], _meta };
  const given: unknown = JSON.parse(text);
  const answer = contract.id === "auth.login" && isJsonObject(given) ? { ...given, token: KEPT } : given;
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
    _meta,
  };
}

/** Calls a tool. `signal` ends the exchange with the service. Does not throw for mistakes that the agent can correct. */
export async function callTool(
  port: ServicePort,
  tool: OperationTool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const readOnly = await port.readOnly();
  if (readOnly !== null && (!tool.isRead || given.prove === true)) {
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
    if (isFileOperation(tool.contract)) {
      const file = given.file === undefined ? undefined : String(given.file);
      return resultOf(tool, await port.moveFile({ contract: tool.contract, name: String(given.name), file }), null);
    }
    if (tool.mayProve) {
      const { contract } = tool;
      return resultOf(tool, await port.why({ contract, id: String(given.id), prove: given.prove === true }), null);
    }
    const request = toolRequest(tool, given, () => port.random());
    return resultOf(tool, await port.send(request, signal), request.key?.value ?? null);
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    return refusalResult("invalid_arguments", error.message, error.hint, error.param);
  }
}
