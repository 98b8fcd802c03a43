import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serverProof } from "../../src/kernel/server-proof.js";
import { type CliOptions, testCli } from "../support/cli.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { begin, beginServe, type Host, type Running, type Serving, startHost } from "../support/running.js";
import { freshCli } from "../support/shared.js";
import { OWNER, writeServerFile } from "../support/sources.js";

/**
 * Commands that send for as long as they run. When the server ends, another program can take its port before the next request,
 * and must not get the key.
 */

const cli = freshCli();
let server: Serving;
let receiver: Receiver;
beforeEach(async () => {
  server = await beginServe(cli);
  receiver = await startReceiver();
});
afterEach(async () => {
  await server.stop();
  await receiver.close();
});

const file = () => join(cli.folder, ".qa-pay", "server.json");

/** Lets the commands of a test go on from their pauses. A pause takes its time on their clock, and none of the test's. */
function pauses(): { readonly options: CliOptions; readonly begun: Promise<void>; go(): void } {
  let time = 1_800_000_000_000;
  let go: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const pause = async (ms: number) => {
    time += ms;
    begin();
    await gone;
  };
  return { options: { pause, now: () => time }, begun, go: () => go() };
}

/** A program that takes the port of the server and answers everything. `seen` has the paths and the keys it got. */
async function takeOver(port: number): Promise<Host & { readonly seen: string[]; readonly challenged: Promise<void> }> {
  const seen: string[] = [];
  let tell: () => void = () => undefined;
  const challenged = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const host = await startHost(
    ({ url = "", headers }, response) => {
      seen.push([url.replace(/[0-9a-f-]{36}$/, "…"), headers.apikey].filter((part) => part !== undefined).join(" "));
      response.end('{"emulator":"qa-pay","data":[],"next_cursor":null,"proof":"00"}', () => seen.length > 1 && tell());
    },
    { port },
  );
  return { ...host, seen, challenged };
}

async function createCharge(): Promise<string> {
  const { out, err } = await cli.run(["charges", "create", "--amount", "1990", "--json"]);
  if (out === "") throw new Error(err);
  return JSON.parse(out).id;
}

/** Ends the server as if it was killed: its file says that it runs. */
async function kill(): Promise<void> {
  const content = readFileSync(file());
  await server.stop();
  writeFileSync(file(), content);
}

const portOf = ({ ready }: Serving) => Number(new URL(ready.url).port);

describe("a program that takes the port of a server that was killed gets challenges and no key", () => {
  const named = (): string[] => ["--base-url", server.ready.url.replace("127.0.0.1", "localhost")];

  it.each([
    ["logs tail --all", () => ["logs", "tail", "--all"]],
    ["logs tail --all at a host that a flag names", () => ["logs", "tail", "--all", ...named()]],
    ["listen", () => ["listen", "--forward-to", receiver.url]],
    ["listen at a host that a flag names", () => ["listen", "--forward-to", receiver.url, ...named()]],
  ])("from %s", async (_command, words) => {
    const { options, go } = pauses();
    const running: Running = await begin(cli, words(), options);
    await kill();
    const stranger = await takeOver(portOf(server));
    go();
    await stranger.challenged;
    await running.stop();
    await stranger.close();
    expect(new Set(stranger.seen)).toEqual(new Set(["/_sandbox/server?challenge=…"]));
  });

  it("from charges get --watch", async () => {
    const { options, begun, go } = pauses();
    const running = await begin(cli, ["charges", "get", await createCharge(), "--watch"], options);
    await begun;
    await kill();
    const stranger = await takeOver(portOf(server));
    go();
    await stranger.challenged;
    await running.stop();
    await stranger.close();
    expect(new Set(stranger.seen)).toEqual(new Set(["/_sandbox/server?challenge=…"]));
  });
});

it("logs tail that was too slow asks for a new proof before it goes on", async () => {
  let hasProven = false;
  const seen: string[] = [];
  const host = await startHost(({ url = "", headers: { host: name, apikey } }, response) => {
    const { pathname, searchParams, origin } = new URL(url, `http://${name}`);
    seen.push(`${pathname} ${apikey}`);
    if (pathname === "/_sandbox") return void response.end('{"emulator":"qa-pay"}');
    if (pathname === "/_sandbox/requests") {
      hasProven = true;
      return void response.end("event: overflow\ndata: {}\n\n");
    }
    const proof = serverProof(OWNER.secret, "server", origin, searchParams.get("challenge") ?? "");
    response.end(JSON.stringify({ proof: hasProven ? "" : proof }));
  });
  const project = testCli();
  writeServerFile(project.folder, { url: host.url, test_key: "qa_test_x" });
  let time = 0;
  const { code, err } = await project.run(["logs", "tail"], { now: () => (time += 1_000) });
  expect([code, err]).toEqual([7, expect.stringContaining("the server of this project does not run there any more")]);
  expect(seen.filter((request) => request.startsWith("/_sandbox/requests"))).toEqual(["/_sandbox/requests qa_test_x"]);
  expect(seen.at(-1)).toBe("/_sandbox/server undefined");
  await host.close();
  project.remove();
});

it("listen goes on with a server that was started again on its port", async () => {
  const { options, go } = pauses();
  const running = await begin(cli, ["listen", "--forward-to", receiver.url, "--events", "charge.created"], options);
  const port = portOf(server);
  await server.stop();
  server = await beginServe(cli, ["--port", String(port)]);
  const id = await createCharge();
  go();
  await receiver.waitFor(1);
  expect((await running.stop()).code).toBe(0);
  expect(receiver.received.map(({ body }) => body.data.object.id)).toEqual([id]);
});
