import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { completeLine } from "../../support/every-command.js";
import { MISBEHAVIOURS, type MisbehavingServer, startMisbehaving } from "../../support/misbehaving.js";
import { sharedCli } from "../../support/shared.js";

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

/** How an answer can fail a command: it never comes, it is no JSON, it is JSON of another kind. */
const HOSTS_OF_ALL = [
  named("says nothing"),
  answers("shows a page", saying("<h1>Welcome</h1>")),
  answers("answers with another type", saying('"qa-pay"')),
];
/** Faults of the connection, which all commands share. */
const HOSTS_OF_SOME = [
  named("switches protocols and stays"),
  named("never ends its chunks"),
  named("never ends its headers"),
  named("speaks another protocol"),
  named("resets after the request"),
  answers("answers with nothing in it", saying("")),
];
const HOSTS = [...HOSTS_OF_ALL, ...HOSTS_OF_SOME];

/** Commands whose only fault is the host. */
const OPERATIONS = operations.filter(({ auth }) => auth !== "jwt").map(completeLine);
/** One that reads, one that changes, and one about the emulator. */
const KINDS = ["payments list", "charges create", "sandbox pay"];
const OTHERS = [
  ["trigger", "charge.paid"],
  ["logs", "tail"],
  ["logs", "show", "req_1"],
  ["listen", "--forward-to", "http://127.0.0.1:9"],
  ["fixtures", "run", "small-shop"],
  ["login", "--email", "a@b.test", "--password-stdin"],
  ["charges", "get", "ch_1", "--wait-for", "paid", "--timeout", "1s"],
];

const cli = sharedCli();
let servers: MisbehavingServer[];

beforeAll(async () => {
  servers = await Promise.all(HOSTS.map((one) => startMisbehaving(one)));
});

afterAll(async () => {
  for (const server of servers) await server.close();
});

const isSandbox = (words: readonly string[]) => ["sandbox", "trigger", "logs", "fixtures"].includes(words[0] ?? "");

// Several at a time, because most hosts let a command wait until its time is over.
describe.concurrent.each(HOSTS.map((one, index) => [one.name, index] as const))("a host that %s", (_name, index) => {
  const ofKinds = OPERATIONS.filter((words) => KINDS.includes(words.slice(0, 2).join(" ")));
  const own = index < HOSTS_OF_ALL.length ? OPERATIONS : ofKinds;

  it.each([...own, ...OTHERS].map((words) => [words.join(" "), words] as const))("%s", async (_line, words) => {
    const url = new URL(servers[index]?.url ?? "").origin;
    // A password may go to a host that is named by a flag alone, and a key with it.
    const target = ["--base-url", url, "--api-key", "qa_test_hostile-host", "--request-timeout", "100ms", "--yes"];
    const { code, out, err } = await cli.run([...words, ...target], { input: "password" });
    const status = HOSTS[index]?.ends;
    // Before a request to a control route, the command checks whether the host is an emulator.
    const allowed = isSandbox(words) && typeof status === "number" ? [2, 7] : [7];
    expect(allowed, `${out}${err}`).toContain(code);
    expect(out).toBe("");
    expect(err.match(/^Error: /gm)).toHaveLength(1);
    expect(err).not.toMatch(/undefined|\[object|^ +at /m);
  });
});
