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
  ReconcileQuestion,
  ServicePort,
  WhyQuestion,
} from "../../../mcp/service-port.js";
import type { AgentTool } from "../../../mcp/tools.js";
import { connect } from "../../host/connect.js";
import { type Connection, projectOf, withTimeout } from "../../host/connection.js";
import { mayBeSent } from "../../host/consent.js";
import { credentialHeaders, requireTrust } from "../../host/credential.js";
import { isLiveKey, keyMode } from "../../host/keys.js";
import { printAnswerHead } from "../../host/print.js";
import { getWithKey, isEmulator, requireEmulator } from "../../host/read.js";
import { sourcesOf } from "../../host/sources.js";
import { sendOperation } from "../../operation/send-operation.js";
import { Failure, jsonOf, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { commandLine } from "../../terminal/program-command.js";
import type { CommandContext, LocalCommand } from "../../tree/define-command.js";
import { errorFor, type FailedCall } from "./error.js";
import { mayStart, startServer } from "./start-emulator.js";

/** The tools' way to the service. Each call chooses the host and the key anew, as every command does. */

/** A host that does not answer in this time counts as no emulator for now. */
const PROBE_MS = 5_000;

interface CommandCall extends CommandContext {
  readonly flags: GlobalFlags & { readonly readOnly?: boolean };
}

/** The state of a session. */
interface Memory {
  /** True if the agent has a tool that starts a server. */
  readonly offersStart: boolean;
  /** Resolves when no server of this session is starting. */
  starting: Promise<unknown>;
  /** Where the host and the key come from, and the kind of the key: fixed by the first choice that has a key. */
  chosen: string | null;
  /** The token of `auth_login`, with the host that issued it. */
  login: { readonly baseUrl: string; readonly token: string } | null;
  /** Answers of a host to a key: whether it is an emulator, and whether it serves a preview. */
  readonly answers: Map<string, boolean>;
}

const LIVE = "Its key is a live key; `qa-pay mcp --yes` allows changes.";

/** Returns why nothing is changed, whatever the host is; null when that depends on the host. */
function alwaysReadOnly({ readOnly }: CommandCall["flags"]): string | null {
  return readOnly === true ? "It was started with --read-only." : null;
}

/** Returns why nothing is changed while no host can be chosen: a server that is started would get the key of this session. */
function withoutHost({ io, flags }: CommandCall): string | null {
  const always = alwaysReadOnly(flags);
  if (always !== null || flags.yes === true) return always;
  try {
    const key = sourcesOf(io, flags).settings.find(({ apiKey }) => apiKey !== undefined)?.apiKey;
    return isLiveKey(key) ? LIVE : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Returns why no change is sent to a host; null when changes are sent. */
function readOnlyReason(connection: Connection, flags: CommandCall["flags"]): string | null {
  const always = alwaysReadOnly(flags);
  if (always !== null) return always;
  const { host, credential, policy } = connection;
  if (policy.readOnly !== undefined) return `Its profile ${policy.readOnly} is read-only.`;
  if (flags.yes === true) return null;
  if (isLiveKey(credential.apiKey)) return LIVE;
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

/** Returns the connection of a call. Throws Failure like `connect` and `requireSameChoice`. */
async function choose({ io, flags }: CommandCall, memory: Memory): Promise<Connection> {
  const connection = await connect(io, { ...flags, quiet: true });
  requireSameChoice(memory, connection);
  return connection;
}

function credentials({ contract }: PortRequest, connection: Connection, { login }: Memory): Record<string, string> {
  if (contract.id === "auth.login") requireTrust(connection.host, "a password");
  return credentialHeaders(contract.auth, connection, login?.baseUrl === connection.host.url ? login.token : undefined);
}

/** The token of a login stays in the session, which sends it. The agent does not need it. */
const KEPT = "(kept by this session)";

/** Keeps the token of a login for the calls that follow, and forgets it after a logout. Returns the answer for the agent. */
function remember(memory: Memory, { contract }: PortRequest, { host }: Connection, text: string): string {
  if (contract.id === "auth.logout") memory.login = null;
  if (contract.id !== "auth.login") return text;
  const answer = jsonOf(text);
  if (!isJsonObject(answer) || typeof answer.token !== "string") return text;
  memory.login = { baseUrl: host.url, token: answer.token };
  return JSON.stringify({ ...answer, token: KEPT });
}

/** The call that needs the host. */
interface CallFacts extends Pick<FailedCall, "contract" | "key"> {
  /** True when the service may have got the request. */
  isSent: boolean;
}

/** The facts of a call that only reads. */
const READS: CallFacts = { contract: { method: "GET", auth: "key" }, key: null, isSent: true };

/** Runs `work` with the host of the call, and returns its answer or why there is none. */
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
    const { io, flags } = call;
    return failed(io, error, { ...facts, baseUrl, mayStart: memory.offersStart && mayStart(io, flags) });
  }
}

/** The error for the agent. Throws what is no Failure. */
function failed({ program }: Io, error: unknown, facts: Omit<FailedCall, "program">): PortAnswer {
  if (!(error instanceof Failure)) throw error;
  return { failure: errorFor(error, { ...facts, program }) };
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
    // The check for an emulator is already done above.
    const { auth, preview } = contract;
    const spec = { surface: "api", auth, preview, answer, flags: [], defaults: {} } as const;
    const text = await sendOperation(spec, connection, sent, onAnswer);
    return { text: remember(memory, request, connection, text), requestId };
  });
}

