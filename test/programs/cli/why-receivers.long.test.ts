import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { isInstalled, type ProgramName } from "../../../scripts/programs.mjs";
import { WHY_TEXTS } from "../../../src/service/features/why-codes.js";
import { freePort } from "../../support/free-port.js";
import { hasProgram } from "../../support/programs.js";
import { SELF_SIGNED } from "../../support/self-signed.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";
import { type Language, STORIES, type Story } from "./why-receivers/stories.js";

/** Receivers in four languages with planted mistakes, and what `why` says of each: the right cause, and never a wrong one. */

const FOLDER = join("test", "programs", "cli", "why-receivers");
const LANGUAGES: readonly Language[] = ["node", "python", "php", "ruby"];

const PROGRAMS: Readonly<Partial<Record<Language, ProgramName>>> = { python: "python3", php: "php", ruby: "ruby" };

const emulator = sharedEmulator({ frozen: true, signatureTime: "emulated" });
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key }));

function commandOf(language: Language, port: number): readonly [string, ...string[]] {
  const path = (file: string) => join(FOLDER, file);
  if (language === "node") return [process.execPath, path("receiver.mjs")];
  if (language === "python") return ["python3", path("receiver.py")];
  if (language === "php") return ["php", "-S", `127.0.0.1:${port}`, path("receiver.php")];
  return ["ruby", path("receiver.rb")];
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const outcome = await Promise.race([once(socket, "connect"), once(socket, "error")]).catch(() => null);
  socket.destroy();
  return outcome?.length === 0;
}

/** Where the webhooks of a story go. */
async function urlOf({ mistake }: Story, base: string, secrets: Readonly<Record<string, string>>): Promise<string> {
  if (mistake === "closed-port") return `http://127.0.0.1:${await freePort()}/hook`;
  if (mistake === "no-such-host") return "https://nobody.invalid/hook";
  if (mistake === "https-to-http") return base.replace("http:", "https:");
  if (mistake !== "self-signed")
    return `${base}/${mistake in secrets ? "right" : mistake}/${secrets[mistake] ?? secrets.own}`;
  const server = createServer(SELF_SIGNED).listen(0, "localhost");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `https://localhost:${(server.address() as AddressInfo).port}/hook`;
}

async function told(story: Story, base: string): Promise<{ readonly code: string; readonly text: string }> {
  const other = await subscribe(emulator, `${base}/other`, ["payout.failed"]);
  const endpoint = await subscribe(emulator, `${base}/own`, ["charge.paid"]);
  const { signing_secret: account } = await emulator.sandbox("/account");
  const rotated = await emulator.call("POST", `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`);
  const secrets = {
    ...{ own: rotated.body.secret, "other-secret": other.secret },
    ...{ "account-secret": account, "previous-secret": endpoint.secret },
  };
  const url = await urlOf(story, base, secrets);
  await emulator.call("PATCH", `/v1/webhooks/endpoints/${endpoint.id}`, { body: { url } });
  if (story.mistake === "careful") await advance(emulator, 3_600);
  const { id } = await emulator.charge({ customer: { name: "João & Filhos" }, metadata: { order: "42", empty: {} } });
  await emulator.sandbox(`/charges/${id}/pay`);
  await settle(emulator);
  const { data } = (await emulator.call("GET", `/_sandbox/webhooks/deliveries?endpoint=${endpoint.id}`)).body;
  expect(data).toHaveLength(1);
  const { code, out, err } = await cli.run(["why", data[0].id, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  for (const { id: each } of [other, endpoint]) await emulator.call("DELETE", `/v1/webhooks/endpoints/${each}`);
  return JSON.parse(out);
}

/** The sentences of the table in a text, by how they begin. */
function sentencesIn(text: string): string[] {
  const begins = (template: string) => template.split(/[{[]/)[0] ?? "";
  return Object.entries(WHY_TEXTS).flatMap(([code, template]) =>
    begins(template).length > 8 && text.includes(begins(template)) ? [code] : [],
  );
}

describe.each(LANGUAGES)("a receiver in %s", (language) => {
  const stories = STORIES.filter((one) => one.language === language);
  let receiver: ChildProcess | undefined;
  let base = "";

  const program = PROGRAMS[language];

  beforeAll(async () => {
    if (program !== undefined && !isInstalled(program)) return;
    const port = await freePort();
    const [command, ...args] = commandOf(language, port);
    receiver = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: "ignore" });
    base = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect(await isListening(port)).toBe(true), { timeout: 60_000, interval: 100 });
  });

  afterAll(async () => {
    if (receiver === undefined) return;
    receiver.kill();
    await once(receiver, "exit");
  });

  it.for(stories)("$mistake", async (story, context) => {
    if (program !== undefined && !hasProgram(context, program, `receivers in ${language}`)) return context.skip();
    const { code, text } = await told(story, base);
    const isClaim = (one: string) => one.startsWith("mistake_");
    const said = sentencesIn(text);
    expect([code, said.filter((one) => isClaim(one) || one === story.says)]).toEqual([story.code, [story.says]]);
  });
});
