import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { VERSION } from "../../../src/base/platform/version.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli } from "../../support/shared.js";

/** The header User-Agent of commands that send more than one operation of the service. */

const host = shared(() =>
  startHost(({ url = "", headers }, response) => {
    seen.push({ key: headers.apikey, agent: headers["user-agent"] });
    if (url === "/_sandbox") response.end('{"emulator":"qa-pay","mode":"test"}');
    else response.writeHead(401).end();
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: host.url }));
/** The User-Agent of each request, by its API key: each command has its own. */
const seen: { readonly key: unknown; readonly agent: unknown }[] = [];
const agentsOf = (key: string) => new Set(seen.filter((one) => one.key === key).map(({ agent }) => agent));

beforeAll(() => {
  writeFileSync(join(cli.folder, "mine.db"), "a snapshot");
});

it.each([
  "api GET /v1/charges",
  "charges get ch_1",
  "charges list --all --json",
  "conform --json",
  "doctor",
  "listen --forward-to http://127.0.0.1:9/",
  "logs tail",
  "logs tail --all",
  "logs show req_1",
  "trigger charge.paid",
  "sandbox snapshots export seed new.db",
  "sandbox snapshots import seed mine.db",
])("%s names itself in each request, also while other commands run", async (line) => {
  const command = /^(sandbox snapshots (export|import)|charges \w+|logs \w+|\w+)/.exec(line)?.[0] ?? "";
  const own = `qa_test_of_${line.replaceAll(/\W/g, "_")}`;
  const run = (words: string, key: string) => cli.run([...words.split(" "), "--api-key", key]);
  await Promise.all([run(line, own), run("wallets list", "qa_test_of_another")]);
  expect(agentsOf(own)).toEqual(new Set([`qa-pay/${VERSION} (${command})`]));
  expect(agentsOf("qa_test_of_another")).toEqual(new Set([`qa-pay/${VERSION} (wallets list)`]));
});
