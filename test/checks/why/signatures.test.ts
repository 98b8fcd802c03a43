import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/checks/why/deliveries.js";
import { signer } from "../../../src/checks/why/signatures.js";
import type { SentenceCode } from "../../../src/service/features/why-codes.js";

/** The trials that `why` sends to a receiver: one that a receiver with a mistake accepts names that mistake. */

const SECRET = "0123456789abcdef".repeat(4);
const T = "1764000000";
const EVENT = {
  id: "evt_1",
  type: "charge.paid",
  data: { object: { name: "João & <Filhos>", url: "https://a.example/b", metadata: {}, lines: [], amounts: [1, 2] } },
};
const BODY = JSON.stringify(EVENT);

const hex = (key: string | Buffer, text: string | Buffer, algorithm = "sha256") =>
  createHmac(algorithm, key).update(text).digest("hex");

const attempt = (signature: string, body = BODY) =>
  ({ request: { headers: { "X-QA-Signature": signature }, body } }) as unknown as Attempt;

/** The first mistake whose trial has the digest that a receiver wants. */
function named(wanted: string, { body = BODY, isLegacy = false } = {}): SentenceCode | undefined {
  const signature = isLegacy ? `sha256=${hex(SECRET, body)}` : `t=${T},v1=${hex(SECRET, `${T}.${body}`)}`;
  const { trials } = signer(attempt(signature, body), { own: SECRET, others: [] });
  const header = isLegacy ? `sha256=${wanted}` : `t=${T},v1=${wanted}`;
  return trials(T).find(({ headers }) => headers["X-QA-Signature"] === header)?.mistake.code;
}

const withKey = (key: string | Buffer) => hex(key, `${T}.${BODY}`);
const overBody = (body: string) => hex(SECRET, `${T}.${body}`);

describe("a receiver whose secret", () => {
  it.each([
    ...["\r", "\n", "\r\n", " "].map((end) => SECRET + end),
    ...[` ${SECRET}`, `\ufeff${SECRET}`, `"${SECRET}"`, `'${SECRET}'`],
  ])("has something around it: %j", (key) => {
    expect(named(withKey(key))).toBe("mistake_blank");
    expect(named(hex(key, BODY), { isLegacy: true })).toBe("mistake_blank");
  });

  it.each([
    ["was decoded from hex", Buffer.from(SECRET, "hex"), "mistake_hex"],
    ["was decoded from base64", Buffer.from(SECRET, "base64"), "mistake_base64"],
    ["was written as hex", Buffer.from(SECRET).toString("hex"), "mistake_hex_of_text"],
    ["was encoded in base64", Buffer.from(SECRET).toString("base64"), "mistake_base64_of_text"],
    ["was encoded with its line end", Buffer.from(`${SECRET}\n`).toString("base64"), "mistake_base64_of_text"],
    ["is not set in Go or PHP", "", "mistake_no_secret"],
    ["is not set in a template of JavaScript", "undefined", "mistake_no_secret"],
    ["is not set in Python", "None", "mistake_no_secret"],
  ] as const)("%s", (_what, key, mistake) => {
    expect(named(withKey(key))).toBe(mistake);
  });
});

/** The event as these programs print it. The names of each object are sorted in the last ones. */
const ascii = (text: string) => text.replace("ã", "\\u00e3");
const slashes = (text: string) => text.replaceAll("/", "\\/");
const html = (text: string) => text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
const python =
  '{"id": "evt_1", "type": "charge.paid", "data": {"object": {"name": "João & <Filhos>", "url": "https://a.example/b", "metadata": {}, "lines": [], "amounts": [1, 2]}}}';
const sorted =
  '{"data":{"object":{"amounts":[1,2],"lines":[],"metadata":{},"name":"João & <Filhos>","url":"https://a.example/b"}},"id":"evt_1","type":"charge.paid"}';
const jackson = `{
  "id" : "evt_1",
  "type" : "charge.paid",
  "data" : {
    "object" : {
      "name" : "João & <Filhos>",
      "url" : "https://a.example/b",
      "metadata" : { },
      "lines" : [ ],
      "amounts" : [ 1, 2 ]
    }
  }
}`;
const oldRuby = JSON.stringify(EVENT, null, 2)
  .replace('"metadata": {}', '"metadata": {\n      }')
  .replace('"lines": []', '"lines": [\n\n      ]');
const indented = (by: number | string, value: unknown = EVENT) => JSON.stringify(value, null, by);

