import { createHash, createHmac } from "node:crypto";
import { type Sentence, type SentenceCode, sentence } from "../features/why-codes.js";
import { isJsonObject } from "../kernel/json.js";
import type { Params } from "../kernel/message.js";
import { SIGNATURE_HEADER, type Signature, signatureHeader, signedText } from "../kernel/webhook-signature.js";
import type { Attempt } from "./deliveries.js";

/**
 * The usual mistakes of receivers with signatures. A webhook is signed as each of them would want it: a receiver has the mistake
 * only where it accepts that, and refuses a signature that is plainly wrong and the right one.
 */

export interface Trial {
  /** What the receiver does wrong if it accepts this. */
  readonly mistake: Sentence;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Secrets {
  readonly own: string;
  /** Those of other endpoints, with the sentence about a receiver that has one of them. */
  readonly others: readonly { readonly mistake: Sentence; readonly secret: string }[];
}

function printed(body: string, print: (value: unknown) => string): string | null {
  try {
    const again = print(JSON.parse(body));
    return again === body ? null : again;
  } catch {
    return null;
  }
}

const withoutUnicode = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JSON as json_encode of PHP prints it. An associative array that is empty becomes a list. */
const phpText = (value: unknown) => withoutUnicode(JSON.stringify(value)).replaceAll("/", "\\/");

/** Indented JSON as older versions of Ruby print it: what is empty takes lines, too. */
const rubyText = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)(.*)\{\}(,?)$/gm, "$1$2{\n$1}$3")
    .replace(/^( *)(.*)\[\](,?)$/gm, "$1$2[\n\n$1]$3");

/** JSON as Go prints a map. */
const goText = (value: unknown) =>
  JSON.stringify(sorted(value)).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/** JSON as json.dumps of Python prints it: with a space behind commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`)
    .join(", ")}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const PRINTERS: readonly ((value: unknown) => string)[] = [
  spaced,
  (value) => withoutUnicode(spaced(value)),
  (value) => JSON.stringify(value),
  (value) => withoutUnicode(JSON.stringify(value)),
  (value) => JSON.stringify(value, null, 2),
  rubyText,
  (value) => JSON.stringify(sorted(value)),
  (value) => withoutUnicode(JSON.stringify(sorted(value))),
  phpText,
  (value) => phpText(value).replaceAll("{}", "[]"),
  goText,
];

type Key = string | Uint8Array;

const hmac = (key: Key, text: string, algorithm = "sha256") => createHmac(algorithm, key).update(text).digest("hex");

/** What a signature is about. */
interface Signed extends Pick<Signature, "family" | "t"> {
  readonly body: string;
}

/** A wrong digest, and the mistake of the receiver that wants it. */
type Wrong = readonly [mistake: SentenceCode, digest: string, params?: Params];

/** Digests of the right text that were made with a wrong key or a wrong algorithm, or written in another way. */
function wrongDigests(of: Signed, { own, others }: Secrets): Wrong[] {
  const text = signedText(of, of.body);
  const right = hmac(own, text);
  const keys: (readonly [SentenceCode, Key])[] = [
    ["mistake_hex", Buffer.from(own, "hex")],
    ["mistake_hex_of_text", Buffer.from(own).toString("hex")],
    ["mistake_base64", Buffer.from(own, "base64")],
    ...[`${own}\n`, `${own} `, `"${own}"`].map((key) => ["mistake_blank", key] as const),
  ];
  const plain = (all: string): Wrong => {
    return ["mistake_algorithm", createHash("sha256").update(all).digest("hex"), { used: "SHA-256 without HMAC" }];
  };
  return [
    ...keys.map(([mistake, key]): Wrong => [mistake, hmac(key, text)]),
    ...others.map(({ mistake, secret }): Wrong => [mistake.code, hmac(secret, text), mistake.params]),
    ["mistake_digest_base64", Buffer.from(right, "hex").toString("base64")],
    ["mistake_upper_case", right.toUpperCase()],
    ["mistake_algorithm", hmac(own, text, "sha1"), { used: "HMAC-SHA-1" }],
    ["mistake_algorithm", hmac(own, text, "sha512"), { used: "HMAC-SHA-512" }],
    plain(own + text),
    plain(text + own),
  ];
}

/** Digests of a wrong text. */
function wrongTexts({ family, body, t }: Signed, own: string): Wrong[] {
  const printedAnew = PRINTERS.flatMap((print) => printed(body, print) ?? []);
  const bodies: Wrong[] = [
    ...printedAnew.map((text): Wrong => ["mistake_printed", text]),
    ["mistake_empty_body", ""],
    ["mistake_object", "[object Object]"],
  ];
  const texts: Wrong[] = [
    ["mistake_no_timestamp", body],
    ["mistake_order", `${body}.${t}`],
    ["mistake_no_dot", t + body],
  ];
  const all = bodies.map(([mistake, text]): Wrong => [mistake, signedText({ family, t }, text)]);
  return [...all, ...(family === "legacy" ? [] : texts)].map(([mistake, text]) => [mistake, hmac(own, text)]);
}

/** The ways to sign a webhook of an attempt. */
export function signer({ request: { headers, body } }: Attempt, secrets: Secrets) {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === SIGNATURE_HEADER) ?? "X-QA-Signature";
  const isLegacy = headers[name]?.startsWith("sha256=") === true;
  const { own } = secrets;
  const family = isLegacy ? "legacy" : "canonical";
  const at = (t: string): Signed => ({ family, body, t });
  const sent = (value: string) => ({ ...headers, [name]: value });
  const rightly = (of: Signed) => sent(signatureHeader(of, hmac(own, signedText(of, body))));
  return {
    /** The instant that was signed, in seconds; null in a form without one. */
    t: isLegacy ? null : Number(/^t=(\d+)/.exec(headers[name] ?? "")?.[1]),
    right: (t: string) => rightly(at(t)),
    /** What nobody may accept. */
    wrong: (t: string) => sent(signatureHeader(at(t), hmac("", `not signed by anybody ${t}`))),
    trials(t: string): Trial[] {
      const digests = [...wrongDigests(at(t), secrets), ...wrongTexts(at(t), own)];
      const other: Signed = { family: isLegacy ? "canonical" : "legacy", body, t };
      return [
        ...digests.map(([mistake, value, params]) => ({
          mistake: sentence(mistake, params),
          headers: sent(signatureHeader(at(t), value)),
        })),
        {
          mistake: sentence("mistake_whole_header", { part: isLegacy ? "sha256=" : "v1=" }),
          headers: sent(hmac(own, body)),
        },
        {
          mistake: sentence(isLegacy ? "mistake_form_canonical" : "mistake_form_legacy"),
          headers: rightly(other),
        },
      ];
    },
  };
}
