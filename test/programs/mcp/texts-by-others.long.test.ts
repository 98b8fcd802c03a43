import { beforeAll, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { type Contract, isFileOperation } from "../../../src/base/kernel/contract.js";
import { isJsonObject } from "../../../src/base/kernel/json.js";
import { MARK } from "../../../src/programs/mcp/texts-by-others.js";
import { toolName } from "../../../src/programs/mcp/tools.js";
import { userOf } from "../../support/access.js";
import { type Agent, startAgent } from "../../support/agent.js";
import type { Loose } from "../../support/emulator.js";
import { fillWithHostileTexts } from "../../support/hostile-objects.js";
import { startReceiver } from "../../support/receiver.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** What customers, shops and receivers have written is marked as data in what an agent reads. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
let agent: Agent;
let collector: string;

beforeAll(async () => {
  collector = (await emulator.sandbox("/collectors", { events: ["charge.created", "charge.paid"] })).id;
  const receiver = await startReceiver();
  await fillWithHostileTexts(emulator, receiver);
  await receiver.close();
  agent = await startAgent(cli, ["--tools", "all"]);
  return () => agent.close();
});

/** The places of the hostile text in an answer, as the note names them. */
function hostilePlaces(value: unknown, place = ""): string[] {
  if (typeof value === "string") return value.includes("window.hostile") ? [place] : [];
  if (Array.isArray(value)) return value.flatMap((item) => hostilePlaces(item, `${place}[]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    hostilePlaces(member, place === "" ? name : `${place}.${name}`),
  );
}

function unmarked({ [MARK]: note = "", ...answer }: Loose): string[] {
  const named = /are in (.*)\.$/.exec(note)?.[1]?.split(", ") ?? [];
  const isNamed = (place: string) =>
    named.some((one) => place === one || (/^[.[]/.test(place.slice(one.length)) && place.startsWith(one)));
  return [...new Set(hostilePlaces(answer))].filter((place) => !isNamed(place));
}

const reads = registry
  .map(({ contract }) => contract as Contract)
  .filter((one) => one.method === "GET" && !isFileOperation(one));

it("in the answer of every operation that reads", async () => {
  await agent.call("auth_login", { ...userOf(emulator) });
  const [medCase] = (await agent.call("med_list")).data;
  const ids: Record<string, unknown> = {
    sandbox_deliveries_get: (await agent.call("sandbox_deliveries_list")).data[0].id,
    sandbox_events_get: (await agent.call("sandbox_events")).data[0].id,
    sandbox_emails_get: (await agent.call("sandbox_emails")).data[0].id,
    sandbox_requests_get: (await agent.call("sandbox_requests")).data[0].number,
    sandbox_refunds_get: (await agent.call("sandbox_refunds_list")).data[0].id,
    sandbox_payouts_get: (await agent.call("sandbox_payouts_list")).data[0].id,
    sandbox_accounts_get: (await agent.call("sandbox_accounts_list")).data[0].id,
    sandbox_collectors_webhooks: collector,
    med_get: medCase.id,
    med_evidence_list: medCase.id,
  };
  const found: Record<string, string[]> = {};
  const refused: string[] = [];
  let hostile = 0;
  for (const { id: operation, path } of reads) {
    const name = toolName(operation);
    const parameter = /\{(\w+)\}/.exec(path)?.[1];
    const search = name === "sandbox_search" ? { q: "window" } : {};
    const given = parameter === undefined ? search : { [parameter]: ids[name] ?? medCase.charge_id };
    const { isError, structuredContent } = await agent.result(name, given);
    if (isError === true) {
      refused.push(name);
      continue;
    }
    hostile += hostilePlaces(structuredContent).length;
    const left = unmarked(structuredContent as Loose);
    if (left.length > 0) found[name] = left;
  }
  expect(found).toEqual({});
  expect(refused).toEqual([]);
  expect(hostile).toBeGreaterThan(40);
});
