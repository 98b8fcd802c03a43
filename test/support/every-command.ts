import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { registry } from "../../src/api/registry.js";
import type { Contract } from "../../src/base/kernel/contract.js";
import type { operations } from "../../src/programs/cli/tree/command-tree.js";
import { type Call, prepareCall } from "./calls.js";
import type { Loose, TestEmulator } from "./emulator.js";
import { handOn } from "./exchange.js";
import { startHost } from "./running.js";

/** A command line for every operation, as a person writes it, and a proxy that records the requests. */

export type OperationSpec = (typeof operations)[number];

export const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

export function contractOf(spec: OperationSpec): Contract {
  const found = contracts.find(({ cli }) => cli?.command === spec.command);
  if (found === undefined) throw new Error(`${spec.command} stands for no operation`);
  return found;
}

/** A command line that succeeds, and the call that it makes. */
export interface Prepared {
  readonly call: Call;
  readonly words: readonly string[];
  readonly ids: readonly string[];
  readonly flags: readonly string[];
}

/** `payer_document` and `customerName` as people write flags: words in small letters, joined by hyphens. */
function flagName(path: readonly string[]): string {
  const words = path.join("_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `--${words.replaceAll("_", "-")}`;
}

/**
 * The flags for a body or a query. They are made from the body alone and not from the declared flags, so that a flag whose
 * name differs from its field is found. An object is one flag with JSON where the command has a flag for it.
 */
function flagsFor(spec: OperationSpec, value: unknown, path: readonly string[] = []): string[] {
  const name = flagName(path);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject && !spec.flags.some((flag) => `--${flag.name}` === name)) {
    return Object.entries(value).flatMap(([key, inner]) => flagsFor(spec, inner, [...path, key]));
  }
  const field = path.join(".");
  const isArgument = spec.arguments.some((argument) => argument.field === field);
  // A constant is always sent, and the key of a call has a flag of its own.
  if (isArgument || Object.hasOwn(spec.constants, field) || field === spec.idempotencyKey) return [];
  const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return [name, isList || typeof value !== "object" ? String(value) : JSON.stringify(value)];
}

type Flag = OperationSpec["flags"][number];

/** True if an argument that sets this field is a number. */
export function isNumber(flags: readonly Pick<Flag, "field" | "type">[], field: string | undefined): boolean {
  return flags.some((flag) => flag.field === field && (flag.type === "integer" || flag.type === "number"));
}

function sampleFor({ type, choices }: Flag): string {
  if (choices?.[0] !== undefined) return choices[0];
  if (type === "integer" || type === "number") return "100";
  if (type === "boolean") return "true";
  if (type === "json") return "{}";
  return type === "instant" ? "2030-01-02T03:04:05Z" : "some-text";
}

/** A complete command line about objects that nobody has, so that only its target can make it fail. */
export function completeLine({ command, arguments: ids, flags, oneOf }: OperationSpec): string[] {
  const needed = flags.filter(({ required, name }) => required || name === oneOf[0]);
  return [
    ...command.split(" "),
    ...ids.filter(({ optional }) => !optional).map(({ field }) => (isNumber(flags, field) ? "100" : "id_1")),
    ...needed.flatMap((flag) => [`--${flag.name}`, sampleFor(flag)]),
  ];
}

/** Makes the objects that a command needs, and undoes effects of earlier commands that would change its result. */
export async function prepare(emulator: TestEmulator, spec: OperationSpec): Promise<Prepared> {
  await emulator.call("DELETE", "/_sandbox/faults");
  await emulator.sandbox("/clock/freeze");
  const call = await prepareCall(contractOf(spec).id, emulator);
  const body: Loose = call.body ?? {};
  const query = Object.fromEntries(new URLSearchParams(call.query ?? ""));
  return {
    call,
    words: spec.command.split(" "),
    ids: spec.arguments.flatMap(({ name, field, optional }) => {
      const value = field === undefined ? call[name as "id"] : (body[field] ?? query[field]);
      return optional && value === undefined ? [] : [String(value)];
    }),
    flags: [...flagsFor(spec, body), ...flagsFor(spec, query)],
  };
}

/** One request as it was sent, and its answer. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly status: number;
  readonly answer: Buffer;
  readonly answerHeaders: IncomingMessage["headers"];
}

/** A proxy in front of the emulator that records every request and answer. */
export interface Wire {
  readonly url: string;
  /** The exchanges since the last call of this function. */
  taken(): Exchange[];
  /**
   * Gives the recorded answers, in their order and changed, to the requests of `run`: what a command shows is looked at
   * again without the objects that it was about.
   */
  replay<T>(answers: readonly Exchange[], change: (answer: Buffer) => Buffer, run: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Before every request to a control route, a command checks whether the host is an emulator. */
const isQuestion = ({ url }: IncomingMessage) => url === "/_sandbox";

async function readExchanged(emulator: TestEmulator, incoming: IncomingMessage): Promise<Exchange> {
  const { method = "", url = "", headers } = incoming;
  const body = await buffer(incoming);
  const { status, headers: answerHeaders, bytes: answer } = await handOn(emulator.url + url, incoming, body);
  return { method, url, headers, body: body.toString(), status, answer, answerHeaders };
}

/** `change` may replace the answers of the emulator. */
export async function startWire(
  emulator: TestEmulator,
  change: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<Wire> {
  let seen: Exchange[] = [];
  /** The answers of a replay that are left. */
  let recorded: Exchange[] | null = null;
  let changed = change;
  const host = await startHost(async (incoming, outgoing) => {
    try {
      const again = isQuestion(incoming) ? undefined : recorded?.shift();
      const one = again ?? (await readExchanged(emulator, incoming));
      if (recorded === null && (!isQuestion(incoming) || one.status !== 200)) seen.push(one);
      const { "content-length": _length, ...headers } = one.answerHeaders;
      outgoing.writeHead(one.status, headers).end(isQuestion(incoming) ? one.answer : changed(one.answer));
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined);
    }
  });
  return {
    ...host,
    taken() {
      const now = seen;
      seen = [];
      return now;
    },
    async replay(answers, differently, run) {
      recorded = [...answers];
      changed = differently;
      try {
        return await run();
      } finally {
        recorded = null;
        changed = change;
      }
    },
  };
}
