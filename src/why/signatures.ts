import { isJsonObject } from "../kernel/json.js";
import type { Attempt } from "./deliveries.js";

/**
 * The usual mistakes of receivers with signatures. A webhook is signed as each of them would want it; the receiver has a mistake
 * only where it accepts that, and refuses a signature that is plainly wrong.
 */

/** HMAC-SHA256 as lower-case hexadecimal digits. */
export type Digest = (key: string | Uint8Array, text: string) => string;

export interface Trial {
  /** What the receiver does wrong if it accepts this; null for the signature that nobody may accept. */
  readonly mistake: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Secrets {
  readonly own: string;
  /** Those of other endpoints, with what each is called. */
  readonly others: readonly { readonly name: string; readonly secret: string }[];
}

function printed(body: string, print: (value: unknown) => string): string | null {
  try {
    const again = print(JSON.parse(body));
    return again === body ? null : again;
  } catch {
    return null;
  }
}

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
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(sorted(value)),
];

/** What to send, the plainly wrong signature first. `t` is in seconds. */
export function trialsOf(
  { request: { headers, body } }: Attempt,
  secrets: Secrets,
  t: string,
  digest: Digest,
): Trial[] {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === "x-qa-signature") ?? "X-QA-Signature";
  const isLegacy = headers[name]?.startsWith("sha256=") === true;
  const signed = (text: string) => (isLegacy ? text : `${t}.${text}`);
  const sent = (mistake: string | null, hex: string): Trial => {
    return { mistake, headers: { ...headers, [name]: isLegacy ? `sha256=${hex}` : `t=${t},v1=${hex}` } };
  };
  const { own, others } = secrets;
  const again = PRINTERS.flatMap((print) => printed(body, print) ?? []);
  return [
    sent(null, digest("", `not signed by anybody ${t}`)),
    sent("It uses the secret decoded from hex: the secret is text.", digest(Buffer.from(own, "hex"), signed(body))),
    ...again.map((text) =>
      sent("It parses the body and prints it again: verify the bytes as they came.", digest(own, signed(text))),
    ),
    ...others.map((other) => sent(`It has the secret of ${other.name}.`, digest(other.secret, signed(body)))),
    ...(isLegacy
      ? []
      : [
          sent("It leaves the timestamp out of what is signed.", digest(own, body)),
          sent("It puts the body before the timestamp in what is signed.", digest(own, `${body}.${t}`)),
          sent("It leaves out the dot between timestamp and body.", digest(own, t + body)),
        ]),
  ];
}
