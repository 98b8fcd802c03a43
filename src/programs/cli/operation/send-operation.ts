import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { HttpAnswer, HttpRequest } from "../../../api/client/send.js";
import type { Preview } from "../../../base/kernel/contract.js";
import { isSuccess } from "../../../base/kernel/http-status.js";
import { kindOf, rawId } from "../../../base/kernel/ids.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { pick } from "../../../base/kernel/pick.js";
import { t, Wording, type Words } from "../../../base/kernel/wording.js";
import type { Connection, Host } from "../host/connection.js";
import { LOGIN_HINT } from "../host/credential.js";
import { longAddressHint, requireEmulator, strangerHint, unknownKeyHint } from "../host/read.js";
import { sendOrFail } from "../host/send.js";
import { EXIT, envelopeIn, Failure, jsonOf, refusalOf, suggestion } from "../terminal/failure.js";
import { commandLine } from "../terminal/program-command.js";
import { findHint } from "./find-hint.js";

/** Sends the request of an operation and turns the answer into text or a failure. */

/** The command that does nearly the same as the route of a preview, on every host. */
const INSTEAD: Readonly<Record<Preview, string>> = { "charge-list": "payments list" };

/** What stands in an address where the id of a payment or charge is expected. */
const PAYMENT_IN_URL = /\/(?:v1|_sandbox)\/(?:payments|charges|timeline)\/([^/?]+)/;

/** The parts of an operation that sending needs. */
export type SentOperation = Pick<
  OperationSpec,
  "surface" | "auth" | "preview" | "answer" | "flags" | "defaults" | "picksFrom"
>;

/**
 * Returns the body of a successful answer, unchanged. Calls `onAnswer` for every answer. Throws Failure for a status
 * that is not 2xx, and for an answer that is not from a qa-pay service, such as a web page.
 */
export async function sendOperation(
  spec: SentOperation,
  connection: Connection,
  request: HttpRequest,
  onAnswer: (answer: HttpAnswer) => void = () => undefined,
): Promise<string> {
  if (spec.surface === "sandbox") await requireEmulator(connection);
  const answer = await sendOrFail(request, connection.policy);
  onAnswer(answer);
  const { status, text } = answer;
  if (isSuccess(status)) {
    checkAnswer(spec, status, text);
    return text;
  }
  throw refusalOf(status, text, hintFor(spec, connection, request, answer));
}

/** Throws Failure (exit 7) when a 2xx answer has the wrong shape: some hosts answer every request with a success. */
function checkAnswer({ answer: { type, has } }: SentOperation, status: number, text: string): void {
  const unexpectedAnswer = (what: Wording) => {
    const hint = t`Is this the address of the service? See what it says with --verbose, or with \`qa-pay doctor\`.`;
    return new Failure(EXIT.unreachable, "unexpected_answer", t`The host answered ${status} ${what}.`, hint);
  };
  if (type === "nothing") return;
  if (text === "") throw unexpectedAnswer(t`without the requested object`);
  const value = jsonOf(text);
  if (type === "array" && !Array.isArray(value)) throw unexpectedAnswer(t`with something other than a list`);
  if (type === "object" && !isJsonObject(value)) throw unexpectedAnswer(t`with something other than an object`);
  const missing = has.find((name) => !isJsonObject(value) || value[name] === undefined);
  if (missing !== undefined) throw unexpectedAnswer(t`with an object that has no ${missing}`);
}

/** A hint with the flag that avoids this refusal, when the service refused a default value of the command. */
function defaultHint({ flags, defaults }: SentOperation, text: string): Words | undefined {
  const param = envelopeIn(text)?.error.param ?? "";
  const flag = flags.find(({ field }) => field === param && Object.hasOwn(defaults, field));
  if (flag === undefined) return undefined;
  const { name, description } = flag;
  return t`Add --${name}: ${new Wording(description.charAt(0).toLowerCase() + description.slice(1))}.`;
}

/** A hint with the allowed item that is most similar to the refused item of a list. */
function itemHint({ flags }: SentOperation, body: string | undefined, text: string): Words | undefined {
  const [, field, index] = /^(.+)\.(\d+)$/.exec(envelopeIn(text)?.error.param ?? "") ?? [];
  const choices = flags.find((flag) => flag.field === field && flag.type === "list")?.choices;
  if (field === undefined || choices === undefined) return undefined;
  const given = pick(JSON.parse(body ?? "{}"), `${field}.${index}`);
  return typeof given === "string" ? suggestion(given, choices) : undefined;
}

/** The hint when a host lacks the route of a preview. Only a server on this machine can be restarted with it. */
function previewHint(preview: Preview, { url }: Host): Wording {
  const other = `\`qa-pay ${INSTEAD[preview]}\``;
  if (!isLoopbackUrl(url)) return t`This host does not offer it. ${other} lists charges too.`;
  return t`${other} lists charges too. To try this route, start the server with \`qa-pay serve --preview ${preview}\`.`;
}

function hintFor(
  spec: SentOperation,
  connection: Connection,
  { url, body }: HttpRequest,
  { status, headers, text }: HttpAnswer,
): Words | undefined {
  const wait = headers.get("retry-after");
  if (status === 429 && wait !== undefined) {
    return /^\d+$/.test(wait) ? t`Retry-After is ${wait} seconds.` : t`Retry-After is ${wait}.`;
  }
  // The answer is not from the service, so it says nothing about a key, a login or an id.
  if (envelopeIn(text) === null) return strangerHint(connection.policy);
  if (status === 401) return spec.auth === "jwt" ? LOGIN_HINT : unknownKeyHint(connection);
  if (status === 400) return itemHint(spec, body, text);
  if (status === 422) return defaultHint(spec, text);
  if (status !== 404) return undefined;
  const address = longAddressHint(connection.host);
  if (address !== undefined) return address;
  if (spec.preview !== undefined) return previewHint(spec.preview, connection.host);
  const { list } = spec.picksFrom ?? {};
  const [, given = ""] = PAYMENT_IN_URL.exec(url) ?? [];
  const asked = decodeURIComponent(given);
  if (given !== "" && kindOf(asked) === null && rawId(asked, "") === null) return findHint(asked, connection);
  // Some refusals of the emulator name the list themselves.
  if (list === undefined || text.includes(list)) return undefined;
  const command = `\`${commandLine("qa-pay", list.split(" "), connection.policy.hostFlags ?? {})}\``;
  return spec.auth === "key" && spec.surface === "api"
    ? t`Check the id and the key: ${command} lists what this key sees.`
    : t`Check the id: ${command} lists those that exist.`;
}
