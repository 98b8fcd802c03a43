import { describe, expect, it } from "vitest";
import { type ClientOptions, createClient, OptionError, ServiceError } from "../../../src/index.js";
import { startHost } from "../../support/running.js";
import { shared } from "../../support/shared.js";

const good: ClientOptions = { baseUrl: "http://127.0.0.1:9", apiKey: "qa_test_12345678" };

function refusal(options: unknown): Error {
  try {
    createClient(options as ClientOptions);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it was not refused");
}

describe("a client option that is refused", () => {
  const url = "baseUrl takes a URL such as http://127.0.0.1:4600, not ";
  it.each<[option: string, given: unknown, message: string]>([
    ["baseUrl", undefined, "createClient needs baseUrl, such as the url of an emulator."],
    ["baseUrl", null, `${url}null.`],
    ["baseUrl", "", `${url}"".`],
    ["baseUrl", "localhost:4600", `${url}"localhost:4600".`],
    ["baseUrl", "ftp://127.0.0.1", `${url}"ftp://127.0.0.1".`],
    ["baseUrl", "http://", `${url}"http://".`],
    ["baseUrl", "http:// 127.0.0.1", `${url}"http:// 127.0.0.1".`],
    ["baseUrl", " http://127.0.0.1", `${url}" http://127.0.0.1".`],
    ["baseUrl", "http://127.0.0.1/?a=b", `${url}"http://127.0.0.1/?a=b".`],
    ["baseUrl", "http://127.0.0.1/#a", `${url}"http://127.0.0.1/#a".`],
    ["baseUrl", new URL("http://127.0.0.1"), `${url}an object.`],
    ["apiKey", undefined, "createClient needs apiKey, such as the testKey of an emulator."],
    ["apiKey", null, "apiKey takes an API key such as the testKey of an emulator, without white space."],
    ["apiKey", "", "apiKey takes an API key such as the testKey of an emulator, without white space."],
    ["apiKey", "qa_test_1\r\nx: y", "apiKey takes an API key such as "],
    ["apiKey", "qa_test_é", "apiKey takes an API key such as "],
    ["token", 5, "token takes the token of a login, without white space."],
    ["fetch", {}, "fetch takes a function, not an object."],
    ["timeout", "30", 'timeout takes a duration such as 500ms, 10s, 5m, 1h or 1d, not "30".'],
    ["timeout", "soon", 'timeout takes a duration such as 500ms, 10s, 5m, 1h or 1d, not "soon".'],
    ["timeout", -1, "timeout takes whole milliseconds, or a text such as 500ms, 10s, 5m, 1h or 1d, not -1."],
    ["timeout", Number.NaN, "timeout takes whole milliseconds, or a text such as 500ms, 10s, 5m, 1h or 1d, not NaN."],
    ["timeout", 0, "timeout takes a duration from 1ms to 1d, not 0."],
    ["timeout", "0s", 'timeout takes a duration from 1ms to 1d, not "0s".'],
    ["timeout", "2d", 'timeout takes a duration from 1ms to 1d, not "2d".'],
    ["baseURL", "http://127.0.0.1", "createClient has no option baseURL: did you mean baseUrl?"],
    ["maxRetries", -1, "maxRetries takes a whole number from 0 to 10, not -1."],
    ["maxRetries", "2", 'maxRetries takes a whole number from 0 to 10, not "2".'],
    ["retries", 3, "createClient has no option retries. It has apiKey, baseUrl, fetch, maxRetries, timeout, token."],
  ])("is named in the error, %s: %j", (option, given, message) => {
    const error = refusal({ ...good, [option]: given });
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ name: "OptionError", option });
    expect(error.message).toContain(message);
    expect(error.stack?.split("\n    at ")[1]).toContain("create-client.test.ts");
  });

  it.each([[undefined], [null], ["http://127.0.0.1"]])("is %j in place of an object", (options) => {
    expect(refusal(options).message).toMatch(/^createClient takes an object of options, not /);
  });

  it("is named without the credential", () => {
    for (const option of ["apiKey", "token"]) {
      expect(refusal({ ...good, [option]: "sec ret" }).stack).not.toContain("sec ret");
    }
  });
});

it.each(["https://pay.example.com", "HTTP://LOCALHOST:4600/", "http://[::1]:4600", "https://example.com/gateway/"])(
  "a client is created for %s",
  (baseUrl) => {
    expect(createClient({ ...good, baseUrl })).toHaveProperty(["charges.create"]);
  },
);

describe("the time limit of a client", () => {
  const host = shared(() => startHost(() => undefined));

  it.each<[string, Partial<ClientOptions>]>([
    ["milliseconds", { timeout: 2 }],
    ["a text", { timeout: "2ms" }],
    ["milliseconds, through a fetch of the caller", { timeout: 2, fetch }],
    ["a text, through a fetch of the caller", { timeout: "2ms", fetch }],
  ])("ends a call without an answer when the limit is %s", async (_what, options) => {
    const client = createClient({ ...good, baseUrl: host.url, ...options });
    const error = await client["wallets.list"]().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 0, code: "unreachable" });
    expect((error as Error).message).toContain("no answer within 0.002 seconds");
  });
});
