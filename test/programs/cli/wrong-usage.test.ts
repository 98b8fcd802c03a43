import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PNG } from "../../support/med.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli } from "../../support/shared.js";

/**
 * Wrong command lines: each ends with 2, says what is wrong and what to do, for a person and for a program, sends nothing
 * and leaves no file behind.
 */

/** The requests that came to the host of all commands. */
const asked: string[] = [];
const host = shared(() =>
  startHost(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.end("{}");
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: host.url, QA_PAY_API_KEY: "qa_test_00000000" }));
const FILES = ["body.json", "good.png"];
beforeAll(() => {
  for (const name of FILES) writeFileSync(join(cli.folder, name), PNG);
});

/** A command line, a part of the message, and a part of the advice below it. A line with spaces in a word is a list. */
type Row = [line: string | readonly string[], message: string, next?: string];

const exec = (...flags: readonly string[]) => ["exec", ...flags, "--", "touch", "ran"];
const PROGRAM = "<command> is missing: the program and its arguments, after two dashes.";
const URL = "http://127.0.0.1:9/";
const NO_KEY = "The API key is no key";
const HEX = "takes 64 hexadecimal digits";
const SHELLS = "There is a script for bash, zsh, fish, not";
const NEITHER = "is neither a file nor one of charge-created, charge-expired";
const DURATION = "--timeout takes a duration";
const VELOCITY = "takes how many charges in which time, such as 5/60s";

const profile = (url: string, key = "qa_test_0123456789abcdef", name = "one") =>
  `profiles add ${name} --base-url ${url} --api-key ${key}`.split(" ");
const verify = (flags: string) => `webhooks verify --secret s --signature t=1,v1=00 ${flags}`;
const receiver = (flags: string) => `webhooks test ${URL} --secret s ${flags}`;
const serve = (flags: string) => `serve --port 0 --db :memory: ${flags}`;