describe("a receiver that prints the body again", () => {
  it.each([
    ["PHP", slashes(ascii(BODY))],
    ["PHP with JSON_UNESCAPED_UNICODE", slashes(BODY)],
    ["PHP with JSON_UNESCAPED_SLASHES", ascii(BODY)],
    ["PHP with JSON_PRETTY_PRINT", slashes(ascii(indented(4)))],
    ["PHP with JSON_PRETTY_PRINT and JSON_UNESCAPED_UNICODE", slashes(indented(4))],
    ["PHP with JSON_PRETTY_PRINT and JSON_UNESCAPED_SLASHES", ascii(indented(4))],
    ["PHP, of an array", slashes(ascii(BODY)).replace("{}", "[]")],
    ["PHP, of an array with JSON_UNESCAPED_UNICODE", slashes(BODY).replace("{}", "[]")],
    ["PHP, of an array with both flags", BODY.replace("{}", "[]")],
    ["PHP, of an array with all flags", indented(4).replace("{}", "[]")],
    ["Python", ascii(python)],
    ["Python with ensure_ascii=False", python],
    ["Python with separators", ascii(BODY)],
    ["Python with sort_keys and separators", sorted],
    ["Python with sort_keys, separators and ASCII", ascii(sorted)],
    ["Python with sort_keys and indent=2", ascii(indented(2, JSON.parse(sorted)))],
    ["Python with indent=4", ascii(indented(4))],
    ["JavaScript with two blanks", indented(2)],
    ["JavaScript with four blanks", indented(4)],
    ["JavaScript with tabs", indented("\t")],
    ["JavaScript, as a text in a text", JSON.stringify(BODY)],
    ["Ruby in many lines", oldRuby],
    ["Rails", html(BODY)],
    ["Go, of a map", html(sorted)],
    ["Go, of a map without HTML", sorted],
    ["Go with indents", html(indented(2, JSON.parse(sorted)))],
    ["Jackson with indents", jackson],
    ["Jackson with sorted names", sorted],
    ["Gson", html(BODY)],
    [
      "System.Text.Json",
      BODY.replace("ã", "\\u00E3").replace("&", "\\u0026").replace("<", "\\u003C").replace(">", "\\u003E"),
    ],
  ])("as %s does", (_program, printed) => {
    expect(JSON.parse(printed)).toBeTruthy();
    expect(named(overBody(printed))).toBe("mistake_printed");
  });
});

describe("a receiver that verifies another text", () => {
  it.each([
    ["a line end behind the body", overBody(`${BODY}\n`), "mistake_line_end"],
    ["that of Windows", overBody(`${BODY}\r\n`), "mistake_line_end"],
    ["UTF-16", hex(SECRET, Buffer.from(`${T}.${BODY}`, "utf16le")), "mistake_encoding"],
    ["Latin-1", hex(SECRET, Buffer.from(`${T}.${BODY}`, "latin1")), "mistake_encoding"],
    ["UTF-8 that was read as Latin-1", overBody(Buffer.from(BODY).toString("latin1")), "mistake_encoding"],
    ["ASCII", overBody(BODY.replace("ã", "?")), "mistake_encoding"],
    ["the object of the event alone", overBody(JSON.stringify(EVENT.data.object)), "mistake_part"],
    ["no body", overBody(""), "mistake_empty_body"],
    ["a body that is undefined", overBody("undefined"), "mistake_empty_body"],
    ["an object as text", overBody("[object Object]"), "mistake_object"],
    ["no timestamp", hex(SECRET, BODY), "mistake_no_timestamp"],
    ["no dot", hex(SECRET, T + BODY), "mistake_no_dot"],
    ["a colon", hex(SECRET, `${T}:${BODY}`), "mistake_joined"],
    ["the name of the timestamp", hex(SECRET, `t=${T}.${BODY}`), "mistake_joined"],
    ["the body first", hex(SECRET, `${BODY}.${T}`), "mistake_order"],
    ["milliseconds", hex(SECRET, `${T}000.${BODY}`), "mistake_milliseconds"],
    ["the secret in place of the text", hex(`${T}.${BODY}`, SECRET), "mistake_swapped"],
    ["SHA-1", hex(SECRET, `${T}.${BODY}`, "sha1"), "mistake_algorithm"],
    ["upper case", overBody(BODY).toUpperCase(), "mistake_upper_case"],
    ["base64", createHmac("sha256", SECRET).update(`${T}.${BODY}`).digest("base64"), "mistake_digest_base64"],
  ] as const)("%s", (_what, wanted, mistake) => {
    expect(named(wanted)).toBe(mistake);
  });

  it("is not named where it verifies what is right, nor for the digest of another secret", () => {
    expect(named(overBody(BODY))).toBeUndefined();
    expect(named(withKey("f".repeat(64)))).toBeUndefined();
    const plain = '{"a":1}';
    expect(named(hex(SECRET, `${T}.${plain}`), { body: plain })).toBeUndefined();
  });
});
