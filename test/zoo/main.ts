import { parseArgs } from "node:util";
import { FAULT_NAMES } from "../../src/checks/survive/faults.js";
import type { SurviveParts } from "../../src/checks/survive/run-schedules.js";
import { createEmulator } from "../../src/programs/library/create-emulator.js";
import { RIGHT, WRONG, wrongShop } from "./shops.mjs";
import { openShop } from "./trial.js";

/** Prints what `survive` finds in the zoo: how soon, how short and how surely; and that it finds nothing in right shops. */

const AGAIN = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { schedules: { type: "string" }, aimed: { type: "boolean" }, restart: { type: "boolean" } },
});
const [kind = "wrong", ...names] = positionals;
const isWanted = (name: string) => names.length === 0 || names.includes(name);
const emulator = await createEmulator();
const schedules = (usual: number) => Number(values.schedules ?? usual);
const row = (...cells: readonly (string | number)[]) => console.log(`| ${cells.join(" | ")} |`);
const head = (...cells: readonly string[]) => {
  row(...cells);
  row(...cells.map(() => "---"));
};
const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);

/** The faults that are drawn: all, with `restart` where it matters; with `--aimed` those that matter. */
function drawn(faults: readonly string[]): readonly string[] {
  if (values.aimed === true) return faults;
  return values.restart === true || faults.includes("restart") ? FAULT_NAMES : [];
}

async function wrong(): Promise<void> {
  head("Shop", "Found by", "Schedule", "Seconds", "Steps", "Shortened", "Again");
  for (const [name, { faults, oracle }] of Object.entries(WRONG)) {
    if (oracle === null || !isWanted(name)) continue;
    const shop = await openShop(emulator, wrongShop(name), drawn(faults));
    try {
      const begin = performance.now();
      const first = await shop.firstFailure(oracle, { schedules: schedules(200) });
      const took = seconds(begin);
      if (first === null) {
        row(name, "not found", `${schedules(200)} tried`, took, "", "", "");
        continue;
      }
      let again = 0;
      for (let turn = 0; turn < AGAIN; turn++) {
        if ((await shop.firstFailure(oracle, { schedules: 1, only: first })) !== null) again++;
      }
      const { failures } = await shop.survive({ schedules: 1, only: first });
      const story = failures.find((failure) => failure.oracle === oracle);
      row(name, oracle, first, took, story?.stepsBefore ?? "?", story?.steps.length ?? "?", `${again} of ${AGAIN}`);
    } finally {
      await shop.close();
    }
  }
}

async function unseen(): Promise<void> {
  head("Shop that is wrong where survive does not look", "Schedules", "Failed");
  for (const [name, { oracle }] of Object.entries(WRONG)) {
    if (oracle !== null || !isWanted(name)) continue;
    const shop = await openShop(emulator, wrongShop(name), FAULT_NAMES);
    const survival = await shop.survive({ schedules: schedules(100) });
    row(name, survival.schedules, survival.failed);
    await shop.close();
  }
}

/** Ctrl-C ends a long run, and reports the results so far. Each failure is said at once. */
async function right(): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  head("Right shop", "Faults", "Schedules", "Failed", "Seconds");
  for (const [name, words] of Object.entries(RIGHT)) {
    if (!isWanted(name) || stop.signal.aborted) continue;
    const shop = await openShop(emulator, words, drawn([]));
    const begin = performance.now();
    const onSchedule: SurviveParts["onSchedule"] = ({ schedule, oracles }) => {
      if (oracles.length > 0) console.error(`${name}: schedule ${schedule} fails by ${oracles.join(", ")}`);
      else if (schedule % 100 === 0) console.error(`${name}: ${schedule} schedules in ${seconds(begin)} s`);
    };
    const survival = await shop.survive({ schedules: schedules(1_000), onSchedule }, stop.signal);
    row(name, Object.keys(survival.faults).length, survival.schedules, survival.failed, seconds(begin));
    for (const { text, command } of survival.failures) console.log(`${text} (${command})`);
    if (survival.trouble !== null) console.log(`It ended early: ${survival.trouble.message}`);
    await shop.close();
  }
}

const parts: Readonly<Record<string, () => Promise<void>>> = { wrong, unseen, right };
await parts[kind]?.();
await emulator.close();
