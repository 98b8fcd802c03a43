import { operationLine } from "../../../../../api/client/request-text.js";
import { addressOf, type Route } from "../../../../../api/client/route.js";
import type { Fixture, Step } from "../../../../../api/fixtures/fixture.js";
import { UUID_FORM } from "../../../../../base/kernel/ids.js";
import { pick } from "../../../../../base/kernel/pick.js";
import { quoteWord } from "../../../../../base/kernel/shell.js";
import type { CommandFact } from "../../facts/commands.js";
import { clientCall } from "../../words/client-code.js";
import { type Done, OUTCOMES } from "../../words/done.js";
import { vitestFile } from "../../words/vitest-file.js";

/**
 * The actions of this tab as a fixture, a script for bash or a test. Ids from the answer of an earlier step become
 * references to it, so that all steps can be repeated on another server. Pure functions.
 */

type Routes = Readonly<Record<string, Route>>;
type Commands = Readonly<Record<string, CommandFact>>;

/** The source of an id. */
interface Origin {
  readonly step: string;
  /** Dotted path in the answer of the step. */
  readonly path: string;
  readonly prefix: string;
}

interface Recorded {
  readonly name: string;
  readonly done: Done;
  readonly route: Route;
  /** The ids that are known before this step, by their part without prefix. */
  readonly known: ReadonlyMap<string, Origin>;
}

const ID = new RegExp(`([a-z]+_)?(${UUID_FORM})`, "g");

function originsIn(step: string, value: unknown, path = ""): [string, Origin][] {
  if (typeof value === "string") {
    const [found] = [...value.matchAll(ID)];
    // An id inside a longer text, such as an address, cannot be a reference.
    return found === undefined || found[0] !== value ? [] : [[found[2] ?? "", { step, path, prefix: found[1] ?? "" }]];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    originsIn(step, member, path === "" ? name : `${path}.${name}`),
  );
}

/** `charges.create` as `chargesCreate`; the second one as `chargesCreate2`. */
function nameFor(id: string, before: readonly Recorded[]): string {
  const plain = id.replace(/\W+(\w)/g, (_match, letter: string) => letter.toUpperCase());
  let name = plain;
  for (let number = 2; before.some((step) => step.name === name); number += 1) name = plain + number;
  return name;
}

function record(all: readonly Done[], routes: Routes): Recorded[] {
  const known = new Map<string, Origin>();
  const steps: Recorded[] = [];
  for (const done of all) {
    const route = routes[done.id];
    // No recording holds the token of a login.
    if (route === undefined || route.auth !== "key") continue;
    const name = nameFor(done.id, steps);
    steps.push({ name, done, route, known: new Map(known) });
    for (const [id, origin] of originsIn(name, done.result)) if (!known.has(id)) known.set(id, origin);
  }
  return steps;
}

/**
 * The ids of objects that these steps use and none of them created, as an emulator of another start does not have them. An id without
 * a prefix in a body may be a key, and is left out.
 */
export function idsFromBefore(all: readonly Done[], routes: Routes): string[] {
  const found = record(all, routes).flatMap(({ done, route, known }) => {
    const unknown = (text: string) => [...text.matchAll(ID)].filter(([, , id = ""]) => !known.has(id));
    const inBody = unknown(JSON.stringify(done.input.body ?? {})).filter(([, prefix]) => prefix !== undefined);
    return [...unknown(addressOf(route.path, done.input)), ...inBody].map(([id]) => id);
  });
  return [...new Set(found)];
}

type Write = (origin: Origin, prefix: string) => string;

/** A text whose known ids are written by `write`. */
function withReferences(text: string, known: ReadonlyMap<string, Origin>, write: Write): string {
  return text.replace(ID, (whole: string, prefix: string | undefined, id: string) => {
    const origin = known.get(id);
    return origin === undefined ? whole : write(origin, prefix ?? "");
  });
}

const inFixture: Write = ({ step, path, prefix }, wanted) =>
  prefix === wanted ? `\${${step}.${path}}` : `${wanted}\${${step}.${path}:raw}`;

/** True if a fixture would read a text of the person as a reference. */
function hasOwnReference({ done, route }: Recorded): boolean {
  return `${JSON.stringify(done.input.body ?? {})}${addressOf(route.path, done.input)}`.includes("${");
}

/** A new random text, as fixtures write it. */
const NEW = `\${new}`;

function fixtureStep({ name, done, route, known }: Recorded): Step {
  const { key } = route;
  const own = key === undefined || key === "header" ? {} : { [key]: NEW };
  const written = (_name: string, value: unknown) =>
    typeof value === "string" ? withReferences(value, known, inFixture) : value;
  const body: object = { ...JSON.parse(JSON.stringify(done.input.body ?? {}), written), ...own };
  const request = `${route.method} ${withReferences(addressOf(route.path, done.input), known, inFixture)}`;
  return { name, request, ...(Object.keys(body).length === 0 ? {} : { body }) };
}

/** A fixture for `qa-pay fixtures run`. */
export function asFixture(all: readonly Done[], routes: Routes, description: string): Fixture {
  const steps = record(all, routes).filter((step) => !hasOwnReference(step));
  return { description, events: [], steps: steps.map(fixtureStep) };
}

