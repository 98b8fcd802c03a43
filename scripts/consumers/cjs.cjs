// A program with CommonJS modules. Both kinds of modules get the same package.
const assert = require("node:assert/strict");
const qaPay = require("qa-pay");

async function main() {
  const emulator = await qaPay.createEmulator();
  const client = qaPay.createClient({ baseUrl: emulator.url, apiKey: emulator.testKey });
  await assert.rejects(client["charges.get"]({ params: { id: "ch_none" } }), qaPay.ServiceError);
  assert.equal((await client["wallets.balance"]()).available, 0);
  await emulator.close();
  assert.equal((await import("qa-pay")).ServiceError, qaPay.ServiceError);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
