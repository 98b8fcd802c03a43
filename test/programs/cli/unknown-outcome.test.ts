import { describe, expect, it } from "vitest";
import { repetition, toBeRepeated } from "../../../src/programs/cli/operation/unknown-outcome.js";
import { EXIT, Failure } from "../../../src/programs/cli/terminal/failure.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";

/** A change whose outcome is unknown: it may have been carried out, and must not be carried out twice. */

const emulator = sharedEmulator({ frozen: true });
const proxy = shared(() =>
  startHost(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(emulator.url + request.url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const whole = { status: answer.status, text: await answer.text() };
    const isChange = request.method !== "GET";
    const told = isChange && spoil !== null ? spoil(whole) : whole;
    if (isChange) spoil = null;
    if (told === "reset") response.destroy();
    else if (told !== "silence") response.writeHead(told.status).end(told.text);
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: proxy.url, QA_PAY_API_KEY: emulator.key }));
/** How the next answer is lost on its way to the client. */
let spoil:
  | ((answer: { status: number; text: string }) => { status: number; text: string } | "reset" | "silence")
  | null;

const LOSSES: readonly (readonly [string, NonNullable<typeof spoil>])[] = [
  ["the answer does not come in time", () => "silence"],
  ["the connection breaks", () => "reset"],
  ["a gateway answers 502 with a page", () => ({ status: 502, text: "<h1>Bad Gateway</h1>" })],
  [
    "the service answers 500",
    () => ({
      status: 500,
      text: '{"error":{"type":"api_error","code":"internal_error","message":"Oh."},"request_id":"r"}',
    }),
  ],
  ["a page comes in place of the answer", () => ({ status: 200, text: "<h1>Welcome</h1>" })],
  ["the answer is cut off", ({ status, text }) => ({ status, text: text.slice(0, 20) })],
  ["the answer is empty", ({ status }) => ({ status, text: "" })],
  ["the answer is another object", ({ status }) => ({ status, text: '{"hello":"world"}' })],
];

const payments = async () => (await emulator.call("GET", "/v1/payments?limit=1")).body.total as number;

/** A command line back to its words, as a shell splits it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, inner, plain = ""]) =>
    inner === undefined ? plain : inner.replaceAll("'\\''", "'"),
  );
}

const CREATES = [
  ["charges", "create", "--amount", "4242", "--description", "two words and 'quotes'", "--metadata", '{"a": [1]}'],
  ["payments", "create", "--amount", "4242", "--payment-methods", "PIX,BOLETO"],
  ["api", "POST", "/v1/charges", "--data", '{"amount": 4242, "payment_method": "pix"}'],
];

/** `api` prints every successful answer unchanged, also an answer of another service. */
const TELLING = LOSSES.filter(([what]) => !/^(a page comes|the answer is)/.test(what));
const FORMS: readonly string[][] = [[], ["--json"], ["--quiet"]];
/** Every form of the first command and of `api`, which has code of its own for them, and the plain one of the other. */
const TABLE = CREATES.flatMap((words, index) =>
  (words[0] === "api" ? TELLING : LOSSES).flatMap(([what, loss]) =>
    FORMS.slice(0, index === 0 || words[0] === "api" ? FORMS.length : 1).map(
      (form) => [[...words.slice(0, 3), ...form].join(" "), what, [...words, ...form], loss] as const,
    ),
  ),
);

it.each(TABLE)(
  "a create whose outcome is unknown %s: when %s, the command is shown that repeats it safely",
  async (_line, _what, words, loss) => {
    const before = await payments();
    spoil = loss;
    const { code, err } = await cli.run([...words, "--request-timeout", "400ms"]);
    expect(code).toBe(7);
    const said = words.includes("--json") ? JSON.parse(err).error.hint : err;
    const line =
      /It may have been carried out\. Repeat it safely with this command: qa-pay (.*)$/m.exec(said)?.[1] ?? "";
    expect(line).toContain(" --idempotency-key ");
    const again = await cli.run([...wordsOf(line), "--json"]);
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(await payments()).toBe(before + 1);
    expect(JSON.parse(again.out).amount).toBe(4242);
  },
);

describe("the command that repeats a change", () => {
  it("is not shown whole when it carries a long body: the key is what a repetition needs", () => {
    const line = repetition(["charges", "create"], { data: "x".repeat(60_000) }, { yes: true }, "k-1");
    const failure = toBeRepeated(new Failure(EXIT.unreachable, "internal_error", "The disk is full."), line);
    expect(String(failure.hint)).toBe(
      "It may have been carried out. Repeat it safely with the same command and --idempotency-key k-1",
    );
  });

  it("contains no secret key, but the variable for it", () => {
    const line = repetition(["charges", "create"], { amount: "1" }, { apiKey: "qa_live_secret", yes: true }, "k-1");
    expect(line).toBe('qa-pay charges create --amount 1 --api-key "$QA_PAY_API_KEY" --yes --idempotency-key k-1');
  });

  it("is not shown when no server received the request", async () => {
    const nobody = ["--base-url", "http://127.0.0.1:9", "--api-key", emulator.key];
    const { code, err } = await cli.run(["charges", "create", "--amount", "1", ...nobody]);
    expect(code).toBe(7);
    expect(err).not.toContain("may have been carried out");
  });
});
