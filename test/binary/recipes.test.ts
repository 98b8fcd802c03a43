import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, it, type TestContext, vi } from "vitest";
import { FRAMEWORKS } from "../../scripts/programs.mjs";
import { createEmulator } from "../../src/index.js";
import { signWebhook } from "../../src/service/webhooks/index.js";
import { type Launched, launch, newPlace, type Place } from "../support/binary.js";
import { freePort } from "../support/free-port.js";
import { leftOut } from "../support/left-out.js";
import { PATIENCE } from "../support/patience.js";
import { hasProgram } from "../support/programs.js";
import { closeAfterwards, fresh } from "../support/shared.js";

/**
 * The recipes of docs/guides/recipes.md, each in its framework: an order gets one charge, and only a webhook that is signed is
 * believed. Next.js is not installed: its routes are functions of Request and Response, and are called as such.
 */

const place = fresh(newPlace);
const start = closeAfterwards(createEmulator);
const started: Launched[] = [];
const RECIPES = resolve("examples/recipes");
const DRIVERS = resolve("test/binary/recipes");

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
/** Sends a POST to the recipe. */
type Send = (path: string, sent?: Sent) => Promise<{ readonly status: number; readonly body: string }>;
type Env = Readonly<Record<string, string>>;

/** A recipe that is a server of its own. */
async function serverOf(where: Place, words: (port: string) => readonly string[], env: Env): Promise<Send> {
  const port = String(await freePort());
  const server = launch(where, words(port), { env: { ...env, PORT: port } });
  started.push(server);
  const send: Send = async (path, { headers = {}, body = "{}" } = {}) => {
    const sent = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    return { status: answer.status, body: await answer.text() };
  };
  const answers = () =>
    send("/nothing").then(
      () => true,
      () => false,
    );
  await Promise.race([
    vi.waitUntil(answers, PATIENCE),
    server.ended.then(({ out, err }) => expect.fail(`the recipe ended: ${out}${err}`)),
  ]);
  return send;
}

/** A recipe in an application that takes requests from standard input, and answers each with a line. */
function byLines(where: Place, words: readonly string[], env: Env): Send {
  const application = launch(where, words, { env });
  started.push(application);
  let lines = 0;
  return async (path, { headers = {}, body = "{}" } = {}) => {
    lines += 1;
    application.child.stdin.write(`${JSON.stringify({ path, headers, body })}\n`);
    const answers = await application.says(new RegExp(`^(?:.*\\n){${lines}}`));
    return JSON.parse(answers.trimEnd().split("\n").at(-1) ?? "");
  };
}

/** The folder of a recipe for Node, with the packages that an installation would have. */
function nodeFolder(where: Place, ...files: readonly string[]): void {
  mkdirSync(join(where.folder, "node_modules"));
  const installed = resolve(FRAMEWORKS, "node_modules");
  for (const name of readdirSync(installed))
    symlinkSync(join(installed, name), join(where.folder, "node_modules", name));
  symlinkSync(resolve("."), join(where.folder, "node_modules", "qa-pay"));
  symlinkSync(resolve("node_modules/typescript"), join(where.folder, "node_modules", "typescript"));
  for (const file of files) copyFileSync(file, join(where.folder, basename(file)));
}

async function nextJs(env: Env): Promise<Send> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.resetModules();
  const charges = await import("../../examples/recipes/nextjs/app/orders/[id]/charge/route.js");
  const webhooks = await import("../../examples/recipes/nextjs/app/webhooks/route.js");
  return async (path, { headers = {}, body = "{}" } = {}) => {
    const request = new Request(`http://localhost${path}`, { method: "POST", headers, body });
    const id = /^\/orders\/(\w+)\/charge$/.exec(path)?.[1] ?? "";
    const answer: Response =
      path === "/webhooks"
        ? await webhooks.POST(request)
        : await charges.POST(request, { params: Promise.resolve({ id }) });
    return { status: answer.status, body: await answer.text() };
  };
}

const LARAVEL = ["/usr/share/php/Illuminate/Foundation/Application.php", "/usr/share/php/GuzzleHttp/autoload.php"];

