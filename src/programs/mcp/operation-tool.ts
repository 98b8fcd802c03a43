import { type Contract, isFileOperation } from "../../base/kernel/contract.js";
import { answerShape } from "../../service/openapi/answer-shape.js";
import { createSchemaWriter, type JsonSchema } from "../../service/openapi/schemas.js";
import { argumentsOf, inlineReferences } from "./arguments.js";
import { toolRequest } from "./request.js";
import { type AgentTool, answerSchema, toolName } from "./tools.js";

/** The operations of the registry as tools. */

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
  return answerSchema(inlineReferences(writer.write(success.schema, "output"), writer.components));
}

/** What cannot be undone although nothing is deleted: money that leaves, and what ends or stops working for good. */
const FINAL: ReadonlySet<string> = new Set([
  "payments.refund",
  "payments.cancel",
  "med.accept",
  "api-keys.rotate",
  "webhooks.endpoints.rotate-secret",
]);

/** Calls of these set what they name, so a second one finds it as it is. */
const SETS: ReadonlySet<string> = new Set([
  "sandbox.reset",
  "sandbox.chaos",
  "sandbox.clock.freeze",
  "sandbox.clock.resume",
  "sandbox.clock.speed",
  "sandbox.snapshots.restore",
  "auth.logout",
]);

function isDestructive({ id, method, upload, loses }: Contract): boolean {
  return method === "DELETE" || method === "PATCH" || upload !== undefined || loses !== undefined || FINAL.has(id);
}

function description(contract: Contract): string {
  const { method, path, auth, preview, loses, summary } = contract;
  return [
    `${summary}. ${method} ${path}`,
    contract.description,
    ...(loses === undefined ? [] : [loses]),
    ...(auth === "jwt" ? ["It needs a user who is logged in: call auth_login first."] : []),
    ...(preview === undefined ? [] : [`A preview: a server answers it only when started with --preview ${preview}.`]),
  ].join("\n");
}

/** The tool of an operation. Its call throws WrongArguments for a value that cannot be sent. */
export function toolOf(contract: Contract) {
  const { id, method, surface, preview } = contract;
  const isFile = isFileOperation(contract);
  const isRead = method === "GET" && !isFile;
  const traits = {
    isRead,
    isDestructive: isDestructive(contract),
    isRepeatable: method !== "POST" || SETS.has(id),
  };
  const request = { name: toolName(id), contract, arguments: argumentsOf(contract), answer: answerShape(contract) };
  return {
    ...request,
    id,
    title: contract.summary,
    description: description(contract),
    outputSchema: outputSchema(contract),
    changes: () => !isRead,
    traits({ isEmulator, previews }) {
      const isServed = preview === undefined || previews.includes(preview);
      return isServed && (isEmulator || surface === "api") ? traits : null;
    },
    async run(port, given, signal) {
      if (isFile) {
        const file = given.file === undefined ? undefined : String(given.file);
        return { answer: await port.moveFile({ contract, name: String(given.name), file }) };
      }
      const sent = toolRequest(request, given, () => port.random());
      const answer = await port.send(sent, signal);
      return { answer, ...(sent.key === null ? {} : { key: sent.key.value }) };
    },
  } satisfies AgentTool & { readonly contract: Contract };
}
