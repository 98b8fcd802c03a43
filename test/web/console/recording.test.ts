// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how fixtures write their references
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pick } from "../../../src/base/kernel/pick.js";
import { createClient } from "../../../src/index.js";
import { routes } from "../../../src/web/console/browser/facts/routes.js";
import {
  asFixture,
  asTest,
  fixtureText,
  idsFromBefore,
  leftOut,
} from "../../../src/web/console/browser/pages/scenarios/recording.js";
import { type Done, keptStep, stepsIn } from "../../../src/web/console/browser/words/done.js";
import { type TestCli, testCli } from "../../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { doThings, outcomeOn } from "../../support/recorded.js";

/** The actions of a tab of the console, repeated on another server as a fixture, a script for bash and a test. */

let first: TestEmulator;
let second: TestEmulator;
let cli: TestCli;
let done: Done[];

beforeAll(async () => {
  [first, second] = [await startEmulator({ frozen: true }), await startEmulator({ frozen: true })];
  cli = testCli({ QA_PAY_BASE_URL: second.url, QA_PAY_API_KEY: second.key });
  done = await doThings(first);
});
afterAll(async () => {
  cli?.remove();
  await first?.close();
  await second?.close();
});

async function expectSameOnSecond(): Promise<void> {
  const outcome = await outcomeOn(second);
  expect(outcome.payments).toHaveLength(1);
  expect(outcome.cases).toHaveLength(1);
  expect(outcome).toEqual(await outcomeOn(first));
}

describe("a recording of the console", () => {
  it("is a fixture that runs on another server", async () => {
    await second.sandbox("/reset");
    writeFileSync(join(cli.folder, "done.json"), fixtureText(asFixture(done, routes, "Done in the console")));
    const { code, err } = await cli.run(["fixtures", "run", "done.json"]);
    expect([code, err]).toEqual([0, ""]);
    await expectSameOnSecond();
    const text = readFileSync(join(cli.folder, "done.json"), "utf8");
    expect(text).toContain(`POST /_sandbox/charges/\${chargesCreate.id}/pay`);
    expect(text).toContain(`/v1/payments/tx_\${chargesCreate.id:raw}/refund`);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("is a test that expects of each step how it ended", () => {
    const text = asTest(done, routes, "as in the console");
    const checks = text.match(/expect\(.*/g);
    expect(checks).toEqual([
      'expect(chargesCreate.status).toBe("pending");',
      'expect(sandboxChargesPay.outcome).toBe("paid");',
      'expect(paymentsRefund.status).toBe("PENDING");',
      'expect(sandboxMedOpen.status).toBe("open");',
    ]);
    expect(text).toContain(`params: { id: \`\${chargesCreate.id}\` }`);
    expect(text).toContain(`params: { id: \`tx_\${raw(chargesCreate.id)}\` }`);
    expect(text).toContain("idempotencyKey: crypto.randomUUID()");
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("names the objects that none of its steps created", () => {
    expect(idsFromBefore(done, routes)).toEqual([]);
    const [create, ...others] = done;
    expect(create?.id).toBe("charges.create");
    expect(idsFromBefore(others, routes)).toContain(pick(create?.result, "id"));
  });

  it("is run as a test on another server", async () => {
    await second.sandbox("/reset");
    const text = asTest(done, routes, "as in the console")
      .replace(/^import .*\n/gm, "")
      .replace("(id: unknown)", "(id)");
    const ran: Promise<void>[] = [];
    const CodeOf = Function as Loose;
    const given = {
      test: (_title: string, run: () => Promise<void>) => ran.push(run()),
      expect,
      createEmulator: async () => ({ url: second.url, testKey: second.key, close: async () => undefined }),
      createClient,
    };
    new CodeOf(...Object.keys(given), text)(...Object.values(given));
    await Promise.all(ran);
    await expectSameOnSecond();
  });

  it("leaves out what needs a login, and texts that a fixture would read as references", () => {
    const odd: Done = { id: "charges.create", input: { body: { description: "${new}" } }, result: {} };
    const key: Done = { id: "api-keys.issue", input: { body: {} }, result: {} };
    expect(leftOut([...done, odd, key], routes)).toBe(2);
    expect(asFixture([odd, key], routes, "").steps).toEqual([]);
  });

  it("keeps of an answer what a recording reads, and nothing of what a login sends", async () => {
    const login: Done = {
      id: "auth.login",
      input: { body: { password: "hunter2!" } },
      result: { access_token: "abc" },
    };
    const steps = [...done, login].map((one) => keptStep(one, routes[one.id]?.auth ?? "key"));
    const kept = stepsIn(JSON.stringify(steps));
    expect(fixtureText(asFixture(kept, routes, "kept"))).toBe(fixtureText(asFixture(done, routes, "kept")));
    expect(asTest(kept, routes, "kept")).toBe(asTest(done, routes, "kept"));
    expect(leftOut(kept, routes)).toBe(1);
    expect(JSON.stringify(kept)).not.toMatch(/hunter2|abc|pix_code/);
  });
});
