import { createHash } from "node:crypto";
import type { Runtime } from "../../src/base/kernel/runtime.js";
import { createRuntime } from "../../src/base/platform/real-runtime.js";
import type { EmulatorOptions } from "../../src/programs/start/emulator-types.js";
import { holdPasswords } from "../support/cheap-passwords.js";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { hmac } from "../support/webhooks.js";

/**
 * A session at the terminal, run against a real emulator whose chance is seeded and whose clock stands still, so that the
 * document that shows it changes only when what is printed does.
 */

const BEGAN = Date.parse("2026-07-01T15:00:00.000Z");
const NOTICE = '{"event":"payment.completed"}';
const LIVE_KEY = "qa_live_0000000000000000000000000000000";

interface Step {
  readonly title?: string;
  /** `CHARGE`, `PAYMENT` and `REFUND` stand for the ids of earlier answers. */
  readonly words: readonly string[];
  /** Not a terminal: the output is what a pipe or a CI job gets. */
  readonly isScript?: true;
  readonly input?: string;
}

const STEPS: readonly Step[] = [
  {
    title: "A charge of 1990 centavos, and a simulated payer who pays it:",
    words: ["charges", "create", "--amount", "1990", "--customer-name", "Maria Silva", "--idempotency-key", "order-42"],
    isScript: true,
  },
  { words: ["sandbox", "pay", "CHARGE"], isScript: true },
  { title: "At a terminal a charge comes with its story:", words: ["charges", "get", "CHARGE"] },
  {
    title: "For a program: the answer's body and nothing else.",
    words: ["wallets", "balance", "--json"],
    isScript: true,
  },
  { title: "A list is a table for people:", words: ["payments", "list"], isScript: true },
  {
    title: "Part of the money goes back:",
    words: ["payments", "refund", "PAYMENT", "--amount", "500", "--idempotency-key", "order-42-back"],
    isScript: true,
  },
  { words: ["sandbox", "refunds", "advance", "REFUND", "--to", "REFUNDED"], isScript: true },
  {
    title: "One object a line, for scripts that read lists:",
    words: ["payments", "refunds", "PAYMENT", "--output", "jsonl"],
    isScript: true,
  },
  {
    title: "Waiting for a state exits with 0 there and nowhere else:",
    words: ["charges", "get", "CHARGE", "--wait-for", "expired", "--timeout", "3s"],
    isScript: true,
  },
  {
    title: "What the service refuses exits with 5. With `--json` the error is its envelope:",
    words: ["charges", "create", "--amount", "-1", "--idempotency-key", "order-43"],
    isScript: true,
  },
  { words: ["charges", "create", "--amount", "-1", "--idempotency-key", "order-43", "--json"], isScript: true },
  {
    title: "What is not there exits with 4, what was mistyped with 2 before anything is sent:",
    words: ["charges", "get", "ch_01980000-0000-7000-8000-000000000000"],
    isScript: true,
  },
  { words: ["charges", "create", "--amout", "1990"], isScript: true },
  {
    title: "What changes something with a live key asks first. Where nobody can be asked it exits with 2:",
    words: ["charges", "create", "--amount", "1990", "--api-key", "-"],
    input: LIVE_KEY,
    isScript: true,
  },
  {
    title: "What would be sent, without the key:",
    words: ["charges", "create", "--amount", "1990", "--api-key", "-", "--idempotency-key", "order-44", "--dry-run"],
    input: LIVE_KEY,
    isScript: true,
  },
  {
    title: "Any event of the catalogue, by a scenario of real requests:",
    words: ["trigger", "charge.expired"],
    isScript: true,
  },
  {
    title: "Why a signature is refused:",
    words: ["webhooks", "verify", "--secret", "s3cret ", "--signature", `sha256=${hmac("s3cret", NOTICE)}`],
    input: NOTICE,
    isScript: true,
  },
];

/** Repeatable random data: the n-th draw of every run is the same. The clock always begins at the same moment. */
export function seededRuntime(): Runtime {
  const runtime = createRuntime({ warn: () => undefined, error: console.error });
  let drawn = 0;
  const text = (encoding: "hex" | "base64url", length: number) => {
    drawn += 1;
    return createHash("sha512").update(String(drawn)).digest(encoding).slice(0, length);
  };
  return {
    ...runtime,
    random: {
      bytes: (count) => Buffer.from(text("hex", 2 * count), "hex"),
      alphanumeric: (length) => text("hex", length),
      token: (count) => text("base64url", Math.ceil((count * 4) / 3)),
      hex: (count) => text("hex", 2 * count),
      fraction: () => Number.parseInt(text("hex", 8), 16) / 2 ** 32,
    },
    real: { ...runtime.real, epoch: () => BEGAN, readShownTime: () => BEGAN },
  };
}

/**
 * An emulator with this chance, whose clock stands still. Its first request must be a login: that waits until the first users are
 * stored, and it takes its own ids before them in every run.
 */
export function startSteady(options: EmulatorOptions = {}): Promise<TestEmulator> {
  const runtime = options.runtime ?? seededRuntime();
  let begin = () => {};
  // A request reads this clock when it arrives.
  holdPasswords(new Promise<void>((resolve) => (begin = resolve)));
  const monotonic = () => {
    begin();
    return runtime.real.monotonic();
  };
  return startEmulator({ ...options, frozen: true, runtime: { ...runtime, real: { ...runtime.real, monotonic } } });
}

function typed(words: readonly string[]): string {
  return words.map((word) => (/[^\w=.,:@/-]/.test(word) ? `"${word}"` : word)).join(" ");
}

async function shown(cli: TestCli, { url }: TestEmulator, step: Step, ids: Map<string, string>): Promise<string> {
  const words = step.words.map((word) => ids.get(word) ?? word);
  const screen: string[] = [];
  const { code, out } = await cli.run(words, {
    screen,
    ...(step.isScript ? {} : { answers: [] }),
    ...(step.input === undefined ? {} : { input: step.input }),
    now: () => BEGAN,
  });
  for (const [name, prefix] of Object.entries({ CHARGE: "ch_", PAYMENT: "tx_", REFUND: "rf_" })) {
    const id = new RegExp(`\\b${prefix}[0-9a-f-]{36}`).exec(out)?.[0];
    if (id !== undefined && !ids.has(name)) ids.set(name, id);
  }
  const piped = step.input === undefined ? "" : `printf %s '${step.input}' | `;
  const status = code === 0 ? "" : `\n$ echo $?\n${code}`;
  const text = `$ ${piped}qa-pay ${typed(words)}\n${screen.join("").trimEnd()}${status}`;
  const title = step.title === undefined ? "" : `${step.title}\n\n`;
  return `${title}\`\`\`\n${text.replaceAll(new URL(url).host, "127.0.0.1:4600")}\n\`\`\``;
}

/** The whole session as Markdown, in the time of São Paulo. */
export async function session(): Promise<string> {
  const zone = process.env.TZ;
  process.env.TZ = "America/Sao_Paulo";
  const emulator = await startSteady();
  const cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
  await emulator.call("POST", "/v1/auth/login", { body: emulator.users[0] });
  const ids = new Map<string, string>();
  const parts: string[] = [];
  for (const step of STEPS) parts.push(await shown(cli, emulator, step, ids));
  cli.remove();
  await emulator.close();
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  return parts.join("\n\n");
}
