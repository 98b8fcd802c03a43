import { PassThrough } from "node:stream";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { CliOptions, CliOutcome, TestCli } from "./cli.js";
import type { Loose } from "./emulator.js";

/** An agent: the protocol's own client, connected with the command `mcp` inside the test's process. */
export interface Agent {
  readonly client: Client;
  /** The names of the listed tools. */
  names(): Promise<string[]>;
  /** A call that must succeed. Returns the structured answer, or null for an answer without content. */
  call(name: string, given?: Record<string, unknown>): Promise<Loose>;
  /** A call that must fail with an error of the tool. Returns the error envelope. */
  fail(name: string, given?: Record<string, unknown>): Promise<Loose>;
  result(name: string, given?: Record<string, unknown>): Promise<CallToolResult>;
  /** Ends the input of the command, as an agent does. Resolves with what the command left. */
  close(): Promise<CliOutcome>;
}

export async function startAgent(
  cli: TestCli,
  words: readonly string[] = [],
  options: CliOptions = {},
): Promise<Agent> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = cli.run(["mcp", ...words], { ...options, streams: { input, output } });
  const client = new Client({ name: "test", version: "1.0.0" });
  // The other half of a conversation over two streams is the same code with the streams exchanged.
  await client.connect(new StdioServerTransport(output, input));
  const result = (name: string, given: Record<string, unknown> = {}) => client.callTool({ name, arguments: given });
  return {
    client,
    result,
    async names() {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    async call(name, given) {
      const { isError, content, structuredContent } = await result(name, given);
      if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
      return structuredContent ?? null;
    },
    async fail(name, given) {
      const { isError, content, structuredContent } = await result(name, given);
      if (isError !== true) throw new Error(`${name} did not fail: ${JSON.stringify(content)}`);
      // Version 1 of the official client throws away an error whose structured content does not fit the tool's answer.
      if (structuredContent !== undefined) throw new Error(`${name} failed with structured content`);
      const [text, ...more] = content;
      if (text?.type !== "text" || more.length > 0) throw new Error(`${name} failed without a text`);
      return JSON.parse(text.text);
    },
    async close() {
      await client.close();
      input.end();
      return ended;
    },
  };
}
