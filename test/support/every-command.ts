import { type IncomingMessage, request } from "node:http";
import type { operations } from "../../src/cli/tree/command-tree.js";
import type { Contract } from "../../src/kernel/contract.js";
import { registry } from "../../src/registry.js";
import { type Call, preparedCall } from "./calls.js";
import type { Loose, TestEmulator } from "./emulator.js";
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

/** Makes the objects that a command needs, and undoes effects of earlier commands that would change its result. */
export async function prepare(emulator: TestEmulator, spec: OperationSpec): Promise<Prepared> {
  await emulator.call("DELETE", "/_sandbox/faults");
  await emulator.sandbox("/clock/freeze");
  const call = await preparedCall(contractOf(spec).id, emulator);
  const body: Loose = call.body ?? {};
  const query = Object.fromEntries(new URLSearchParams(call.query ?? ""));
  return {
    call,
    words: spec.command.split(" "),
    ids: spec.arguments.map(({ name, field }) =>
      String(field === undefined ? call[name as "id"] : (body[field] ?? query[field])),
    ),
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
}

/** A proxy in front of the emulator that records every request and answer. */
export interface Wire {
  readonly url: string;
  /** The exchanges since the last call of this function. */
  taken(): Exchange[];
  close(): Promise<void>;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function handOn(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  // The emulator accepts only its own name as the host.
  const { host: _host, ...kept } = headers;
  return new Promise((done, fail) => {
    request(target + url, { ...(method === undefined ? {} : { method }), headers: kept, agent: false })
      .on("response", done)
      .on("error", fail)
      .end(body);
  });
}

/** `change` may replace the answer of the emulator. */
export async function startWire(
  emulator: TestEmulator,
  change: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<Wire> {
  let seen: Exchange[] = [];
  const host = await startHost(async (incoming, outgoing) => {
    try {
      const { method = "", url = "", headers } = incoming;
      const body = await bytesOf(incoming);
      const answered = await handOn(emulator.url, incoming, body);
      const answer = await bytesOf(answered);
      const status = answered.statusCode ?? 0;
      // Before every request to a control route, a command asks whether the host is an emulator.
      if (url !== "/_sandbox" || status !== 200) {
        seen.push({ method, url, headers, body: body.toString(), status, answer });
      }
      const { "content-length": _length, ...others } = answered.headers;
      outgoing.writeHead(status, others).end(url === "/_sandbox" ? answer : change(answer));
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
  };
}
