import type { CommandSpec, FlagSpec } from "./describe-commands.js";
import { EXIT, exitCodeOf } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { Io } from "./io.js";
import { findProfile } from "./profiles.js";

/** Turns a parsed command line into one request, sends it and reads the answer. */

export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly yes?: boolean;
}

export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

/** Flag beats environment beats profile. */
export async function resolveTarget(io: Io, flags: GlobalFlags): Promise<Target> {
  const named = flags.profile ?? io.env.QA_PAY_PROFILE;
  const profile = findProfile(io, flags.profile);
  if (named !== undefined && profile === null) throw usage(`There is no profile ${named}.`);
  const baseUrl = flags.baseUrl ?? io.env.QA_PAY_BASE_URL ?? profile?.base_url ?? "http://127.0.0.1:4600";
  const typed = flags.apiKey === "-" ? (await io.readInput()).trim() : flags.apiKey;
  if (!/^https?:\/\//.test(baseUrl)) throw usage(`--base-url must start with http:// or https://, not ${baseUrl}.`);
  return { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey: typed ?? io.env.QA_PAY_API_KEY ?? profile?.api_key ?? null };
}

async function fileText(path: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(path, "utf8");
  } catch {
    throw usage(`The file ${path} cannot be read.`);
  }
}

/** The value of a flag in the type of its field. What cannot be one is refused before anything is sent. */
async function valueOf(flag: FlagSpec, given: string | string[] | boolean): Promise<unknown> {
  if (flag.nullable && given === "null") return null;
  const text = Array.isArray(given) ? given.join(",") : String(given);
  switch (flag.type) {
    case "integer":
      if (!/^-?\d+$/.test(text)) throw usage(`--${flag.name} takes a whole number, not ${text}.`);
      return Number(text);
    case "number":
      if (text.trim() === "" || Number.isNaN(Number(text))) throw usage(`--${flag.name} takes a number, not ${text}.`);
      return Number(text);
    case "boolean":
      return text !== "false";
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "json":
      try {
        return JSON.parse(text.startsWith("@") ? await fileText(text.slice(1)) : text);
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw usage(`--${flag.name} takes JSON, or @file with JSON.`);
      }
    case "string":
      return text;
  }
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let holder = body;
  for (const key of keys) {
    holder[key] ??= {};
    holder = holder[key] as Record<string, unknown>;
  }
  holder[last] = value;
}

export async function prepare(
  spec: CommandSpec,
  target: Target,
  positional: readonly string[],
  options: Readonly<Record<string, string | string[] | boolean | undefined>>,
  newIdempotencyKey: () => string,
): Promise<PreparedRequest> {
  let path = spec.path;
  spec.arguments.forEach(({ name }, index) => {
    path = path.replace(`{${name}}`, encodeURIComponent(positional[index] ?? ""));
  });
  const query = new URLSearchParams();
  const body: Record<string, unknown> = { ...spec.constants };
  for (const flag of spec.flags) {
    const given = options[flag.name];
    if (given === undefined) continue;
    const value = await valueOf(flag, given);
    if (flag.place === "query") query.set(flag.field, String(value));
    else put(body, flag.field, value);
  }
  const headers: Record<string, string> = { accept: "application/json" };
  if (spec.needsKey) {
    if (target.apiKey === null) {
      const hint = "Start a server here with `qa-pay serve`, or give a key with --api-key or QA_PAY_API_KEY.";
      throw new Failure(EXIT.denied, "unauthorized", "No API key is known.", undefined, hint);
    }
    headers.apikey = target.apiKey;
  }
  if (spec.needsIdempotencyKey) headers["idempotency-key"] = String(options["idempotency-key"] ?? newIdempotencyKey());
  const search = query.size > 0 ? `?${query}` : "";
  const withBody = spec.method === "POST" || spec.method === "PATCH";
  if (withBody) headers["content-type"] = "application/json";
  return {
    method: spec.method,
    url: target.baseUrl + path + search,
    headers,
    body: withBody ? JSON.stringify(body) : undefined,
  };
}

/** The answer's body as it came. Throws Failure for whatever is not a 2xx. */
export async function send(request: PreparedRequest, emulatorOnly: boolean): Promise<string> {
  const { ofetch } = await import("ofetch");
  let response: { status: number; _data?: string | undefined };
  try {
    response = await ofetch.raw<string, "text">(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      responseType: "text",
      ignoreResponseError: true,
      retry: false,
      redirect: "manual",
    });
  } catch (error) {
    const { origin } = new URL(request.url);
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const hint = "Is the server running? `qa-pay serve` starts one on this machine.";
    throw new Failure(EXIT.unreachable, "unreachable", `Nobody answers at ${origin} (${reason}).`, undefined, hint);
  }
  const text = response._data ?? "";
  if (response.status < 300) return text;
  throw refusal(response.status, text, emulatorOnly);
}

function refusal(status: number, text: string, emulatorOnly: boolean): Failure {
  try {
    const envelope = JSON.parse(text) as { error: { message: string; code: string } };
    const { message, code } = envelope.error;
    return new Failure(exitCodeOf(status), code, `${message} (${code})`, envelope);
  } catch {
    if (emulatorOnly && status === 404) {
      return new Failure(
        EXIT.usage,
        "no_emulator",
        "That host is no qa-pay emulator; sandbox commands work only on one.",
      );
    }
    return new Failure(
      exitCodeOf(status) || EXIT.unreachable,
      "unexpected_answer",
      `The host answered ${status} without an error envelope.`,
    );
  }
}
