/**
 * Compares qa-pay with a floor: the smallest cost of the same work on the same machine. Both are measured in
 * alternating rounds of one run, so that other load on the machine slows both. Only the ratios count; absolute rates
 * are information.
 */
import { findChromium } from "../scripts/chromium.mjs";
import { consolePages } from "./console.mjs";
import { figures } from "./figures.mjs";
import { kit } from "./kit.mjs";
import { memory } from "./memory.mjs";
import { cleanUp } from "./processes.mjs";
import { deliveries, requests } from "./rates.mjs";
import { starts, startup } from "./starts.mjs";

/** Each part with its names, and whether a run has it that does not name its parts. */
const PARTS = [
  { names: ["create", "read", "list"], measure: requests },
  { names: ["deliveries"], measure: deliveries },
  { names: ["startup"], measure: startup },
  { names: ["kit"], measure: kit },
  { names: ["starts"], measure: starts },
  { names: ["console"], measure: consolePages, isUsual: () => findChromium() !== undefined },
  { names: ["memory"], measure: memory, isUsual: (quick) => !quick },
  { names: ["figures"], measure: figures, isUsual: (quick) => !quick },
];
const quick = process.argv.includes("--quick");
const after = (flag) => (process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined);
const only = after("--only")?.split(",");
const wants = (name) => only?.includes(name) ?? true;

async function main() {
  const rows = [];
  for (const { names, measure, isUsual = () => true } of PARTS) {
    if (only === undefined ? !isUsual(quick) : !names.some(wants)) continue;
    for await (const { isReached, ...row } of measure({ quick, wants, keep: after("--keep"), many: after("--many") })) {
      const isMissed = isReached === false;
      if (isMissed) process.exitCode = 1;
      rows.push({ ...row, result: isMissed ? "MISSED" : "" });
      console.error(Object.values(rows.at(-1)).join("  "));
    }
  }
  console.table(rows);
}

try {
  if (process.argv.includes("--help")) {
    const names = PARTS.flatMap((part) => part.names);
    console.log(`npm run bench [-- --quick] [-- --only ${names}] [-- --keep DIR] [-- --many N]`);
  } else await main();
} finally {
  cleanUp();
}
