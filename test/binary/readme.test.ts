import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newPlace, type Place, run, type Server, serve } from "../support/binary.js";

/** The README's first screen, done for real: its commands in its order, and its receiver word for word. */

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

function block(language: string, marker: string): string {
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    (match) => match[1],
  );
  const found = blocks.find((text) => text?.includes(marker));
  if (found === undefined) throw new Error(`the README has no ${language} block with ${marker}`);
  return found;
}

/** The words of a command line of the README, after `npx qa-pay`. */
function words(marker: string): string[] {
  const line = block("sh", marker)
    .split("\n")
    .find((text) => text.includes(marker));
  const bare = line?.replace(/\s+#.*$/, "").replace(/^npx qa-pay /, "") ?? "";
  return [...bare.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the README's first screen", () => {
  let place: Place;
  let server: Server;
  let receiver: ChildProcess;
  let heard = "";
  let target = "";

  beforeAll(async () => {
    place = newPlace();
    const port = await freePort();
    target = `http://127.0.0.1:${port}/webhooks`;
    server = await serve(place, ["--forward-to", target, "--frozen"]);
    const file = join(place.folder, "receiver.mjs");
    writeFileSync(file, block("js", "receiver.mjs").replace("3000", String(port)));
    const env = { ...place.env, QA_PAY_WEBHOOK_SECRET: server.ready.forward.secret };
    receiver = spawn(process.execPath, [file], { env });
    receiver.stdout?.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
    });
    for (;;) {
      const up = await fetch(target, { headers: { "x-qa-signature": "sha256=00" } }).catch(() => null);
      if (up !== null) break;
    }
    heard = "";
  });

  afterAll(async () => {
    receiver?.kill();
    await server?.stop();
    place?.remove();
  });

  test("its commands create a charge and pay it, and its receiver verifies every webhook", async () => {
    const created = await run(place, words("charges create"));
    expect(created.code).toBe(0);
    const id = /ch_[0-9a-f-]{36}/.exec(created.out)?.[0] ?? "";
    const paid = await run(
      place,
      words("sandbox pay ch_").map((word) => (word.startsWith("ch_") ? id : word)),
    );
    expect(paid.out).toContain("paid");
    expect(paid.out).toMatch(/End-to-end id\s+E\d{8}/);
    // Advancing by nothing comes back once everything due has been delivered or attempted.
    await run(place, ["sandbox", "clock", "advance", "--seconds", "0"]);
    expect(heard).toContain("verified charge.created");
    expect(heard).toContain("verified charge.paid");
    expect(heard).toContain("verified payment.completed");
    expect(heard).not.toContain("REFUSED");
  });

  test("its receiver refuses a body that was changed", async () => {
    const headers = { "x-qa-signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}` };
    const answer = await fetch(target, { method: "POST", headers, body: '{"type":"charge.paid"}' });
    expect(answer.status).toBe(400);
  });

  test("its curl requests are accepted as they stand", async () => {
    const text = block("sh", "curl http");
    const body = /-d '([^']+)'/.exec(text)?.[1] ?? "";
    const [, create = ""] = /curl http:\/\/127\.0\.0\.1:4600(\S+)/.exec(text) ?? [];
    const pay = "/_sandbox/charges/{id}/pay";
    expect(readFileSync("docs/service/sandbox.md", "utf8")).toContain(`POST ${pay}`);
    const told = [...text.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]);
    const headers = { ...Object.fromEntries(told), apikey: server.ready.test_key };
    const created = await fetch(server.url + create, { method: "POST", headers, body });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const paid = await fetch(server.url + pay.replace("{id}", id), { method: "POST", headers });
    expect(((await paid.json()) as { outcome: string }).outcome).toBe("paid");
  });

  test("its example of a test process runs as it stands", () => {
    const modules = join(place.folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(new URL("../..", import.meta.url).pathname, join(modules, "qa-pay"));
    writeFileSync(join(place.folder, "example.mjs"), block("js", "createEmulator"));
    const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], { cwd: place.folder, encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["paid\n", ""]);
  });

  test("every flag of `serve` in its table exists, and every flag that exists is in its table", async () => {
    const help = (await run(place, ["serve", "--help"])).out;
    const flags = (text: string) => new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag));
    const section = readme.slice(readme.indexOf("## `qa-pay serve`"), readme.indexOf("## Payments by every method"));
    const known = flags(help.slice(0, help.indexOf("Examples:")));
    for (const shared of [
      "--help",
      "--no-color",
      "--quiet",
      "--verbose",
      "--yes",
      "--profile",
      "--base-url",
      "--api-key",
    ]) {
      known.delete(shared);
    }
    expect([...flags(section)].sort()).toEqual([...known].sort());
  });
});
