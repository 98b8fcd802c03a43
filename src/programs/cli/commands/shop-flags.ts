import { setMaxListeners } from "node:events";
import type { FlagsOf, GlobalFlags } from "../../../api/client/flags.js";
import { SHOP_COLUMNS } from "../../../checks/reconcile/names.js";
import { type EntryPoint, entryPointOf } from "../../../checks/shop/entry-points.js";
import type { EntryPointName, FirstOrderError } from "../../../checks/shop/first-order.js";
import { lastLines } from "../../../checks/shop/output-lines.js";
import type { ShopError } from "../../../checks/shop/shop-error.js";
import { EVENT_NAMES, type EventName } from "../../../service/features/webhooks/catalogue.js";
import { saysMore } from "../operation/progress.js";
import type { ReportCase } from "../reports/junit.js";
import { caseOfFailure } from "../reports/reporter.js";
import { EXIT, Failure, formatValue, usage, wrongValue } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { readWhole } from "../terminal/read-value.js";
import { say } from "../terminal/terminal-text.js";
import { eventFilter } from "./event-pattern.js";
import { isInputError, ORDER_FLAGS, readOrderFlags, remedyOf } from "./order-flags.js";
import { codeOfSignal, environmentOf, notStarted } from "./started-program.js";

/** The flags about a shop under test, for `survive` and `rush`. */

export const SHOP_FLAGS = {
  "--buy <path|url|command>": "places an order in the shop, and returns the id of its charge (required)",
  "--orders <path|url|command>": "lists the orders of the shop, in a form that reconcile reads (required)",
  "--webhooks <path|url>": { about: "the shop's receiver of webhooks", default: "/webhooks" },
  "--ready <path|url>": { about: "answers below 500 once the shop is ready", default: "/" },
  "--port <number>": "PORT of the shop (default: a free one)",
  "--events <names>": "the receiver gets only these events (comma-separated; charge.* is a pattern)",
  ...ORDER_FLAGS,
} as const;

/** The environment of the shop, besides that of the command. */
export const SHOP_VARIABLES = {
  QA_PAY_BASE_URL: "address of the service",
  QA_PAY_API_KEY: "its test key",
  QA_PAY_WEBHOOK_SECRET: "the secret that signs the webhooks",
  PORT: "the port that the shop must listen on",
} as const;

const FORMS = "a path below the shop's address such as /orders, or a URL";

function entryPointAt(flag: string, text: string): EntryPoint {
  const entryPoint = entryPointOf(text);
  if (entryPoint !== null) return entryPoint;
  const problem = /^https?:/i.test(text) ? "which is no URL" : "which ends within quotes or is empty";
  throw usage(`${flag} takes ${FORMS}, or a command, not ${formatValue(text)}, ${problem}.`);
}

function addressAt(flag: string, text: string): Exclude<EntryPoint, { kind: "command" }> {
  const entryPoint = entryPointAt(flag, text);
  if (entryPoint.kind !== "command") return entryPoint;
  throw wrongValue(flag, FORMS, text);
}

/** The events of `--events`; all without it. Throws Failure (exit 2). */
export function eventsOf({ events }: FlagsOf<typeof SHOP_FLAGS>): readonly EventName[] {
  const isWanted = eventFilter(events);
  return EVENT_NAMES.filter(isWanted);
}

/** The host of the receiver, which may get its webhooks by http:// although it may be another machine; none for a path. */
export function receiverHosts({ webhooks }: FlagsOf<typeof SHOP_FLAGS>): readonly string[] {
  return webhooks.startsWith("/") ? [] : [new URL(webhooks).hostname];
}

/**
 * The first signal ends the run after its current step, the second one at once. The third one leaves the process, and so does
 * each signal after `finish` was called.
 */
export function stopsOf(io: Io) {
  const [first, second] = [new AbortController(), new AbortController()];
  // Each customer under way listens, and Node warns from eleven listeners on.
  setMaxListeners(0, first.signal, second.signal);
  let isFinished = false;
  io.onSignal((signal) => {
    if (isFinished || second.signal.aborted) io.leave(codeOfSignal(signal));
    else if (first.signal.aborted) second.abort();
    else first.abort();
  });
  return {
    stopped: first.signal,
    abandoned: second.signal,
    finish(): void {
      isFinished = true;
    },
  };
}

type Stops = ReturnType<typeof stopsOf>;

