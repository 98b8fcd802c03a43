import { ResourceNotFoundError } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Agent, startAgent } from "../../support/agent.js";
import { testCli } from "../../support/cli.js";
import { PATIENCE } from "../../support/patience.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { hmac, settle, subscribe } from "../../support/webhooks.js";

/** A session of an agent with `qa-pay mcp`. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli();
let agents: Agent[] = [];
const hosts: Host[] = [];

afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function agentAt(url: string, key: string, ...words: readonly string[]): Promise<Agent> {
  const agent = await startAgent(cli, ["--base-url", url, "--api-key", key, ...words]);
  agents.push(agent);
  return agent;
}
const onEmulator = (...words: readonly string[]) => agentAt(emulator.url, emulator.key, ...words);

async function hostWith(listener: Parameters<typeof startHost>[0]): Promise<Host> {
  const host = await startHost(listener);
  hosts.push(host);
  return host;
}

const payments = async () => (await emulator.call("GET", "/v1/payments")).body;

it("answers in the two forms that agents read, with the request id and the key beside them", async () => {
  const agent = await onEmulator();
  const { content, structuredContent, _meta } = await agent.result("charges_create", { amount: 100 });
  expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  expect(_meta).toMatchObject({
    "qa-pay/request-id": expect.stringMatching(/^req_/),
    "qa-pay/idempotency-key": expect.stringMatching(/.{8,}/),
  });
});

it("a call with the idempotency key of an earlier one creates nothing", async () => {
  const agent = await onEmulator();
  const given = { amount: 100, idempotency_key: "order-0001" };
  const first = await agent.call("charges_create", given);
  expect(await agent.call("charges_create", given)).toEqual(first);
  const { error, request_id } = await agent.fail("charges_create", { ...given, amount: 200 });
  expect(error).toMatchObject({
    type: "conflict_error",
    code: "idempotency_key_reused",
    hint: expect.stringMatching(/Leave the/),
  });
  expect(request_id).toMatch(/^req_/);
  const payment = { amount: 100, currency: "BRL", paymentMethods: ["PIX"], idempotencyKey: "order-0002" };
  expect(await agent.call("payments_create", payment)).toEqual(await agent.call("payments_create", payment));
});

it("a refusal of the service is an error of the tool, with its type, code, field, request id and what to do next", async () => {
  const agent = await onEmulator();
  const { error, request_id } = await agent.fail("charges_create", { amount: "much" });
  expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_amount", param: "amount" });
  expect(error.hint).toContain("Correct the arguments");
  expect(request_id).toMatch(/^req_/);
  expect((await agent.fail("charges_get", { id: "ch_none" })).error).toMatchObject({ code: "not_found" });
});

it("an id is taken in every form, in a path, a query and a body", async () => {
  const agent = await onEmulator("--tools", "all");
  const { id, checkout_url, pix } = await agent.call("charges_create", { amount: 100 });
  const raw = id.slice(3);
  const forms = [id, `tx_${raw}`, raw, id.toUpperCase(), `\`${id}\`.`, `\u200b${id}\u2060`, checkout_url, pix.br_code];
  for (const form of forms) {
    expect((await agent.call("payments_get", { id: form })).id).toBe(raw);
    expect((await agent.call("charges_get", { id: form })).id).toBe(id);
    expect((await agent.call("why", { id: form })).code).toBe("waiting_for_payer");
    expect((await agent.call("med_list", { charge_id: form })).data).toEqual([]);
  }
  await agent.call("sandbox_charges_pay", { id: `tx_${raw}` });
  expect((await agent.call("payments_refund", { id, amount: 40 })).amount).toBe(40);
  expect((await agent.call("sandbox_med_open", { charge_id: `tx_${raw}` })).charge_id).toBe(id);
});

it("a text that is no id is not changed", async () => {
  const agent = await onEmulator("--tools", "all");
  const name = "0123456789abcdef0123456789abcdef";
  await agent.call("sandbox_snapshots_save", { name });
  expect(await agent.call("sandbox_snapshots_delete", { name })).toBeNull();
});

it("wrong arguments are refused before anything is sent, with the name that was meant", async () => {
  const agent = await onEmulator();
  const wrong = await agent.fail("charges_create", { amout: 100 });
  expect(wrong.error).toMatchObject({
    code: "invalid_arguments",
    param: "amout",
    hint: expect.stringMatching(/^Did you mean amount\?/),
  });
  expect((await agent.fail("charges_get")).error).toMatchObject({
    param: "id",
    message: expect.stringMatching(/^id is required/),
  });
  expect((await agent.fail("charges_get", { id: ".." })).error).toMatchObject({ param: "id" });
  const badKey = { amount: 100, idempotency_key: "chave-ção-€" };
  expect((await agent.fail("charges_create", badKey)).error).toMatchObject({ param: "idempotency_key" });
});

it("a parameter that is null counts as left out", async () => {
  const agent = await onEmulator();
  expect(await agent.call("payments_list", { limit: 2, status: null })).toHaveProperty("data");
});

it("by default the tools are what an agent needs to build and debug an integration", async () => {
  const agent = await onEmulator();
  const { tools } = await agent.client.listTools();
  // At another host than its folder's, a session cannot start a server: that is one of the 30.
  expect(tools).toHaveLength(29);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(60_000);
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["charges_create", "payments_refund", "sandbox_reset", "reconcile", "why"]),
  );
  expect(agent.client.getInstructions()).toMatch(/30 of \d+ tools are offered here; `qa-pay mcp --tools all`/);
  const { error } = await agent.fail("payments_cancel", { id: "tx_1" });
  expect(error).toMatchObject({ code: "not_offered", hint: expect.stringContaining("--tools core,payments.cancel") });
});

describe("why", () => {
  /** A delivery that a receiver refused, which puts the body before the timestamp. */
  async function refusedDelivery(): Promise<{ readonly id: string; readonly requests: () => number }> {
    let count = 0;
    let secret = "";
    const receiver = await hostWith(async (incoming, outgoing) => {
      count += 1;
      const body = (await incoming.toArray()).join("");
      const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(incoming.headers["x-qa-signature"])) ?? [];
      outgoing.writeHead(v1 === hmac(secret, `${body}.${t}`) ? 204 : 401).end();
    });
    ({ secret } = await subscribe(emulator, receiver.url, ["charge.paid"]));
    const { id } = await emulator.charge({ amount: 100 });
    await emulator.sandbox(`/charges/${id}/pay`);
    await settle(emulator);
    const { data } = (await emulator.call("GET", `/_sandbox/webhooks/deliveries?subject=${id}`)).body;
    return { id: data[0].id, requests: () => count };
  }

  it("sends nothing, unless `prove` is true", async () => {
    const { id, requests } = await refusedDelivery();
    const agent = await onEmulator();
    const before = requests();
    const answer = await agent.call("why", { id });
    expect(answer).toMatchObject({ id, code: "receiver_refused_signature", command: expect.stringContaining(id) });
    expect(requests()).toBe(before);
    const { text } = await agent.call("why", { id, prove: true });
    expect(text).toContain("It puts the body before the timestamp");
    expect((await agent.fail("why", { id: "wd_none" })).error).toMatchObject({ code: "not_found" });
  });

  it("says truthfully whether it only reads, and proves nothing in a session that may not", async () => {
    const { id, requests } = await refusedDelivery();
    const hint = async (agent: Agent) =>
      (await agent.client.listTools()).tools.find(({ name }) => name === "why")?.annotations?.readOnlyHint;
    const reader = await onEmulator("--read-only");
    expect([await hint(await onEmulator()), await hint(reader)]).toEqual([false, true]);
    const before = requests();
    expect((await reader.fail("why", { id, prove: true })).error.code).toBe("read_only");
    expect([(await reader.call("why", { id })).code, requests()]).toEqual(["receiver_refused_signature", before]);
  });
});

