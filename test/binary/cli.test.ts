import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPlace, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { shared } from "../support/shared.js";

/**
 * Only the built command can show this: its process ends with the exit code, its streams are those of the system. Outputs and
 * errors of commands are tested in test/programs/cli, without a process for each line.
 */

const place = shared(newPlace);
let server: Server;

beforeAll(async () => {
  server = await serve(place, ["--frozen"]);
});
afterAll(async () => {
  await server.stop();
});

const cli = (...args: string[]) => run(place, args);

it("a process ends with 0 and the bytes of the answer on standard output", async () => {
  const headers = { apikey: server.ready.test_key };
  const answer = await (await fetch(`${server.url}/v1/wallets`, { headers })).text();
  expect(await cli("wallets", "list", "--json")).toEqual({ code: 0, out: `${answer}\n`, err: "" });
});

it("a clone that was not built says what to run", async () => {
  const clone = join(place.folder, "clone");
  for (const name of ["bin", "package.json"]) cpSync(name, join(clone, name), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, "bin/qa-pay.js"), "serve"], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    `qa-pay is not built yet: run \`npm ci && npm run build\` in ${clone}, and then this command again.\n`,
  );
});

it("the key is read from standard input when it is -", async () => {
  const ended = await run(place, ["wallets", "list", "--json", "--api-key", "-"], {
    input: `${server.ready.test_key}\n`,
  });
  expect([ended.code, ended.err]).toEqual([0, ""]);
});

it.each([["charges create"], ["exec"]])(
  "--help of %s is what docs/CLI.md shows: the built tree is that of the source",
  async (command) => {
    const { code, out } = await cli(...command.split(" "), "--help");
    expect(code).toBe(0);
    const shown = readFileSync("docs/CLI.md", "utf8")
      .split(`\`qa-pay ${command}\`\n\n\`\`\`\n`)[1]
      ?.split(/\n\n(?:Flags|Examples):/)[0];
    // Here it is started in a clone, and its commands begin so.
    const installed = out.replaceAll(/node \S+qa-pay\.js/g, "qa-pay");
    expect(installed.startsWith(`${shown}\n`)).toBe(true);
    expect(installed).toContain(`$ qa-pay ${command}`);
  },
);

describe("standard output", () => {
  const printTo = (stdout: "pipe" | number) =>
    spawn(process.execPath, ["bin/qa-pay.js", "openapi"], { stdio: ["ignore", stdout, "pipe"] });
  const end = async (child: ReturnType<typeof printTo>) => {
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const [code] = await once(child, "close");
    return { code, err };
  };

  it("that its reader closes early is no error", async () => {
    const child = printTo("pipe");
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end(child)).toEqual({ code: 0, err: "" });
  });

  it.skipIf(!existsSync("/dev/full"))("that has no room left ends with 1 and says so", async () => {
    const full = openSync("/dev/full", "w");
    const ended = await end(printTo(full));
    closeSync(full);
    expect(ended).toEqual({ code: 1, err: "Error: Standard output cannot be written (ENOSPC).\n" });
  });
});

it("profiles that are added at the same moment are all kept", async () => {
  const shared = newPlace();
  const names = Array.from({ length: 4 }, (_, index) => `p${index}`);
  const add = (name: string) =>
    run(shared, ["profiles", "add", name, "--base-url", "http://127.0.0.1:1", "--api-key", "qa_test_0123456789"]);
  for (const { code } of await Promise.all(names.map(add))) expect(code).toBe(0);
  const { out } = await run(shared, ["profiles", "list", "--json"]);
  shared.remove();
  expect(
    JSON.parse(out)
      .map(({ name }: Loose) => name)
      .sort(),
  ).toEqual(names);
});
