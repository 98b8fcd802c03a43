import { kebab } from "../../../../api/client/flag-name.js";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { FAULT_NAMES, FAULTS, type FaultName, ORACLES } from "../../../../checks/survive/faults.js";
import { progressReporter } from "../../../../checks/survive/report-progress.js";
import { resultOf } from "../../../../checks/survive/result.js";
import type { ShortenedFailure } from "../../../../checks/survive/run-schedules.js";
import { saysMore } from "../../operation/progress.js";
import type { ReportCase } from "../../reports/junit.js";
import { buildServerOf, REPORT_FLAGS } from "../../reports/reporter.js";
import { EXIT, type ExitCode, formatValue, suggestion, usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { commandLine } from "../../terminal/program-command.js";
import { listItems, readDuration, readWhole } from "../../terminal/read-value.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import {
  eventsOf,
  neverRun,
  SHOP_FLAGS,
  SHOP_VARIABLES,
  shopFailure,
  shopFrom,
  stopFailure,
  stopsOf,
  troubleOf,
} from "../shop-flags.js";
import { OUTPUT_FILE_FLAGS, openOutputFiles } from "./output-files.js";
import { failureLines, printSurvival, progressOf } from "./print.js";

/** `survive`: runs a shop through schedules of faults, and checks after each whether it is right (docs/guides/survive.md). */

const FLAGS = {
  ...SHOP_FLAGS,
  "--schedules <number>": { about: "how many schedules to run", default: "100" },
  "--seed <text>": "repeat the faults of another run with this text (default: a new one, which is shown)",
  "--only <number>": "run only the schedule with this number",
  "--for <duration>": "start no schedule after this time, such as 5m",
  "--faults <names>": { about: "only these faults (comma-separated, or repeated)", many: true },
  "--restart": "also kill and restart the shop during schedules",
  "--settle <duration>": { about: "time that the shop has to correct an order by itself", default: "500ms" },
  "--events <names>": "events to send to the shop (default: all of the families that it accepts)",
  "--list": "list the faults, and start no shop",
  ...OUTPUT_FILE_FLAGS,
  ...REPORT_FLAGS,
} as const;

type SurviveFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

const readNumber = (flag: string, text: string) => readWhole(flag, text, "a whole number from 1 on", [1, 9_999_999]);
const durationOf = (flag: string, text: string) => readDuration(flag, text, "such as 500ms or 5m");

/** The faults to draw from: without `--faults` all but `restart`, which needs a shop that can be killed. */
function faultsOf({ faults, restart }: SurviveFlags): FaultName[] {
  const wanted = faults && listItems(...faults);
  const unknown = wanted?.find((name) => !FAULT_NAMES.some((fault) => fault === name));
  if (unknown !== undefined) {
    throw usage(
      `There is no fault ${formatValue(unknown)}. \`qa-pay survive --list\` shows all.`,
      suggestion(unknown, FAULT_NAMES),
    );
  }
  const isIn = (name: FaultName) =>
    name === "restart" ? restart === true || wanted?.includes(name) : (wanted?.includes(name) ?? true);
  return FAULT_NAMES.filter(isIn);
}

/** The flags that a schedule depends on, and those that find the shop. */
const REPEATED = ["--schedules", "--seed", "--only", "--for", "--list", "--junit", "--report", "--save"];

function wordsOf(flags: SurviveFlags, seed: string, schedule: number, command: readonly string[]): string[] {
  const given = Object.entries(FLAGS).flatMap(([form, declared]) => {
    const [name = ""] = form.split(" ");
    const value = Object.entries(flags).find(([key]) => `--${kebab(key)}` === name)?.[1];
    const isUsual = typeof declared === "object" && "default" in declared && declared.default === value;
    if (REPEATED.includes(name) || value === undefined || isUsual) return [];
    return value === true ? [name] : [value].flat().flatMap((one) => [name, String(one)]);
  });
  return ["survive", ...given, "--seed", seed, "--only", String(schedule), "--", ...command];
}

function printList(io: Io, json: boolean): void {
  const all = Object.entries(FAULTS).map(([name, about]) => ({ name, about }));
  if (json) {
    io.out(jsonText({ faults: all }));
    return;
  }
  const width = Math.max(...FAULT_NAMES.map(({ length }) => length)) + 2;
  for (const { name, about } of all) io.out(say`${name.padEnd(width)}${about}\n`);
}

/** A case for each failure, and one for each oracle without any. */
function reportCasesOf(failures: readonly ShortenedFailure[]): ReportCase[] {
  const failed = failures.map((found): ReportCase => {
    const { schedule, oracle, text, ms } = found;
    const detail = [text, ...failureLines(found)].join("\n");
    return { group: oracle, name: `schedule ${schedule}`, status: "failed", message: text, detail, ms };
  });
  const held = Object.entries(ORACLES).filter(([name]) => failures.every(({ oracle }) => oracle !== name));
  return [
    ...failed,
    ...held.map(([group, name]): ReportCase => ({ group, name, status: "passed", message: "", detail: "" })),
  ];
}

