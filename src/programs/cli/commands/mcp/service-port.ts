import type { GlobalFlags } from "../../../../api/client/flags.js";
import { DEFAULT_TIMEOUT_MS, type HttpAnswer } from "../../../../api/client/send.js";
import type { Contract, Preview } from "../../../../base/kernel/contract.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import type {
  FileCall,
  HostContext,
  PortAnswer,
  PortRequest,
  ServicePort,
  WhyQuestion,
} from "../../../mcp/service-port.js";
import { connect } from "../../host/connect.js";
import { type Connection, projectOf, withTimeout } from "../../host/connection.js";
import { mayBeSent } from "../../host/consent.js";
import { credentialHeaders, requireTrust } from "../../host/credential.js";
import { isLiveKey, keyMode } from "../../host/keys.js";
import { printAnswerHead } from "../../host/print.js";
import { getWithKey, isEmulator, requireEmulator } from "../../host/read.js";
import { sendOperation } from "../../operation/send-operation.js";
import { Failure, jsonOf, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import type { CommandContext, LocalCommand } from "../../tree/define-command.js";
import { errorFor } from "./error.js";

/** The tools' way to the service. Each call chooses the host and the key anew, as every command does. */

/** A host that does not tell in this time whether it is an emulator gets no simulators for now. */
const PROBE_MS = 5_000;

interface CommandCall extends CommandContext {
  readonly flags: GlobalFlags & { readonly readOnly?: boolean };
}

/** What a session holds on to. */
interface Memory {
  /** Where the host and the key come from, and the kind of the key: fixed by the first choice that has a key. */
  chosen: string | null;
  /** The token of `auth_login`, with the host that gave it. */
  login: { readonly baseUrl: string; readonly token: string } | null;
  /** What the host and key answered once: whether it is an emulator, and whether it serves a preview. */
  readonly answers: Map<string, boolean>;
}

/** Why nothing is changed, whatever the host. */
function withoutHost({ readOnly }: CommandCall["flags"]): string | null {
  return readOnly === true ? "It was started with --read-only." : null;
}

/** Why nothing is changed at a host; null when changes are sent. */
function readOnlyReason(connection: Connection, flags: CommandCall["flags"]): string | null {
  const always = withoutHost(flags);
  if (always !== null) return always;
  const { host, credential, policy } = connection;
  if (policy.readOnly !== undefined) return `Its profile ${policy.readOnly} is read-only.`;
  if (flags.yes === true) return null;
  if (isLiveKey(credential.apiKey)) return "Its key is a live key; `qa-pay mcp --yes` allows changes.";
  if (isLoopbackUrl(host.url)) return null;
  return `${new URL(host.url).host} is not this machine; \`qa-pay mcp --yes\` allows changes.`;
}

/**
 * Throws Failure (exit 2) when the choice differs from the first one, for example since another profile is the current
 * one: the agent and its user still think of the first host.
 */
function requireSameChoice(memory: Memory, { host, credential }: Connection): void {
  const { apiKey, from: keyFrom } = credential;
  if (apiKey === null) return;
  // The server of a project may get another port when it starts again.
  const place = projectOf(host) === null ? `${host.url} (from ${host.from})` : "the server of this project";
  const mode = keyMode(apiKey);
  const choice = `${place} with a ${mode === null ? "key" : `${mode} key`} (from ${keyFrom})`;
  memory.chosen ??= choice;
  if (memory.chosen === choice) return;
  const message = `This session began with ${memory.chosen}. Now ${choice} would be used.`;
  throw usage(message, "Ask the user to start the MCP server again, or to undo that change.");
}

/** The host and the key of a call. Throws Failure like `connect` and `requireSameChoice`. */
async function choose({ io, flags }: CommandCall, memory: Memory): Promise<Connection> {
  const connection = await connect(io, { ...flags, quiet: true });
  requireSameChoice(memory, connection);
  return connection;
}

function credentials({ contract }: PortRequest, connection: Connection, { login }: Memory): Record<string, string> {
  if (contract.id === "auth.login") requireTrust(connection.host, "a password");
  return credentialHeaders(contract.auth, connection, login?.baseUrl === connection.host.url ? login.token : undefined);
}

/** Keeps the token of a login for the calls that follow, and forgets it after a logout. */
function remember(memory: Memory, { contract }: PortRequest, { host }: Connection, text: string): void {
  if (contract.id === "auth.logout") memory.login = null;
  if (contract.id !== "auth.login") return;
  const answer = jsonOf(text);
  const token = isJsonObject(answer) ? answer.token : undefined;
  if (typeof token === "string") memory.login = { baseUrl: host.url, token };
}

/** The call for the sake of which something is done at the host. */
interface CallFacts extends Pick<PortRequest, "contract" | "key"> {
  /** True when the service may have got the request. */
  isSent: boolean;
}

/** What `work` answers at the host of the call, or why there is no answer. */
async function outcomeOf(
  call: CommandCall,
  memory: Memory,
  facts: CallFacts,
  work: (connection: Connection) => Promise<Extract<PortAnswer, { readonly text: string }>>,
): Promise<PortAnswer> {
  let baseUrl: string | null = null;
  try {
    const connection = await choose(call, memory);
    baseUrl = connection.host.url;
    return await work(connection);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: errorFor(error, { ...facts, baseUrl, program: call.io.program }) };
  }
}

