import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { EVENT_NAMES, familyOf } from "../../../../service/features/webhooks/catalogue.js";
import type { Emulator } from "../../../start/emulator.js";
import { DEMO, DEMO_PORT, DEMO_PROFILE, HOST } from "../../profiles/demo-profile.js";
import { findProfile } from "../../profiles/profiles.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { openConsole } from "../../terminal/opener.js";
import { palette } from "../../terminal/output.js";
import { readWhole } from "../../terminal/read-value.js";
import { jsonText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { liveLines } from "../serve/live-lines.js";
import { serverLog } from "../serve/server-log.js";
import { settingsOf } from "../serve/settings-of-flags.js";
import { firstScreen, storyLines } from "./lines.js";
import { atPort } from "./ports.js";

/** `demo`: the service in memory and the example shop beside it, until Ctrl-C. It writes no file. */

const FLAGS = {
  "--port <number>": "port of the service; 0 takes any free one (default: 4600, or the next free one)",
  "--shop-port <number>": "port of the shop; 0 takes any free one (default: 4601, or the next free one)",
  "--open": "open the console in the browser, at a terminal with a desktop",
} as const;

type DemoFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

/** The webhooks that the shop gets: each change once. Refunds are reported by the legacy family alone. */
const EVENTS = EVENT_NAMES.filter((name) => familyOf(name) === "canonical" || name === "payment.refunded");

function portOf(flag: string, text: string | undefined): number | null {
  return text === undefined ? null : readWhole(flag, text, "a whole number from 0 to 65535", [0, 65_535]);
}

/** Returns the flags with which commands of any folder reach the demo: `why` repeats them in its next command. */
function reachingFlags(io: Io, url: string): string {
  const isProfile = () => {
    try {
      return url === DEMO_PROFILE.base_url && findProfile(io, DEMO) === null;
    } catch {
      // No profile can be used while the file with the profiles is damaged.
      return false;
    }
  };
  return isProfile() ? `--profile ${DEMO}` : `--base-url ${url} --api-key ${DEMO_PROFILE.api_key}`;
}

/** The shop, whose flag for the port has another name than that of the service. Throws Failure (exit 1) when the port is taken. */
async function takeShop(io: Io, given: number | null, other: number | null) {
  const { takeShopPort } = await import("./shop.js");
  const usual = DEMO_PORT + 1;
  try {
    return await atPort(given, other === usual ? usual + 1 : usual, (port) => takeShopPort(io, port));
  } catch (error) {
    const message = reasonOf(error).replaceAll("--port", "--shop-port");
    throw new Failure(EXIT.unexpected, "unexpected", message);
  }
}

type Shop = Awaited<ReturnType<typeof takeShop>>;

/** Starts the service, which sends webhooks to the shop. Rejects when its port is taken. */
async function startService(io: Io, given: number | null, shop: Shop): Promise<Emulator> {
  const { createEmulator } = await import("../../../start/emulator.js");
  const log = serverLog(io, {});
  return atPort(given, DEMO_PORT, (port) => {
    const place = { host: HOST, port: String(port), db: ":memory:", testKey: DEMO_PROFILE.api_key };
    const settings = settingsOf(io, { ...place, forwardTo: `${shop.url}/webhooks`, events: EVENTS });
    return createEmulator({ ...settings, log });
  });
}

async function printStory(
  io: Io,
  { url, consoleUrl, signingSecret, ...emulator }: Emulator,
  shop: Shop,
  flags: DemoFlags,
) {
  const { api_key: testKey } = DEMO_PROFILE;
  const paint = await palette(io, flags.color !== false);
  if (flags.json) {
    const addresses = { url, shop_url: shop.url, console_url: consoleUrl };
    io.out(jsonText({ event: "ready", ...addresses, test_key: testKey, webhook_secret: signingSecret }));
    const lines = liveLines(io, paint, { json: true, howToStop: "" });
    emulator.onAttempt(lines.onAttempt);
    return lines;
  }
  const reaching = reachingFlags(io, url);
  const command = (words: string) => `${io.program} ${words} ${reaching}`;
  const where = io.program === "qa-pay" ? "a second terminal" : "a second terminal, in this folder";
  io.out(firstScreen({ url, shopUrl: shop.url, consoleUrl: consoleUrl ?? "", testKey, where }, command, paint));
  const lines = storyLines(io.out, command, paint);
  emulator.onSending(lines.onSending);
  emulator.onAttempt(lines.onAttempt);
  return lines;
}

async function demo(io: Io, flags: DemoFlags): Promise<void> {
  const [port, shopPort] = [portOf("--port", flags.port), portOf("--shop-port", flags.shopPort)];
  const stopped = new Promise<void>((done) => io.onStop(done));
  const shop = await takeShop(io, shopPort, port);
  try {
    const emulator = await startService(io, port, shop);
    try {
      shop.open(emulator.url, emulator.signingSecret);
      const lines = await printStory(io, emulator, shop, flags);
      if (flags.open && emulator.consoleUrl !== null) await openConsole(io, emulator.consoleUrl);
      await stopped;
      lines.onStop();
    } finally {
      await emulator.close();
    }
  } finally {
    await shop.close(0);
  }
}

export const command = defineCommand({
  command: "demo",
  summary: "Try it in a minute: a shop that takes Pix, and its service",
  flags: FLAGS,
  examples: ["qa-pay demo", "qa-pay demo --open", "qa-pay demo --port 0 --shop-port 0 --json"],
}).run(({ io, flags }) => demo(io, flags));
