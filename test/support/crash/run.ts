import { beginServe, type Ended, type Place, type Server } from "../binary.js";
import type { Receiver } from "../receiver.js";
import { checkServer } from "./aftermath.js";
import { type Chance, chanceOf } from "./chance.js";
import { type Checked, checkFiles, type Files, newMemory } from "./checks.js";
import { Client, Notebook, type Scene } from "./clients.js";
import { finish } from "./end.js";
import { Killer, type Plan, passes, planOf } from "./killer.js";
import { OPERATIONS } from "./operations.js";
import { Pool } from "./pool.js";
import { Inbox } from "./webhooks.js";

/** A server under load that is killed again and again, with checks after every kill. */

const CLIENTS = 8;
const KEYS = { test: "qa_test_crash-run", live: "qa_live_crash-run" };

const fee = { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } };
const FEES = JSON.stringify({ PIX: fee, CREDIT_CARD: fee, PIX_OUT: fee });

export interface CrashOptions {
  readonly seed: number;
  readonly kills: number;
  readonly place: Place;
  readonly receiver: Receiver;
}

/** The counts of a run. */
export interface CrashReport {
  readonly kills: number;
  readonly answers: number;
  readonly webhooks: number;
  /** How many requests of each kind were cut off by a kill. */
  readonly cut: Readonly<Record<string, number>>;
}

interface Run extends CrashOptions, Files {
  readonly cut: Record<string, number>;
  answers: number;
  kill: number;
  hadLogin: boolean;
}

function serveArgs({ receiver }: Run, chance: Chance): string[] {
  return [
    ...["--test-key", KEYS.test, "--live-key", KEYS.live, "--forward-to", `${receiver.url}/forward`, "--fees", FEES],
    ...["--retry-base", "1s", "--refund-delay", "1s"],
    ...(chance.happens(0.5) ? ["--settlement-hold", "20s"] : []),
    ...(chance.happens(0.2) ? ["--acquirer-delay", "500ms"] : []),
  ];
}

class Failed extends Error {
  constructor(run: Run, plan: Plan | null, story: string, wrong: readonly string[]) {
    const told = [
      `kill ${run.kill} of the run with QA_PAY_CRASH_SEED=${run.seed} (${plan === null ? "none" : JSON.stringify(plan)}):`,
      ...wrong.slice(0, 12).map((text) => `  - ${text}`),
      ...(wrong.length > 12 ? [`  … and ${wrong.length - 12} more`] : []),
      `Since the last check, as far as it can be told: ${story}`,
      "The last requests that were answered:",
      ...run.notebook.history.map((line) => `  ${line}`),
    ];
    super(told.join("\n"));
  }
}

/** A user of the first account. */
const OWN_USER = /@qa-pay\.test$/;

/** The values of the ready line, which must be the same after every start. */
function learnFromStart({ notebook }: Run, { ready }: Server): void {
  for (const { email, password } of ready.users) {
    if (password !== null && OWN_USER.test(email)) notebook.passwords.set(email, password);
  }
  notebook.addTo(notebook.secrets, "forward", [ready.forward.secret]);
  notebook.addTo(notebook.secrets, "private", [ready.signing_secret]);
}

function wrongStart({ notebook }: Run, { ready }: Server): string[] {
  const isSame = (name: string) => notebook.secrets.get(name)?.size === 1;
  const users = ready.users.filter(({ email }: { email: string }) => OWN_USER.test(email)).length;
  return [
    ...(ready.test_key === KEYS.test && ready.live_key === KEYS.live ? [] : ["the keys of this start do not work"]),
    ...(isSame("forward") ? [] : ["the forward target has another secret than before"]),
    ...(isSame("private") ? [] : ["the account has another signing secret than before"]),
    ...(users === 3 ? [] : [`the first account has ${users} users`]),
  ];
}

/** Runs clients until the server is gone. Returns their errors. */
async function work(run: Run, server: Server, plan: Plan): Promise<readonly string[]> {
  const wrong: string[] = [];
  const killer = new Killer(plan, () => {
    for (const { doing, open } of clients) if (open > 0) run.cut[doing] = (run.cut[doing] ?? 0) + open;
    scene.isOver = true;
    server.signal("SIGKILL");
  });
  run.inbox.onArrival = (type) => killer.sawWebhook(type);
  const scene = sceneOf(run, server.url, {
    onSend: ({ doing }, path) => killer.sawRequest(doing, path),
    onAnswer({ doing }, path) {
      run.answers += 1;
      run.hadLogin ||= doing === "login";
      killer.sawAnswer(doing, path);
    },
  });
  // The work also ends when the server dies by itself.
  void server.ended.then(() => {
    scene.isOver = true;
  });
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    return new Client(scene, chanceOf(run.seed, run.kill, index), `crash-${run.kill}-${index}`);
  });
  async function runClient(client: Client, isFirst: boolean): Promise<void> {
    while (!scene.isOver) {
      const operation = (isFirst ? killer.wanted() : null) ?? client.chance.weighted(OPERATIONS);
      client.doing = operation.name;
      // A client that waits for all due work would never end while others create more.
      if (scene.journey !== null && client.chance.happens(0.8)) await scene.journey;
      await operation.run(client);
    }
  }
  const runs = clients.map((client, index) =>
    runClient(client, index === 0).catch((reason) => {
      wrong.push(String(reason));
      scene.isOver = true;
      server.signal("SIGKILL");
    }),
  );
  await Promise.all(runs);
  run.inbox.onArrival = () => undefined;
  return wrong;
}

