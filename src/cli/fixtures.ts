import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { HttpRequest } from "../client/send.js";
import { nearest } from "../kernel/nearest.js";
import { EXIT } from "./exit-codes.js";
import { exactJson, Failure, jsonOf } from "./failure.js";
import type { Io } from "./io.js";
import { type GlobalFlags, refusedBy, requireEmulator, requireKey, sendOrFail, type Target } from "./request.js";
import { mayBeSent, tellRequest } from "./safety.js";
import { unknownFields, warningsFor } from "./unknown-fields.js";

/**
 * Scripts of requests, so that a state is reached the way an application reaches it: nothing can come of one that the
 * service itself does not allow. A text may refer to what an earlier step answered: `${charge.id}`, its raw form
 * `${charge.id:raw}`, or to a fresh key, `${new}`.
 */
export interface Fixture {
  readonly description: string;
  /** Events that the last step brings about. */
  readonly events: readonly string[];
  readonly steps: readonly Step[];
}

interface Step {
  readonly name: string;
  /** `POST /v1/charges` */
  readonly request: string;
  readonly body?: object;
}

export interface StepResult {
  readonly name: string;
  readonly request: string;
  readonly status: number;
  readonly answer: unknown;
}

export interface RunOptions {
  /** `step.field=value`, replacing what the script says; a field alone is one of the first step. */
  readonly set?: readonly string[] | undefined;
  /** Answers of steps that need not run, by name. */
  readonly known?: Readonly<Record<string, unknown>> | undefined;
  readonly onStep?: ((result: StepResult) => void) | undefined;
}

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

function isStep(value: unknown): value is Step {
  const { name, request, body } = (value ?? {}) as Partial<Record<keyof Step, unknown>>;
  const isBody = body === undefined || (typeof body === "object" && body !== null && !Array.isArray(body));
  return (
    typeof name === "string" && typeof request === "string" && /^(GET|POST|PATCH|DELETE) \//.test(request) && isBody
  );
}

/** Reads a script that somebody wrote. Throws Failure with what it lacks. */
function parseFixture(text: string, file: string): Fixture {
  let value: { description?: unknown; events?: unknown; steps?: unknown };
  try {
    value = exactJson(text, file) as typeof value;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usage(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const steps: unknown[] = Array.isArray(value?.steps) ? value.steps : [];
  if (steps.length === 0)
    throw usage(`${file} has no steps: {"steps": [{"name": "charge", "request": "POST /v1/charges", "body": {…}}]}`);
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong !== -1) throw usage(`${file}: step ${wrong + 1} needs a name and a request such as "POST /v1/charges"`);
  const names = steps.filter(isStep).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`${file}: two steps are called ${twice}`);
  return { description: String(value.description ?? ""), events: [], steps: steps.filter(isStep) };
}

/** A script by its name, or from a file. */
export async function loadFixture(io: Io, nameOrFile: string): Promise<Fixture> {
  const { FIXTURES } = await import("./built-in-fixtures.js");
  const known = Object.hasOwn(FIXTURES, nameOrFile) ? FIXTURES[nameOrFile] : undefined;
  if (known !== undefined) return known;
  try {
    return parseFixture(await readFile(resolve(io.cwd, nameOrFile), "utf8"), nameOrFile);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const names = Object.keys(FIXTURES);
    const meant = nearest(nameOrFile, names);
    const hint = meant === undefined ? undefined : `Did you mean ${meant}?`;
    const message = `${nameOrFile} is neither a file that can be read nor one of ${names.join(", ")}.`;
    throw new Failure(EXIT.usage, "usage", message, undefined, hint);
  }
}

function lookUp(results: Readonly<Record<string, unknown>>, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
      results,
    );
}

interface Sources {
  /** Answers of earlier steps, by name. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly fresh: () => string;
  /** Nothing is sent, so there are no answers: references stay as they are written. */
  readonly rehearsal: boolean;
}

/** Puts what was answered in the places of references. A text that is one reference keeps the type of its value. */
function resolved(value: unknown, sources: Sources): unknown {
  const { answers: results, fresh, rehearsal } = sources;
  if (Array.isArray(value)) return value.map((item) => resolved(item, sources));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member, sources)]));
  }
  if (typeof value !== "string") return value;
  const read = (reference: string): unknown => {
    if (reference === "new") return fresh();
    const [path = "", form] = reference.split(":");
    const found = lookUp(results, path);
    if (found === undefined && rehearsal) return `\${${reference}}`;
    if (found === undefined) throw usage(`\${${reference}} refers to nothing that an earlier step answered.`);
    return form === "raw" ? String(found).replace(/^[a-z]+_/, "") : found;
  };
  const whole = /^\$\{([^}]+)\}$/.exec(value)?.[1];
  if (whole !== undefined) return read(whole);
  return value.replace(/\$\{([^}]+)\}/g, (_match, reference: string) => String(read(reference)));
}

