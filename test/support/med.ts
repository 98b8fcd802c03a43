import type { MedStatus } from "../../src/service/features/med/machine.js";
import { balance } from "./charges.js";
import { type Answer, bodyOf, type CallOptions, type Loose, type TestEmulator } from "./emulator.js";
import { send } from "./raw-http.js";

/** Helpers for tests of MED cases and their evidence. */

export const APPEAL = "The goods were delivered and signed for.";

/** A paid charge. `paying` is the body for the simulated payer. */
export async function paidCharge(
  emulator: TestEmulator,
  body: Record<string, unknown> = {},
  paying: object = {},
  options: CallOptions = {},
): Promise<Loose> {
  const charge = await emulator.charge(body, options);
  const { outcome } = await emulator.sandbox(`/charges/${charge.id}/pay`, paying, options);
  if (outcome !== "paid") throw new Error(`charge ${charge.id} was not paid: ${outcome}`);
  return charge;
}

/** The payer's bank opens a case; the answer may be a refusal. */
export function postCase(emulator: TestEmulator, body: object, options: CallOptions = {}): Promise<Answer> {
  return emulator.call("POST", "/_sandbox/med-cases", { ...options, body });
}

/** Opens a case, which must succeed, on a new charge unless `body` names one. Returns the case. */
export async function openCase(emulator: TestEmulator, body: object = {}, options: CallOptions = {}): Promise<Loose> {
  const named = "charge_id" in body ? body : { charge_id: (await paidCharge(emulator, {}, {}, options)).id, ...body };
  return bodyOf(await postCase(emulator, named, options));
}

/** The requests for every action of the merchant, the payer and the bank on a case. */
export const ACTIONS = {
  appeal: ["/v1/med/cases/{id}/appeal", { reason: APPEAL }],
  accept: ["/v1/med/cases/{id}/accept", {}],
  "decide upheld": ["/_sandbox/med-cases/{id}/decide", { outcome: "upheld" }],
  "decide refunded_to_merchant": ["/_sandbox/med-cases/{id}/decide", { outcome: "refunded_to_merchant" }],
  "decide closed_without_refund": ["/_sandbox/med-cases/{id}/decide", { outcome: "closed_without_refund" }],
  withdraw: ["/_sandbox/med-cases/{id}/withdraw", {}],
  "request-evidence": ["/_sandbox/med-cases/{id}/request-evidence", {}],
} as const satisfies Record<string, readonly [path: string, body: object]>;

export type Action = keyof typeof ACTIONS;

export function tryAction(
  emulator: TestEmulator,
  id: string,
  action: Action,
  options: CallOptions = {},
): Promise<Answer> {
  const [path, body] = ACTIONS[action];
  return emulator.call("POST", path.replace("{id}", id), { body, ...options });
}

/** The same for an action that must succeed. Returns the case. */
export async function act(
  emulator: TestEmulator,
  id: string,
  action: Action,
  options: CallOptions = {},
): Promise<Loose> {
  return bodyOf(await tryAction(emulator, id, action, options));
}

/** The actions that bring a case to each status. */
const WAYS: Readonly<Record<MedStatus, readonly Action[]>> = {
  open: [],
  appealed: ["appeal"],
  accepted: ["accept"],
  rejected: ["appeal", "decide upheld"],
  closed: ["decide closed_without_refund"],
};

/** A case in that status, on a charge of its own. */
export async function caseIn(emulator: TestEmulator, status: MedStatus): Promise<Loose> {
  let found = await openCase(emulator);
  for (const action of WAYS[status]) found = await act(emulator, found.id, action);
  if (found.status !== status) throw new Error(`case ${found.id} is ${found.status}, not ${status}`);
  return found;
}

export async function readCase(emulator: TestEmulator, id: string, options: CallOptions = {}): Promise<Loose> {
  return bodyOf(await emulator.call("GET", `/v1/med/cases/${id}`, options));
}

/** The available and the retained balance of the primary currency. */
export async function purse(emulator: TestEmulator, key = emulator.key): Promise<[available: number, held: number]> {
  const { available, retained } = await balance(emulator, key);
  return [available, retained];
}

/** The case in a charge: `metadata.med`. */
export async function medOf(emulator: TestEmulator, chargeId: string): Promise<Loose> {
  return (await emulator.call("GET", `/v1/charges/${chargeId}`)).body.metadata.med;
}

export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);
const PICTURE = { file_name: "nota.png", file_size: PNG.length, mime_type: "image/png" };