function sceneOf(run: Run, url: string, watch: Pick<Scene, "onSend" | "onAnswer">): Scene {
  const { notebook, pool, keys, receiver } = run;
  const own = { url, receiver: receiver.url, testKey: keys.test, liveKey: keys.live, notebook, pool };
  return { ...own, isOver: false, isTurning: false, journey: null, ...watch };
}

function wrongEnd({ code, err }: Ended): string[] {
  const lines = err.split("\n").filter((line) => line.startsWith("Error:"));
  return [...(code === null ? [] : [`the server ended by itself with ${code}: ${err}`]), ...lines];
}

/** A single client that reads the contents while no other client works. */
function inspector(run: Run, url: string): Client {
  const nothing = () => undefined;
  const scene = sceneOf(run, url, { onSend: nothing, onAnswer: nothing });
  const client = new Client(scene, chanceOf(run.seed, run.kill, CLIENTS), `crash-${run.kill}-check`);
  client.doing = "check";
  return client;
}

/** One life of the server, from its start to its kill and the checks afterwards. */
async function round(run: Run, last: Checked | null): Promise<Checked> {
  const chance = chanceOf(run.seed, run.kill);
  const plan = planOf(run.kill, run.hadLogin, chance);
  const fail = (story: string, wrong: readonly string[]) => {
    if (wrong.length > 0) throw new Failed(run, plan, story, wrong);
  };
  const starting = beginServe(run.place, serveArgs(run, chance));
  const ready = starting.ready.catch(() => null);
  try {
    if (plan.at === "start") {
      await passes(plan.ms);
      run.cut.start = (run.cut.start ?? 0) + 1;
      starting.signal("SIGKILL");
    } else {
      const server = await ready;
      if (server === null) throw new Failed(run, plan, "start", [(await starting.ended).err]);
      learnFromStart(run, server);
      fail("start", wrongStart(run, server));
      // Sometimes without a delay, so that the first work of a start is killed too.
      if (last !== null && !chance.happens(0.25)) {
        const client = inspector(run, server.url);
        const aftermath = { client, file: run.file, checked: last, memory: run.memory };
        fail("started again", await checkServer(aftermath));
      }
      fail("at work", await work(run, server, plan));
    }
    const ended = await starting.ended;
    const checked = checkFiles(run);
    fail(checked.story, [...wrongEnd(ended), ...checked.wrong]);
    return checked;
  } catch (reason) {
    throw reason instanceof Failed ? reason : new Failed(run, plan, "unknown", [String(reason)]);
  } finally {
    starting.signal("SIGKILL");
    await starting.ended;
  }
}

/** Kills a server so many times. Throws at the first finding, which it describes in words. */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const refusals = chanceOf(options.seed, -1);
  let isOver = false;
  const run: Run = {
    ...options,
    file: options.place.db,
    keys: KEYS,
    notebook: new Notebook(),
    pool: new Pool(),
    inbox: new Inbox(options.receiver, () => !isOver && refusals.happens(0.1)),
    memory: newMemory(),
    cut: {},
    answers: 0,
    kill: 0,
    hadLogin: false,
  };
  let checked: Checked | null = null;
  while (run.kill < options.kills) {
    run.kill += 1;
    checked = await round(run, checked);
    run.notebook.nextRound();
  }
  isOver = true;
  const starting = beginServe(run.place, serveArgs(run, chanceOf(options.seed, -2)));
  try {
    const server = await starting.ready;
    learnFromStart(run, server);
    const wrong = [...wrongStart(run, server), ...(await finish(run, inspector(run, server.url), server))];
    if (wrong.length > 0) throw new Failed(run, null, "the end", wrong);
  } finally {
    starting.signal("SIGKILL");
    await starting.ended;
  }
  return { kills: run.kill, answers: run.answers, webhooks: run.inbox.arrived, cut: run.cut };
}
