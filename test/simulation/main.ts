import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chanceOf } from "./chance.js";
import { startHost } from "./host.js";
import { shorten } from "./shorten.js";
import { Disagreement, Simulation, type Tally } from "./simulation.js";
import { drawStep, type Step } from "./steps/index.js";
import { seamOfStorage } from "./storage.js";

/** The command `npm run simulate`. */

const HELP = `npm run simulate -- [flags]

  --seed N,N       the seed of the first run, or the seeds of the first runs (default: 1)
  --steps M        steps of a run (default: 300)
  --seconds S      runs with one seed after another behind the last one, for so long; without it these seeds alone
  --no-shortening  ends a failed run without looking for a shorter one
  --replay FILE    takes the steps of a file that a failure has written
`;

/** Real seconds in which a failed run is shortened. */
const SHORTENING = 90;

const storage = seamOfStorage();
const tally: Tally = new Map();

interface Failure {
  readonly at: number;
  readonly error: unknown;
}

/** One run from the beginning. Answers where it failed, or null. */
async function attempt(seed: number, steps: readonly Step[]): Promise<Failure | null> {
  const simulation = await Simulation.start(await startHost(seed, storage), tally);
  let at = 0;
  try {
    for (const step of steps) {
      at += 1;
      await simulation.take(step);
    }
    await simulation.end();
    return null;
  } catch (error) {
    return { at, error };
  } finally {
    await simulation.close();
  }
}

const errorText = (error: unknown) => (error instanceof Disagreement ? error.message : String((error as Error)?.stack));

async function report(seed: number, steps: readonly Step[], { at, error }: Failure, shortens: boolean): Promise<void> {
  console.log(`\nSeed ${seed} failed at step ${at}: ${JSON.stringify(steps[at - 1])}\n${errorText(error)}\n`);
  console.log(`Repeat it with: npm run simulate -- --seed ${seed} --steps ${steps.length}`);
  if (!shortens) return;
  const short = await shorten(steps.slice(0, at), (fewer) => attempt(seed, fewer), SHORTENING);
  const file = `simulation-${seed}.json`;
  writeFileSync(file, `${JSON.stringify({ seed, steps: short.steps }, null, 1)}\n`);
  console.log(`\nThe shortest run that fails has ${short.steps.length} steps:`);
  for (const step of short.steps) console.log(`  ${JSON.stringify(step)}`);
  console.log(`${errorText(short.failure.error)}\nRepeat it with: npm run simulate -- --replay ${file}`);
}

function draw(seed: number, count: number): Step[] {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => drawStep(chance));
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      steps: { type: "string", default: "300" },
      seconds: { type: "string" },
      "no-shortening": { type: "boolean" },
      replay: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const began = performance.now();
  const seconds = Number(values.seconds ?? 0);
  const replayed: { seed: number; steps: Step[] } | null =
    values.replay === undefined ? null : JSON.parse(readFileSync(values.replay, "utf8"));
  const seeds = replayed === null ? values.seed.split(",").map(Number) : [replayed.seed];
  let runs = 0;
  let taken = 0;
  for (const seed of seeds) {
    const steps = replayed?.steps ?? draw(seed, Number(values.steps));
    const failure = await attempt(seed, steps);
    if (failure !== null) {
      await report(seed, steps, failure, values["no-shortening"] !== true);
      return 1;
    }
    runs += 1;
    taken += steps.length;
    if (runs >= seeds.length && (performance.now() - began) / 1_000 < seconds) seeds.push(seed + 1);
  }
  const lasted = Math.round((performance.now() - began) / 100) / 10;
  for (const [what, times] of [...tally].sort(([one], [other]) => (one < other ? -1 : 1))) {
    console.log(`${String(times).padStart(7)}  ${what}`);
  }
  console.log(`\n${taken} steps in ${runs} runs, from seed ${values.seed}, in ${lasted} s: service and model agree.`);
  return 0;
}

process.exitCode = await main();