function send(call: CommandCall, memory: Memory, request: PortRequest, signal: AbortSignal): Promise<PortAnswer> {
  const { contract, key, address, body, headers, answer } = request;
  const { flags } = call;
  const facts = { contract, key, isSent: false };
  return outcomeOf(call, memory, facts, async (connection) => {
    const timeoutMs = connection.policy.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const all = { ...headers, ...credentials(request, connection, memory) };
    const sent = { method: contract.method, url: connection.host.url + address, headers: all, body, timeoutMs, signal };
    await mayBeSent(silent(call.io), connection.policy, sent, flags);
    if (contract.surface === "sandbox") await requireEmulator(connection);
    facts.isSent = true;
    let requestId: string | null = null;
    const onAnswer = (answered: HttpAnswer) => {
      requestId = answered.headers.get("x-request-id") ?? null;
      printAnswerHead(call.io, answered, flags);
    };
    // The host has just been asked whether it is an emulator.
    const { auth, preview } = contract;
    const spec = { surface: "api", auth, preview, answer, flags: [], defaults: {} } as const;
    const text = await sendOperation(spec, connection, sent, onAnswer);
    remember(memory, request, connection, text);
    return { text, requestId };
  });
}

/** Input and output for what works for a tool: nobody is asked, and nothing but `print` gets what it prints. */
function silent(io: Io, print: (text: string) => void = () => undefined): Io {
  return { ...io, out: (text) => print(String(text)), isTerminal: false, isScreen: false };
}

/** The commands that write and read the file of a snapshot do it for the tools, too. */
async function fileCommand({ contract }: FileCall): Promise<LocalCommand> {
  if (contract.upload !== undefined) return (await import("../sandbox/snapshots/import.js")).command;
  return (await import("../sandbox/snapshots/export.js")).command;
}

function moveFile(call: CommandCall, memory: Memory, moved: FileCall): Promise<PortAnswer> {
  const { contract, name, file } = moved;
  return outcomeOf(call, memory, { contract, key: null, isSent: false }, async () => {
    let text = "";
    const io = silent(call.io, (printed) => {
      text += printed;
    });
    const command = await fileCommand(moved);
    await command.run({ ...call, io }, { name, file }, { ...call.flags, json: true });
    return { text, requestId: null };
  });
}

function why(call: CommandCall, memory: Memory, { contract, id, prove }: WhyQuestion): Promise<PortAnswer> {
  return outcomeOf(call, memory, { contract, key: null, isSent: true }, async (connection) => {
    const { whyAnswer } = await import("../why/answer.js");
    const { json, sentences } = await whyAnswer(silent(call.io), connection, call.flags, { given: id, prove });
    return { text: JSON.stringify({ ...json, sentences }), requestId: null };
  });
}

/** The answer to a question about the host, which is asked until there is one. `ask` returns null when it does not tell. */
async function answered(
  memory: Memory,
  connection: Connection,
  question: string,
  ask: (connection: Connection) => Promise<boolean | null>,
): Promise<boolean> {
  if (connection.credential.apiKey === null) return false;
  const of = `${question} ${connection.host.url} ${connection.credential.apiKey}`;
  const cached = memory.answers.get(of);
  if (cached !== undefined) return cached;
  const timeoutMs = Math.min(connection.policy.timeoutMs ?? PROBE_MS, PROBE_MS);
  const answer = await ask(withTimeout(connection, timeoutMs)).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  if (answer !== null) memory.answers.set(of, answer);
  return answer ?? false;
}

/** The previews among the operations of the session that the host serves: any host answers 404 to one that it does not. */
async function previewsAt(
  memory: Memory,
  connection: Connection,
  contracts: readonly Contract[],
): Promise<readonly Preview[]> {
  const served: Preview[] = [];
  for (const { preview, path } of contracts) {
    if (preview === undefined) continue;
    const isServed = await answered(memory, connection, preview, async (host) => {
      const { status } = await getWithKey(host, `${path}?limit=1`);
      return status === 200 || (status === 404 ? false : null);
    });
    if (isServed) served.push(preview);
  }
  return served;
}

/** What `look` says of the host that is chosen; `without` when none can be. */
async function ofHost<Result>(
  call: CommandCall,
  memory: Memory,
  look: (connection: Connection) => Result | Promise<Result>,
  without: Result,
): Promise<Result> {
  try {
    return await look(await choose(call, memory));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return without;
  }
}

function situation(call: CommandCall, memory: Memory, contracts: readonly Contract[]): Promise<HostContext> {
  const look = async (connection: Connection) => ({
    host: connection.host.url,
    mode: keyMode(connection.credential.apiKey),
    isEmulator: await answered(memory, connection, "emulator", isEmulator),
    previews: await previewsAt(memory, connection, contracts),
    readOnly: readOnlyReason(connection, call.flags),
  });
  const readOnly = withoutHost(call.flags);
  return ofHost<HostContext>(call, memory, look, { host: null, mode: null, isEmulator: false, previews: [], readOnly });
}

/** `contracts` are the operations of the session. Only the previews among them are asked for. */
export function createServicePort(call: CommandCall, contracts: readonly Contract[]): ServicePort {
  const memory: Memory = { chosen: null, login: null, answers: new Map() };
  return {
    situation: () => situation(call, memory, contracts),
    readOnly: () =>
      ofHost(call, memory, (connection) => readOnlyReason(connection, call.flags), withoutHost(call.flags)),
    send: (request, signal) => send(call, memory, request, signal),
    moveFile: (moved) => moveFile(call, memory, moved),
    why: (question) => why(call, memory, question),
    random: () => call.io.random(),
  };
}
