import { DEFAULT_TIMEOUT_MS, type HttpAnswer } from "../../../client/send.js";
import { isJsonObject } from "../../../kernel/json.js";
import type { Desk, DeskRequest, FileErrand, Outcome, Situation } from "../../../mcp/desk.js";
import { exchange } from "../../operation/exchange.js";
import { requireEmulator } from "../../target/ask-host.js";
import type { ChosenTarget } from "../../target/choose-target.js";
import { requireKey, requireLogin, requireTrust, resolveTarget } from "../../target/resolve-target.js";
import { isLiveKey, isLoopback, mayBeSent, tellAnswer } from "../../target/safety.js";
import { Failure, jsonOf, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import type { LocalCommand, Surroundings } from "../../tree/define-command.js";
import type { GlobalFlags } from "../../tree/flags.js";
import { errorFor } from "./error.js";

/** The tools' way to the service. Each call chooses the host and the key anew, as every command does. */

/** A host that does not tell in this time whether it is an emulator gets no simulators for now. */
const PROBE_MS = 5_000;

interface Errand extends Surroundings {
  readonly flags: GlobalFlags & { readonly readOnly?: boolean };
}

/** What a session holds on to. */
interface Memory {
  /** Where the host and the key come from, and the kind of the key: fixed by the first choice that has a key. */
  chosen: string | null;
  /** The token of `auth_login`, with the host that gave it. */
  login: { readonly baseUrl: string; readonly token: string } | null;
  /** The host and key that were asked whether they are an emulator, and the answer. */
  asked: { readonly of: string; readonly isEmulator: boolean } | null;
}

function modeOf(apiKey: string | null): Situation["mode"] {
  if (isLiveKey(apiKey)) return "live";
  return apiKey?.startsWith("qa_test_") ? "test" : null;
}

/** Why nothing is changed, whatever the host. */
function withoutHost({ readOnly }: Errand["flags"]): string | null {
  return readOnly === true ? "It was started with --read-only." : null;
}

/** Why nothing is changed at a host; null when changes are sent. */
function readOnlyReason(target: ChosenTarget, flags: Errand["flags"]): string | null {
  const always = withoutHost(flags);
  if (always !== null) return always;
  if (target.readOnly !== undefined) return `Its profile ${target.readOnly} is read-only.`;
  if (flags.yes === true) return null;
  if (isLiveKey(target.apiKey)) return "Its key is a live key; `qa-pay mcp --yes` allows changes.";
  if (isLoopback(target.baseUrl)) return null;
  return `${new URL(target.baseUrl).host} is not this machine; \`qa-pay mcp --yes\` allows changes.`;
}

/**
 * Throws Failure (exit 2) when the choice differs from the first one, for example since another profile is the current
 * one: the agent and its user still think of the first host.
 */
function requireSameChoice(memory: Memory, { baseUrl, from, keyFrom, apiKey, project }: ChosenTarget): void {
  if (apiKey === null) return;
  // The server of a project may get another port when it starts again.
  const place = project === null ? `${baseUrl} (from ${from})` : "the server of this project";
  const mode = modeOf(apiKey);
  const choice = `${place} with a ${mode === null ? "key" : `${mode} key`} (from ${keyFrom})`;
  memory.chosen ??= choice;
  if (memory.chosen === choice) return;
  const message = `This session began with ${memory.chosen}. Now ${choice} would be used.`;
  throw usage(message, "Ask the user to start the MCP server again, or to undo that change.");
}

/** The host and the key of a call. Throws Failure like `resolveTarget` and `requireSameChoice`. */
async function choose({ io, flags }: Errand, memory: Memory): Promise<ChosenTarget> {
  const target = await resolveTarget(io, { ...flags, quiet: true });
  requireSameChoice(memory, target);
  return target;
}

function credentials({ contract }: DeskRequest, target: ChosenTarget, { login }: Memory): Record<string, string> {
  if (contract.id === "auth.login") requireTrust(target, "a password");
  if (contract.auth === "none") return {};
  if (contract.auth === "key") return { apikey: requireKey(target) };
  const token = login?.baseUrl === target.baseUrl ? login.token : requireLogin(target).token;
  return { authorization: `Bearer ${token}` };
}

/** Keeps the token of a login for the calls that follow, and forgets it after a logout. */
function remember(memory: Memory, { contract }: DeskRequest, { baseUrl }: ChosenTarget, text: string): void {
  if (contract.id === "auth.logout") memory.login = null;
  if (contract.id !== "auth.login") return;
  const answer = jsonOf(text);
  const token = isJsonObject(answer) ? answer.token : undefined;
  if (typeof token === "string") memory.login = { baseUrl, token };
}

async function send(errand: Errand, memory: Memory, request: DeskRequest, signal: AbortSignal): Promise<Outcome> {
  const { contract, address, body, headers, answer } = request;
  const { flags } = errand;
  const io = silent(errand.io);
  let baseUrl: string | null = null;
  let isSent = false;
  try {
    const target = await choose(errand, memory);
    baseUrl = target.baseUrl;
    const timeoutMs = target.timeoutMs ?? contract.cli?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const all = { ...headers, ...credentials(request, target, memory) };
    const sent = { method: contract.method, url: baseUrl + address, headers: all, body, timeoutMs, signal };
    await mayBeSent(io, target, sent, flags);
    if (contract.surface === "sandbox") await requireEmulator(target);
    isSent = true;
    let requestId: string | null = null;
    const onAnswer = (answered: HttpAnswer) => {
      requestId = answered.headers.get("x-request-id") ?? null;
      tellAnswer(io, answered, flags);
    };
    // The host has just been asked whether it is an emulator.
    const { auth, preview } = contract;
    const spec = { surface: "api", auth, preview, answer, flags: [], defaults: {} } as const;
    const text = await exchange(spec, target, sent, onAnswer);
    remember(memory, request, target, text);
    return { text, requestId };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: errorFor(error, { contract, baseUrl, key: request.key, isSent }) };
  }
}