/** The Failure of a run that was stopped: what was found until then is no result. */
export const stopFailure = (done: string) => new Failure(EXIT.unexpected, "stopped", `Stopped after ${done}.`);

export interface ShopService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/**
 * Checks the flags and the command, before anything is started. Throws Failure (exit 2). The function that it returns creates
 * the shop for a running service, without starting it.
 */
export function shopFrom(
  io: Io,
  command: string,
  words: readonly string[],
  flags: GlobalFlags & FlagsOf<typeof SHOP_FLAGS>,
) {
  const needs = (what: string) => usage(`${command} needs ${what}`, `\`qa-pay ${command} --help\` has examples.`);
  if (words.length === 0) throw needs("the command that starts your shop, after two dashes.");
  const { buy, orders } = flags;
  if (buy === undefined) throw needs("--buy: the page of your shop that takes an order.");
  if (orders === undefined) throw needs("--orders: where your shop lists its orders.");
  const entryPoints = {
    buy: entryPointAt("--buy", buy),
    orders: entryPointAt("--orders", orders),
    webhooks: addressAt("--webhooks", flags.webhooks),
  };
  const ready = addressAt("--ready", flags.ready);
  const port = flags.port === undefined ? null : readWhole("--port", flags.port, "a port from 1 to 65535", [1, 65_535]);
  const reading = readOrderFlags(flags, SHOP_COLUMNS);
  return async ({ baseUrl, apiKey, webhookSecret }: ShopService, stops: Stops) => {
    const { ShopRun } = await import("../../../checks/shop/process.js");
    const { shopAt } = await import("../../../checks/shop/shop.js");
    const own = { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: webhookSecret };
    const env = environmentOf(io, own);
    const secrets = [apiKey, webhookSecret];
    const onLate = (url: string) => {
      if (saysMore(flags))
        io.err(
          say`The shop does not answer at ${url} yet. Does it listen on the port that PORT names? --ready says where to look.\n`,
        );
    };
    const { cwd, waiting } = io;
    const process = new ShopRun({ words, cwd, env, port, ready, secrets, onLate, waiting, ...stops });
    // A request that waits for the shop then ends without an answer.
    stops.abandoned.addEventListener("abort", () => void process.kill("SIGKILL"));
    return { shop: shopAt(entryPoints, reading, () => process.context()), process };
  };
}

/** Reports to build servers why the shop could not be reached any more, or nothing when it could. */
export function troubleOf(trouble: Error | null): ReportCase[] {
  if (trouble === null) return [];
  const { message } = trouble;
  return [{ group: "shop", name: "answered until the end", status: "failed", message, detail: message }];
}

/** Reports to build servers why nothing could be tried: the shop did not start, or its first order failed. */
export const neverRun = (failure: unknown) => caseOfFailure(failure, "shop", "starts and takes an order");

const SHOWN_LINES = 20;

const wroteLast = (output: string) => {
  const last = lastLines(output, SHOWN_LINES).join("\n");
  return last === "" ? "" : `It wrote last:\n${last.replace(/^/gm, "  ")}`;
};

/** Hints for the first order, by the entry point that failed. */
const LOOK_AT: Readonly<Record<EntryPointName, string>> = {
  buy: "Check --buy: it must place an order and return the id of its charge.",
  orders: "Check --orders: it must return every order at once. If the shop needs more time, raise --settle.",
  webhooks: "Check --webhooks: the path or the address that accepts POST requests with webhooks.",
};

/** Returns the Failure for a shop that did not do its part or answered wrongly; other errors stay as they are. */
export function shopFailure(error: unknown, command: string, words: readonly string[], { stopped }: Stops): unknown {
  if (!(error instanceof Error)) return error;
  if (isInputError(error)) return usage(`The orders of the shop: ${error.message}`, remedyOf(error));
  if (error.name === "FirstOrderError") {
    const { message, output, entryPoint } = error as FirstOrderError;
    if (stopped.aborted) return new Failure(EXIT.unexpected, "cancelled", message);
    return usage(message, [LOOK_AT[entryPoint], wroteLast(output)].filter((one) => one !== "").join("\n"));
  }
  if (error.name !== "ShopError") return error;
  const { message, output, cause } = error as ShopError;
  if (stopped.aborted) return new Failure(EXIT.unexpected, "cancelled", message);
  if (isInputError(cause)) return usage(message, remedyOf(cause));
  if (cause !== undefined) return notStarted(command, words, cause);
  return new Failure(EXIT.unreachable, "shop_unreachable", message, wroteLast(output) || undefined);
}
