import { didYouMean } from "../../base/kernel/nearest.js";
import type { AgentTool } from "./tools.js";

/** Chooses the tools that a session offers. Each definition takes context of the agent, used or not. */

/** The tools to build and debug an integration; tests hold them to 30 tools and 60 kB of definitions. */
const CORE: readonly string[] = [
  "emulator.start",
  "charges.create",
  "charges.get",
  "payments.create",
  "payments.get",
  "payments.list",
  "payments.refund",
  "webhooks.endpoints.create",
  "webhooks.endpoints.list",
  "webhooks.endpoints.delete",
  "sandbox.charges.pay",
  "sandbox.charges.fail",
  "sandbox.refunds.advance",
  "sandbox.med.open",
  "sandbox.med.decide",
  "sandbox.clock.advance",
  "sandbox.timeline",
  "why",
  "reconcile",
  "sandbox.search",
  "sandbox.requests",
  "sandbox.deliveries.list",
  "sandbox.deliveries.get",
  "sandbox.deliveries.resend",
  "sandbox.collectors.create",
  "sandbox.collectors.webhooks",
  "sandbox.receivers.test",
  "sandbox.faults.add",
  "sandbox.faults.clear",
  "sandbox.reset",
];

/** The tools of a session, or the mistake in the text of `--tools` and what to do next. */
export type Choice = ReturnType<typeof selectionOf>;
export type Selection = Extract<Choice, { readonly tools: unknown }>;

/** The tools that one word of `--tools` names. An id is also taken in the spelling of its tool. */
function toolsNamed(word: string, all: readonly AgentTool[]): readonly AgentTool[] {
  if (word === "all") return all;
  if (word === "core") return all.filter(({ id }) => CORE.includes(id));
  return all.filter(({ id, name }) => id === word || name === word);
}

function unknown(word: string, all: readonly AgentTool[]) {
  const ids = all.map(({ id }) => id);
  // The aliases of MED cases need no tools of their own.
  const alias = word.replace(/^infractions\b/, "med");
  const meant = ids.includes(alias) ? `Did you mean ${alias}?` : didYouMean(word, ["core", "all", ...ids]);
  const known = "`qa-pay openapi --sandbox` has the ids, as operationId.";
  return {
    unknown: `--tools takes core, all or ids of operations, not ${word === "" ? "an empty text" : word}.`,
    hint: [meant, known].filter((text) => text !== undefined).join(" "),
  };
}

/** The tools that the text of `--tools` names, in the order of the registry. */
export function selectionOf(text: string, all: readonly AgentTool[]) {
  const words = text.split(",").map((word) => word.trim());
  const wrong = words.find((word) => toolsNamed(word, all).length === 0);
  if (wrong !== undefined) return unknown(wrong, all);
  const wanted = new Set(words.flatMap((word) => toolsNamed(word, all)));
  const tools = new Map(all.filter((tool) => wanted.has(tool)).map((tool) => [tool.name, tool]));
  // The schemas of answers are more than half of a definition, and an agent sees each answer itself.
  return { tools, withAnswers: !words.includes("core") };
}