function changed(fixture: Fixture, settings: readonly string[]): Fixture {
  const steps = fixture.steps.map((step) => ({
    ...step,
    body: structuredClone(step.body ?? {}) as Record<string, unknown>,
  }));
  for (const setting of settings) {
    const equals = setting.indexOf("=");
    if (equals < 1) throw usage(`--set takes path=value, not ${setting}.`);
    const path = setting.slice(0, equals).split(".");
    const named = steps.find(({ name }) => name === path[0]);
    if (named === undefined && path.length > 1 && !Object.hasOwn(steps[0]?.body ?? {}, path[0] ?? "")) {
      const names = steps.map(({ name }) => name).join(", ");
      throw usage(`--set ${setting}: there is no step ${path[0]}. There are ${names}.`);
    }
    const step = named ?? steps[0];
    const keys = named === undefined ? path : path.slice(1);
    const last = keys.pop();
    if (step === undefined || last === undefined) throw usage(`--set ${setting} names no field of a step.`);
    let holder: Record<string, unknown> = step.body;
    for (const key of keys) {
      if (!Object.hasOwn(holder, key)) holder[key] = {};
      const inner = holder[key];
      if (typeof inner !== "object" || inner === null) throw usage(`--set ${setting}: ${key} is no object.`);
      holder = inner as Record<string, unknown>;
    }
    holder[last] = parsedValue(setting);
  }
  return { ...fixture, steps };
}

/** What stands behind the equals sign: JSON where it is some, else the text itself. */
function parsedValue(setting: string): unknown {
  const text = setting.slice(setting.indexOf("=") + 1);
  try {
    return exactJson(text, `--set ${setting}`);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return text;
  }
}

/**
 * Runs a script against a service, step by step; with `--dry-run` it shows the requests instead and comes back with no
 * results. Throws Failure at the first step that is refused.
 */
export async function runFixture(
  io: Io,
  target: Target,
  flags: GlobalFlags,
  fixture: Fixture,
  options: RunOptions = {},
): Promise<StepResult[]> {
  const answers: Record<string, unknown> = { ...options.known };
  const done: StepResult[] = [];
  const steps = changed(fixture, options.set ?? []).steps.filter(({ name }) => !Object.hasOwn(answers, name));
  const unknown = warningsFor(
    io,
    flags,
    steps.flatMap(({ request, body }) => unknownFields(request, body)),
  );
  unknown.beforeSending();
  let isUnknown = steps.some(({ request }) => request.includes(" /_sandbox"));
  // Who agreed to the first change agreed to the script.
  let agreed = false;
  for (const [index, step] of steps.entries()) {
    const sources = { answers, fresh: () => io.random(), rehearsal: flags.dryRun === true };
    const request = stepRequest(target, step, sources);
    if (flags.dryRun || !(agreed || isRead(step))) {
      const others = steps.slice(index + 1).filter((later) => !isRead(later)).length;
      if (!(await mayBeSent(io, request, flags, { others }))) continue;
      agreed = true;
    } else tellRequest(io, request, flags);
    if (isUnknown) await requireEmulator(target);
    isUnknown = false;
    const result = await runStep(target, step, request);
    answers[step.name] = result.answer;
    done.push(result);
    options.onStep?.(result);
  }
  unknown.afterSuccess();
  return done;
}

function isRead({ request }: Step): boolean {
  return request.startsWith("GET ");
}

function stepRequest(target: Target, step: Step, sources: Sources): HttpRequest {
  const line = String(resolved(step.request, sources));
  const [method = "", path = ""] = line.split(" ");
  const headers: Record<string, string> = {
    accept: "application/json",
    apikey: requireKey(target),
    ...(method === "GET" ? {} : { "content-type": "application/json" }),
    ...(method === "POST" ? { "idempotency-key": sources.fresh() } : {}),
  };
  const body = method === "GET" ? undefined : JSON.stringify(resolved(step.body ?? {}, sources));
  return { method, url: target.baseUrl + path, headers, body };
}

async function runStep(target: Target, step: Step, request: HttpRequest): Promise<StepResult> {
  const path = request.url.slice(target.baseUrl.length);
  const line = `${request.method} ${path}`;
  const { status, text } = await sendOrFail(request, target);
  if (status >= 200 && status < 300)
    return { name: step.name, request: line, status, answer: text === "" ? null : jsonOf(text) };
  const { exitCode, code, message, envelope, hint } = refusedBy(target, status, text);
  throw new Failure(exitCode, code, `Step ${step.name} (${line}) was refused: ${message}`, envelope, hint);
}
