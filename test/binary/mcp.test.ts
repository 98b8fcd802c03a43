import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, newPlace, QA_PAY, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { shared } from "../support/shared.js";

/** The built `qa-pay mcp`, as an agent starts it: in the folder of a project, with nothing configured. */

const place = shared(newPlace);
let server: Server;
let receiver: Receiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([serve(place), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), receiver.close()]);
});

async function connected(
  mode: "legacy" | "auto",
): Promise<{ client: Client; call(name: string, given: object): Promise<Loose> }> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const env = { ...place.env, QA_PAY_BASE_URL: server.url, QA_PAY_API_KEY: server.ready.test_key };
  const [command, ...args] = [...QA_PAY, "mcp", "--quiet"];
  await client.connect(new StdioClientTransport({ command, args, env, cwd: place.folder, stderr: "pipe" }));
  return {
    client,
    async call(name, given) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
      expect([name, isError === true ? content : "fine"]).toEqual([name, "fine"]);
      return structuredContent;
    },
  };
}

it.each(["legacy", "auto"] as const)(
  "an agent creates a charge, pays it and sees the webhook arrive (%s protocol)",
  async (mode) => {
    const { client, call } = await connected(mode);
    const before = receiver.received.length;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("sandbox_charges_pay");
    const endpoint = await call("webhooks_endpoints_create", { url: receiver.url, events: ["charge.paid"] });
    const { id } = await call("charges_create", { amount: 1990 });
    expect(await call("sandbox_charges_pay", { id })).toMatchObject({ outcome: "paid" });
    const received = await receiver.waitFor(before + 1);
    expect(received.at(-1)).toMatchObject({ type: "charge.paid", body: { data: { object: { id } } } });
    const { data } = await call("sandbox_deliveries_list", { subject: id, event_type: "charge.paid" });
    expect(data).toHaveLength(1);
    await call("webhooks_endpoints_delete", { id: endpoint.id });
    await client.close();
  },
);

it("answers every request that came before the end of its input, prints nothing but the protocol, and ends with 0", async () => {
  const env = { QA_PAY_BASE_URL: server.url, QA_PAY_API_KEY: server.ready.test_key };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const create = (id: number) => {
    const call = { name: "charges_create", arguments: { amount: 700 } };
    return { jsonrpc: "2.0", id, method: "tools/call", params: call };
  };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...[2, 3, 4].map(create),
  ];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { code, out } = await run(place, ["mcp", "--verbose"], { env, input });
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = answers.map(({ id, result }) => [id, result.structuredContent?.status]).sort();
  expect([code, told]).toEqual([0, [[1, undefined], ...[2, 3, 4].map((id) => [id, "pending"])]]);
});

it("ends with exit 0 on SIGTERM while its input is open", async () => {
  const { child, ended } = launch(place, [...QA_PAY, "mcp"]);
  child.stderr.on("data", () => child.kill("SIGTERM"));
  expect((await ended).code).toBe(0);
});
