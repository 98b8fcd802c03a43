import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { begin, type Host, startHost } from "../../support/running.js";
import { sharedCli } from "../../support/shared.js";

/** `logs tail --all`: everything that happens, as lines for a person or as JSON. */

const cli = sharedCli();

const REFUSAL = '{"error":{"type":"authentication_error","code":"unauthorized","message":"no"},"request_id":"req_1"}';

const linesOf = (out: string) => out.trimEnd().split("\n");

it.each([[["--utc"]], [["--json"]]])(
  "logs tail --all shows everything that happens until the server is gone: %j",
  async (flags) => {
    const host = await startEmulator({ frozen: true });
    const words = ["logs", "tail", "--all", "--base-url", host.url, "--api-key", host.key, ...flags];
    const running = await begin(cli, words);
    const { id } = await host.charge();
    await host.sandbox("/faults", { match: {}, effect: { status: 503 }, times: 1 });
    const messages = (await host.call("GET", "/_sandbox/stream", { headers: { accept: "application/json" } })).body
      .data;
    const { number } = (await host.sandbox("/requests?limit=1")).data[0];
    await host.close();
    const { code, out, err } = await running.ended;
    expect(code).toBe(7);
    if (flags.includes("--json")) {
      expect(linesOf(out).map((line) => JSON.parse(line))).toEqual(messages.reverse());
      return;
    }
    expect(err).toBe(`Following everything. Ctrl-C stops.\nError: ${host.url} no longer answers.\n`);
    expect(out).toMatch(new RegExp(`^\\d{4}-\\S+ \\S+Z request {5}201 POST /v1/charges \\d+ ms #${number}$`, "m"));
    expect(out).toMatch(new RegExp(`^\\S+ \\S+ transaction id=tx_${id.slice(3)} move=create `, "m"));
    expect(out).toMatch(/^fault {7}id=flt_\S+ change=added$/m);
  },
);

describe("a stream that breaks", () => {
  let host: Host;
  let asked: (string | undefined)[];
  let answers: string[];

  beforeEach(async () => {
    [asked, answers] = [[], []];
    host = await startHost((request, response) => {
      if (request.url === "/_sandbox") return void response.end('{"emulator":"qa-pay"}');
      asked.push(request.headers["last-event-id"] as string | undefined);
      const answer = answers.shift();
      if (answer === undefined) return void response.writeHead(401).end(REFUSAL);
      response.write(answer);
      // Half of the connections end properly, the other half break off.
      if (answers.length % 2 === 0) response.end();
      else setImmediate(() => response.destroy());
    });
  });
  afterEach(() => host.close());

  const message = (id: string, event: string, data: Loose) =>
    `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
  const tail = (...flags: string[]) =>
    cli.run(["logs", "tail", "--all", "--base-url", host.url, "--api-key", "qa_test_x", ...flags]);

  it("is opened again behind its last message", async () => {
    answers.push(
      message("b:1", "mail", { id: "em_1" }) + message("b:2", "mail", { id: "em_2" }),
      ": still here\n\n",
      message("b:3", "mail", { id: "em_3" }),
    );
    const { code, out } = await tail("--json");
    expect(linesOf(out).map((line) => JSON.parse(line).id)).toEqual(["b:1", "b:2", "b:3"]);
    expect([code, asked]).toEqual([3, [undefined, "b:2", "b:2", "b:3"]]);
  });

  it.each([
    ["missed", "some messages were missed because they came faster than they were read"],
    ["unknown_id", "the server was restarted, or some messages were missed"],
    ["replaced", "a reset or a restored snapshot has replaced everything"],
    ["something new", "messages were missed"],
  ])("explains a resync in words: %s", async (reason, said) => {
    answers.push(message("b:9", "resync", { reason }));
    expect((await tail()).out).toBe(`resync      ${said}\n`);
  });

  it("shows no control characters of the server to a terminal", async () => {
    answers.push(message("b:1", "a\u001b[2J", { "na\u009bme": "va\u0007lue", at: "\u001b[31m" }));
    const { out } = await tail();
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
