import type { FlagsOf, GlobalFlags } from "../../../api/client/flags.js";
import { METHODS } from "../../../base/kernel/contract.js";
import { isSuccess } from "../../../base/kernel/http-status.js";
import { jsonIn } from "../../../base/kernel/json.js";
import { connect } from "../host/connect.js";
import type { Connection } from "../host/connection.js";
import { mayBeSent } from "../host/consent.js";
import { requireKey, requireTrust } from "../host/credential.js";
import { SECRET_HEADERS } from "../host/keys.js";
import { requireEncryption } from "../host/policy.js";
import { sendOrFail } from "../host/send.js";
import { unknownFields, warningsFor } from "../operation/unknown-fields.js";
import { repetition, toBeRepeated, withRepetition } from "../operation/unknown-outcome.js";
import { EXIT, type ExitCode, refusalOf, usage, wrongValue } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { readNamedText } from "../terminal/named-file.js";
import { bodyText, say, visibleLines } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

const FLAGS = {
  "--data <json|@file|->": "body: JSON, a file with it, or - for standard input",
  "--header <name:value>": { about: "another header; may be repeated", many: true },
  "--idempotency-key <text>": "the header Idempotency-Key; generated for a POST if omitted",
  "--include": "print status and headers first",
} as const;

type ApiFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

async function bodyOf(io: Io, data: string | undefined): Promise<string | undefined> {
  if (data === undefined) return undefined;
  if (data === "-") return io.readInput();
  return data.startsWith("@") ? readNamedText(io, data.slice(1)) : data;
}

function ownHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw wrongValue("--header", "name:value", line);
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** The flags that repeat the same request, without secrets. */
function flagsToRepeat(flags: ApiFlags): Parameters<typeof repetition>[1] {
  const header = flags.header?.filter((line) => !/^(apikey|authorization|idempotency-key)[ \t]*:/i.test(line));
  return { data: flags.data, header };
}

/** The headers with the credentials: none when --header gives them and no key is known, else the API key. */
function credentialsFor(connection: Connection, own: Readonly<Record<string, string>>): Record<string, string> {
  const isOwn = Object.keys(own).some((name) => SECRET_HEADERS.has(name));
  if (isOwn) requireTrust(connection.host, "what --header holds");
  if (isOwn && connection.credential.apiKey === null) return {};
  return { apikey: requireKey(connection) };
}

/** Sends any request and prints the answer unchanged, so that features without a command can be used too. */
async function callApi(io: Io, method: string, path: string, flags: ApiFlags): Promise<ExitCode> {
  const verb = method.toUpperCase();
  if (!METHODS.some((one) => one === verb)) throw usage(`${method} is not a method of the service.`);
  if (!path.startsWith("/")) throw usage(`The path must start with /, as /v1/charges does; not ${path}.`);
  const connection = await connect(io, flags);
  const own = ownHeaders(flags.header ?? []);
  requireEncryption(connection.host.url, own.apikey, flags);
  const credentials = credentialsFor(connection, own);
  const body = await bodyOf(io, flags.data);
  const unknown = warningsFor(io, flags, unknownFields(`${verb} ${path}`, jsonIn(body ?? "")));
  unknown.beforeSending();
  const key = flags.idempotencyKey ?? (verb === "POST" ? io.random() : undefined);
  const headers: Record<string, string> = {
    accept: "application/json",
    ...credentials,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...own,
  };
  const request = { method: verb, url: connection.host.url + path, headers, body };
  if (!(await mayBeSent(io, connection.policy, request, flags))) return EXIT.done;
  const exchange = () => sendOrFail(request, connection.policy);
  const repeat = key === undefined ? null : repetition(["api", verb, path], flagsToRepeat(flags), flags, key);
  const answer = await (repeat === null ? exchange() : withRepetition(exchange, repeat));
  if (flags.include) {
    io.out(say`HTTP ${answer.status}\n`);
    for (const [name, value] of answer.headers) io.out(say`${name}: ${value}\n`);
    io.out(say`\n`);
  }
  const text = answer.text === "" ? "" : `${answer.text}\n`;
  if (isSuccess(answer.status)) {
    unknown.afterSuccess();
    io.out(bodyText(io, text));
    return EXIT.done;
  }
  const refusal = refusalOf(answer.status, answer.text);
  const failure = repeat === null ? refusal : toBeRepeated(refusal, repeat);
  if (flags.json) throw failure;
  io.err(visibleLines(text));
  // Without an envelope the answer is not from the service, so its text does not explain the error.
  if (failure.envelope === undefined) throw failure;
  if (failure.hint !== undefined) io.err(visibleLines(`${failure.hint}\n`));
  return failure.exitCode;
}

export const command = defineCommand({
  command: "api",
  summary: "Send any request to the service and print its answer",
  takes: {
    "<method>": "GET, POST, PUT, PATCH or DELETE",
    "<path>": "path with its query, such as /v1/payments?limit=5",
  },
  flags: FLAGS,
  examples: [
    "qa-pay api GET '/v1/payments?limit=5'",
    'qa-pay api POST /v1/charges --data \'{"amount":1990,"payment_method":"pix"}\'',
  ],
  sends: true,
}).run(({ io, given: { method, path }, flags }) => callApi(io, method, path, flags));