/** Input and output for what works for a tool: nobody is asked, and nothing but `print` gets what it prints. */
function silent(io: Io, print: (text: string) => void = () => undefined): Io {
  return { ...io, out: (text) => print(String(text)), isTerminal: false, isScreen: false };
}

/** The commands that write and read the file of a snapshot do it for the tools, too. */
async function fileCommand({ contract }: FileErrand): Promise<LocalCommand> {
  if (contract.upload !== undefined) return (await import("../sandbox/snapshots/import.js")).command;
  return (await import("../sandbox/snapshots/export.js")).command;
}

async function moveFile(errand: Errand, memory: Memory, moved: FileErrand): Promise<Outcome> {
  const { contract, name, file } = moved;
  let baseUrl: string | null = null;
  let printed = "";
  const io = silent(errand.io, (text) => {
    printed += text;
  });
  try {
    baseUrl = (await choose(errand, memory)).baseUrl;
    const command = await fileCommand(moved);
    await command.run({ ...errand, io }, { name, file }, { ...errand.flags, json: true });
    return { text: printed, requestId: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: errorFor(error, { contract, baseUrl, key: null, isSent: false }) };
  }
}

/** Asks a host whether it is an emulator, until it has answered once. */
async function isEmulator(memory: Memory, target: ChosenTarget): Promise<boolean> {
  const { baseUrl, apiKey } = target;
  if (apiKey === null) return false;
  const of = `${baseUrl} ${apiKey}`;
  if (memory.asked?.of === of) return memory.asked.isEmulator;
  try {
    await requireEmulator({ ...target, timeoutMs: Math.min(target.timeoutMs ?? PROBE_MS, PROBE_MS) });
    memory.asked = { of, isEmulator: true };
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "no_emulator") memory.asked = { of, isEmulator: false };
    return false;
  }
}

async function situation(errand: Errand, memory: Memory): Promise<Situation> {
  try {
    const target = await choose(errand, memory);
    return {
      host: target.baseUrl,
      mode: modeOf(target.apiKey),
      isEmulator: await isEmulator(memory, target),
      readOnly: readOnlyReason(target, errand.flags),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { host: null, mode: null, isEmulator: false, readOnly: withoutHost(errand.flags) };
  }
}

export function createDesk(errand: Errand): Desk {
  const memory: Memory = { chosen: null, login: null, asked: null };
  return {
    situation: () => situation(errand, memory),
    async readOnly() {
      try {
        return readOnlyReason(await choose(errand, memory), errand.flags);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return withoutHost(errand.flags);
      }
    },
    send: (request, signal) => send(errand, memory, request, signal),
    moveFile: (moved) => moveFile(errand, memory, moved),
    random: () => errand.io.random(),
  };
}
