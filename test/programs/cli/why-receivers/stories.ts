import type { SentenceCode, WhyCode } from "../../../../src/service/features/why-codes.js";

/** Mistakes that are planted in receivers, and what `why` has to say of each. */

export type Language = "node" | "python" | "php" | "ruby";

export interface Story {
  readonly language: Language;
  /** The first part of the path of the receiver. */
  readonly mistake: string;
  readonly code: WhyCode;
  /** The sentence about the cause. */
  readonly says: SentenceCode;
}

const proven = (language: Language, mistakes: Readonly<Record<string, SentenceCode>>): Story[] =>
  Object.entries(mistakes).map(([mistake, says]) => ({ language, mistake, says, code: "receiver_refused_signature" }));

const answered = (mistake: string, code: WhyCode, says: SentenceCode): Story => ({
  ...{ language: "node", mistake, code, says },
});

export const STORIES: readonly Story[] = [
  ...proven("node", {
    hex: "mistake_hex",
    base64: "mistake_base64",
    newline: "mistake_blank",
    quoted: "mistake_blank",
    mark: "mistake_blank",
    unset: "mistake_no_secret",
    milliseconds: "mistake_milliseconds",
    printed: "mistake_printed",
    object: "mistake_object",
    empty: "mistake_empty_body",
    "other-secret": "mistake_other_endpoint",
    "account-secret": "mistake_account_secret",
    "previous-secret": "mistake_previous_secret",
    "no-timestamp": "mistake_no_timestamp",
    order: "mistake_order",
    "no-dot": "mistake_no_dot",
    sha512: "mistake_algorithm",
    "no-hmac": "mistake_algorithm",
    "digest-base64": "mistake_digest_base64",
    "whole-header": "mistake_whole_header",
    "old-form": "mistake_form_legacy",
    careful: "mistake_clock",
    mended: "mistake_mended",
    // A trial that proves nothing is not reported.
    "401": "receiver_disbelieves",
    csrf: "receiver_disbelieves",
    moody: "receiver_disbelieves",
    anything: "receiver_disbelieves",
  }),
  answered("no-order", "receiver_refused", "receiver_refused"),
  answered("429", "receiver_refused", "receiver_busy"),
  answered("500", "receiver_error", "receiver_error"),
  answered("404", "receiver_missing", "receiver_missing"),
  answered("405", "receiver_missing", "receiver_missing"),
  answered("307", "receiver_redirects", "receiver_redirects"),
  answered("reset", "receiver_unreachable", "receiver_unreachable"),
  answered("closed-port", "receiver_unreachable", "receiver_absent"),
  answered("no-such-host", "receiver_unreachable", "receiver_unreachable"),
  answered("self-signed", "receiver_tls", "receiver_tls"),
  answered("https-to-http", "receiver_tls", "receiver_tls"),
  // Beside one mistake of every language, those that its own libraries lead to.
  ...proven("python", {
    hex: "mistake_hex",
    "hex-of-text": "mistake_hex_of_text",
    printed: "mistake_printed",
    "printed-utf8": "mistake_printed",
    "printed-compact": "mistake_printed",
    "printed-sorted": "mistake_printed",
    sha1: "mistake_algorithm",
  }),
  ...proven("php", {
    printed: "mistake_printed",
    "printed-array": "mistake_printed",
    "printed-unicode": "mistake_printed",
    "printed-slashes": "mistake_printed",
    "printed-plain": "mistake_printed",
    "carriage-return": "mistake_blank",
    "upper-case": "mistake_upper_case",
  }),
  ...proven("ruby", { base64: "mistake_base64", printed: "mistake_printed" }),
];
