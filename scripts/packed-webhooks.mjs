// @ts-check
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A program that is right only when the name of an event decides the type of its data. */
const PROGRAM = `
export function amountOf(body: Uint8Array, headers: Record<string, string>): number {
  try {
    const event = verifyWebhook({ body, headers, secret: ["new", "old"] });
    if (event.type === "charge.paid") return event.data.object.amount;
    if (event.event === "payment.refunded") return event.data.refund.amount;
    // @ts-expect-error an event that does not exist
    if (event.type === "charge.forgotten") return 1;
    return 0;
  } catch (error) {
    return error instanceof WebhookVerificationError && error.reason === "stale_timestamp" ? -1 : -2;
  }
}
if (amountOf(new Uint8Array(), { "X-QA-Signature": "sha256=" }) !== -2) throw new Error("a forged webhook was accepted");
const event = sampleEvent("charge.paid", { data: { amount: 50, customer: { name: "Ana" } } });
// @ts-expect-error a member that charges do not have
sampleEvent("charge.paid", { data: { amounts: 50 } });
const { body, headers } = signWebhook({ body: event, secret: "new" });
const amount: number = event.data.object.amount;
if (amountOf(new TextEncoder().encode(body), headers) !== amount) throw new Error("a signed sample was refused");
`;

/**
 * Compiles a receiver against the types of qa-pay/webhooks as an ES module and as CommonJS, and runs what comes of it.
 * @param {string} folder Where the package is installed.
 */
export function checkPackedWebhooks(folder) {
  const head = 'import { sampleEvent, signWebhook, verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";';
  const tsc = resolve("node_modules", "typescript", "bin", "tsc");
  for (const extension of ["mts", "cts"]) {
    const file = `webhook.${extension}`;
    writeFileSync(join(folder, file), head + PROGRAM);
    const args = ["--strict", "--target", "es2022", "--module", "node16", file];
    execFileSync(process.execPath, [tsc, ...args], { cwd: folder, stdio: "inherit" });
    execFileSync("node", [file.replace("ts", "js")], { cwd: folder, stdio: "inherit" });
  }
}
