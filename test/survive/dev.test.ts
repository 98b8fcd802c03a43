import { expect, test } from "vitest";
import { createEmulator } from "../../src/library/create-emulator.js";
import { createRuntime } from "../../src/platform/real-runtime.js";
import { FAULT_NAMES } from "../../src/survive/faults.js";
import { surviving } from "../../src/survive/survive.js";
import { startShop, type Mistake } from "./shop.js";

const N = Number(process.env.N ?? 100);
test("dev", { timeout: 600_000 }, async () => {
  for (const mistake of (process.env.M ?? "none").split(",")) {
    await using emulator = await createEmulator();
    const { shop, close } = await startShop({ url: emulator.url, key: emulator.testKey, secret: emulator.signingSecret }, mistake as Mistake);
    const t = performance.now();
    const seed = process.env.SEED ?? "a";
    const result = await surviving({
      shop, process: null, emulator, seed, runtime: createRuntime(undefined, seed), schedules: N,
      ...(process.env.ONLY ? { only: Number(process.env.ONLY) } : {}),
      faults: FAULT_NAMES.filter((n) => n !== "restart"), settleMs: 500, stopped: new AbortController().signal,
      command: (n) => `qa-pay survive --only ${n}`,
    });
    const ms = performance.now() - t;
    console.log(mistake, Math.round(ms), "ms", ms / result.schedules, "per", JSON.stringify({ ...result, failures: undefined }));
    for (const f of result.failures) {
      console.log(f.schedule, f.oracle, f.text, "\n  ", f.steps.join("\n   "), "\n before", f.stepsBefore, "others", f.others, f.again);
      if (process.env.T) console.log(f.timeline.map((n) => `    ${n.at} ${n.text}`).join("\n"));
    }
    await close();
  }
});
