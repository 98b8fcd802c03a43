import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/emulator.js";
import { openCase, ticketFor } from "../../support/med.js";
import { sendBytes } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Bytes on a connection that are not an HTTP request, or only its beginning, are answered like any refusal. */

const emulator = sharedEmulator();
let host: string;
beforeAll(() => {
  host = new URL(emulator.url).host;
});

/** The answers that came back over one connection. */
function parse(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...fields] = rest.slice(0, end).split("\r\n");
    const headers = new Headers(
      fields.map((field): [string, string] => field.split(/: ?(.*)/s, 2) as [string, string]),
    );
    const length = headers.get("content-length");
    const body = rest.slice(end + 4, length === null ? undefined : end + 4 + Number(length));
    const json = headers.get("content-type") === "application/json";
    answers.push({ status: Number(line.split(" ")[1]), headers, body: json ? JSON.parse(body) : body });
    rest = rest.slice(end + 4 + body.length);
  }
  return answers;
}

async function only(bytes: string): Promise<Answer> {
  const [answer, ...others] = parse(await sendBytes(emulator.url, bytes, { isAll: true }));
  expect(others).toEqual([]);
  if (answer === undefined) throw new Error("nothing came back");
  return answer;
}

const head = (line: string, fields: readonly string[] = []) =>
  [line, `Host: ${host}`, `apikey: ${emulator.key}`, ...fields, "", ""].join("\r\n");

describe("bytes that are not an HTTP request", () => {
  it.each([
    ["words", () => "hello\r\n\r\n"],
    ["a TLS handshake", () => "\u0016\u0003\u0001\u0002\u0000\u0001"],
    ["a version that is none", () => "GET /v1/wallets HTTP/9.9\r\n\r\n"],
    ["no Host", () => "GET /v1/wallets HTTP/1.1\r\n\r\n"],
    ["a header without a colon", () => head("GET /v1/wallets HTTP/1.1", ["nonsense"])],
    ["two lengths", () => head("POST /v1/charges HTTP/1.1", ["Content-Length: 1", "Content-Length: 2"])],
    [
      "a length and chunks",
      () => head("POST /v1/charges HTTP/1.1", ["Content-Length: 1", "Transfer-Encoding: chunked"]),
    ],
  ])("are refused in the envelope, and the connection ends: %s", async (_what, bytes) => {
    const answer = await only(bytes());
    expectRefused(answer, "invalid_request");
    expect(answer.headers.get("connection")).toBe("close");
    expect(answer.body.request_id).toMatch(/^req_/);
  });

  it("are refused with 431 when they are more headers than there may be", async () => {
    const answer = await only(head("GET /v1/wallets HTTP/1.1", [`x: ${"x".repeat(20_000)}`]));
    expectRefused(answer, "headers_too_large");
    expect([answer.status, answer.headers.get("connection")]).toEqual([431, "close"]);
  });

  it.each(["another host", "the same host"])("are refused when they name the host and %s", async (which) => {
    const second = which === "the same host" ? host : "elsewhere.test";
    for (const version of ["1.0", "1.1"]) {
      const answer = await only(head(`GET /v1/wallets HTTP/${version}`, [`hOST: ${second}`]));
      expectRefused(answer, "invalid_request");
      expect(answer.body.error.message).toBe("The header Host appears more than once.");
    }
  });

  it("after a good request do not change the answer to that request", async () => {
    const good = head("GET /v1/wallets HTTP/1.1");
    const answers = parse(await sendBytes(emulator.url, `${good}nonsense\r\n\r\n`, { isAll: true }));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe("a request whose body ends too early", () => {
  const create = (fields: readonly string[], body: string) =>
    head("POST /v1/charges HTTP/1.1", ["Idempotency-Key: cut-short-1", "X-Request-Id: cut-1", ...fields]) + body;

  it.each([
    ["before its length is reached", () => create(["Content-Length: 100"], '{"amount":100')],
    ["before any of it is there", () => create(["Content-Length: 100"], "")],
    ["in the middle of a chunk", () => create(["Transfer-Encoding: chunked"], '20\r\n{"amount":100')],
    ["by something that is no chunk", () => create(["Transfer-Encoding: chunked"], "zz\r\n{}\r\n")],
  ])("is refused and logged under its own request id: %s", async (_what, bytes) => {
    const answer = await only(bytes());
    const { message } = expectRefused(answer, "invalid_request");
    expect(message).toContain("ended early");
    expect([answer.headers.get("x-request-id"), answer.headers.get("connection")]).toEqual(["cut-1", "close"]);
    const [logged] = (await emulator.sandbox("/requests?limit=1")).data;
    expect([logged.id, logged.status]).toEqual(["cut-1", 400]);
    expect((await emulator.call("GET", "/v1/payments")).body.total).toBe(0);
  });

  it("and whose API key is wrong is refused for the key, and the connection ends", async () => {
    const bytes = create(["Content-Length: 100"], "{").replace(emulator.key, "qa_test_unknown0");
    expectRefused(await only(bytes), "unauthorized");
  });

  it("is not stored as evidence", async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id, { file_size: 100 });
    const path = ticket.upload_url.slice(emulator.url.length);
    const fields = ["Content-Type: image/png", "Content-Length: 100", "X-Request-Id: cut-2"];
    const answer = await only([`PUT ${path} HTTP/1.1`, `Host: ${host}`, ...fields, "", "half"].join("\r\n"));
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([400, "cut-2"]);
    expect(answer.body).toContain("The file ended early.\n");
    const complete = await emulator.call("POST", `/v1/med/cases/${id}/evidence/${ticket.id}/complete`);
    expectRefused(complete, "EVIDENCE_NOT_UPLOADED");
  });
});

it("a request with an unknown Expect header is carried out like a request without that header", async () => {
  const answer = await only(head("GET /v1/wallets HTTP/1.1", ["Expect: miracles", "Connection: close"]));
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, expect.stringMatching(/^req_/)]);
});
