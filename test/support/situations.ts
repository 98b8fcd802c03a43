import { writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { userOf } from "./access.js";
import { type TestCli, testCli } from "./cli.js";
import { freshKey, startEmulator, type TestEmulator } from "./emulator.js";
import { startWire, type Wire } from "./every-command.js";
import { create } from "./guards.js";
import { openCase, PNG, paidCharge } from "./med.js";
import { type Host, startHost } from "./running.js";

/** Situations that a command line can name in braces, such as `charges get {paid}` or `wallets list {at nobody}`. */
export interface Situations {
  readonly emulator: TestEmulator;
  /** Where a test sees requests and answers: of a usual emulator, of one with a rate limit, and of one with guards. */
  readonly wires: readonly [plain: Wire, limited: Wire, guarded: Wire];
  readonly cli: TestCli;
  /** Starts a host that is no emulator. Returns its address. */
  host(answers: RequestListener): Promise<string>;
  /** Starts a host that answers every request in the same way. Returns its address. */
  answering(status: number, text?: string, headers?: Record<string, string>): Promise<string>;
  /** The flags that name another host, with a key for it. */
  at(url: string): string;
  /** The words of a command line. Each situation in braces is brought about, and replaced by its words. */
  wordsOf(line: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function startSituations(): Promise<Situations> {
  const customerVelocity = { count: 1, windowMs: 60_000 };
  const emulator = await startEmulator({ frozen: true });
  const limited = await startEmulator({ frozen: true, rateLimit: 1 });
  const guarded = await startEmulator({ frozen: true, customerVelocity });
  const wires = [await startWire(emulator), await startWire(limited), await startWire(guarded)] as const;
  const cli = testCli({ QA_PAY_BASE_URL: wires[0].url, QA_PAY_API_KEY: emulator.key });
  writeFileSync(join(cli.folder, "proof.png"), PNG);
  writeFileSync(join(cli.folder, "large.json"), JSON.stringify({ note: "x".repeat(1_100_000) }));
  const hosts: Host[] = [];
  async function host(answers: RequestListener): Promise<string> {
    const started = await startHost(answers);
    hosts.push(started);
    return started.url;
  }
  const answerWith: Situations["answering"] = (status, text = "", headers = {}) =>
    host((request, response) => void request.resume().on("end", () => response.writeHead(status, headers).end(text)));
  const at = (url: string) => `--base-url ${url} --api-key ${emulator.key}`;
  const things = thingsOf({ emulator, limited, guarded, wires, cli, at, answering: answerWith });
  async function wordsOf(line: string): Promise<string[]> {
    let text = line;
    for (const [braces, name = ""] of line.matchAll(/\{([a-zA-Z ]+)\}/g)) {
      const thing = things[name];
      if (thing === undefined) throw new Error(`there is no ${name}`);
      text = text.replace(braces, await thing());
    }
    return text.split(" ").filter((word) => word !== "");
  }
  async function close(): Promise<void> {
    cli.remove();
    for (const one of [...hosts, ...wires, emulator, limited, guarded]) await one.close();
  }
  return { emulator, wires, cli, host, answering: answerWith, at, wordsOf, close };
}

interface Parts extends Pick<Situations, "emulator" | "wires" | "cli" | "at" | "answering"> {
  readonly limited: TestEmulator;
  readonly guarded: TestEmulator;
}

/** The situations by their names. Each returns the words that take its place. */
function thingsOf({ emulator, limited, guarded, wires, cli, at, answering }: Parts) {
  async function logIn(role: "OWNER" | "MEMBER"): Promise<""> {
    const { email, password } = userOf(emulator, role);
    const { code } = await cli.run(["login", "--email", email, "--password-stdin"], { input: password });
    if (code !== 0) throw new Error(`no login: ${code}`);
    return "";
  }
  const things: Readonly<Record<string, () => string | Promise<string>>> = {
    "live key": () => emulator.live,
    port: () => new URL(emulator.url).port,
    direct: () => at(emulator.url),
    large: () => join(cli.folder, "large.json"),
    pending: async () => (await emulator.charge()).id,
    paid: async () => (await paidCharge(emulator)).id,
    expired: async () => {
      const { id } = await emulator.charge();
      return (await emulator.sandbox(`/charges/${id}/expire`, {})) && id;
    },
    "used key": async () => {
      const key = freshKey();
      return (await emulator.charge({ amount: 7 }, { headers: { "idempotency-key": key } })) && key;
    },
    unsent: async () => {
      const { id } = await openCase(emulator);
      const body = { file_name: "a.png", file_size: 9, mime_type: "image/png" };
      return `${id} ${(await emulator.call("POST", `/v1/med/cases/${id}/evidence`, { body })).body.id}`;
    },
    "as a MEMBER": () => logIn("MEMBER"),
    "as nobody": () => cli.run(["logout"]).then(() => ""),
    "with a stale login": () =>
      logIn("OWNER").then(() => emulator.sandbox("/clock/advance", { seconds: 8 * 3_600 }).then(() => "")),
    "with a busy key": async () => {
      await limited.call("GET", "/v1/wallets");
      return `--base-url ${wires[1].url} --api-key ${limited.key}`;
    },
    "by a busy customer": async () => {
      await create(guarded, { who: { email: "maria@example.com" } });
      return `--customer-email maria@example.com --base-url ${wires[2].url} --api-key ${guarded.key}`;
    },
    "at a page": async () => at(await answering(200, "<h1>Welcome</h1>")),
    "at an object": async () => at(await answering(200, '{"ok":true}')),
    "at half an answer": async () => at(await answering(200, '{"data":')),
    "at a stranger": async () => at(await answering(404, "<h1>404</h1>")),
    "at nobody": () => at("http://127.0.0.1:9"),
    "a broken receiver": () => answering(500),
  };
  return things;
}
