import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import type { Client } from "../../../../api/client/types.js";
import { DAY } from "../../../../base/kernel/duration.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { shellWord } from "../../../../base/kernel/shell.js";
import type { Difference } from "../../../../checks/reconcile/judge.js";
import { BEHAVIOURS, type Behaviour, type Mix } from "../../../../checks/rush/plan.js";
import type { Rush, RushParts, RushPlan } from "../../../../checks/rush/rush.js";
import type { ShopOrder } from "../../../../checks/shop/shop.js";
import type { EventName } from "../../../../service/features/webhooks/catalogue.js";
import { progressReporter, saysMore } from "../../operation/progress.js";
import { buildServerOf, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT, type ExitCode, formatValue, suggestion, usage, wrongValue } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { readDuration } from "../../terminal/read-value.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { reportCasesOf } from "../differences.js";
import { serverLog } from "../serve/server-log.js";
import {
  eventsOf,
  neverRun,
  receiverHosts,
  SHOP_FLAGS,
  SHOP_VARIABLES,
  shopFailure,
  shopFrom,
  stopFailure,
  stopsOf,
  troubleOf,
} from "../shop-flags.js";
import { printRush } from "./print.js";

/** `rush`: a shop under load, and whether its orders are right in the end (docs/decisions/160-survive.md). */

const FLAGS = {
  ...SHOP_FLAGS,
  "--rate <orders/s>": { about: "customers per second", default: "10" },
  "--for <duration>": { about: "how long new customers keep coming", default: "30s" },
  "--mix <parts>": {
    about: `what they do: ${BEHAVIOURS.join(", ")}; duplicate sends that share of the webhooks twice`,
    default: "pay=85,expire=10,duplicate=5",
  },
  "--think <duration>": { about: "average time between the order and its payment", default: "1s" },
  "--settle <duration>": { about: "time that the shop has at the end to correct its orders", default: "30s" },
  "--seed <text>": "repeat the customers of another run with this text (default: a new one, which is shown)",
  ...REPORT_FLAGS,
} as const;

type RushFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

const FASTEST = 10_000;
const LONGEST_MS = DAY;
/** The first retry of a webhook comes after this time, not after ten seconds, so that retries are a part of a short run. */
const RETRY_MS = 1_000;

/** The report of each paid order. */
const REPORTED_EVENTS: readonly EventName[] = [
  "charge.created",
  "charge.paid",
  "payment.created",
  "payment.completed",
  "payment.status_changed",
];

function durationOf(flag: string, text: string, least: number): number {
  return readDuration(flag, text, "such as 30s or 5m", [least, LONGEST_MS]);
}

function mixOf(text: string): Mix {
  const pairs = text.split(",").map((pair): [Behaviour, number] => {
    const [name = "", weight = ""] = pair.split("=", 2).map(trimPasted);
    const part = BEHAVIOURS.find((one) => one === name);
    if (part === undefined) {
      throw usage(`--mix knows ${BEHAVIOURS.join(", ")}, not ${formatValue(name)}.`, suggestion(name, BEHAVIOURS));
    }
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(weight)) throw wrongValue("--mix", `parts such as ${part}=85`, pair.trim());
    return [part, Number(weight)];
  });
  const doubled = pairs.find(([part], at) => pairs.findIndex(([other]) => other === part) !== at);
  if (doubled !== undefined) throw usage(`--mix names ${doubled[0]} twice.`);
  if (!pairs.some(([, weight]) => weight > 0)) throw usage("--mix needs a part above 0.");
  return Object.fromEntries(pairs);
}

function planOf({ rate, for: length, mix, think, settle }: RushFlags): RushPlan {
  const asked = /^\d{1,5}(?:\.\d{1,3})?$/.test(rate) ? Number(rate) : 0;
  if (asked <= 0 || asked > FASTEST) throw wrongValue("--rate", `orders in a second up to ${FASTEST}`, rate);
  return {
    rate: asked,
    forMs: durationOf("--for", length, 1),
    mix: mixOf(mix),
    thinkMs: durationOf("--think", think, 0),
    settleMs: durationOf("--settle", settle, 0),
  };
}

function progressOf(io: Io, flags: RushFlags): (placed: number, paid: number, backlog: number) => void {
  const report = progressReporter(io, io.isTerminal && saysMore(flags));
  return (placed, paid, backlog) =>
    report(() => say`${formatCount(placed, "order")}, ${paid} paid, ${formatCount(backlog, "webhook")} waiting\n`);
}

/** The command that does the same again: the service of this run is gone when a person reads of a difference. */
function againOf(io: Io, seed: string, { seed: given }: RushFlags): string {
  const words = [...io.argv];
  if (given === undefined) words.splice(words.indexOf("rush") + 1, 0, "--seed", seed);
  return `${io.program} ${words.map(shellWord).join(" ")}`;
}

/** Compares orders with the payments of the service. `counts` are those of the last comparison. */
async function comparerOf(client: Client, again: string) {
  const { readerOf } = await import("../../../library/reconcile.js");
  const { differencesOf, newTotals } = await import("../../../../checks/reconcile/reconcile.js");
  let totals = newTotals();
  return {
    counts: () => totals.counts,
    async compare(orders: readonly ShopOrder[]): Promise<Difference[]> {
      totals = newTotals();
      const differences: Difference[] = [];
      const parts = { reader: readerOf(client), command: () => again };
      for await (const one of differencesOf(orders, parts, totals))
        differences.push({ ...one, text: String(one.text) });
      return differences;
    },
  };
}

