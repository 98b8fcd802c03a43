import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isNameOf } from "../../base/kernel/names.js";
import texts from "./prompts.json" with { type: "json" };

/** Requests that users make often, as prompts that they pick from a menu of their agent. */

/** `canTest`: the tool that tests receivers is offered. */
export function prompts(canTest: boolean): Prompt[] {
  return Object.entries(texts)
    .filter(([name]) => canTest || name !== "test-receiver")
    .map(([name, { title, description, argument }]) => {
      return { name, title, description, arguments: [{ ...argument, required: true }] };
    });
}

/** Throws ProtocolError when no prompt has this name, and when its argument is missing. */
export function promptFor(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const chosen = isNameOf(texts, name) ? texts[name] : undefined;
  if (chosen === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const { argument, description, text } = chosen;
  const value = given[argument.name]?.trim() ?? "";
  if (value === "") throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${argument.name} is required.`);
  return {
    description,
    messages: [{ role: "user", content: { type: "text", text: text.replace("{value}", () => value) } }],
  };
}
