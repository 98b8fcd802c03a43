import { createRuntime, realWaiting } from "../../src/base/platform/real-runtime.js";
import { ShopRun } from "../../src/checks/shop/process.js";
import { shopAt } from "../../src/checks/shop/shop.js";
import { FAULT_NAMES, type FaultName } from "../../src/checks/survive/faults.js";
import { runSurvive, type SurviveParts } from "../../src/checks/survive/run-schedules.js";
import type { Emulator } from "../../src/programs/library/create-emulator.js";
import { newFolder } from "../support/folder.js";

/** The default of `--settle`. */
const SETTLE_MS = 500;

type Choice = Pick<SurviveParts, "schedules"> & Partial<Pick<SurviveParts, "only" | "onSchedule">>;

/** A shop of the zoo in a folder of its own, at an emulator. `faults` are all but `restart` when there are none. */
export async function openShop(emulator: Emulator, words: readonly string[], faults: readonly string[] = []) {
  const { path: cwd, remove } = newFolder();
  await emulator.client["sandbox.reset"]();
  const never = new AbortController().signal;
  const env = {
    ...process.env,
    QA_PAY_BASE_URL: emulator.url,
    QA_PAY_API_KEY: emulator.testKey,
    QA_PAY_WEBHOOK_SECRET: emulator.signingSecret,
  };
  const door = (at: string) => ({ kind: "path", at }) as const;
  const ends = { stopped: never, abandoned: never, waiting: realWaiting };
  const program = new ShopRun({ words, cwd, env, port: null, ready: door("/"), secrets: [], ...ends });
  const doors = { buy: door("/buy"), orders: door("/orders"), webhooks: door("/webhooks") };
  const shop = shopAt(doors, {}, () => program.context());
  await program.start();
  const chosen = FAULT_NAMES.filter((name: FaultName) =>
    faults.length === 0 ? name !== "restart" : faults.includes(name),
  );
  const survive = (choice: Choice, stopped = never) =>
    runSurvive({
      ...{ shop, process: program, emulator, stopped, ...choice },
      ...{ seed: "zoo", runtime: createRuntime(undefined, "zoo"), settleMs: SETTLE_MS, faults: chosen },
      command: (schedule) => `--only ${schedule}`,
    });
  return {
    survive,
    /** Runs schedules until one fails by this oracle. Null when none does; nothing is shortened. Throws when the run ends early. */
    async firstFailure(oracle: string, choice: Choice): Promise<number | null> {
      const stop = new AbortController();
      let first: number | null = null;
      const onSchedule: SurviveParts["onSchedule"] = ({ schedule, oracles }) => {
        if (!oracles.some((name) => name === oracle)) return;
        first = schedule;
        stop.abort();
      };
      const { trouble } = await survive({ ...choice, onSchedule }, stop.signal);
      if (trouble !== null) throw trouble;
      return first;
    },
    async close(): Promise<void> {
      await program.kill("SIGKILL");
      remove();
    },
  };
}
