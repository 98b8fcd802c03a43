import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-codes.js";
import { Failure, refusalOf } from "../failure.js";
import type { Io } from "../io.js";
import { type GlobalFlags, requireKey, requireTrust, resolveTarget, sendOrFail } from "../request.js";
import { mayBeSent, parsedBody, SECRET_HEADERS } from "../safety.js";
import type { ChosenTarget } from "../settings.js";
import { bodyText, say, visibleLines } from "../terminal-text.js";
import { unknownFields, warningsFor } from "../unknown-fields.js";
import { repetition, targetFlags, unknownOutcome, withRepetition } from "../unknown-outcome.js";

interface ApiFlags extends GlobalFlags {
  readonly data?: string;
  readonly header?: readonly string[];
  readonly idempotencyKey?: string;
  readonly include?: boolean;
}

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

async function bodyOf(io: Io, data: string | undefined): Promise<string | undefined> {
  if (data === undefined) return undefined;
  if (data === "-") return io.readInput();
  if (!data.startsWith("@")) return data;
  try {
    return await readFile(resolve(io.cwd, data.slice(1)), "utf8");
  } catch {
    throw usage(`The file ${data.slice(1)} cannot be read.`);
  }
}

function ownHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw usage(`--header takes name:value, not ${line}.`);
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** The flags that make the same request again, without what is a secret. */
function repeatedFlags(flags: ApiFlags): Parameters<typeof repetition>[1] {
  const header = flags.header?.filter((line) => !/^(apikey|authorization|idempotency-key)[ \t]*:/i.test(line));
  return { data: flags.data, header, ...targetFlags(flags) };
}

/** The headers that say who is asking: those of the command line, or the key of the host. */
function credentialsFor(target: ChosenTarget, own: Readonly<Record<string, string>>): Record<string, string> {
  const isOwn = Object.keys(own).some((name) => SECRET_HEADERS.has(name));
  if (isOwn) requireTrust(target, "what --header holds");
  if (isOwn && target.apiKey === null) return {};
  return { apikey: requireKey(target) };
}

/** Any request, so that nothing the service can do is out of reach. The answer is printed as it came. */
export async function callApi(io: Io, method: string, path: string, flags: ApiFlags): Promise<ExitCode> {
  const verb = method.toUpperCase();
  if (!["GET", "POST", "PUT", "PATCH", "DELETE"].includes(verb)) throw usage(`${method} is no method of the service.`);
  if (!path.startsWith("/")) throw usage(`The path must start with /, as /v1/charges does; not ${path}.`);
  const target = await resolveTarget(io, flags);
  const own = ownHeaders(flags.header ?? []);
  const credentials = credentialsFor(target, own);
  const body = await bodyOf(io, flags.data);
  const unknown = warningsFor(io, flags, unknownFields(`${verb} ${path}`, parsedBody(body ?? "")));
  unknown.beforeSending();
  const key = flags.idempotencyKey ?? (verb === "POST" ? io.random() : undefined);
  const headers: Record<string, string> = {
    accept: "application/json",
    ...credentials,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...own,
  };
  const request = { method: verb, url: target.baseUrl + path, headers, body };
  if (!(await mayBeSent(io, request, flags))) return EXIT.done;
  const exchange = () => sendOrFail(request, target);
  const repeat = key === undefined ? null : repetition(["api", verb, path], repeatedFlags(flags), key);
  const answer = await (repeat === null ? exchange() : withRepetition(exchange, repeat));
  if (flags.include) {
    io.out(say`HTTP ${answer.status}\n`);
    for (const [name, value] of answer.headers) io.out(say`${name}: ${value}\n`);
    io.out(say`\n`);
  }
  const hint = repeat !== null && answer.status >= 500 ? unknownOutcome(repeat) : undefined;
  if (flags.json && answer.status >= 400) throw refusalOf(answer.status, answer.text, hint);
  unknown.afterSuccess();
  const text = answer.text === "" ? "" : `${answer.text}\n`;
  if (answer.status >= 200 && answer.status < 400) io.out(bodyText(io, text));
  else io.err(visibleLines(hint === undefined ? text : `${text}${hint}\n`));
  return exitCodeOf(answer.status);
}