/** The service of this run. Its webhooks go to the shop as soon as that has its port. */
async function serviceOf(io: Io, flags: RushFlags) {
  const { createEmulator } = await import("../../../start/emulator.js");
  const { createClient } = await import("../../../library/create-client.js");
  const emulator = await createEmulator({
    db: ":memory:",
    console: false,
    forwardTo: "http://localhost:9/",
    events: eventsOf(flags),
    retryBaseMs: RETRY_MS,
    allowHttp: receiverHosts(flags),
    log: serverLog(io, flags),
  });
  const apiKey = emulator.testKey ?? "";
  const client = createClient({ baseUrl: emulator.url, apiKey });
  const facts = { baseUrl: emulator.url, apiKey, webhookSecret: emulator.signingSecret };
  const sendTo = async (url: string) => {
    const id = emulator.forward?.endpointId ?? "";
    await client["webhooks.endpoints.update"]({ params: { id }, body: { url } });
  };
  return { emulator, client, facts, sendTo };
}

interface RushTools {
  readonly plan: RushPlan;
  readonly seed: string;
  readonly shopOf: ReturnType<typeof shopFrom>;
  readonly stops: ReturnType<typeof stopsOf>;
}

/** Runs the shop and its customers. When it returns, the shop and the service have ended. */
async function rushShop(io: Io, flags: RushFlags, { plan, seed, shopOf, stops }: RushTools) {
  const { watchLoad } = await import("../../../../base/platform/real-runtime.js");
  const { placeFirstOrder } = await import("../../../../checks/rush/first-order.js");
  const { runRush } = await import("../../../../checks/rush/rush.js");
  const { emulator, client, facts, sendTo } = await serviceOf(io, flags);
  try {
    const { shop, process } = await shopOf(facts, stops);
    const { compare, counts } = await comparerOf(client, againOf(io, seed, flags));
    const { seeded, random } = io.runtime(seed);
    try {
      await process.start();
      await sendTo(shop.webhooks);
      const parts: RushParts = {
        shop,
        process,
        client,
        plan,
        compare,
        watchLoad,
        ...stops,
        waiting: io.waiting,
        onAttempt: emulator.onAttempt,
        draw: (name) => seeded?.(name) ?? random,
        name: `rush-${io.random().slice(0, 6)}`,
        onProgress: progressOf(io, flags),
      };
      await placeFirstOrder(
        parts,
        eventsOf(flags).some((name) => REPORTED_EVENTS.includes(name)),
      );
      const { trouble, ...result } = await runRush(parts);
      return { trouble, result, counts: counts() };
    } finally {
      await process.kill("SIGTERM");
    }
  } finally {
    await emulator.close();
  }
}

async function rush(io: Io, words: readonly string[], flags: RushFlags): Promise<ExitCode> {
  const plan = planOf(flags);
  const shopOf = shopFrom(io, "rush", words, flags);
  const reportToBuildServer = await buildServerOf(io, "rush", flags.junit);
  const seed = flags.seed ?? io.random().slice(0, 8);
  const stops = stopsOf(io);
  try {
    const { trouble, result, counts } = await rushShop(io, flags, { plan, seed, shopOf, stops })
      .catch(async (error) => {
        await reportToBuildServer(neverRun(shopFailure(error, "rush", words, stops)));
        throw error;
      })
      .finally(stops.finish);
    const wasStopped = stops.stopped.aborted;
    if (flags.json) io.out(jsonText({ seed, ...result }));
    else await printRush(io, { seed, wasStopped, ...result }, counts, flags);
    const { differences } = result;
    await reportToBuildServer(differences === null ? troubleOf(trouble) : reportCasesOf(differences, counts));
    if (trouble !== null) throw trouble;
    if (wasStopped) throw stopFailure(formatCount(result.orders, "order"));
    return isRight(result) ? EXIT.done : EXIT.unexpected;
  } catch (error) {
    throw shopFailure(error, "rush", words, stops);
  }
}

function isRight({ differences, refused, undelivered, fulfilled_twice: twice }: Rush): boolean {
  return differences?.length === 0 && refused + undelivered + twice === 0;
}

// The exit code is 0 when the shop sold everything and its orders are right, 1 when not, and 7 when it does not run.
export const command = defineCommand({
  command: "rush",
  summary: "Simulate many customers who buy in your shop at the same time, and check its orders at the end",
  takes: { "<command...>": "the program that starts your shop and its arguments, after two dashes" },
  flags: FLAGS,
  gives: SHOP_VARIABLES,
  usage: "--buy <path|url|command> --orders <path|url|command> [flags] -- <command> [args...]",
  examples: [
    "qa-pay rush --buy /test/buy --orders /test/orders -- node shop.mjs",
    "qa-pay rush --rate 100 --for 1m --buy /test/buy --orders 'psql shop --csv -f orders.sql' -- npm start",
    "qa-pay rush --mix pay=70,refund=20,abandon=10 --buy /test/buy --orders /test/orders --port 8000 -- php -S 127.0.0.1:8000",
  ],
}).run(({ io, given, flags }) => rush(io, given.command, flags));
