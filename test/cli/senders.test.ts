import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { userAgent } from "../../src/client/sender.js";
import { VERSION } from "../../src/version.js";
import { testCli } from "../support/cli.js";
import { begin } from "../support/running.js";

/** Commands that run a service: the requests of --seed name them, and the service itself does not run under their name. */

const cli = testCli();
afterAll(() => cli.remove());

it.each([
  ["serve", "--port", "0", "--db", ":memory:"],
  ["exec", "--", process.execPath, "--eval", "0"],
])("%s runs its service without the name of a command, which would make every promise slower", async (...words) => {
  const names: string[] = [];
  const onStop = (stop: (signal: "SIGTERM") => void) => {
    names.push(userAgent());
    if (words[0] === "serve") stop("SIGTERM");
  };
  expect(await cli.run(words, { onStop })).toMatchObject({ code: 0, err: "" });
  expect(names).toEqual([`qa-pay/${VERSION}`]);
});

it("serve names itself in the requests of --seed", async () => {
  const file = join(cli.folder, "seeded.db");
  const running = await begin(cli, ["serve", "--port", "0", "--db", file, "--seed", "small-shop", "--json"]);
  expect(await running.stop()).toMatchObject({ code: 0, err: "" });
  const db = new Database(file, { readonly: true });
  const commands = db.prepare("SELECT DISTINCT command FROM history WHERE request IS NOT NULL").pluck().all();
  db.close();
  expect(commands).toEqual(["serve"]);
});

it("exec names itself in the requests of --seed", async () => {
  const ask = `const answer = await fetch(process.env.QA_PAY_BASE_URL + "/_sandbox/requests", { headers: { apikey: process.env.QA_PAY_API_KEY } });
    const { data } = await answer.json();
    if (!data.every(({ caller }) => caller === "command: exec")) process.exitCode = 9;
    if (data.length === 0) process.exitCode = 8;`;
  const words = ["exec", "--seed", "small-shop", "--", process.execPath, "--input-type=module", "--eval", ask];
  expect(await cli.run(words)).toMatchObject({ code: 0, err: "" });
});