/** The number of steps that no recording can hold: routes of users; in fixtures, also texts like references. */
export function leftOut(all: readonly Done[], routes: Routes): number {
  return all.length - asFixture(all, routes, "").steps.length;
}

export function fixtureText({ description, steps }: Fixture): string {
  return `${JSON.stringify({ description, steps }, null, 2)}\n`;
}

const variable = ({ step, path }: Origin) => `${step}_${path.replace(/\W/g, "_")}`;

/** True if the place in a line for a shell is inside single quotes. */
function isQuoted(line: string, at: number): boolean {
  let isInside = false;
  for (let index = 0; index < at; index += 1) {
    if (!isInside && line[index] === "\\") index += 1;
    else if (line[index] === "'") isInside = !isInside;
  }
  return isInside;
}

/** A line for a shell, in which known ids are variables. */
function shellLine(line: string, { known }: Recorded, used: Set<Origin>): string {
  return line.replace(ID, (whole: string, prefix: string | undefined, id: string, at: number) => {
    const origin = known.get(id);
    if (origin === undefined) return whole;
    used.add(origin);
    const own = prefix ?? "";
    const value = origin.prefix === own ? `"$${variable(origin)}"` : `${own}"\${${variable(origin)}#*_}"`;
    if (!isQuoted(line, at)) return value;
    return origin.prefix === own ? `'${value}'` : `${own}'${value.slice(own.length)}'`;
  });
}

/** Most projects have qa-pay in their own folder, where npx finds it. */
const QA_PAY = 'command -v qa-pay >/dev/null || qa-pay() { npx qa-pay "$@"; }';
const FIELD = `field() { node -pe 'process.argv[2].split(".").reduce((value, name) => value[name], JSON.parse(process.argv[1]))' "$1" "$2"; }`;

/** A script for bash. It stops at the first step that is refused. */
export function asScript(all: readonly Done[], routes: Routes, commands: Commands, baseUrl: string): string {
  const steps = record(all, routes);
  const used = new Set<Origin>();
  const lines = steps.map((step) => {
    const { done, route } = step;
    return shellLine(operationLine(commands[done.id], route, { input: done.input, baseUrl: null }), step, used);
  });
  const parts = steps.map(({ name }, index) => {
    const origins = [...used].filter(({ step }) => step === name);
    if (origins.length === 0) return `${lines[index]} --json`;
    const fields = origins.map((origin) => `${variable(origin)}=$(field "$${name}" ${quoteWord(origin.path)})`);
    return [`${name}=$(${lines[index]} --json)`, ...fields].join("\n");
  });
  const place = `export QA_PAY_BASE_URL="\${QA_PAY_BASE_URL:-${baseUrl}}"`;
  return [
    "#!/usr/bin/env bash",
    "set -euo pipefail",
    place,
    QA_PAY,
    ...(used.size === 0 ? [] : [FIELD]),
    "",
    ...parts,
    "",
  ].join("\n");
}

/** The way to a member, such as `data[0]?.id`. */
function access({ step, path }: Origin): string {
  const names = path.split(".").map((name) => {
    if (/^\d+$/.test(name)) return `[${name}]?`;
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return (step + names.join("")).replace(/\]\?\[/g, "]?.[");
}

/** A text with known ids as a template. The names of the steps that created them are added to `used`. */
function templateOf(text: string, { known }: Recorded, used: Set<string>): string | null {
  let isTemplate = false;
  const escaped = text.replace(/[\\`]|\$\{/g, "\\$&");
  const template = withReferences(escaped, known, (origin, prefix) => {
    isTemplate = true;
    used.add(origin.step);
    const raw = `\${${access(origin)}}`;
    return origin.prefix === prefix ? raw : `${prefix}\${raw(${access(origin)})}`;
  });
  return isTemplate ? `\`${template}\`` : null;
}

/** What a test expects of a step: how it ended in the console. */
function checksOf({ name, done }: Recorded): string[] {
  return OUTCOMES.flatMap((member) => {
    const value = pick(done.result, member);
    const isKnown = typeof value === "string" || typeof value === "boolean";
    return isKnown ? [`expect(${name}.${member}).toBe(${JSON.stringify(value)});`] : [];
  });
}

/** A test for Vitest, with an emulator of its own. It expects the outcomes that were answered in the console. */
export function asTest(all: readonly Done[], routes: Routes, title: string): string {
  const steps = record(all, routes);
  const used = new Set<string>();
  const calls = steps.map((step) =>
    clientCall(step.done.id, step.route, step.done.input, (text) => templateOf(text, step, used)),
  );
  const lines = steps.flatMap((step, index) => {
    const call = calls[index] ?? "";
    const checks = checksOf(step);
    if (checks.length === 0 && !used.has(step.name)) return [call];
    return [`const ${step.name} = ${call}`, ...checks];
  });
  const needsRaw = calls.some((call) => call.includes("${raw("));
  return vitestFile({
    takes: "createClient",
    before: needsRaw ? ['const raw = (id: unknown) => String(id).replace(/^[a-z]+_/, "");', ""] : [],
    title,
    options: "{ frozen: true }",
    lines: ["const client = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey });", ...lines],
  });
}
