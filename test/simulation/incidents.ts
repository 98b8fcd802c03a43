import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestCli } from "../support/cli.js";
import { exchange } from "../support/exchange.js";
import { tellings } from "../support/incident.js";
import type { Receiver } from "../support/receiver.js";
import { begin } from "../support/running.js";
import { chanceOf } from "./chance.js";
import { type Ask, type Host, type Loose, startHost } from "./host.js";
import { Simulation } from "./simulation.js";
import { drawStep } from "./steps/index.js";
import type { Storage } from "./storage.js";

/** Stories of the simulation, saved as incidents, replayed and compared. */

const STEPS = 110;

export interface Figures {
  stories: number;
  webhooks: number;
  /** Parts of timelines that were compared. */
  parts: number;
  /** Values that no masked file may hold. */
  values: number;
  kinds: Map<string, number>;
}

/** The same request with the data of a person in it. A repetition, which has the same key, names the same one. */
function withPerson(ask: Ask): Ask {
  const body = ask.body as Loose;
  const own = ask.headers?.["idempotency-key"] ?? ask.path;
  const draw = createHash("sha256").update(own).digest("hex").slice(0, 8);
  const name = `Zuleide ${draw.replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)))} Ximenes`;
  if (ask.method !== "POST" || typeof body?.amount === "string") return ask;
  if (/^\/v1\/(?:pix\/)?charges$/.test(ask.path) && typeof body?.amount === "number") {
    const phone = `+5511${91_000_0000 + (Number.parseInt(draw, 16) % 8_000_000)}`;
    const customer = { ...body.customer, name, email: `${draw}@correio.com.br`, phone };
    return { ...ask, body: { ...body, customer } };
  }
  return /\/pay$/.test(ask.path) && ask.raw === undefined ? { ...ask, body: { ...body, payer_name: name } } : ask;
}

/** Every value of the source that is a person's or a secret, in the forms that a file could have. */
function secretsOf({ rows }: Loose, secrets: readonly string[]): Set<string> {
  const [charge] = rows.transactions;
  const { customer_name, customer_document, customer_email, customer_phone, payer_name, payer_document } = charge;
  const documents = [customer_document, payer_document, charge.expected_payer_tax_id, charge.customer_tax_id];
  const keys = [...rows.refunds.map(({ destination_key: key }: Loose) => key), rows.accounts[0].pix_key];
  const names = [customer_name, payer_name].flatMap((name) => (name ? [name, ...name.split(" ")] : []));
  const all = [...names, ...documents, ...keys, customer_email, customer_phone, ...secrets].filter(Boolean).map(String);
  const bare = [...documents, customer_phone].filter(Boolean).map((text) => String(text).replace(/\W/g, ""));
  return new Set([...all, ...bare].filter((text) => text.length > 3));
}

interface Comparison {
  readonly cli: TestCli;
  readonly receiver: Receiver;
  readonly figures: Figures;
}

/** Saves, replays and compares one story. Returns what is wrong. */
async function wrongIn(host: Host, arrived: ReadonlySet<string>, one: Loose, by: Comparison): Promise<string[]> {
  const { cli, receiver, figures } = by;
  const wrong: string[] = [];
  const save = async (name: string, ...flags: string[]) => {
    const words = ["incident", "save", one.id, "--output", name, "--base-url", host.url, "--api-key", one.key, "--yes"];
    const { code, err } = await cli.run([...words, ...flags]);
    if (code !== 0) throw new Error(`${one.id} is not saved: ${err}`);
    return readFileSync(join(cli.folder, name), "utf8");
  };
  const kept = JSON.parse(await save("kept.json", "--keep-personal-data"));
  const masked = await save("masked.json");
  const values = secretsOf(kept, [host.signingSecret, one.key]);
  figures.values += values.size;
  wrong.push(...[...values].filter((value) => masked.includes(value)).map((value) => `the file has ${value}`));

  receiver.received.length = 0;
  const screen: string[] = [];
  const words = ["incident", "replay", "kept.json", "--forward-to", receiver.url, "--serve", "--json"];
  const running = await begin(cli, words, { screen });
  const line = (begins: string) => screen.find((text) => text.startsWith(begins));
  try {
    while (line('{"event":"ready"') === undefined) {
      await Promise.race([running.ended, new Promise((resolve) => setImmediate(resolve))]);
      if (await Promise.race([running.ended.then(() => true), Promise.resolve(false)])) break;
    }
    const told = JSON.parse(line('{"subject"') ?? "{}");
    if (told.url === undefined) return [...wrong, `it is not replayed: ${(await running.ended).err}`];
    const ask = async (url: string, apikey: string) =>
      JSON.parse((await exchange(`${url}/_sandbox/timeline/${one.id}`, { headers: { apikey } })).text);
    const then = tellings(await ask(host.url, one.key));
    const now = tellings(await ask(told.url, told.api_key));
    figures.parts += then.length;
    for (const { kind } of then) figures.kinds.set(kind, (figures.kinds.get(kind) ?? 0) + 1);
    if (now.length !== then.length) wrong.push(`the timeline has ${now.length} parts, not ${then.length}`);
    const at = then.findIndex((part, place) => JSON.stringify(part) !== JSON.stringify(now[place]));
    if (at !== -1) wrong.push(`${JSON.stringify(then[at])} became ${JSON.stringify(now[at])}`);
    figures.webhooks += receiver.received.length;
    if (receiver.received.length !== told.sent.length) wrong.push("not every webhook came");
    wrong.push(...receiver.received.filter(({ raw }) => !arrived.has(raw)).map(({ raw }) => `another body: ${raw}`));
  } finally {
    await running.stop();
  }
  const { code, err } = await cli.run(["incident", "replay", "masked.json"]);
  if (code !== 0) wrong.push(`the masked file is not replayed: ${err}`);
  return wrong;
}

/** Runs one simulation and compares the stories of up to `most` of its charges, the longest first. Returns what is wrong. */
export async function wrongStories(seed: number, most: number, storage: Storage, by: Comparison): Promise<string[]> {
  const host = await startHost(seed, storage);
  const ask = host.ask.bind(host);
  Object.assign(host, { ask: (one: Ask) => ask(withPerson(one)) });
  const simulation = await Simulation.start(host, new Map());
  try {
    const chance = chanceOf(seed);
    for (let taken = 0; taken < STEPS; taken++) {
      const step = drawStep(chance);
      if (!["reset", "restore a snapshot"].includes(step.kind)) await simulation.take(step);
    }
    await simulation.end();
    const stories: Loose[] = [];
    for (const one of simulation.charges) {
      const timeline = await ask({ method: "GET", path: `/_sandbox/timeline/${one.id}`, key: one.key });
      stories.push({ ...one, length: timeline?.body.items.length });
    }
    stories.sort((a, b) => b.length - a.length);
    const wrong: string[] = [];
    for (const one of stories.slice(0, most)) {
      by.figures.stories += 1;
      const found = await wrongIn(host, simulation.arrived, one, by);
      wrong.push(...found.map((text) => `seed ${seed}, ${one.id}: ${text}`));
    }
    return wrong;
  } finally {
    await simulation.close();
  }
}