/** First step of an upload, of a small picture unless `body` says otherwise; the answer may be a refusal. */
export function postEvidence(
  emulator: TestEmulator,
  caseId: string,
  body: object = {},
  options: CallOptions = {},
): Promise<Answer> {
  return emulator.call("POST", `/v1/med/cases/${caseId}/evidence`, { ...options, body: { ...PICTURE, ...body } });
}

/** The first step of an upload that must succeed. Returns the ticket. */
export async function ticketFor(
  emulator: TestEmulator,
  caseId: string,
  body: object = {},
  options: CallOptions = {},
): Promise<Loose> {
  return bodyOf(await postEvidence(emulator, caseId, body, options));
}

/** Second step: exactly the headers of the ticket, no key. */
export function upload(
  ticket: Loose,
  content: Uint8Array = PNG,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(ticket.upload_url, {
    method: ticket.upload_method,
    headers: { ...ticket.upload_headers, ...headers },
    body: content,
  });
}

/** The second step without a length of the body: in chunks. */
export function uploadInChunks(ticket: Loose, content: Uint8Array): Promise<Answer> {
  const { "Content-Type": type } = ticket.upload_headers;
  return send(ticket.upload_url, {
    method: "PUT",
    headers: { "content-type": type, "transfer-encoding": "chunked" },
    body: content,
  });
}

/** Third step; the answer may be a refusal. */
export function postComplete(
  emulator: TestEmulator,
  caseId: string,
  evidenceId: string,
  options: CallOptions = {},
): Promise<Answer> {
  return emulator.call("POST", `/v1/med/cases/${caseId}/evidence/${evidenceId}/complete`, options);
}

/** All three steps of an upload. Returns the evidence. */
export async function addEvidence(
  emulator: TestEmulator,
  caseId: string,
  body: object = {},
  content: Uint8Array = PNG,
): Promise<Loose> {
  const ticket = await ticketFor(emulator, caseId, { file_size: content.length, ...body });
  const { status } = await upload(ticket, content);
  if (status !== 200) throw new Error(`no upload: ${status}`);
  return bodyOf(await postComplete(emulator, caseId, ticket.id));
}

/** The confirmed evidence of a case, newest first. */
export async function evidenceOf(emulator: TestEmulator, caseId: string, options: CallOptions = {}): Promise<Loose[]> {
  const answer = await emulator.call("GET", `/v1/med/cases/${caseId}/evidence`, options);
  if (answer.status !== 200) throw new Error(`no evidence: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** The mailbox, newest first. */
export async function emails(emulator: TestEmulator, query = "", options: CallOptions = {}): Promise<Loose[]> {
  const { data } = await emulator.sandbox(`/emails${query}`, undefined, options);
  return data;
}

export interface ParsedMail {
  /** Unfolded and decoded, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded text by media type. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Reads a MIME message as a mail program would, or throws: headers, then the parts of a multipart/alternative. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = splitMail(raw);
  const boundary = /^multipart\/alternative;.*boundary="?([^";]+)"?/i.exec(headers.get("content-type") ?? "")?.[1];
  if (boundary === undefined) throw new Error(`no multipart/alternative: ${headers.get("content-type")}`);
  const [, ...sections] = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (sections.pop()?.startsWith("--") !== true) throw new Error("the message does not end with its boundary");
  const parts = sections.map((section): [string, string] => {
    const part = splitMail(section.replace(/^\r\n/, ""));
    const type = part.headers.get("content-type") ?? "";
    if (!/charset=utf-8/i.test(type)) throw new Error(`no UTF-8: ${type}`);
    return [String(type.split(";")[0]), decodeBody(part.body, part.headers.get("content-transfer-encoding") ?? "7bit")];
  });
  return { headers, parts: new Map(parts) };
}

function splitMail(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const match = /^([!-9;-~]+):\s*(.*)$/.exec(line);
    if (match === null) throw new Error(`no header: ${line}`);
    return [String(match[1]).toLowerCase(), decodeWords(String(match[2]))];
  });
  if (new Set(headers.map(([name]) => name)).size !== headers.length) throw new Error("a header is there twice");
  return { headers: new Map(headers), body: raw.slice(end + 4) };
}

const bytesOfHex = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

function decodeWords(text: string): string {
  const joined = text.replace(/\?=\s+=\?/g, "?==?");
  return joined.replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_match, kind: string, word: string) =>
    (kind.toUpperCase() === "B" ? Buffer.from(word, "base64") : bytesOfHex(word.replaceAll("_", " "))).toString(),
  );
}

function decodeBody(text: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString();
  return encoding === "quoted-printable" ? bytesOfHex(text.replace(/=\r\n/g, "")).toString() : text;
}