interface RunTools {
  readonly files: Awaited<ReturnType<typeof openOutputFiles>>;
  readonly stops: ReturnType<typeof stopsOf>;
}

/** Returns the failures, and the lines about the written files. */
async function run(io: Io, command: readonly string[], flags: SurviveFlags, { files, stops }: RunTools) {
  const faults = faultsOf(flags);
  const parts = {
    faults,
    events: flags.events === undefined ? undefined : eventsOf(flags),
    schedules: readNumber("--schedules", flags.schedules),
    only: flags.only === undefined ? undefined : readNumber("--only", flags.only),
    forMs: flags.for === undefined ? undefined : durationOf("--for", flags.for),
    settleMs: durationOf("--settle", flags.settle),
  };
  const makeShop = shopFrom(io, "survive", command, flags);
  const { createClient } = await import("../../../library/create-client.js");
  const { createEmulator } = await import("../../../start/emulator.js");
  const { runSurvive } = await import("../../../../checks/survive/run-schedules.js");
  const seed = flags.seed ?? io.runtime().random.alphanumeric(8);
  const planned = parts.only === undefined ? parts.schedules : 1;
  const progress = progressOf(io, flags, planned);
  const emulator = await createEmulator();
  const { url: baseUrl, testKey, signingSecret, consoleUrl, close } = emulator;
  const apiKey = testKey ?? "";
  const service = { baseUrl, apiKey, webhookSecret: signingSecret };
  const client = createClient({ baseUrl, apiKey });
  const watched = progressReporter(emulator.reportSurvival, planned);
  try {
    const { shop, process } = await makeShop(service, stops);
    try {
      await process.start();
      if (saysMore(flags) && consoleUrl !== null) io.err(say`Watch it at ${consoleUrl}&to=survive\n`);
      const survival = await runSurvive({
        ...parts,
        checksFirst: true,
        onSoFar: watched.onSoFar,
        onShortening(schedule, oracle) {
          progress.onShortening?.(schedule, oracle);
          watched.onShortening(schedule, oracle);
        },
        onSchedule(schedule) {
          files.ran(schedule);
          progress.onSchedule?.(schedule);
        },
        shop,
        process,
        emulator: { client, signingSecret },
        runtime: io.runtime(seed),
        seed,
        stopped: stops.stopped,
        command: (schedule) => commandLine(io.program, wordsOf(flags, seed, schedule, command), {}),
      });
      watched.end();
      return { survival, ending: await files.end(survival, { ...service, client, shop, stopped: stops.stopped }) };
    } finally {
      await process.kill("SIGTERM");
    }
  } finally {
    await close();
  }
}

async function survive(io: Io, command: readonly string[], flags: SurviveFlags): Promise<ExitCode> {
  if (flags.list) {
    printList(io, flags.json === true);
    return EXIT.done;
  }
  const reportToBuildServer = await buildServerOf(io, "survive", flags.junit);
  const files = await openOutputFiles(io, flags);
  const begin = io.now();
  const stops = stopsOf(io);
  const { survival, ending } = await run(io, command, flags, { files, stops })
    .catch(async (error) => {
      const failure = shopFailure(error, "survive", command, stops);
      await reportToBuildServer(neverRun(failure));
      throw failure;
    })
    .finally(stops.finish);
  if (flags.json) io.out(jsonText(resultOf(survival)));
  else printSurvival(io, await palette(io, flags.color !== false), survival, io.now() - begin);
  if (!flags.json && !flags.quiet) io.err(ending);
  await reportToBuildServer([...reportCasesOf(survival.failures), ...troubleOf(survival.trouble)]);
  if (survival.trouble !== null) throw shopFailure(survival.trouble, "survive", command, stops);
  if (survival.isStopped) throw stopFailure(formatCount(survival.schedules, "schedule"));
  return survival.failed > 0 ? EXIT.unexpected : EXIT.done;
}

// The exit code is 0 when the shop survived everything, and 1 when it did not.
export const command = defineCommand({
  command: "survive",
  summary: "Test your shop with faults of every kind, and check its orders after each schedule",
  takes: { "[command...]": "the program that starts your shop, and its arguments, after two dashes" },
  flags: FLAGS,
  gives: SHOP_VARIABLES,
  usage: "[flags] -- <command> [args...]",
  examples: [
    "qa-pay survive --buy /buy --orders /orders -- node shop.js",
    "qa-pay survive --buy /buy --orders /orders --seed winter --schedules 500 --restart --report survive.html -- python3 shop.py",
    "qa-pay survive --buy 'node buy.js' --orders 'node orders.js' --faults duplicate,late --junit survive.xml -- node shop.js",
    "qa-pay survive --list",
  ],
}).run(({ io, given, flags }) => survive(io, given.command, flags));
