import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Requests that users make often, as prompts that they pick from a menu of their agent. */

const PROMPTS = {
  "what-happened": {
    title: "What happened to a payment",
    description: "Explains what happened to a charge, payment, refund, payout or MED case, and why",
    argument: { name: "id", description: "Its id, such as ch_… or tx_…" },
    text: (id: string) =>
      `Find out what happened to ${id} and explain it to me in order of time, with the reason of each step.\n\n` +
      "Use sandbox_timeline if there is that tool. Otherwise read the object and its refunds, the MED cases and the " +
      "webhook deliveries. Say which webhooks were sent, what my receiver answered, and what is still due. Change nothing.",
  },
  "test-receiver": {
    title: "Test my receiver of webhooks",
    description: "Tests how a receiver of webhooks copes with what can go wrong, and advises what to change",
    argument: { name: "url", description: "Its address, such as http://127.0.0.1:3000/webhooks" },
    text: (url: string) =>
      `Test my receiver of webhooks at ${url}.\n\n` +
      "Call sandbox_receivers_test with this url. Explain each case that failed, find the code of the receiver in this " +
      "project, and propose the change that mends it. When I have agreed to the change, test again.",
  },
} as const;

/** `canTest`: the tool that tests receivers is offered. */
export function prompts(canTest: boolean): Prompt[] {
  return Object.entries(PROMPTS)
    .filter(([name]) => canTest || name !== "test-receiver")
    .map(([name, { title, description, argument }]) => {
      return { name, title, description, arguments: [{ ...argument, required: true }] };
    });
}

/** Throws ProtocolError when no prompt has this name, and when its argument is missing. */
export function promptFor(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const chosen = Object.hasOwn(PROMPTS, name) ? PROMPTS[name as keyof typeof PROMPTS] : undefined;
  if (chosen === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const { argument, description, text } = chosen;
  const value = given[argument.name]?.trim() ?? "";
  if (value === "") throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${argument.name} is required.`);
  return { description, messages: [{ role: "user", content: { type: "text", text: text(value) } }] };
}