const LINES: Readonly<Record<string, readonly Row[]>> = {
  "words and flags": [
    ["nonsense", "Unknown command 'nonsense'.", "`qa-pay --help` says what there is."],
    ["charge create", "did you mean charges?", "qa-pay --help"],
    ["charges creat", "did you mean create?", "`qa-pay charges --help` says what there is."],
    ["charges lsit", "Unknown command 'lsit'; did you mean list?", "`qa-pay charges --help` says what there is."],
    ["charges --nonsense", "Unknown option '--nonsense'.", "`qa-pay charges --help` says what there is."],
    ["charges get -5 --jsno", "Unknown option '--jsno'; did you mean --json?", "qa-pay charges get --help"],
    ["webhooks sign good.png", "--secret is required.", "qa-pay webhooks sign --help"],
    ["charges create --amout 3", "did you mean --amount?", "`qa-pay charges create --help` says what it takes."],
    ["charges creat --hlep", "did you mean create?", "qa-pay charges --help"],
    ["charges get --hlep", "Unknown option '--hlep'; did you mean --help?", "qa-pay charges get --help"],
    ["charges get -1abc", "Unknown option '-1abc'", "qa-pay charges get --help"],
    ["charges create", "--amount is required.", "For example: qa-pay charges create --amount 1990"],
    [
      "charges create --name Ana",
      "Unknown option '--name'; did you mean --customer-name?",
      "qa-pay charges create --help",
    ],
    ["help nonsense", "Unknown command 'nonsense'.", "`qa-pay --help` says what there is."],
    ["constructor --help", "Unknown command 'constructor'.", "`qa-pay --help` says what there is."],
    ["help charge create", "did you mean charges?", "`qa-pay --help` says what there is."],
    ["charges creat --help", "did you mean create?", "`qa-pay charges --help` says what there is."],
    ["charges create --amount", "--amount takes a value.", "qa-pay charges create --help"],
    ["charges create --amount 5 more", "`qa-pay charges create` does not take the word more.", "create --help"],
    ["charges create extra", "`qa-pay charges create` does not take the word extra.", "qa-pay charges create --help"],
    ["charges get ch_1 a b", "`qa-pay charges get` does not take the words a b.", "qa-pay charges get --help"],
    ["doctor now", "`qa-pay doctor` does not take the word now.", "qa-pay doctor --help"],
    ["charges get", "<id> is missing: Id of the charge", "For example: qa-pay charges get ch_"],
    ["webhooks endpoints create", "--url and --events are required.", "qa-pay webhooks endpoints create --url"],
    ["logs show", "<request_id> is missing"],
    ["logs follow", "nknown command"],
    ["logs tail --limit 5", "nknown option"],
    ["sandbox chaos --drop 1", "--drop"],
    ["sandbox snapshots save", "<name> is missing", "qa-pay sandbox snapshots save before-refund"],
    ["sandbox snapshots restore", "<name> is missing", "qa-pay sandbox snapshots restore before-refund"],
    ["sandbox snapshots save one --name two", "<name> and --name contradict each other: one and two."],
    ["med evidence add", "<id> is missing"],
    ["med evidence add med_1", "<file> is missing"],
    ["med evidence add .. good.png", '<id> cannot be ".."'],
    ["med evidence add med_1 good.png more", "does not take the word more."],
    ["fixtures run charge-paid --charge ch_1", "--charge"],
    ["charges create --amount 5 --wait-for paid", "--wait-for"],
    ["payments list --wait-for paid", "--wait-for"],
    ["wallets balance --wait-for paid", "--wait-for"],
    ["charges get ch_1 --output csv", "--output"],
    ["login --password-stdin", "--email and --password-stdin"],
  ],
  "values of flags": [
    ["charges get ..", '<id> cannot be "..".'],
    ["charges create --amount x", "--amount takes a whole number of centavos, not x: write 1990 for R$ 19,90."],
    ["charges create --amount 5 --metadata {", "--metadata takes JSON, or @file with JSON."],
    ["charges create --amount 5 --metadata @none.json", "none.json cannot be read: there is no such file."],
    ["charges create --amount 1 --idempotency-key pedido→1", "--idempotency-key holds a character"],
    ["webhooks deliveries --status lost", "takes PENDING, PROCESSING, DELIVERED, FAILED, CANCELLED, not lost."],
    ["sandbox review ch_1 --decision maybe", "takes approve, reject, not maybe."],
    ["sandbox chaos --duplicate often", "--duplicate takes a number from 0 to 1, not often."],
    ["sandbox chaos --unknown-fields 2", "--unknown-fields takes a number from 0 to 1, not 2."],
    ["sandbox chaos --unknown-values=-0.1", "--unknown-values takes a number from 0 to 1, not -0.1."],
    ["sandbox faults add --effect-status 503 --probability 20", "--probability takes a number from 0 to 1, not 20."],
    ["sandbox faults add --effect-drop during", "--effect-drop takes before, after, not during"],
    ["charges create --amount 9007199254740993", "--amount takes a whole number of centavos, not 9007199254740993"],
    ["sandbox chaos --duplicate 0.10000000000000000000001", "--duplicate takes a number from 0 to 1"],
    ["sandbox faults add --effect-status soon", "--effect-status takes a whole number"],
    ["sandbox faults add --match-method PUT --effect-status 503", "--match-method takes"],
    ["wallets list --profile none", "There is no profile none."],
    [["wallets", "list", "--profile", "this, not "], "There is no profile this, not. There are none yet"],
    ["payments list --start-date=", "2026-11-23T21:00:00Z, not ''."],
    ["logs tail --profile none", "There is no profile none."],
    ["wallets list --base-url localhost", "--base-url must start with http"],
    ["openapi --preview nothing", "--preview takes charge-list, not nothing."],
    ["charges get ch_1 --wait-for payed", "--wait-for takes pending, processing, paid, failed"],
    ["charges get ch_1 --wait-for paid --timeout soon", "--timeout takes a duration such as 90s or 5m, not soon."],
    ["charges get ch_1 --timeout 5s", "--timeout goes with --wait-for."],
    ["payments list --output yaml", "--output takes table, json, jsonl, csv, not yaml."],
    ["payments list --columns id --output jsonl", "--columns works with a table and with csv, not with jsonl."],
    ["payments list --excel --output table", "--excel writes csv, so it cannot be combined with table."],
    ["sandbox requests --errors --limit 5", "--limit cannot be combined with --errors."],
    ["logs tail --all --method 1", "--method cannot be combined with --all."],
    ["logs tail --all --path 1", "--path cannot be combined with --all."],
    ["logs tail --all --status 1", "--status cannot be combined with --all."],
    ["sandbox payouts create --amount 1 --overdraw=maybe", "--overdraw takes true or false, not maybe"],
    ["payments list --limit=", "--limit takes a whole number, not ''."],
    ["sandbox snapshots save ", '<name> cannot be "".'],
    ["docs --port=70000", "--port takes a whole number from 0 to 65535, not 70000."],
    ["env --format yaml", "--format takes dotenv, shell, json, not yaml."],
  ],
  "a misspelt word": [
    ["trigger charge.payd", "There is no event charge.payd.", "Did you mean charge.paid?"],
    ["fixtures run smal-shop", "smal-shop is neither a file", "Did you mean small-shop?"],
    ["sandbox events --type charge.payd", "did you mean charge.paid?"],
    ["payments list --status refundd", "did you mean REFUNDED?"],
    [`listen --forward-to ${URL} --events charge.payd`, "did you mean charge.paid?"],
    [receiver("--only same-evnt"), "There is no case same-evnt.", "Did you mean same-event?"],
    ["mcp --tools payments.refnd", "payments.refnd", "Did you mean payments.refund?"],
    ["mcp --tools infractions.list", "infractions.list", "Did you mean med.list?"],
  ],
  api: [
    ["api STEAL /v1/wallets", "STEAL is not a method of the service."],
    ["api GET v1/wallets", "The path must start with /, as /v1/charges does; not v1/wallets."],
    ["api GET http://elsewhere.test/v1/wallets", "The path must start with /"],
    ["api GET", "<path> is missing"],
    ["api", "<method> is missing"],
    ["api POST /v1/charges --data @nothing.json", "The file nothing.json cannot be read: there is no such file."],
    ["api GET /v1/wallets --header apikey", "--header takes name:value, not apikey."],
    ["api GET /v1/wallets --header :x", "--header takes name:value, not :x."],
    ["api GET /v1/wallets --profile none", "There is no profile none."],
  ],
  completion: [
    ["completion powershell", `${SHELLS} powershell.`],
    ["completion Bash", `${SHELLS} Bash.`],
    ["completion toString", `${SHELLS} toString.`],
    ["completion ", `${SHELLS} ''.`],
    ["completion", "<shell> is missing: bash, zsh or fish"],
  ],
  exec: [
    ["exec", PROGRAM, "qa-pay exec -- npm test"],
    ["exec --", PROGRAM, "qa-pay exec -- npm test"],
    ["exec --frozen", PROGRAM, "qa-pay exec -- npm test"],
    ["exec --frozen --", PROGRAM, "qa-pay exec -- npm test"],
    [exec("--assert", "charge.paid sent"), "--assert cannot read"],
    [exec("--assert", "charge.payed delivered"), "there is no event charge.payed"],
    [exec("--seed", "nothing.json"), `nothing.json ${NEITHER}`],
    [exec("--port", "x"), "--port takes a whole number from 0 to 65535, not x."],
    [exec("--db", "some.db"), "--db"],
  ],
  fixtures: [
    ["fixtures run nothing.json", `nothing.json ${NEITHER}`],
    ["fixtures run charge-payed", `charge-payed ${NEITHER}`],
    ["fixtures run .", "The file . cannot be read: it is a folder."],
    ["fixtures run ", "The file '' cannot be read: it is a folder."],
  ],
  listen: [
    ["listen", "listen needs --forward-to or --route.", "For example: qa-pay listen --forward-to http://"],
    ["listen --forward-to localhost:3000", "--forward-to takes a complete URL such as http://"],
    ["listen --forward-to ftp://localhost/", "--forward-to takes a complete URL"],
    ["listen --route http://localhost:3000", "--route takes pattern=url"],
    ["listen --route =http://localhost:3000", "--route takes pattern=url, not =http://localhost:3000."],
    ["listen --route charge.*", "--route takes pattern=url, not charge.*."],
    ["listen --route charge.*=localhost", "--route takes a complete URL such as http://"],
    ["listen --route charges.*=http://localhost/", "--route: there is no event charges.*"],
    [`listen --forward-to ${URL} --events charge.paid,`, "--events: there is no event ."],
    [`listen --forward-to ${URL} --webhook-secret ${"C0FFEE00".repeat(8)}`, `${HEX} (0-9 a-f)`],
    ["listen --print-secret --webhook-secret s", `--webhook-secret ${HEX}`],
  ],
  mcp: [
    ["mcp --tools core,", "not an empty text"],
    ["mcp --tools everything", "everything", "has the ids, as operationId"],
    ["mcp --api-key -", "which the agent uses"],
  ],
  profiles: [
    [["profiles", "add", "a b", ...profile("http://127.0.0.1:1").slice(3)], "letters, digits"],
    [profile("http://127.0.0.1:1", undefined, "__proto__"), "letters, digits"],
    [profile("pay.example"), "--base-url must start with"],
    [profile("http://"), "--base-url must start with"],
    [profile("http://127.0.0.1:1", "-"), "The API key is empty"],
    [profile("http://127.0.0.1:1", "qa_prod_0123456789"), NO_KEY],
    [profile("http://127.0.0.1:1", "qa_live_short"), NO_KEY, "qa_test_ or qa_live_"],
    [[...profile("http://127.0.0.1:1").slice(0, -1), "qa_live_01234567 89"], NO_KEY],
    [profile("http://me:secret@127.0.0.1:1"), "must be only an address"],
    [profile("http://127.0.0.1:1?"), "must be only an address"],
    [profile("http://127.0.0.1:1#/v1"), "must be only an address"],
    ["profiles use nowhere", "There is no profile nowhere.", "There are none yet"],
    ["profiles use constructor", "There is no profile constructor."],
    ["profiles remove nowhere", "There is no profile nowhere."],
    ["profiles list --output yaml", "takes table, json, jsonl"],
  ],
  /** The values of a service's flags are tested in test/service/features/read-settings.test.ts. */
  serve: [
    [serve("--port x"), "--port takes a whole number"],
    [serve("--live-key secret"), "--live-key takes a key that starts with qa_live_"],
    [serve("--forward-to https://user:secret@example.com/"), "--forward-to"],
    [serve("--nonsense"), "--nonsense"],
    [serve("stray"), "does not take the word stray."],
    [serve("--rate-limit 0"), "--rate-limit takes a whole number from 1 to 1000000, not 0."],
    [serve("--rate-limit 10/s"), "--rate-limit takes a whole number from 1 to 1000000, not 10/s."],
    [serve("--customer-velocity 5"), `--customer-velocity ${VELOCITY}`],
    [serve("--customer-velocity 0/60s"), "or 100/1h, not 0/60s."],
    [serve("--customer-velocity 1.5/60s"), "or 100/1h, not 1.5/60s."],
    [serve("--customer-velocity=-5/60s"), "or 100/1h, not -5/60s."],
    [serve("--account-velocity 5/60"), `--account-velocity ${VELOCITY}`],
    [serve("--account-velocity 5/0s"), "or 100/1h, not 5/0s."],
    [serve("--account-velocity 60s/5"), "or 100/1h, not 60s/5."],
    [serve("--account-velocity"), "--account-velocity takes a value.", "qa-pay serve --help"],
    [serve("--log-level loud"), "debug, info, warn, error"],
    [serve("--log-level "), "debug, info, warn, error"],
  ],
  trigger: [
    ["trigger charge.payed", "There is no event charge.payed.", "There are charge.created, charge.expired,"],
    ["trigger ", "There is no event ."],
    ["trigger charge.*", "There is no event charge.*."],
    ["trigger small-shop", "There is no event small-shop."],
    ["trigger charge.paid --set amount", "--set takes path=value, not amount."],
    ["trigger charge.paid --set =5", "--set takes path=value, not =5."],
    ["trigger charge.paid --set charge.metadata.order=1e400", "holds 1e400, a number that cannot be kept exactly"],
    ["trigger charge.paid --set charge=5", "--set charge=5 does not name a field of a step."],
    ["trigger charge.paid --set charge.description.length=5", "description is no object."],
    ["trigger charge.paid --set charge.amount=5,00", "takes a whole number of centavos: write 500 for R$ 5,00."],
    ["trigger charge.paid --set amount=5.00", "write 500 for R$ 5,00."],
    [["trigger", "payment.refunded", "--set", "refund.amount=R$ 1,5"], "write 150 for R$ 1,50."],
    ["trigger payout.created --charge ch_1", "payout.created is no event of a charge."],
    ["trigger charge.created --charge ch_1", "charge.created is no event of a charge."],
  ],
  "webhooks test": [
    ["webhooks test --secret s", "<url> is missing"],
    [`webhooks test ${URL}`, "--secret is required."],
    [`webhooks test ${URL} --secret `, "--secret is empty."],
    [receiver("--secret - --old-secret -"), "Only one secret"],
    ["webhooks test localhost:3000 --secret s", "takes a complete URL"],
    ["webhooks test ftp://localhost/ --secret s", "takes a complete URL"],
    [receiver("--timeout soon"), DURATION],
    [receiver("--timeout 0s"), DURATION],
    [receiver("--timeout 1h"), DURATION],
    [receiver("--only nothing"), "There is no case nothing.", "There are charge."],
    [receiver("--only old-secret"), "needs --old-secret"],
  ],
  "webhooks verify": [
    [verify("nowhere.json"), "The file nowhere.json cannot be read: there is no such file."],
    [verify("."), "The file . cannot be read: it is a folder."],
    [verify("body.json --tolerance soon"), "--tolerance takes a duration such as 5m, not soon."],
    [verify("--now tomorrow"), "--now takes a day such as 2026-11-23"],
    [verify("a b"), "does not take the word b."],
    ["webhooks verify --signature t=1,v1=00", "--secret"],
    ["webhooks verify --secret s", "--signature"],
  ],
};

