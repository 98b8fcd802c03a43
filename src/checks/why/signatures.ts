import { createHash, createHmac } from "node:crypto";
import type { Params } from "../../base/kernel/message.js";
import { type MistakeCode, signingMistakes } from "../../base/kernel/signing-mistakes.js";
import { SIGNATURE_HEADER, type Signature, signatureHeader, textToSign } from "../../base/kernel/webhook-signature.js";
import { type Sentence, type SentenceCode, sentence } from "../../service/features/why-codes.js";
import type { Attempt } from "./deliveries.js";

/**
 * The usual mistakes of receivers with signatures. A webhook is signed once for each of them. A receiver has the mistake only
 * if it accepts that signature, and refuses both the right one and a plainly wrong one.
 */

export interface Trial {
  /** The mistake of a receiver that accepts this. */
  readonly mistake: Sentence;
  readonly headers: Readonly<Record<string, string>>;
  /** The text that such a receiver signs; null where its text is the right one. */
  readonly signed: string | null;
}

export interface Secrets {
  readonly own: string;
  /** The secrets of other endpoints, each with the sentence about a receiver that uses it. */
  readonly others: readonly { readonly mistake: Sentence; readonly secret: string }[];
}

/** The sentences about a receiver that has one of the usual mistakes. */
const SENTENCES: Readonly<Record<MistakeCode, SentenceCode>> = {
  hex_secret: "mistake_hex",
  hex_of_secret: "mistake_hex_of_text",
  base64_secret: "mistake_base64",
  base64_of_secret: "mistake_base64_of_text",
  blank_around_secret: "mistake_blank",
  no_secret: "mistake_no_secret",
  swapped: "mistake_swapped",
  no_timestamp: "mistake_no_timestamp",
  body_first: "mistake_order",
  no_dot: "mistake_no_dot",
  joined_otherwise: "mistake_joined",
  milliseconds_signed: "mistake_milliseconds",
  signed_printed_again: "mistake_printed",
  signed_part: "mistake_part",
  signed_no_body: "mistake_empty_body",
  signed_object: "mistake_object",
  signed_line_end: "mistake_line_end",
  signed_encoding: "mistake_encoding",
};

const hmac = (key: string | Uint8Array, text: string | Uint8Array, algorithm = "sha256") =>
  createHmac(algorithm, key).update(text);

/** The signed webhook. */
interface Signed extends Pick<Signature, "family" | "t"> {
  readonly body: string;
}

/** A wrong digest, and the mistake of the receiver that accepts it. `signed` is a wrong text. */
interface Wrong {
  readonly mistake: Sentence;
  readonly digest: string;
  readonly signed?: string;
}

const wrong = (code: SentenceCode, digest: string, params?: Params): Wrong => ({
  mistake: sentence(code, params),
  digest,
});

/** Digests of the right text with a wrong algorithm, with the secret of another endpoint, or in another notation. */
function wrongDigests(of: Signed, { own, others }: Secrets): Wrong[] {
  const text = textToSign(of, of.body);
  const right = hmac(own, text).digest();
  const algorithm = (used: string, digest: string) => wrong("mistake_algorithm", digest, { used });
  const plain = [own + text, text + own, own + of.body, of.body + own].map((all) =>
    algorithm("SHA-256 without HMAC", createHash("sha256").update(all).digest("hex")),
  );
  return [
    ...others.map(({ mistake, secret }) => wrong(mistake.code, hmac(secret, text).digest("hex"), mistake.params)),
    wrong("mistake_digest_base64", right.toString("base64")),
    wrong("mistake_digest_base64", right.toString("base64url")),
    wrong("mistake_upper_case", right.toString("hex").toUpperCase()),
    ...["sha1", "sha512", "sha384", "md5"].map((name) =>
      algorithm(name === "md5" ? "HMAC-MD5" : name.replace("sha", "HMAC-SHA-"), hmac(own, text, name).digest("hex")),
    ),
    ...plain,
  ];
}

/** Digests of wrong texts, or with wrong forms of the secret. */
function usualMistakes(of: Signed, own: string): Wrong[] {
  const right = textToSign(of, of.body);
  return signingMistakes(of, own).map(({ code, key, signed }) => {
    const text = new TextDecoder().decode(signed);
    const isSwapped = code === "swapped";
    const found = wrong(SENTENCES[code], hmac(key, signed).digest("hex"));
    // A secret in the place of the text is shown to nobody.
    return text === right || isSwapped ? found : { ...found, signed: text };
  });
}

/** The ways to sign a webhook of an attempt. */
export function signer({ request: { headers, body } }: Attempt, secrets: Secrets) {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === SIGNATURE_HEADER) ?? "X-QA-Signature";
  const isLegacy = headers[name]?.startsWith("sha256=") === true;
  const { own } = secrets;
  const family = isLegacy ? "legacy" : "canonical";
  const at = (t: string): Signed => ({ family, body, t });
  const withSignature = (value: string) => ({ ...headers, [name]: value });
  const rightly = (of: Signed) => withSignature(signatureHeader(of, hmac(own, textToSign(of, body)).digest("hex")));
  return {
    /** The instant that was signed, in seconds; null in a form without one. */
    t: isLegacy ? null : Number(/^t=(\d+)/.exec(headers[name] ?? "")?.[1]),
    right: (t: string) => rightly(at(t)),
    /** A signature that nobody may accept. */
    wrong: (t: string) => withSignature(signatureHeader(at(t), hmac("", `not signed by anybody ${t}`).digest("hex"))),
    /** The text that is signed at an instant. */
    text: (t: string) => textToSign(at(t), body),
    /** The value of the header among those of a trial. */
    valueIn: (all: Readonly<Record<string, string>>) => all[name] ?? "",
    trials(t: string): Trial[] {
      const digests = [...wrongDigests(at(t), secrets), ...usualMistakes(at(t), own)];
      const other: Signed = { family: isLegacy ? "canonical" : "legacy", body, t };
      return [
        ...digests.map(({ mistake, digest, signed = null }) => ({
          mistake,
          headers: withSignature(signatureHeader(at(t), digest)),
          signed,
        })),
        {
          mistake: sentence("mistake_whole_header", { part: isLegacy ? "sha256=" : "v1=" }),
          headers: withSignature(hmac(own, body).digest("hex")),
          signed: null,
        },
        {
          mistake: sentence(isLegacy ? "mistake_form_canonical" : "mistake_form_legacy"),
          headers: rightly(other),
          signed: textToSign(other, body),
        },
        ...(isLegacy
          ? []
          : [
              { mistake: sentence("mistake_milliseconds"), headers: rightly(at(`${t}000`)), signed: `${t}000.${body}` },
            ]),
      ];
    },
  };
}
