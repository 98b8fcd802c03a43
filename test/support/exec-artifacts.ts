import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { testCli } from "./cli.js";
import type { Loose } from "./emulator.js";

/** Runs scripts under `exec --artifacts out`, and reads what it writes. */

/** What every script begins with. */
export const PRELUDE = `
const call = async (method, path, body, apikey = process.env.QA_PAY_API_KEY) => {
  const headers = { apikey, "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(process.env.QA_PAY_BASE_URL + path, { method, headers, ...sent })).json();
};
const newCharge = (more = {}, key) => call("POST", "/v1/charges", { amount: 1990, payment_method: "pix", ...more }, key);
const pay = async (id, key) => call("POST", "/_sandbox/charges/" + id + "/pay", {}, key);
`;

/** The files and the folder of a run with charges. */
export const NAMES = ["deliveries.jsonl", "emulator.db", "events.jsonl", "requests.jsonl", "timelines"];

export function artifactsOf(cli: ReturnType<typeof testCli>) {
  const inOut = (name: string) => join(cli.folder, "out", name);
  const read = (name: string) => readFileSync(inOut(name), "utf8");
  return {
    inOut,
    read,
    /** Runs a script. */
    exec(script: string, ...flags: string[]) {
      writeFileSync(join(cli.folder, "script.cjs"), `${PRELUDE}(async () => {${script}})();`);
      return cli.run(["exec", "--artifacts", "out", ...flags, "--", process.execPath, "script.cjs"]);
    },
    rows: (name: string): Loose[] =>
      read(name)
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    /** The bytes of every file, as characters. */
    bytes: () =>
      new Map(
        readdirSync(inOut(""), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "latin1")] as const),
      ),
  };
}
