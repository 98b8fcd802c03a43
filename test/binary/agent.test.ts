import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, it } from "vitest";
import { processIo } from "../../src/programs/cli/terminal/io.js";
import { verifyWebhook } from "../../src/service/webhooks/index.js";
import { newPlace, QA_PAY, run } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { fresh } from "../support/shared.js";

/** The built `qa-pay mcp` in an empty folder, where the agent starts the server itself. */

const place = fresh(newPlace);
const { isRunning } = processIo();
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await run(place, ["stop"]);
});

async function agent(...words: readonly string[]) {
  const client = new Client({ name: "test", version: "1.0.0" });
  clients.push(client);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  const [command, ...args] = [...QA_PAY, "mcp", "--quiet", ...words];
  const transport = new StdioClientTransport({ command, args, env: place.env, cwd: place.folder, stderr: "pipe" });
  await client.connect(transport);
  const answers: string[] = [];
  return {
    client,
    /** Everything that the agent has read. */
    answers,
    changes: () => changes,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name: string, given: object = {}): Promise<Loose> {
      const result = await client.callTool({ name, arguments: { ...given } });
      answers.push(JSON.stringify(result));
      expect([name, result.isError === true ? result.content : "fine"]).toEqual([name, "fine"]);
      return result.structuredContent;
    },
  };
}

const project = (): Loose => JSON.parse(readFileSync(join(place.folder, ".qa-pay", "server.json"), "utf8"));

it("gets from an empty folder to a paid order with a verified webhook in six calls, the start of the server among them", async () => {
  const { call, names, changes, answers, client } = await agent("--no-color");
  expect(await names()).not.toContain("sandbox_charges_pay");
  const started = await call("emulator_start");
  expect(changes()).toBe(1);
  expect(await names()).toEqual(expect.arrayContaining(["sandbox_charges_pay", "emulator_start"]));
  const { id: collector, secret } = await call("sandbox_collectors_create", { events: ["charge.paid"] });
  const charge = await call("charges_create", { amount: 1990, metadata: { order: "42" } });
  expect((await call("sandbox_charges_pay", { id: charge.id })).outcome).toBe("paid");
  await call("sandbox_clock_advance", { seconds: 0 });
  const [webhook] = (await call("sandbox_collectors_webhooks", { id: collector })).data;
  expect(answers).toHaveLength(6);
  const event = verifyWebhook({ body: webhook.body, headers: webhook.headers, secret });
  expect(event).toMatchObject({ type: "charge.paid", data: { object: { id: charge.id, metadata: { order: "42" } } } });

  const { url, pid, test_key, live_key, signing_secret } = project();
  expect(started).toMatchObject({ url, started: true, stop: expect.stringMatching(/ stop$/) });
  for (const secret of [test_key, live_key, signing_secret, "password", "console/open"])
    expect(answers.join()).not.toContain(secret);
  // A second call, and another session, find the server that runs.
  expect(await call("emulator_start")).toMatchObject({ url, started: false });
  await client.close();
  expect(isRunning(pid)).toBe(true);
  const other = await agent();
  expect(await other.call("emulator_start")).toMatchObject({ url, started: false });
  expect((await other.call("charges_get", { id: charge.id })).status).toBe("paid");
  expect(project().pid).toBe(pid);
});

it("starts one server for two calls at once, at a free port when another program has the usual one", async () => {
  const taken = createServer().listen(4600, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve).once("error", resolve));
  const { call } = await agent();
  const both = await Promise.all([call("emulator_start"), call("emulator_start")]);
  expect(both.map(({ started }) => started).sort()).toEqual([false, true]);
  expect(both[0].url).toBe(both[1].url);
  expect(both[0].url).not.toMatch(/:4600$/);
  taken.close();
});

it("starts the server that stopped again at the address of .env, with its payments", async () => {
  const { call } = await agent();
  const { url } = await call("emulator_start");
  const { id } = await call("charges_create", { amount: 500 });
  const { test_key } = project();
  await run(place, ["stop"]);
  writeFileSync(join(place.folder, ".env"), `QA_PAY_BASE_URL=${url}\nQA_PAY_API_KEY=${test_key}\n`);
  const second = await agent();
  expect(await second.names()).toContain("emulator_start");
  expect(await second.call("emulator_start")).toMatchObject({ url, started: true });
  // A session that has seen it run notices that it stopped.
  await run(place, ["stop"]);
  expect(await second.call("emulator_start")).toMatchObject({ url, started: true });
  expect((await second.call("charges_get", { id })).id).toBe(id);
});

it("ends a server that was starting when the agent cancels the call, and leaves nothing running", async () => {
  const { client, call } = await agent();
  const cancel = new AbortController();
  const starting = client.callTool({ name: "emulator_start", arguments: {} }, { signal: cancel.signal });
  const log = join(place.folder, ".qa-pay", "serve.log");
  await expect.poll(() => existsSync(log), { timeout: 30_000, interval: 5 }).toBe(true);
  cancel.abort();
  await expect(starting).rejects.toThrow();
  // It waits until the cancelled start has ended.
  expect(await call("emulator_start")).toMatchObject({ started: true });
  const servers = await run(place, ["doctor"]);
  expect(servers.out).toContain(project().url);
});

it("says why a server does not start", async () => {
  writeFileSync(join(place.folder, ".qa-pay"), "no folder");
  const { client } = await agent();
  const { isError, content } = await client.callTool({ name: "emulator_start", arguments: {} });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("serve.log cannot be written")]);
});
