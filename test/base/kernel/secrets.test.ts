import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { withoutCredentials, withoutSecrets } from "../../../src/base/kernel/secrets.js";
import { newKey } from "../../../src/service/features/access/keys.js";
import { seededRuntime } from "../../support/seed.js";

/** Secrets are hidden in texts for people; other words stay. */

const { random } = seededRuntime({ warn: console.warn, error: console.error });
const keys = Array.from({ length: 1_000 }, (_, count) => newKey(count % 2 === 0 ? "live" : "test", random));

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokens = Array.from({ length: 200 }, () => {
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: random.hex(16), exp: 1_800_000_000 })}`;
  return `${signed}.${createHmac("sha256", random.token(8)).update(signed).digest("base64url")}`;
});

/** Places where a client or a receiver may have put a secret, each as text. */
const PLACES: readonly ((secret: string) => unknown)[] = [
  (secret) => secret,
  (secret) => `order 1, paid with ${secret}, thanks`,
  (secret) => `order_${secret}`,
  (secret) => ({ metadata: { note: secret, list: [secret], [secret]: "a name" } }),
  (secret) => JSON.stringify({ note: secret }),
  (secret) => JSON.stringify({ body: JSON.stringify({ note: JSON.stringify([secret]) }) }),
  (secret) => `https://shop.example/hook?x=${secret}&y=1`,
  (secret) => `apikey: ${secret}\nAuthorization: Bearer ${secret}`,
];

/** Every run of eight characters of a secret, of which none may be left. The name of its kind may stay. */
function piecesOf(secret: string): string[] {
  const bare = secret.replace(/^qa_(?:test|live)_/, "");
  return Array.from({ length: bare.length - 7 }, (_, start) => bare.slice(start, start + 8));
}

const leaks = (text: string, secret: string) => piecesOf(secret).filter((piece) => text.includes(piece));

describe("credentials", () => {
  it("are keys with every sign of base64url, of which nothing is left in any place", () => {
    expect(keys.filter((key) => /^qa_\w+_[-_]/.test(key)).length).toBeGreaterThan(10);
    for (const key of keys) {
      for (const place of PLACES) {
        expect(leaks(JSON.stringify(withoutSecrets(place(key))), key)).toEqual([]);
        expect(leaks(withoutCredentials(JSON.stringify(place(key)), "-"), key)).toEqual([]);
      }
    }
  });

  it("are tokens of logins, whole, cut off, or without a signature", () => {
    for (const token of tokens) {
      const [head, claims] = token.split(".");
      for (const given of [token, token.slice(0, -20), `${head}.${claims}.`]) {
        for (const place of PLACES) expect(leaks(JSON.stringify(withoutSecrets(place(given))), given)).toEqual([]);
      }
    }
  });

  it("are any other bearer tokens", () => {
    expect(withoutCredentials("sent Bearer 0123456789abcdef0123 to it", "-")).toBe("sent Bearer - to it");
  });
});

describe("secrets are found by the name that they stand under", () => {
  const SECRET = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  const NAMES = [
    "secret",
    "signing_secret",
    "webhookSecret",
    "password",
    "api_key",
    "x-api-key",
    "access_token",
    "Cookie",
    "senha",
    "webhook_segredo",
    "passwd",
    "private_key",
    "access-key",
    "credentials",
  ];

  it.each(NAMES)("%s, as a member, in JSON, in JSON inside of JSON, in a form, as a header and as a flag", (name) => {
    const json = JSON.stringify({ a: 1, [name]: SECRET, b: "kept" });
    const places = [
      { [name]: SECRET, b: "kept" },
      json,
      JSON.stringify({ body: json }),
      JSON.stringify(JSON.stringify({ body: json })),
      JSON.stringify({ [name]: [SECRET], b: "kept" }, null, 2),
      `{'${name}': '${SECRET}', 'b': 'kept'}`,
      `b=kept&${name}=${SECRET}&c=1`,
      `kept\n${name}: ${SECRET}`,
      `kept ${name} = "${SECRET}"`,
      `qa-pay kept --${name} ${SECRET}`,
      `qa-pay kept --${name}=${SECRET}`,
    ];
    for (const place of places) {
      const shown = JSON.stringify(withoutSecrets(place));
      expect(leaks(shown, SECRET), JSON.stringify(place)).toEqual([]);
      expect(shown).toContain("kept");
    }
  });

  it("with spaces, quotes and backslashes in it, and without an end", () => {
    const password = 'two words "and" \\ more';
    const json = JSON.stringify({ password, b: "kept" });
    for (const text of [json, JSON.stringify({ body: json })]) {
      const shown = JSON.stringify(withoutSecrets(text));
      for (const word of ["two", "words", "and", "more"]) expect(shown).not.toContain(word);
      expect(shown).toContain("kept");
    }
    expect(withoutSecrets('{"a":1,"secret":"begins here and')).toBe('{"a":1,"secret":"…');
  });

  it("and 64 hexadecimal digits behind the word secret", () => {
    expect(withoutSecrets(`the secret is ${SECRET}.`)).toBe("the secret is ….");
    expect(withoutSecrets(`digest ${SECRET}`)).toBe(`digest ${SECRET}`);
    expect(withoutCredentials(`SECRET=${SECRET} ${SECRET}`, "-")).toBe(`SECRET=- ${SECRET}`);
    const nested = JSON.stringify({ note: JSON.stringify({ webhook_secret: SECRET }) });
    expect(withoutCredentials(nested, "-")).toBe(nested.replace(SECRET, "-"));
  });

  it("JSON stays JSON", () => {
    const json = JSON.stringify({ a: [{ secret: SECRET, password: 'x"y' }], b: { token: "t", c: null } });
    expect(JSON.parse(withoutSecrets(json))).toEqual({
      a: [{ secret: "…", password: "…" }],
      b: { token: "…", c: null },
    });
  });
});

describe("values without secrets", () => {
  it("stay as they are when nothing in them is one", () => {
    const value = {
      list: [1, null, true, "a?b=c"],
      url: "http://127.0.0.1:3000/webhooks?order=1",
      "idempotency-key": "x",
      text: "Bearer of good news. The secret was kept. A password is needed.",
      id: "ch_01a1fce5-7a0e-7d3c-9c1b-1d2e3f405060",
      "x-qa-signature": "t=1764000000,v1=0419da3b",
    };
    expect(withoutSecrets(value)).toEqual(value);
  });

  it.each(["apikey", "api-key", "Authorization", "signing_secret", "Set-Cookie", "access_token", "password"])(
    "the member %s is hidden",
    (name) => {
      expect(withoutSecrets({ [name]: "hush" })).toEqual({ [name]: "…" });
    },
  );

  it.each([
    ["http://u:pa55@h/w", "http://…@h/w"],
    ["http://h/checkout/1?k=abc&x=1", "http://h/checkout/1?k=…&x=1"],
  ])("%s has no secret any more", (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  it("are found in a hostile text of 256 KiB without a long search", () => {
    const hostile = ["eyJ", "eyJ-", "qa_live_", "\\", "secret", '"secret":"', "--", "//a", "Bearer ", "secret=\\", "a"];
    for (const piece of hostile) {
      const text = piece.repeat(262_144 / piece.length);
      const started = performance.now();
      withoutSecrets(text);
      expect(performance.now() - started, piece).toBeLessThan(30_000);
    }
  });
});
