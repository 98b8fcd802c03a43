import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/cli/tree/command-tree.js";
import type { FlagSpec, OperationSpec } from "../../src/cli/tree/describe-operations.js";
import { type TestCli, testCli } from "../support/cli.js";
import { MISBEHAVIOURS, type MisbehavingServer, startMisbehaving } from "../support/misbehaving.js";

/**
 * Every command against hosts whose answers are missing, nonsense or endless: exit 7 in time, and one clear message.
 */

const saying = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const named = (name: string) => {
  const found = MISBEHAVIOURS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no server ${name}`);
  return found;
};
const answers = (name: string, text: string) => ({
  name,
  serve: (socket: import("node:net").Socket) => void socket.on("data", () => socket.write(text)),
  ends: 200,
});

const HOSTS = [
  named("says nothing"),
  named("switches protocols and stays"),
  named("never ends its chunks"),
  named("never ends its headers"),
  named("speaks another protocol"),
  named("resets after the request"),
  answers("shows a page", saying("<h1>Welcome</h1>")),
  answers("answers with nothing in it", saying("")),
  answers("answers with another type", saying('"qa-pay"')),
];

function sampleFor({ type, choices }: FlagSpec): string {
  if (choices?.[0] !== undefined) return choices[0];
  if (type === "integer" || type === "number") return "100";
  if (type === "boolean") return "true";
  if (type === "json") return "{}";
  return type === "instant" ? "2030-01-02T03:04:05Z" : "some-text";
}

/** The required flags, and the first of the flags of which one is required. */
function neededFlags({ flags, oneOf }: OperationSpec): readonly FlagSpec[] {
  return flags.filter(({ required, name }) => required || name === oneOf[0]);
}

/** A complete command line, so that only the host can make it fail. */
const OPERATIONS = operations
  .filter(({ auth }) => auth !== "jwt")
  .map((spec) => [
    ...spec.command.split(" "),
    ...spec.arguments.map(() => "id_1"),
    ...neededFlags(spec).flatMap((flag) => [`--${flag.name}`, sampleFor(flag)]),
  ]);
const OTHERS = [
  ["trigger", "charge.paid"],
  ["logs", "tail"],
  ["logs", "show", "req_1"],
  ["listen", "--forward-to", "http://127.0.0.1:9"],
  ["fixtures", "run", "small-shop"],
  ["login", "--email", "a@b.test", "--password-stdin"],
  ["charges", "get", "ch_1", "--wait-for", "paid", "--timeout", "1s"],
];

let cli: TestCli;
let servers: MisbehavingServer[];

beforeAll(async () => {
  cli = testCli();
  servers = await Promise.all(HOSTS.map((one) => startMisbehaving(one)));
});

afterAll(async () => {
  for (const server of servers) await server.close();
  cli.remove();
});

const isSandbox = (words: readonly string[]) => ["sandbox", "trigger", "logs", "fixtures"].includes(words[0] ?? "");

// Several at a time, because most hosts let a command wait until its time is over.
describe.concurrent.each(HOSTS.map((one, index) => [one.name, index] as const))("a host that %s", (_name, index) => {
  it.each([...OPERATIONS, ...OTHERS].map((words) => [words.join(" "), words] as const))("%s", async (_line, words) => {
    const url = new URL(servers[index]?.url ?? "").origin;
    // A password may go to a host that is named by a flag alone, and a key with it.
    const target = ["--base-url", url, "--api-key", "qa_test_hostile-host", "--request-timeout", "100ms", "--yes"];
    const { code, out, err } = await cli.run([...words, ...target], { input: "password" });
    const status = HOSTS[index]?.ends;
    // Before a request to a control route, the command asks the host whether it is an emulator.
    const allowed = isSandbox(words) && typeof status === "number" ? [2, 7] : [7];
    expect(allowed, `${out}${err}`).toContain(code);
    expect(out).toBe("");
    expect(err.match(/^Error: /gm)).toHaveLength(1);
    expect(err).not.toMatch(/undefined|\[object|^ +at /m);
  });
});
