import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { completed, NOW, paid, SECRET } from "../service/webhooks/events.js";

/** `qa-pay/webhooks` as it is built: what programs import into production, so it must be small and need nothing. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(`${ROOT}dist/webhooks/${file}`, "utf8");

/** Every module that a built file names, as an import or by require. */
function needed(code: string): string[] {
  const found = code.matchAll(/\b(?:from|import|require\(|import\(|getBuiltinModule\()\s*"([^"]+)"/g);
  return [...new Set([...found].map(([, name = ""]) => name))];
}

it.each(["index.js", "index.cjs"])("dist/webhooks/%s imports node:crypto and nothing else", (file) => {
  const code = read(file);
  expect(needed(code)).toEqual(["node:crypto"]);
  expect(code).not.toContain("process.");
  // Most of it is the sample of each event.
  expect(Buffer.byteLength(code)).toBeLessThan(28_000);
});

/** Verifies a webhook of each family and a forged one, in a process of its own. */
const PROGRAM = `
  const [deliveries, secret, now] = JSON.parse(process.argv[1]);
  const outcomes = deliveries.map(({ body, headers }) => {
    try {
      const event = verifyWebhook({ body, headers, secret, now });
      return event.type ?? event.event;
    } catch (error) {
      return error instanceof WebhookVerificationError ? error.reason : String(error);
    }
  });
  const own = { ...signWebhook({ body: sampleEvent("charge.failed"), secret, timestamp: now }), secret, now };
  console.log(JSON.stringify([...outcomes, verifyWebhook(own).type]));
`;

it.each([
  [
    "import",
    "module",
    'import { sampleEvent, signWebhook, verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";',
  ],
  [
    "require",
    "commonjs",
    'const { sampleEvent, signWebhook, verifyWebhook, WebhookVerificationError } = require("qa-pay/webhooks");',
  ],
])("a program that loads it by %s verifies both families", (_way, type, load) => {
  const forged = { ...paid(), body: "{}" };
  const given = JSON.stringify([[paid(), completed(), forged, { body: "{}", headers: {} }], SECRET, NOW]);
  const args = [`--input-type=${type}`, "-e", load + PROGRAM, given];
  const out = execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect(JSON.parse(out)).toEqual([
    "charge.paid",
    "payment.completed",
    "bad_signature",
    "missing_signature",
    "charge.failed",
  ]);
});
