import { nearest } from "../../kernel/nearest.js";
import { FIXTURES } from "../built-in-fixtures.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure, jsonOf } from "../failure.js";
import { type Fixture, loadFixture, runFixture, type StepResult } from "../fixtures.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { type GlobalFlags, refusedBy, requireKey, resolveTarget, sendOrFail, type Target } from "../request.js";
import { jsonText, say } from "../terminal-text.js";

/** `trigger` and `fixtures`: real objects brought to a state by real requests. */

interface TriggerFlags extends GlobalFlags {
  readonly set?: readonly string[];
  readonly charge?: string;
}

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

function fixtureFor(event: string): Fixture {
  const found = Object.values(FIXTURES).find(({ events }) => events.includes(event));
  if (found !== undefined) return found;
  const names = Object.values(FIXTURES).flatMap(({ events }) => events);
  const meant = nearest(event, names);
  const hint = meant === undefined ? undefined : `Did you mean ${meant}?`;
  const message = `There is no event ${event}. There are ${names.sort().join(", ")}.`;
  throw new Failure(EXIT.usage, "usage", message, undefined, hint);
}

/** Whether the script begins with a charge that another one can stand for. */
function takesCharge({ steps }: Fixture): boolean {
  return steps.length > 1 && steps.some(({ name }) => name === "charge");
}

async function existingCharge(target: Target, id: string, { dryRun }: GlobalFlags): Promise<unknown> {
  if (dryRun) return { id };
  const headers = { accept: "application/json", apikey: requireKey(target) };
  const url = `${target.baseUrl}/v1/charges/${encodeURIComponent(id)}`;
  const { status, text } = await sendOrFail({ method: "GET", url, headers, body: undefined }, target);
  if (status === 200) return jsonOf(text);
  if (status !== 404) throw refusedBy(target, status, text);
  throw new Failure(EXIT.notFound, "not_found", `There is no charge ${id}.`);
}

function idOf({ answer }: StepResult): string {
  const { id, charge } = (answer ?? {}) as { id?: string; charge?: { id?: string; status?: string }; status?: string };
  return id ?? (charge?.id === undefined ? "" : `${charge.id} ${charge.status}`);
}

async function run(io: Io, fixture: Fixture, flags: TriggerFlags, event: string | null): Promise<ExitCode> {
  if (flags.charge !== undefined && !takesCharge(fixture)) throw usage(`${event} does not happen to a charge.`);
  const target = await resolveTarget(io, flags);
  const known = flags.charge === undefined ? {} : { charge: await existingCharge(target, flags.charge, flags) };
  const paint = await palette(io, flags.color !== false);
  const steps = await runFixture(io, target, flags, fixture, {
    set: flags.set,
    known,
    onStep: (step) => {
      if (!flags.json && !flags.quiet) io.out(say`${paint.good("✓")} ${step.request} ${paint.dim(idOf(step))}\n`);
    },
  });
  if (flags.json && !flags.dryRun) io.out(jsonText({ event, steps }));
  return EXIT.done;
}

export function trigger(io: Io, event: string, flags: TriggerFlags): Promise<ExitCode> {
  return run(io, fixtureFor(event), flags, event);
}

export async function runFixtureFile(io: Io, name: string, flags: TriggerFlags): Promise<ExitCode> {
  return run(io, await loadFixture(io, name), flags, null);
}

export function listFixtures(io: Io, flags: GlobalFlags): ExitCode {
  if (flags.json) {
    const data = Object.entries(FIXTURES).map(([name, { description, events }]) => ({ name, description, events }));
    io.out(jsonText(data));
    return EXIT.done;
  }
  const width = Math.max(...Object.keys(FIXTURES).map((name) => name.length));
  for (const [name, { description, events }] of Object.entries(FIXTURES)) {
    io.out(say`${name.padEnd(width)}  ${description}${events.length === 0 ? "" : ` (${events.join(", ")})`}\n`);
  }
  return EXIT.done;
}