it("--tools chooses the tools by the ids of their operations", async () => {
  const agent = await onEmulator("--tools", "payments.cancel, api-keys.list,charges_get");
  expect((await agent.names()).sort()).toEqual(["api_keys_list", "charges_get", "payments_cancel"]);
  expect((await agent.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["what-happened"]);
  expect(agent.client.getInstructions()).not.toMatch(/sandbox_(charges|timeline|clock)/);
  const more = await onEmulator("--tools", "core,payments.cancel");
  expect(await more.names()).toHaveLength(30);
});

it.each([
  ["payments.refnd", "Did you mean payments.refund?"],
  ["infractions.list", "Did you mean med.list?"],
  ["core,", "not an empty text"],
  ["everything", "has the ids, as operationId"],
])("--tools %s is refused: %s", async (given, told) => {
  expect(await cli.run(["mcp", "--tools", given])).toMatchObject({
    ...{ code: 2, out: "" },
    err: expect.stringContaining(told),
  });
});

it("a preview is offered where the host serves it, and is called only when it was chosen", async () => {
  const asked: unknown[] = [];
  let isServed = false;
  const { url } = await hostWith(({ url: path }, response) => {
    asked.push(path);
    response.writeHead(isServed && path?.startsWith("/v1/charges") ? 200 : 404).end("{}");
  });
  const all = async () => (await agentAt(url, `qa_test_${isServed}`, "--tools", "charges.list,charges.get")).names();
  expect(await all()).toEqual(["charges_get"]);
  isServed = true;
  expect((await all()).sort()).toEqual(["charges_get", "charges_list"]);
  expect(asked.filter((path) => path === "/v1/charges?limit=1")).toHaveLength(2);
  asked.length = 0;
  await (await agentAt(url, "qa_test_core")).names();
  expect(asked).toEqual(["/_sandbox"]);
});

it("an unknown tool is an error of the protocol", async () => {
  const agent = await onEmulator();
  await expect(agent.result("charges_destroy")).rejects.toThrow("There is no tool charges_destroy.");
});

it.each([
  { why: "--read-only", words: ["--read-only"], live: false, told: "--read-only" },
  { why: "a live key", words: [], live: true, told: "qa-pay mcp --yes" },
])("with $why nothing is changed", async ({ words, live, told }) => {
  const agent = await agentAt(emulator.url, live ? emulator.live : emulator.key, ...words);
  const before = await payments();
  const names = await agent.names();
  expect(names).toContain("charges_get");
  expect(names).not.toContain("charges_create");
  expect(agent.client.getInstructions()).toContain("The session is read-only.");
  const { error } = await agent.fail("charges_create", { amount: 100 });
  expect(error).toMatchObject({ code: "read_only", message: expect.stringContaining(told) });
  const all = await agentAt(emulator.url, live ? emulator.live : emulator.key, "--tools", "all", ...words);
  expect((await all.fail("sandbox_snapshots_export", { name: "a" })).error.code).toBe("read_only");
  await agent.call("webhooks_endpoints_list");
  expect(await payments()).toEqual(before);
});

it("with a live key and --yes changes are sent, and --read-only is stronger", async () => {
  const agent = await agentAt(emulator.url, emulator.live, "--yes");
  expect(await agent.call("charges_create", { amount: 100 })).toMatchObject({ status: "pending" });
  const reader = await agentAt(emulator.url, emulator.live, "--yes", "--read-only");
  expect((await reader.fail("charges_create", { amount: 100 })).error.code).toBe("read_only");
});

it("a read-only profile changes nothing, even with --yes", async () => {
  const add = ["profiles", "add", "watch", "--base-url", emulator.url, "--api-key", emulator.key, "--read-only"];
  await cli.run(add);
  const agent = await startAgent(cli, ["--profile", "watch", "--yes"]);
  agents.push(agent);
  expect((await agent.fail("charges_create", { amount: 100 })).error.message).toContain(
    "Its profile watch is read-only",
  );
});

const REAL: Parameters<typeof startHost>[0] = ({ url }, response) => {
  const isKnown = url === "/v1/webhooks/endpoints";
  response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json", "x-request-id": "req_7" });
  const error = { type: "not_found_error", code: "not_found", message: "No." };
  response.end(JSON.stringify(isKnown ? { data: [] } : { error, request_id: "req_7" }));
};

it("a host that is no emulator gets no simulators", async () => {
  const { url } = await hostWith(REAL);
  const agent = await agentAt(url, "qa_test_of-a-real-one");
  const names = await agent.names();
  expect(names).toContain("charges_create");
  expect(names.filter((name) => name.startsWith("sandbox_"))).toEqual([]);
  const { error } = await agent.fail("sandbox_charges_pay", { id: "ch_1" });
  expect(error).toMatchObject({ code: "no_emulator", message: expect.stringContaining(url) });
  expect((await agent.client.listResourceTemplates()).resourceTemplates).toEqual([]);
  expect(await agent.call("webhooks_endpoints_list")).toEqual({ data: [] });
});

it("the simulators are offered once an emulator starts after the session", async () => {
  let isStarted = false;
  const { url } = await hostWith((request, response) => {
    if (!isStarted) response.writeHead(503).end();
    else if (request.url === "/_sandbox") response.end('{"emulator":"qa-pay","mode":"test"}');
    else REAL(request, response);
  });
  const agent = await agentAt(url, "qa_test_anything");
  expect(await agent.names()).not.toContain("sandbox_charges_pay");
  const told = new Promise<void>((resolve) => {
    agent.client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
  });
  isStarted = true;
  await agent.call("webhooks_endpoints_list");
  await told;
  expect(await agent.names()).toContain("sandbox_charges_pay");
});

it("without a server the tools are there, and a call says how to start one", async () => {
  const agent = await startAgent(cli);
  agents.push(agent);
  expect(await agent.names()).toContain("charges_create");
  expect((await agent.fail("charges_create", { amount: 100 })).error.hint).toContain("qa-pay serve");
  const nowhere = await agentAt("http://127.0.0.1:9", "qa_test_none");
  const { error } = await nowhere.fail("charges_create", { amount: 100 });
  expect(error).toMatchObject({
    code: "unreachable",
    hint: expect.stringMatching(/qa-pay serve.*Nothing was changed\./),
  });
});

it("when the outcome is unknown, the error names the key for a safe repetition", async () => {
  const keys: unknown[] = [];
  const { url } = await hostWith(({ method, headers }, response) => {
    if (method === "POST") keys.push(headers["idempotency-key"]);
    response.destroy();
  });
  const agent = await agentAt(url, "qa_test_none");
  const { error, request_id } = await agent.fail("charges_create", { amount: 100 });
  expect(keys).toHaveLength(1);
  expect(error).toMatchObject({ code: "unreachable", hint: expect.stringContaining(`idempotency_key ${keys[0]}`) });
  expect(request_id).toBeNull();
});

it("a request ends with its time, and with the agent's cancellation", async () => {
  let closed: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const arrived = vi.fn();
  const { url } = await hostWith((request, response) => {
    if (request.url !== "/v1/webhooks/endpoints") return response.writeHead(404).end();
    arrived();
    response.on("close", closed);
    return undefined;
  });
  const agent = await agentAt(url, "qa_test_none");
  const cancel = new AbortController();
  const call = agent.client.callTool({ name: "webhooks_endpoints_list", arguments: {} }, { signal: cancel.signal });
  await vi.waitUntil(() => arrived.mock.calls.length > 0, PATIENCE);
  cancel.abort();
  await expect(call).rejects.toThrow();
  await gone;
  const hasty = await agentAt(url, "qa_test_none", "--request-timeout", "20ms");
  expect((await hasty.fail("webhooks_endpoints_list")).error).toMatchObject({
    code: "unreachable",
    hint: expect.stringMatching(/again/),
  });
});

it("does not follow a change of the current profile to another host", async () => {
  const { url } = await hostWith(REAL);
  const own = testCli();
  for (const [name, host] of [
    ["one", emulator.url],
    ["two", url],
  ] as const) {
    await own.run(["profiles", "add", name, "--base-url", host, "--api-key", emulator.key]);
  }
  await own.run(["profiles", "use", "one"]);
  const agent = await startAgent(own);
  await agent.call("webhooks_endpoints_list");
  await own.run(["profiles", "use", "two"]);
  const { error } = await agent.fail("webhooks_endpoints_list");
  expect(error).toMatchObject({
    message: expect.stringMatching(/profile, one.*profile, two/),
    hint: expect.stringMatching(/start the MCP server again/),
  });
  await own.run(["profiles", "use", "one"]);
  await agent.call("webhooks_endpoints_list");
  await agent.close();
  own.remove();
});

it("offers the rules of the service, the OpenAPI document and prompts", async () => {
  const { client } = await onEmulator();
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of resources) {
    const [content] = (await client.readResource({ uri })).contents;
    expect(content).toMatchObject({ uri, mimeType, text: expect.stringMatching(/^(# |\{)/) });
  }
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["what-happened", "test-receiver"]);
  const { messages } = await client.getPrompt({ name: "what-happened", arguments: { id: "ch_1" } });
  expect(JSON.stringify(messages)).toContain("ch_1");
  await expect(client.getPrompt({ name: "what-happened", arguments: {} })).rejects.toThrow("id is required");
  await expect(client.readResource({ uri: "qa-pay://service/none.md" })).rejects.toThrow(ResourceNotFoundError);
  await expect(client.readResource({ uri: "qa-pay://timeline/ch_none" })).rejects.toThrow("ch_none");
});

it("ends with the agent, prints on standard error alone and never the key", async () => {
  const agent = await startAgent(cli, ["--base-url", emulator.url, "--api-key", emulator.key, "--verbose"]);
  await agent.call("webhooks_endpoints_list");
  const { code, out, err } = await agent.close();
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain("Tools for ");
  expect(err).toContain("/v1/webhooks/endpoints");
  expect(err).not.toContain(emulator.key);
});

it("--api-key - and --dry-run are refused", async () => {
  expect(await cli.run(["mcp", "--api-key", "-"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/which the agent uses/),
  });
  expect(await cli.run(["mcp", "--dry-run"])).toMatchObject({ code: 2, out: "" });
});
