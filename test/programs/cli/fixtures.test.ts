// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how fixtures write their references
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../src/api/fixtures/built-in-fixtures.js";
import { EVENT_NAMES } from "../../../src/service/features/webhooks/catalogue.js";
import { testCli } from "../../support/cli.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { begin } from "../../support/running.js";
import { ownEmulator, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Fixtures: those of the package, and those of a user. */

const emulator = sharedEmulator();
const cli = sharedCli(emulator);

/** Writes a fixture of a user. A value that is not text is written as JSON. */
function fixture(name: string, content: unknown): string {
  writeFileSync(join(cli.folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

async function runs(...words: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run(["fixtures", "run", ...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out).steps;
}

const CHARGE = { name: "charge", request: "POST /v1/charges", body: { amount: 100, payment_method: "pix" } };

describe("the fixtures of the package", () => {
  it("are the files of fixtures/, by their names", () => {
    const files = readdirSync(new URL("../../../fixtures", import.meta.url)).map((file) => file.replace(/\.json$/, ""));
    expect(Object.keys(FIXTURES)).toEqual(files.sort());
  });

  it.each(EVENT_NAMES)("%s belongs to exactly one fixture, which emits the event last", async (name) => {
    const named = Object.entries(FIXTURES).filter(([, { events }]) => events.includes(name));
    const howTo =
      "write a file in fixtures that ends in its move, with a line in src/api/fixtures/built-in-fixtures.ts";
    expect(
      named.map(([fixture]) => fixture),
      howTo,
    ).toHaveLength(1);
    const before = (await emulator.sandbox("/events?limit=1")).data[0]?.id;
    const { code, out } = await cli.run(["trigger", name, "--json"]);
    expect(code).toBe(0);
    const { data } = await emulator.sandbox("/events?limit=100");
    const end = data.findIndex(({ id }: Loose) => id === before);
    const emitted: Loose[] = end === -1 ? data : data.slice(0, end);
    const event = emitted.find(({ type }) => type === name);
    expect(event?.payload).toMatchObject({
      [name.startsWith("payment.") || name.startsWith("withdrawal.") ? "event" : "type"]: name,
    });
    const made: string[] = JSON.parse(out).steps.map(({ answer }: Loose) => answer.id ?? answer.charge?.id);
    const raw = (id: string | undefined) => id?.replace(/^[a-z]+_/, "");
    expect(made.map(raw)).toContain(raw(event?.subject));
  });

  it("lead to existing events only", () => {
    const named = Object.values(FIXTURES).flatMap(({ events }) => events);
    expect(named.toSorted()).toEqual(EVENT_NAMES.toSorted());
  });

  it.each(Object.keys(FIXTURES))("%s runs on an empty database", async (name) => {
    const own = await ownEmulator({ frozen: true });
    const flags = ["--base-url", own.url, "--api-key", own.key];
    const { code, out, err } = await cli.run(["fixtures", "run", name, ...flags]);
    expect([code, err]).toEqual([0, ""]);
    expect(out.trimEnd().split("\n")).toHaveLength(FIXTURES[name]?.steps.length ?? 0);
  });
});

describe("fixtures list", () => {
  it("shows each fixture with the objects that it creates and its last events", async () => {
    const { code, out, err } = await cli.run(["fixtures", "list"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^charge-expired +A charge that ran out of time \(charge\.expired, payment\.expired\)$/m);
    expect(out).toMatch(/^small-shop +A small shop: [^()]+$/m);
    expect(out.trimEnd().split("\n")).toHaveLength(Object.keys(FIXTURES).length);
  });

  it("with --json is a list", async () => {
    const list = JSON.parse((await cli.run(["fixtures", "list", "--json"])).out);
    expect(list.map(({ name }: Loose) => name)).toEqual(Object.keys(FIXTURES));
    expect(list[0]).toEqual({
      name: "charge-created",
      description: "A charge that waits for its payer",
      events: ["charge.created", "payment.created"],
    });
  });
});

describe("a fixture of the user", () => {
  it("refers to values from the answers of earlier steps, with their types", async () => {
    const file = fixture("refer.json", {
      description: "mine",
      steps: [
        { ...CHARGE, body: { ...CHARGE.body, metadata: { note: 1 } } },
        { name: "read", request: "GET /v1/payments/${charge.id:raw}" },
        {
          name: "copy",
          request: "POST /v1/charges",
          body: {
            amount: "${charge.amount}",
            payment_method: "pix",
            description: "again: ${charge.id} of ${charge.amount}",
            metadata: { all: ["${charge.amount}", "${read.id}"], whole: "${charge.metadata}" },
          },
        },
      ],
    });
    const [charge, read, copy] = await runs(file);
    expect(read).toMatchObject({ status: 200, request: `GET /v1/payments/${charge.answer.id.slice(3)}` });
    expect(copy.answer).toMatchObject({
      amount: 100,
      metadata: {
        description: `again: ${charge.answer.id} of 100`,
        all: [100, read.answer.id],
        whole: { note: 1 },
      },
    });
  });

  it("gets a new key for each ${new}", async () => {
    const body = { amount: 100, paymentMethods: ["PIX"], idempotencyKey: "${new}", metadata: { key: "k-${new}" } };
    const payment = (name: string) => ({ name, request: "POST /v1/payments", body });
    const [one, two] = await runs(fixture("fresh.json", { steps: [payment("one"), payment("two")] }));
    expect(one.answer.id).not.toBe(two.answer.id);
  });

  it("can read, change and delete, and takes values from the command line", async () => {
    const file = fixture("endpoint.json", {
      steps: [
        {
          name: "endpoint",
          request: "POST /v1/webhooks/endpoints",
          body: { url: "http://127.0.0.1:9/", events: ["charge.paid"] },
        },
        { name: "off", request: "PATCH /v1/webhooks/endpoints/${endpoint.id}", body: { status: "INACTIVE" } },
        { name: "gone", request: "DELETE /v1/webhooks/endpoints/${endpoint.id}" },
      ],
    });
    const steps = await runs(file, "--set", 'endpoint.events=["charge.failed"]', "--set", "url=http://localhost:1/");
    expect(steps.map(({ status }: Loose) => status)).toEqual([201, 200, 200]);
    expect(steps[0].answer).toMatchObject({ url: "http://localhost:1/", events: ["charge.failed"] });
    expect(steps[1].answer.status).toBe("INACTIVE");
  });

  it("is found by a path relative to the working folder, and by an absolute path", async () => {
    fixture("near.json", { steps: [CHARGE] });
    expect(await runs("near.json")).toHaveLength(1);
    expect(await runs(join(cli.folder, "near.json"))).toHaveLength(1);
  });

  it("keeps a text with a million braces that are never closed", async () => {
    const description = "${".repeat(1_000_000);
    const file = fixture("braces.json", { steps: [{ ...CHARGE, body: { ...CHARGE.body, description } }] });
    const { code, out } = await cli.run(["fixtures", "run", file, "--dry-run", "--json"]);
    expect([code, JSON.parse(out).body.description]).toEqual([0, description]);
  });

  it("is refused when a body is nested deeper than a request may be, and so is a flag", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const step = `{"name":"charge","request":"POST /v1/charges","body":{"amount":5,"payment_method":"pix","metadata":${deep}}}`;
    writeFileSync(join(cli.folder, "deep.json"), `{"steps":[${step}]}`);
    writeFileSync(join(cli.folder, "metadata.json"), deep);
    const told = [
      ["fixtures", "run", "deep.json"],
      ["charges", "create", "--amount", "5", "--metadata", "@metadata.json"],
    ];
    const says = ["deep.json", "--metadata"];
    for (const [at, words] of told.entries()) {
      const { code, out, err } = await cli.run(words);
      expect([code, out, err]).toEqual([2, "", `Error: ${says[at]} is nested deeper than 256 levels.\n`]);
    }
  });

  it("may have very many steps", async () => {
    const steps = Array.from({ length: 50_000 }, (_, at) => ({ name: `s${at}`, request: "GET /v1/wallets" }));
    const file = fixture("many.json", { steps: [...steps, { name: "s0", request: "GET /v1/wallets" }] });
    const { code, err } = await cli.run(["fixtures", "run", file]);
    expect([code, err]).toEqual([2, "Error: many.json: two steps have the name s0\n"]);
  });

  it("shows a person each step, also a step with an empty answer", async () => {
    const { id } = (
      await emulator.call("POST", "/v1/webhooks/endpoints", {
        body: { url: "http://127.0.0.1:9/", events: ["charge.paid"] },
      })
    ).body;
    const file = fixture("quiet.json", { steps: [{ name: "gone", request: `DELETE /v1/webhooks/endpoints/${id}` }] });
    expect(await cli.run(["fixtures", "run", file])).toEqual({
      code: 0,
      out: `✓ DELETE /v1/webhooks/endpoints/${id} \n`,
      err: "",
    });
  });
});

describe("a file that is not a fixture ends with 2", () => {
  it.each([
    ["no JSON", "{steps: []}", "is no JSON: "],
    ["nothing", "", "is no JSON: "],
    ["null", "null", 'has no steps: {"steps": [{"name": "charge"'],
    ["a list", "[]", "has no steps"],
    ["no steps", { steps: [] }, "has no steps"],
    ["steps that are no list", { steps: { name: "charge" } }, "has no steps"],
    ["a step without a name", { steps: [CHARGE, { request: "GET /v1/wallets" }] }, "step 2 needs a name and a request"],
    ["a step without a request", { steps: [{ name: "charge" }] }, "step 1 needs a name and a request"],
    ["a request without a method", { steps: [{ name: "a", request: "/v1/wallets" }] }, "step 1 needs"],
    ["a request to elsewhere", { steps: [{ name: "a", request: "GET http://elsewhere.test/" }] }, "step 1 needs"],
    ["a method that there is not", { steps: [{ name: "a", request: "STEAL /v1/wallets" }] }, "step 1 needs"],
    ["a body that is no object", { steps: [{ ...CHARGE, body: "amount=1" }] }, "step 1 needs"],
    ["a body that is a list", { steps: [{ ...CHARGE, body: [1] }] }, "step 1 needs"],
    ["a step that is null", { steps: [null] }, "step 1 needs"],
    ["a name twice", { steps: [CHARGE, CHARGE] }, "two steps have the name charge"],
    [
      "a number that would be sent as another one",
      '{"steps":[{"name":"a","request":"POST /v1/charges","body":{"metadata":{"order":12345678901234567890}}}]}',
      "holds 12345678901234567890, a number that cannot be kept exactly: write it in quotes, as a text.",
    ],
  ])("%s", async (_what, content, message) => {
    const file = fixture("bad.json", content);
    for (const words of [
      ["fixtures", "run", file],
      ["serve", "--seed", file],
      ["exec", "--seed", file, "--", "node"],
    ]) {
      const { code, out, err } = await cli.run(words);
      expect([words[0], code, out]).toEqual([words[0], 2, ""]);
      expect(err).toContain(`bad.json`);
      expect(err).toContain(message);
    }
  });

  it.each(["nothing.id", "charge.nothing", "charge.id.deeper", "charge.constructor", "later.id", ""])(
    "nor one that refers to ${%s}",
    async (to) => {
      const steps = [CHARGE, { name: "read", request: `GET /v1/charges/\${${to}}` }, { ...CHARGE, name: "later" }];
      const { code, err } = await cli.run(["fixtures", "run", fixture("dangling.json", { steps })]);
      expect([code, err]).toEqual(
        to === ""
          ? [4, expect.stringContaining("was refused")]
          : [2, `Error: \${${to}} refers to nothing that an earlier step answered.\n`],
      );
    },
  );
});

describe("serve --seed", () => {
  /** Runs `serve` until the seed is loaded and the ready line is printed. Returns the output. */
  async function served(...flags: string[]) {
    const running = await begin(cli, ["serve", "--port", "0", "--db", join(cli.folder, "seed.db"), "--json", ...flags]);
    return running.stop();
  }

  async function payments(key: string): Promise<number> {
    const found = await startEmulator({ db: join(cli.folder, "seed.db"), testKey: key });
    const { total } = (await found.call("GET", "/v1/payments")).body;
    await found.close();
    return total;
  }

  it("fills an empty database, and does not change one that has data", async () => {
    const first = await served("--seed", "small-shop");
    expect([first.code, first.err]).toEqual([0, ""]);
    const { event, test_key } = JSON.parse(first.out.split("\n")[0] ?? "");
    expect([event, await payments(test_key)]).toEqual(["ready", 5]);
    expect((await served("--seed", "small-shop")).err).toBe("");
    expect((await served("--seed", "charge-paid")).err).toBe("");
    expect(await payments(test_key)).toBe(5);
  });

  it("says so when it does not know the database's key", async () => {
    await served();
    const elsewhere = testCli();
    const words = ["serve", "--port", "0", "--db", join(cli.folder, "seed.db"), "--seed", "small-shop", "--json"];
    const { code, err } = await (await begin(elsewhere, words)).stop();
    elsewhere.remove();
    expect([code, err]).toEqual([0, "Warning: --seed needs the database's test key: pass it with --test-key\n"]);
  });

  it("ends with 5 when the service refuses the seed", async () => {
    const steps = [{ ...CHARGE, body: { amount: 0, payment_method: "pix" } }];
    const file = fixture("refused.json", { steps });
    const words = ["serve", "--port", "0", "--db", join(cli.folder, "refused.db"), "--seed", file];
    const { code, err } = await cli.run(words);
    expect(code).toBe(5);
    expect(err).toContain("Step charge (POST /v1/charges) was refused");
    await ownEmulator({ db: join(cli.folder, "refused.db") });
  });
});
