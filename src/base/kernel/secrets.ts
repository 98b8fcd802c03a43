import { isJsonObject } from "./json.js";

/**
 * Hides secrets in texts that people read and pass on: the request log and case files. Every repeating part of a pattern is
 * bounded or never goes back, so that a hostile text cannot make a search slow.
 */

const MARK = "…";

/**
 * Matches API keys, logins, bearer tokens, and webhook secrets behind the word secret. They are hidden everywhere: a client may
 * put one anywhere.
 */
const CREDENTIALS = new RegExp(
  [
    String.raw`qa_(?:test|live)_[\w-]{8,}`,
    String.raw`eyJ[\w-]{1,400}\.eyJ[\w-]*(?:\.[\w-]*)?`,
    String.raw`(?<=\bBearer {1,9})[\w.~+/-]{16,}=*`,
    String.raw`\b[0-9a-fA-F]{64}\b(?<=[Ss](?:ecret|ECRET).{0,20}[0-9a-fA-F]{64})`,
  ].join("|"),
  "g",
);

export function withoutCredentials(text: string, mark: string = MARK): string {
  return text.replace(CREDENTIALS, mark);
}

/** The endings of names of members, fields and headers with secret values, in English and Portuguese. */
const NAME =
  "(?:secret|segredo|password|passwd|pwd|passphrase|senha|(?:api|access|private)[-_]?key|token|authorization|cookie|credential)s?";
const SECRET_NAME = new RegExp(`${NAME}$`, "i");

/** Not further than the end of a value without quotes. */
const BARE = String.raw`[^\s"'\\,;&}\]<>]+`;

/** Secrets inside texts. The first group is the text before the secret. */
const IN_TEXTS: readonly RegExp[] = [
  // A value in quotes, up to the same quote. In JSON that stands in a string, backslashes stand before each.
  new RegExp(String.raw`(${NAME}[\\"']{0,17}\s{0,9}[:=]\s{0,9}(\\{0,15}["']))[\s\S]*?(?=(?<!\\)\2|$)`, "gi"),
  // Any other value: of a header, a form, a list.
  new RegExp(String.raw`(${NAME}[\\"'\s]{0,20}[:=][\\"'\s[{]{0,20}(?:(?:Bearer|Basic) )?)${BARE}`, "gi"),
  // The value of a flag.
  new RegExp(String.raw`(--[\w-]{0,40}?${NAME}\s{1,9}["']?)${BARE}`, "gi"),
  // Tokens in queries, and user and password of an address.
  new RegExp(`([?&](?:k|key|sig|signature|ticket)=)${BARE}`, "gi"),
  /(\/\/)[^/@\s"']+(?=@)/g,
];

/**
 * Returns the same value with `mark` in place of everything that may be a secret, by its form or by its name. All texts that
 * people pass on are masked by this function.
 */
export function withoutSecrets<Value>(value: Value, mark: string = MARK): Value {
  const withoutSecretsIn = (text: string) =>
    IN_TEXTS.reduce(
      (known, pattern) => known.replace(pattern, (_all, before: string) => before + mark),
      withoutCredentials(text, mark),
    );
  const clean = (one: unknown): unknown => {
    if (typeof one === "string") return withoutSecretsIn(one);
    if (Array.isArray(one)) return one.map(clean);
    if (!isJsonObject(one)) return one;
    const members = Object.entries(one).map(([name, member]) => [
      withoutSecretsIn(name),
      SECRET_NAME.test(name) ? mark : clean(member),
    ]);
    return Object.fromEntries(members);
  };
  return clean(value) as Value;
}
