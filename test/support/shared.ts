import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from "vitest";
import type { EmulatorOptions } from "../../src/programs/start/emulator.js";
import { type TestCli, testCli } from "./cli.js";
import { startEmulator, type TestEmulator } from "./emulator.js";
import { type Folder, newFolder } from "./folder.js";
import { type Receiver, startReceiver } from "./receiver.js";

/**
 * Surroundings of tests. `shared...` is started before the first test of a file or of a `describe` and ended after the
 * last; `fresh...` is started before each test and ended after it; `own...` is started by one test, and ended after it. What
 * began last ends first.
 */

interface Closed {
  close(): unknown;
}
interface Removed {
  remove(): unknown;
}
type Ended = Closed | Removed;

/** Stands for what `started` returns once it is there. */
function later<Thing extends object>(started: () => Thing | undefined): Thing {
  function there(name: string | symbol): Thing {
    const thing = started();
    if (thing === undefined) throw new Error(`${String(name)} is used before the tests begin`);
    return thing;
  }
  return new Proxy({} as Thing, {
    get: (_target, name) => Reflect.get(there(name), name),
    set: (_target, name, value) => Reflect.set(there(name), name, value),
    // For a copy of it by `...`.
    ownKeys: () => Reflect.ownKeys(there("a copy")),
    getOwnPropertyDescriptor: (_target, name) => ({
      ...Reflect.getOwnPropertyDescriptor(there(name), name),
      configurable: true,
    }),
  });
}

function held<Thing extends Ended>(start: () => Thing | Promise<Thing>) {
  let thing: Thing | undefined;
  return {
    thing: later(() => thing),
    async begin(): Promise<void> {
      thing = await start();
    },
    async end(): Promise<void> {
      const ended: Ended | undefined = thing;
      thing = undefined;
      if (ended) await ("close" in ended ? ended.close() : ended.remove());
    },
  };
}

export function shared<Thing extends Ended>(start: () => Thing | Promise<Thing>): Thing {
  const { thing, begin, end } = held(start);
  beforeAll(begin);
  afterAll(end);
  return thing;
}

export function fresh<Thing extends Ended>(start: () => Thing | Promise<Thing>): Thing {
  const { thing, begin, end } = held(start);
  beforeEach(async () => {
    await begin();
    // Not by `afterEach`, so that what the test has started itself ends before it.
    onTestFinished(end);
  });
  return thing;
}

/** Gives `start` to tests that start several things themselves, and closes all of them after each test. */
export function closeAfterwards<Given extends unknown[], Thing extends Closed>(
  start: (...given: Given) => Promise<Thing>,
): (...given: Given) => Promise<Thing> {
  const started: Thing[] = [];
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close();
  });
  return async (...given) => {
    const one = await start(...given);
    started.push(one);
    return one;
  };
}

async function own<Thing extends Closed>(starting: Promise<Thing>): Promise<Thing> {
  const thing = await starting;
  onTestFinished(async () => void (await thing.close()));
  return thing;
}

/** A folder for databases, which is removed after the test. */
export function ownFolder(): Folder {
  const folder = newFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

/** Options that are known only when the tests begin come from a function. */
type Options = EmulatorOptions | (() => EmulatorOptions);
const emulatorOf = (options: Options) => () => startEmulator(typeof options === "function" ? options() : options);

export const sharedEmulator = (options: Options = {}): TestEmulator => shared(emulatorOf(options));
export const ownEmulator = (options: EmulatorOptions = {}): Promise<TestEmulator> => own(startEmulator(options));
export const freshEmulator = (options: Options = {}): TestEmulator => fresh(emulatorOf(options));

/** The command line has the address and the key of an emulator, or the environment that a function returns, or neither. */
type Environment = TestEmulator | (() => Readonly<Record<string, string>>);

function cliOf(environment?: Environment): TestCli {
  if (environment === undefined) return testCli();
  if (typeof environment === "function") return testCli(environment());
  return testCli({ QA_PAY_BASE_URL: environment.url, QA_PAY_API_KEY: environment.key });
}

export const sharedCli = (environment?: Environment): TestCli => shared(() => cliOf(environment));
export const freshCli = (environment?: Environment): TestCli => fresh(() => cliOf(environment));

/** A receiver of webhooks. */
export const sharedReceiver = (): Receiver => shared(startReceiver);
export const ownReceiver = (): Promise<Receiver> => own(startReceiver());
export const freshReceiver = (): Receiver => fresh(startReceiver);