/** Input and output of a command that works for a tool: no questions, and only `print` gets the output. */
function silent(io: Io, print: (text: string) => void = () => undefined): Io {
  return { ...io, out: (text) => print(String(text)), isTerminal: false, isScreen: false };
}

/** Returns the command that writes or reads the file of a snapshot; the tools use it too. */
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

function why(call: CommandCall, memory: Memory, { id, prove }: WhyQuestion): Promise<PortAnswer> {
  return outcomeOf(call, memory, READS, async (connection) => {
    const { whyAnswer } = await import("../why/answer.js");
    const { json, sentences } = await whyAnswer(silent(call.io), connection, call.flags, { given: id, prove });
    return { text: JSON.stringify({ ...json, sentences }), requestId: null };
  });
}

function reconcile(
  call: CommandCall,
  memory: Memory,
  question: ReconcileQuestion,
  signal: AbortSignal,
): Promise<PortAnswer> {
  return outcomeOf(call, memory, READS, async (connection) => {
    const { reconcileAt } = await import("./reconcile-rows.js");
    const context = { ...call, io: silent(call.io), connection, signal };
    return { text: JSON.stringify(await reconcileAt(context, question)), requestId: null };
  });
}

/** The address of the emulator that the session goes to; null when none answers there now. */
function runningEmulator(call: CommandCall, memory: Memory): Promise<string | null> {
  const look = async (connection: Connection) => {
    const { host } = connection;
    const runs = host.server?.isRunning === true || (await isEmulator(withTimeout(connection, PROBE_MS)));
    return runs ? host.url : null;
  };
  return ofHost(call, memory, look, null);
}

async function startEmulator(call: CommandCall, memory: Memory, signal: AbortSignal): Promise<PortAnswer> {
  const { io, flags } = call;
  const before = await runningEmulator(call, memory);
  try {
    if (before === null) {
      await startServer(silent(io), flags, signal);
      // The session goes to this server from now on, whichever it went to before.
      memory.chosen = null;
    }
    const url = before ?? (await choose(call, memory)).host.url;
    const [env, console, stop] = ["env", "console", "stop"].map((word) => commandLine(io.program, [word], flags));
    const answer = { url, started: before === null, env, console, stop: mayStart(io, flags) ? stop : null };
    return { text: JSON.stringify(answer), requestId: null };
  } catch (error) {
    return failed(io, error, { ...READS, isSent: false, baseUrl: null, mayStart: false });
  }
}

/** Returns a fact about the host, and keeps it. `ask` returns null while the host does not answer; then the next call sends the request again. */
async function askOnce(
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

/** Returns the previews among the operations of the session that the host serves: any host answers 404 to one that it does not. */
async function previewsAt(
  memory: Memory,
  connection: Connection,
  contracts: readonly Contract[],
): Promise<readonly Preview[]> {
  const served: Preview[] = [];
  for (const { preview, path } of contracts) {
    if (preview === undefined) continue;
    const isServed = await askOnce(memory, connection, preview, async (host) => {
      const { status } = await getWithKey(host, `${path}?limit=1`);
      return status === 200 || (status === 404 ? false : null);
    });
    if (isServed) served.push(preview);
  }
  return served;
}

/** Returns the result of `look` for the chosen host, or `without` when no host can be chosen. */
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
    isEmulator: await askOnce(memory, connection, "emulator", isEmulator),
    previews: await previewsAt(memory, connection, contracts),
    readOnly: readOnlyReason(connection, call.flags),
    mayStart: mayStart(call.io, call.flags),
  });
  const without = { host: null, mode: null, isEmulator: false, previews: [] };
  const known = { readOnly: withoutHost(call), mayStart: mayStart(call.io, call.flags) };
  return ofHost<HostContext>(call, memory, look, { ...without, ...known });
}

/** `tools` are those of the session. Only the previews among them are looked up. */
export function createServicePort(call: CommandCall, tools: readonly AgentTool[]): ServicePort {
  const contracts = tools.flatMap(({ contract }) => contract ?? []);
  const offersStart = tools.some(({ id }) => id === "emulator.start");
  const memory: Memory = { offersStart, starting: Promise.resolve(), chosen: null, login: null, answers: new Map() };
  return {
    situation: () => situation(call, memory, contracts),
    readOnly: () => ofHost(call, memory, (connection) => readOnlyReason(connection, call.flags), withoutHost(call)),
    send: (request, signal) => send(call, memory, request, signal),
    moveFile: (moved) => moveFile(call, memory, moved),
    why: (question) => why(call, memory, question),
    reconcile: (question, signal) => reconcile(call, memory, question, signal),
    startEmulator(signal) {
      // Of two calls at once, the second one finds the server of the first.
      const started = memory.starting.then(() => startEmulator(call, memory, signal));
      memory.starting = started.catch(() => undefined);
      return started;
    },
    random: () => call.io.random(),
  };
}
