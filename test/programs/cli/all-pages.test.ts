import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TestCli } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { payment } from "../../support/payments.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `--all`: every page of a list, in every form. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });
const cli = sharedCli(emulator);
const charges: string[] = [];

beforeAll(async () => {
  await emulator.call("POST", "/v1/webhooks/endpoints", {
    body: { url: "http://127.0.0.1:9/hook", events: ["charge.created"] },
  });
  for (let count = 0; count < 5; count++) charges.unshift((await emulator.charge({ amount: 1_000 + count })).id);
});

const payments = () => charges.map((id) => id.replace("ch_", "tx_"));

describe("--all reads every page", () => {
  it.each([
    ["by cursor", ["charges", "list"], () => charges],
    ["by number", ["payments", "list"], payments],
  ])("%s", async (_how, words, ids) => {
    const { code, out, err } = await cli.run([...words, "--all", "--limit", "2", "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { data, has_more, ...others } = JSON.parse(out);
    expect([data.map(({ id }: Loose) => id), has_more, others]).toEqual([ids(), false, {}]);
  });

  it("by offset", async () => {
    const { code, out } = await cli.run(["webhooks", "deliveries", "--all", "--limit", "2", "--json"]);
    const whole = await emulator.call("GET", "/v1/webhooks/deliveries");
    expect(whole.body.data).toHaveLength(5);
    expect([code, JSON.parse(out)]).toEqual([0, { data: whole.body.data, has_more: false }]);
  });

  it("from the place that the flags name", async () => {
    const words = ["charges", "list", "--all", "--limit", "2", "--output", "jsonl", "--starting-after"];
    const { out } = await cli.run([...words, String(charges[1])]);
    const ids = out.trimEnd().split("\n");
    expect(ids.map((line) => JSON.parse(line).id)).toEqual(charges.slice(2));
  });

  it("of a list without pages; an answer that is an array stays an array", async () => {
    const { code, out } = await cli.run(["wallets", "list", "--all", "--json"]);
    const whole = await emulator.call("GET", "/v1/wallets");
    expect([code, JSON.parse(out)]).toEqual([0, whole.body]);
  });

  it("under one table head on a screen, and prints their number", async () => {
    const words = ["charges", "list", "--all", "--limit", "2"];
    const { code, out, err } = await cli.run(words, { isScreen: true, columns: 120 });
    const lines = out.trimEnd().split("\n");
    expect([code, err, lines.length]).toEqual([0, "5 in all\n", 6]);
    expect(lines.filter((line) => line.startsWith("Charge "))).toHaveLength(1);
    const starts = lines.map((line) => line.search(/Status|• pending/));
    expect(new Set(starts).size).toBe(1);
  });

  it("and says nothing besides the rows with --quiet", async () => {
    const { out, err } = await cli.run(["charges", "list", "--all", "--quiet"]);
    expect([err, out.trimEnd().split("\n").length]).toEqual(["", 6]);
  });

  it("and says so when the list is empty", async () => {
    const { code, out, err } = await cli.run(["med", "list", "--all"]);
    expect([code, out, err]).toEqual([0, "", "Nothing to show.\n"]);
    const json = await cli.run(["med", "list", "--all", "--json"]);
    expect(JSON.parse(json.out)).toEqual({ data: [], has_more: false });
  });

  it("only shows the first request with --dry-run, with the largest page unless --limit is set", async () => {
    const { out } = await cli.run(["payments", "list", "--all", "--dry-run", "--json"]);
    expect(JSON.parse(out).url).toMatch(/\/v1\/payments\?limit=100$/);
    const own = await cli.run(["payments", "list", "--all", "--limit", "7", "--dry-run", "--json"]);
    expect(JSON.parse(own.out).url).toMatch(/\/v1\/payments\?limit=7$/);
  });

  it("and prints no row twice when new payments move the others to later pages", async () => {
    const before = payments();
    const host = await hostThat(async ({ url }) => {
      const answer = await emulator.call("GET", url);
      // A payment that is made after each page is read moves the last row of that page to the next one.
      if (answer.body.page < 3) await payment(emulator);
      return answer.body;
    });
    const { code, out } = await abroad(host, ["payments", "list", "--all", "--limit", "2", "--json"]);
    expect([code, JSON.parse(out).data.map(({ id }: Loose) => id)]).toEqual([0, before]);
  });
});

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

interface Asked {
  readonly url: string;
  readonly query: URLSearchParams;
  /** The number of requests before this one. */
  readonly before: number;
}

/** A host whose answers the test gives: a body, or a status with headers and a body. */
async function hostThat(answer: (asked: Asked) => Loose | Promise<Loose>): Promise<Host> {
  let before = 0;
  const host = await startHost(async ({ url = "" }: IncomingMessage, outgoing: ServerResponse) => {
    const { searchParams: query } = new URL(url, "http://host");
    const { status = 200, headers = {}, ...body } = await answer({ url, query, before: before++ });
    outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  hosts.push(host);
  return host;
}

function abroad({ url }: Host, words: readonly string[], options: Parameters<TestCli["run"]>[1] = {}) {
  return cli.run(words, { ...options, env: { QA_PAY_BASE_URL: url } });
}

const page = (ids: readonly string[], cursor: string | null) => ({
  object: "list",
  data: ids.map((id) => ({ id })),
  has_more: cursor !== null,
  next_cursor: cursor,
});
const limited = (headers: object) => ({
  status: 429,
  headers,
  error: { type: "rate_limit_error", code: "rate_limited", message: "Too many requests." },
  request_id: "req_1",
});
const ALL = ["med", "list", "--all"];

describe("--all and answers that fail on the way", () => {
  const broken = { status: 503, error: { type: "api_error", code: "internal_error", message: "Down." } };

  it("requests a page again after a 5xx, and says so", async () => {
    const host = await hostThat(({ before }) => {
      if (before === 0) return page(["med_1"], "med_1");
      return before < 3 ? broken : page(["med_2"], null);
    });
    const { code, out, err } = await abroad(host, [...ALL, "--output", "jsonl"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/med_1[\s\S]*med_2/)]);
    expect(err).toContain("Reading goes on: the next try is in 1 s.");
  });

  it("ends after the third, and at once when the first page fails", async () => {
    let asked = 0;
    const host = await hostThat(({ before }) => {
      asked += 1;
      return before === 0 ? page(["med_1"], "med_1") : broken;
    });
    expect([(await abroad(host, ALL)).code, asked]).toEqual([7, 4]);
    asked = 0;
    const down = await hostThat(() => {
      asked += 1;
      return broken;
    });
    expect([(await abroad(down, ALL)).code, asked]).toEqual([7, 1]);
  });
});

describe("--all and a service that limits the rate", () => {
  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["a date", { "retry-after": "Wed, 02 Jan 2030 00:00:09 GMT" }, 9_000],
    ["nothing", {}, 1_000],
  ])("waits as long as Retry-After says in %s, and requests the same page again", async (_how, headers, ms) => {
    const urls: string[] = [];
    const host = await hostThat(({ url, before }) => {
      urls.push(url);
      if (before === 1) return limited(headers);
      return before === 0 ? page(["med_1"], "med_1") : page(["med_2"], null);
    });
    const waited: number[] = [];
    const pause = async (time: number) => void waited.push(time);
    const now = () => Date.parse("2030-01-02T00:00:00Z");
    const { code, out, err } = await abroad(host, [...ALL, "--output", "jsonl"], { pause, now });
    expect([code, out, waited]).toEqual([0, '{"id":"med_1"}\n{"id":"med_2"}\n', [ms]]);
    expect(err).toBe(`The service limits the rate: the next try is in ${ms / 1_000} s.\n2 in all\n`);
    expect(urls[2]).toBe(urls[1]);
  });

  it("stops after ten tries, or when the pause is longer than five minutes", async () => {
    let asked = 0;
    const busy = await hostThat(() => {
      asked++;
      return limited({});
    });
    expect([(await abroad(busy, ALL)).code, asked]).toEqual([6, 10]);
    const closed = await hostThat(() => limited({ "retry-after": "301" }));
    const pause = () => Promise.reject(new Error("it must not wait"));
    expect((await abroad(closed, ALL, { pause })).code).toBe(6);
  });
});

describe("--all and a list that does not come to its end", () => {
  it.each([
    ["says has_more without a cursor", () => page(["med_1"], null), "has_more without next_cursor", { has_more: true }],
    ["names the same cursor for ever", () => page(["med_1"], "med_1"), "the same next page again", {}],
  ])("ends with 7 when the host %s", async (_how, answer, message, more) => {
    const host = await hostThat(() => ({ ...answer(), ...more }));
    const { code, out, err } = await abroad(host, ALL);
    expect([code, out]).toEqual([7, "Case\nmed_1\n".replace("Case", out.split("\n")[0] ?? "")]);
    expect(err).toContain(message);
    expect(err).toContain("1 were read, and there may be more.");
  });

  it.each([
    ["charges list", { data: [{ id: "ch_1" }], has_more: true }, "brings nothing new"],
    ["sandbox requests", { data: [{ number: 1, id: "req_1" }], has_more: true }, "brings nothing new"],
    ["sandbox requests", { data: [], has_more: true }, "brings nothing new"],
    ["webhooks deliveries", { data: [{ id: "wd_1" }], total: 1e9 }, "brings nothing new"],
    ["payments list", { data: [{ id: "tx_1" }], total: 1e9, limit: 1 }, "brings nothing new"],
  ])("%s ends with 7 when the host always names a fresh page: %j", async (command, answer, told) => {
    let asked = 0;
    const host = await hostThat(({ url, before, query }) => {
      if (url === "/_sandbox") return { emulator: "qa-pay", mode: "test" };
      asked += 1;
      const offset = Number(query.get("offset") ?? 0);
      return { ...answer, next_cursor: "has_more" in answer ? `c${before}` : null, page: before + 1, offset };
    });
    const { code, err } = await abroad(host, [...command.split(" "), "--all", "--output", "jsonl"]);
    expect([code, err]).toEqual([7, expect.stringContaining(told)]);
    expect(asked).toBeLessThanOrEqual(102);
  });

  it("ends with 7 when a numbered page is empty although the total is not reached", async () => {
    const host = await hostThat(({ query }) => ({
      data: [],
      total: 50,
      page: Number(query.get("page") ?? 1),
      limit: 2,
    }));
    const { code, err } = await abroad(host, ["payments", "list", "--all"]);
    expect([code, err]).toEqual([7, expect.stringContaining("this page is empty")]);
  });

  it("keeps what was read when a later page fails, and says where to go on", async () => {
    const gone = { status: 503, error: { type: "api_error", code: "service_unavailable", message: "Later." } };
    const host = await hostThat(({ before }) => (before === 0 ? page(["med_1", "med_2"], "med_2") : gone));
    const { code, out, err } = await abroad(host, [...ALL, "--json"]);
    expect([code, JSON.parse(out)]).toEqual([7, { data: [{ id: "med_1" }, { id: "med_2" }], has_more: true }]);
    expect(JSON.parse(err).error.code).toBe("service_unavailable");
    const person = await abroad(await hostThat(({ before }) => (before === 0 ? page(["med_1"], "med_1") : gone)), ALL);
    expect(person.err).toContain("1 were read, and there may be more. Go on with --starting-after med_1.\n");
  });

  it("prints nothing on standard output when the first page is refused", async () => {
    const { code, out } = await cli.run([...ALL, "--json", "--charge-id", "nonsense"]);
    expect([code, out]).toEqual([5, ""]);
    expect((await cli.run([...ALL, "--output", "csv", "--charge-id", "nonsense"])).out).toBe("");
  });

  it("stops at Ctrl-C with a whole JSON document, and says where to go on", async () => {
    let stop: () => void = () => undefined;
    const host = await hostThat(({ before }) => {
      if (before === 1) stop();
      return page([`med_${before}`], `med_${before}`);
    });
    const onStop = (callback: (signal: "SIGINT") => void) => {
      stop = () => callback("SIGINT");
    };
    const { code, out, err } = await abroad(host, [...ALL, "--json"], { onStop });
    expect([code, JSON.parse(out)]).toEqual([1, { data: [{ id: "med_0" }], has_more: true }]);
    expect(JSON.parse(err).error).toMatchObject({
      code: "cancelled",
      hint: "1 were read, and there may be more. Go on with --starting-after med_0.",
    });
  });

  it("prints the number of rows every two seconds when the rows do not go to the screen", async () => {
    const host = await hostThat(({ before }) => page([`med_${before}`], before < 3 ? `med_${before}` : null));
    let time = 0;
    const now = () => {
      time += 1_500;
      return time;
    };
    const { err } = await abroad(host, [...ALL, "--output", "csv"], { now });
    expect(err).toMatch(/^(\d read so far\n)+4 in all\n$/);
    expect((await abroad(host, [...ALL, "--quiet"], { now })).err).toBe("");
  });
});