async function isRefused([line, message, next = ""]: Row): Promise<void> {
  const words = typeof line === "string" ? line.split(" ") : line;
  const { code, out, err } = await cli.run(words);
  expect([code, out]).toEqual([2, ""]);
  // Some flags choose the form for programs themselves.
  expect(err).toMatch(/^(Error: |\{)/);
  for (const part of [message, next]) expect(err).toContain(part);
  expect(err).not.toMatch(/undefined|\[object|^ +at |spawn|ENOENT|EACCES/m);
  const told = await cli.run(["--json", ...words]);
  expect([told.code, told.out]).toEqual([2, ""]);
  const { error, request_id } = JSON.parse(told.err);
  const { hint = "said", ...rest } = error;
  const expected = { type: "invalid_request_error", code: "usage", message: expect.stringContaining(message) };
  expect([rest, request_id, hint]).toStrictEqual([expected, null, expect.stringMatching(/\S$/)]);
  expect([asked, readdirSync(cli.folder).sort()]).toEqual([[], FILES]);
}

describe.each(Object.entries(LINES))("%s", (_title, rows) => {
  it.each(rows)("%j", async (...row) => isRefused(row));
});

it.each(["", "charges", "webhooks endpoints", "med evidence"])(
  "%j names no command: a person sees the commands of the group, and a program an error",
  async (line) => {
    const words = line.split(" ").filter((word) => word !== "");
    expect(await cli.run(words)).toEqual({ code: 2, out: "", err: expect.stringMatching(/^Usage: qa-pay /) });
    const told = await cli.run([...words, "--json"]);
    expect([told.code, told.out, JSON.parse(told.err).error.code]).toEqual([2, "", "usage"]);
  },
);