/** Laravel is not among the programs that CI installs. Where it is missing, its recipe is only parsed. */
async function laravel(context: TestContext, env: Env): Promise<Send> {
  const recipe = join(RECIPES, "laravel/api.php");
  if (LARAVEL.every((file) => existsSync(file)))
    return byLines(place, ["php", join(DRIVERS, "laravel.php"), recipe], env);
  expect((await launch(place, ["php", "-l", recipe]).ended).code).toBe(0);
  leftOut(context, { needs: "Laravel", what: "the recipe for Laravel, which was only parsed" });
  return context.skip("needs Laravel");
}

interface Recipe {
  readonly needs: readonly string[];
  readonly open: (env: Env, context: TestContext) => Send | Promise<Send>;
}

const BY_NAME: Readonly<Record<string, Recipe>> = {
  "Next.js": { needs: [], open: nextJs },
  NestJS: {
    needs: ["@nestjs/core"],
    open(env) {
      nodeFolder(place, join(RECIPES, "nestjs/payments.controller.ts"), join(DRIVERS, "nest.mjs"));
      return serverOf(place, () => [process.execPath, "nest.mjs", "payments.controller.ts"], env);
    },
  },
  Fastify: {
    needs: ["fastify"],
    open(env) {
      nodeFolder(place, join(RECIPES, "fastify/server.mjs"));
      return serverOf(place, () => [process.execPath, "server.mjs"], env);
    },
  },
  FastAPI: {
    needs: ["fastapi", "uvicorn"],
    open(env) {
      copyFileSync(join(RECIPES, "fastapi/main.py"), join(place.folder, "main.py"));
      return serverOf(place, (port) => ["uvicorn", "main:app", "--port", port], env);
    },
  },
  Laravel: { needs: ["php"], open: (env, context) => laravel(context, env) },
  Rails: {
    needs: ["rails"],
    open: (env) =>
      byLines(place, ["ruby", join(DRIVERS, "rails.rb"), join(RECIPES, "rails/payments_controller.rb")], env),
  },
};

for (const [name, { needs, open }] of Object.entries(BY_NAME))
  it(`the recipe for ${name} creates one charge for an order, and believes signed webhooks alone`, async (context) => {
    for (const program of needs)
      if (!hasProgram(context, program, `the recipe for ${name}`)) context.skip(`needs ${program}`);
    const emulator = await start();
    const collector = await emulator.collect({ events: ["charge.paid"] });
    const { secret } = collector;
    const env = { QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.testKey, QA_PAY_WEBHOOK_SECRET: secret };
    try {
      const send = await open(env, context);
      const first = await send("/orders/42/charge");
      expect(first).toMatchObject({ status: 201, body: expect.stringContaining('"status":"pending"') });
      const { id } = JSON.parse(first.body);
      expect(JSON.parse((await send("/orders/42/charge")).body)).toEqual(JSON.parse(first.body));
      expect(await emulator.client["charges.get"]({ params: { id } })).toMatchObject({ amount: 1990 });
      await emulator.client["sandbox.charges.pay"]({ params: { id } });
      const { body, headers } = await collector.next();
      expect(await send("/webhooks", { body, headers: { "x-qa-signature": headers["x-qa-signature"] ?? "" } })).toEqual(
        { status: 204, body: "" },
      );
      const stale = signWebhook({ body, secret, timestamp: Date.now() - 600_000 });
      const forged = signWebhook({ body, secret: "5a".repeat(32) });
      const genuine = signWebhook({ body, secret });
      const refused = [
        ["stale", stale],
        ["forged", forged],
        ["changed", { ...genuine, body: body.replace("1990", "1991") }],
        ["unsigned", { body, headers: {} }],
      ] as const;
      for (const [what, webhook] of refused)
        expect([
          what,
          (await send("/webhooks", { body: webhook.body, headers: { ...webhook.headers } })).status,
        ]).toEqual([what, 400]);
    } finally {
      for (const one of started.splice(0)) {
        one.signal("SIGKILL");
        await one.ended;
      }
      vi.unstubAllEnvs();
    }
  });

it("every recipe has at most 40 lines, in all its files", () => {
  for (const folder of readdirSync(RECIPES)) {
    const files = readdirSync(join(RECIPES, folder), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const lines = files.flatMap(({ parentPath, name }) =>
      readFileSync(join(parentPath, name), "utf8").trimEnd().split("\n"),
    );
    expect([folder, files.length > 0, lines.length <= 40]).toEqual([folder, true, true]);
  }
});
