import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { answerTagged, compressAnswer, tagBody } from "../../../src/api/http/tagged-body.js";
import { sharedEmulator } from "../../support/shared.js";

const SCRIPT = { "content-type": "text/javascript; charset=utf-8" };
const large = tagBody("let a = 1;\n".repeat(1_000));

describe("a large text that stays the same", () => {
  it.each(["gzip", "gzip, br;q=0", "deflate , GZIP ,xbr", "*"])("is compressed for who takes %s", (accepted) => {
    const { headers, body } = answerTagged(large, SCRIPT, { "accept-encoding": accepted });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding", etag: `W/${large.etag}` });
    expect(gunzipSync(body ?? "").toString()).toBe(large.body);
  });

  it.each(["br", "gzip, deflate, br", "gzip; q=0.00, BR;q=0.5"])("is smaller still for who takes %s", (accepted) => {
    const { headers, body } = answerTagged(large, SCRIPT, { "accept-encoding": accepted });
    expect(headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding", etag: `W/${large.etag}` });
    expect(brotliDecompressSync(body ?? "").toString()).toBe(large.body);
  });

  it.each([undefined, "", "br;q=0", "identity", "gzip;q=0", "gzip; q=0.00", "xgzip"])(
    "stays as it is for who takes %s",
    (accepted) => {
      const asked = accepted === undefined ? {} : { "accept-encoding": accepted };
      const { headers, body } = answerTagged(large, SCRIPT, asked);
      expect(headers).toEqual({ ...SCRIPT, vary: "accept-encoding", etag: large.etag });
      expect(body).toBe(large.body);
    },
  );

  it.each(["gzip", "identity"])("is not sent again to who has it, and takes %s", (accepted) => {
    for (const known of [large.etag, `W/${large.etag}`, `"other", W/${large.etag}`, "*"]) {
      const answer = answerTagged(large, SCRIPT, { "accept-encoding": accepted, "if-none-match": known });
      expect([answer.status, answer.body, answer.headers["content-encoding"]]).toEqual([304, null, undefined]);
    }
  });

  it("keeps what the answer depends on besides", () => {
    const { headers } = answerTagged(large, { ...SCRIPT, vary: "accept" }, {});
    expect(headers.vary).toBe("accept, accept-encoding");
  });
});

it.each([
  ["is small", tagBody("let a;"), SCRIPT],
  ["is a picture", tagBody(new Uint8Array(10_000)), { "content-type": "image/png" }],
])("a body that gains nothing is not compressed: it %s", (_what, body, type) => {
  expect(answerTagged(body, type, { "accept-encoding": "gzip" }).headers).toEqual({ ...type, etag: body.etag });
});

describe("a long answer of the API to the console", () => {
  const rows = JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => ({ id: index })) });
  const answer = { status: 200, text: rows, headers: { "content-type": "application/json" } };

  it("is compressed, and is the same text", () => {
    const { status, headers, body } = compressAnswer(answer, { "accept-encoding": "gzip, br" });
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, "gzip", "accept-encoding"]);
    expect(gunzipSync(body ?? "").toString()).toBe(rows);
  });

  it.each([
    ["its reader takes none", answer, {}],
    ["it is short", { ...answer, text: "{}" }, { "accept-encoding": "gzip" }],
  ])("stays as it is where %s", (_why, given, asked) => {
    const { headers, body } = compressAnswer(given, asked);
    expect([headers["content-encoding"], body]).toEqual([undefined, given.text]);
  });

  it("without content has none", () => {
    expect(compressAnswer({ status: 204, text: "", headers: {} }, {})).toEqual({
      status: 204,
      headers: {},
      body: null,
    });
  });
});

describe("over the network", () => {
  const emulator = sharedEmulator();

  it("the reference is sent compressed, and a browser reads it as it is", async () => {
    const read = async (accepted: string) => {
      const answer = await fetch(`${emulator.url}/docs`, { headers: { "accept-encoding": accepted } });
      return [
        answer.headers.get("content-encoding"),
        Number(answer.headers.get("content-length")),
        await answer.text(),
      ] as const;
    };
    const [encoding, size, text] = await read("gzip");
    const [plainEncoding, plainSize, plainText] = await read("identity");
    expect([encoding, plainEncoding]).toEqual(["gzip", null]);
    expect(size).toBeLessThan(plainSize / 4);
    expect(text).toBe(plainText);
  });
});
