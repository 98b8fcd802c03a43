import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { argumentsOf } from "../../../src/programs/mcp/arguments.js";
import { toolName } from "../../../src/programs/mcp/tools.js";
import { userOf } from "../../support/access.js";
import { type Agent, startAgent } from "../../support/agent.js";
import { prepareCall } from "../../support/calls.js";
import type { Loose } from "../../support/emulator.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Every operation, called by an agent. The agent's client checks each answer against the output schema of its tool. */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
let agent: Agent;
let signingSecret: string;

beforeAll(async () => {
  signingSecret = (await emulator.sandbox("/account")).signing_secret;
  agent = await startAgent(cli, ["--tools", "all"]);
  await agent.names();
});
afterAll(async () => {
  await agent.close();
});

/** The arguments of the tool for a call, as an agent gives them: values of the query with their types. */
async function given(contract: Contract): Promise<Record<string, unknown>> {
  const call = await prepareCall(contract.id, emulator);
  const query: Loose = Object.fromEntries(new URLSearchParams(call.query ?? ""));
  const values = { path: call as Loose, query, body: (call.body ?? {}) as Loose, key: {}, file: {} };
  const fields = argumentsOf(contract).map(({ name, place, field }) => [name, values[place as "path"]?.[field]]);
  const all = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  if (contract.id === "sandbox.snapshots.export") return { ...all, file: "exported.db" };
  if (contract.id !== "sandbox.snapshots.import") return all;
  writeFileSync(join(cli.folder, "mine.db"), call.raw as Uint8Array);
  return { ...all, file: "mine.db" };
}

it.each(contracts.map((contract) => [toolName(contract.id), contract] as const))(
  "%s answers what the service answers",
  async (name, contract) => {
    await emulator.sandbox("/clock/freeze");
    if (contract.auth === "jwt") await agent.call("auth_login", { ...userOf(emulator) });
    const { isError, content, structuredContent } = await agent.result(name, await given(contract));
    expect([isError, isError === true ? content : null]).toEqual([undefined, null]);
    expect(structuredContent === undefined).toBe(contract.success.status === 204);
    const text = JSON.stringify(content);
    expect(text).not.toContain(emulator.key);
    // An operation that reveals a secret says so in its contract.
    if (contract.secrets === undefined) expect(text).not.toContain(signingSecret);
  },
);

it("the token of a login stays in the session", async () => {
  const answer = await agent.call("auth_login", { ...userOf(emulator) });
  expect(answer.token).toBe("(kept by this session)");
  expect(answer.user.role).toBe("OWNER");
  await agent.call("api_keys_list");
  await agent.call("auth_logout");
  expect((await agent.fail("api_keys_list")).error).toMatchObject({
    code: "unauthorized",
    hint: expect.stringMatching(/auth_login/),
  });
});

it("an exported snapshot is a file of this machine, and a missing file is refused", async () => {
  await agent.call("sandbox_snapshots_save", { name: "kept" });
  const { file, size } = await agent.call("sandbox_snapshots_export", { name: "kept", file: "kept.db" });
  expect(file).toBe(join(cli.folder, "kept.db"));
  expect(readFileSync(file)).toHaveLength(size);
  const { error } = await agent.fail("sandbox_snapshots_import", { name: "other", file: "none.db" });
  expect(error.message).toContain("none.db");
});
