import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { type TestCli, testCli } from "./cli.js";
import { type Loose, startEmulator, type TestEmulator } from "./emulator.js";
import { handOn } from "./exchange.js";
import { openCase } from "./med.js";
import { type Host, startHost } from "./running.js";

/** Runs `conform`, also against a proxy that changes what the emulator answers and what it sends. */

export interface Verdicts {
  readonly code: number;
  readonly checks: readonly Loose[];
  /** The names of the checks that failed, and of those with a warning. */
  readonly failed: readonly string[];
  readonly warned: readonly string[];
  readonly skipped: readonly string[];
  readonly err: string;
}

export async function conform(cli: TestCli, url: string, key: string, ...words: readonly string[]): Promise<Verdicts> {
  const flags = ["--base-url", url, "--api-key", key, "--json"];
  const { code, out, err } = await cli.run(["conform", ...words, ...flags]);
  if (out === "") throw new Error(`conform ended with ${code}: ${err}`);
  const checks: readonly Loose[] = JSON.parse(out).checks;
  const names = (fits: (check: Loose) => boolean) => checks.filter(fits).map(({ name }) => name);
  return {
    code,
    checks,
    err,
    failed: names(({ status }) => status === "failed"),
    warned: names(({ detail }) => detail.startsWith("Warning:")),
    skipped: names(({ status }) => status === "skipped"),
  };
}

export interface Passing {
  readonly method: string;
  /** Path and query. A distortion may change it before the request goes on. */
  url: string;
  readonly headers: IncomingHttpHeaders;
  body: string;
}

export interface Answering {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Delivering {
  /** The address of the receiver. */
  readonly to: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** False drops the delivery: the emulator gets 204. */
  isPassed: boolean;
}

/** A change to what passes the proxy. */
export interface Distortion {
  readonly request?: (passing: Passing) => void;
  readonly answer?: (answering: Answering, passing: Passing) => void;
  readonly webhook?: (delivering: Delivering) => void;
  /** Changes the receiver's answer on its way to the emulator. */
  readonly reply?: (answering: Answering) => void;
}

/** A distortion of the JSON of answers to one method and path. */
export function changeAnswer(method: string, path: RegExp, change: (body: Loose) => Loose): Distortion {
  return {
    answer(answering, passing) {
      if (passing.method !== method || !path.test(passing.url) || answering.status >= 300) return;
      answering.text = JSON.stringify(change(JSON.parse(answering.text)));
    },
  };
}

/** The test key of the emulator behind these hosts. */
export const TEST_KEY = `qa_test_${"conform0".repeat(4)}`;

/** A difference, and the checks that fail; all others pass or are skipped. */
export type Deviation = readonly [title: string, fails: string, distortion: Distortion];

export const requests = (request: NonNullable<Distortion["request"]>): Distortion => ({ request });
export const answers = (answer: NonNullable<Distortion["answer"]>): Distortion => ({ answer });
export const webhooks = (webhook: NonNullable<Distortion["webhook"]>): Distortion => ({ webhook });
export const replies = (reply: NonNullable<Distortion["reply"]>): Distortion => ({ reply });

const RELAY = "/relay?to=";

async function passOn(url: string, method: string, headers: IncomingHttpHeaders, body: string): Promise<Answering> {
  const { bytes, ...answer } = await handOn(url, { method, headers }, body);
  return { ...answer, text: bytes.toString() };
}

/**
 * Runs that only read get the same answers, and a distortion comes after these. Returns what each run passes its requests with.
 */
function rememberAnswers(): () => typeof passOn {
  const known = new Map<string, Promise<Answering>>();
  return () => {
    const asked: string[] = [];
    return async (url, method, { host: _host, ...headers }, body) => {
      if (method !== "GET") return passOn(url, method, headers, body);
      const question = JSON.stringify([url, headers]);
      asked.push(question);
      // Asked for the second time, a service answers under another id.
      const key = `${asked.filter((one) => one === question).length} ${question}`;
      const answer = known.get(key) ?? passOn(url, method, headers, body);
      known.set(key, answer);
      return structuredClone(await answer);
    };
  };
}

/**
 * A host that passes everything on to the emulator, with one distortion. It registers itself as the address of webhooks and
 * passes them on too.
 */
async function startDistorted(emulator: TestEmulator, distortion: Distortion, pass: typeof passOn): Promise<Host> {
  const proxy: Host = await startHost(async (incoming, outgoing) => {
    try {
      const { method = "", url = "", headers } = incoming;
      const body = (await buffer(incoming)).toString();
      if (url.startsWith(RELAY)) {
        const to = decodeURIComponent(url.slice(RELAY.length));
        const delivering: Delivering = { to, headers: { ...headers }, body, isPassed: true };
        distortion.webhook?.(delivering);
        const dropped: Answering = { status: 204, headers: {}, text: "" };
        const reply = delivering.isPassed ? await passOn(to, "POST", delivering.headers, delivering.body) : dropped;
        distortion.reply?.(reply);
        const { "content-length": _length, "transfer-encoding": _coding, ...others } = reply.headers;
        outgoing.writeHead(reply.status, others).end(reply.text);
        return;
      }
      const passing: Passing = { method, url, headers: { ...headers }, body };
      if (method === "POST" && url === "/v1/webhooks/endpoints" && body.includes("http://127.0.0.1")) {
        const { url: target, ...rest } = JSON.parse(body) as Loose;
        passing.body = JSON.stringify({ ...rest, url: `${proxy.url}${RELAY}${encodeURIComponent(target)}` });
      }
      distortion.request?.(passing);
      const answering = await pass(emulator.url + passing.url, method, passing.headers, passing.body);
      distortion.answer?.(answering, passing);
      const { "content-length": _length, "transfer-encoding": _coding, ...others } = answering.headers;
      outgoing.writeHead(answering.status, others).end(answering.text);
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined);
    }
  });
  return proxy;
}

/** A test file's emulator, used a little, and a run against it through a distortion. */
export async function deviationBench() {
  const cli = testCli();
  const emulator = await startEmulator({ testKey: TEST_KEY, retryBaseMs: 20 });
  const body = { url: "http://127.0.0.1:9/", events: ["charge.created"] };
  await emulator.call("POST", "/v1/webhooks/endpoints", { body });
  await emulator.charge();
  for (const _case of ["one", "two"]) await openCase(emulator);
  const { id } = await emulator.charge();
  await emulator.sandbox(`/charges/${id}/pay`);
  const reading = rememberAnswers();
  return {
    async verdicts(distortion: Distortion, ...words: readonly string[]): Promise<Verdicts> {
      const host = await startDistorted(emulator, distortion, words.includes("--write") ? passOn : reading());
      try {
        return await conform(cli, host.url, TEST_KEY, "--other-key", emulator.live, ...words);
      } finally {
        await host.close();
      }
    },
    async close() {
      cli.remove();
      await emulator.close();
    },
  };
}
