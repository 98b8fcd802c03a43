import { breachesOf } from "../support/invariants.js";
import { openFile } from "../support/sqlite.js";
import { differences, expectedFigures, expectedTotals, ReadFailure, readFigures, readTotals } from "./figures.js";
import { type Host, LIVE_KEY, type Reply, TEST_KEY } from "./host.js";
import { START } from "./model/settings.js";
import { emptyBook, type World } from "./model/state.js";
import { moveTo } from "./model/time.js";
import { isSigned, type Receivers, startReceivers } from "./receivers.js";
import { type Disturbance, kindOf, type Step } from "./steps/index.js";
import { type Plan, type Run, same } from "./steps/plan.js";
import { wrongTimelines } from "./timelines.js";

/** One run: the service and the model take the same steps, and must agree after each of them. */

/** A difference between the service and the model. */
export class Disagreement extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

function demand(problems: readonly string[]): void {
  if (problems.length > 0) throw new Disagreement(problems);
}

/** How often something happened in a run. */
export type Tally = Map<string, number>;

/** The plan of a step of this kind now. */
interface Planned extends Plan {
  readonly kind: string;
}

export class Simulation {
  readonly #host: Host;
  readonly #receivers: Receivers;
  readonly #run: Run;
  readonly #tally: Tally;
  /** The bodies of all webhooks that arrived. */
  readonly arrived = new Set<string>();
  /** The state before the step that is under way. */
  #before: World;

  private constructor(host: Host, receivers: Receivers, run: Run, tally: Tally) {
    this.#host = host;
    this.#receivers = receivers;
    this.#run = run;
    this.#tally = tally;
    this.#before = run.world;
  }

  static async start(host: Host, tally: Tally): Promise<Simulation> {
    const receivers = await startReceivers();
    const run = await newRun(host, receivers.address);
    return new Simulation(host, receivers, run, tally);
  }

  async close(): Promise<void> {
    await this.#host.close();
    await this.#receivers.close();
  }

  #count(what: string): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + 1);
  }

  /** The ids of all charges, each with a key that reads it. */
  get charges(): readonly { readonly id: string; readonly key: string }[] {
    const { world, keys } = this.#run;
    return world.books.flatMap(({ name, transactions }) =>
      transactions.map(({ id }) => ({ id: `ch_${id}`, key: keys.get(name) ?? "" })),
    );
  }

  /** Takes one step. Throws a Disagreement. */
  async take(step: Step): Promise<void> {
    const plan = await this.takeUnread(step);
    if (plan === null) return;
    const touchesAll = plan.book === undefined || step.disturbance !== null;
    await this.#compare(touchesAll ? null : (plan.book?.name ?? null));
  }

  /** The same, but the figures are compared only after a later step. Returns null when there was nothing to do. */
  async takeUnread(step: Step): Promise<Planned | null> {
    const plan = await this.#planOf(step);
    if (plan === null) {
      this.#count("nothing to do");
      return null;
    }
    this.#begin();
    await this.#disturbed(plan, step.disturbance);
    await this.#judge(step.disturbance);
    return plan;
  }

  /** Sends the requests of several steps at once, and kills the service at this moment of their work. */
  async killDuring(steps: readonly Step[], moment: number): Promise<void> {
    const plans: Planned[] = [];
    for (const step of steps) {
      // They must not affect each other: each is of a book of its own.
      const isFree = ({ book, ask }: Plan) =>
        book !== undefined && ask.key !== null && plans.every((one) => one.book !== undefined && one.book !== book);
      const plan = await this.#planOf(step);
      if (plan !== null && (plans.length === 0 || isFree(plan))) plans.push(plan);
    }
    this.#begin();
    await this.#killed(plans, moment);
    await this.#judge(null);
    await this.#compare(null);
  }

  async #planOf({ kind, params }: Step): Promise<Planned | null> {
    const plan = await kindOf(kind).plan(params, this.#run);
    if (plan === null) return null;
    this.#count(kind);
    if (plan.status >= 400) this.#count("refusals");
    return { ...plan, kind };
  }

  #begin(): void {
    this.#before = structuredClone(this.#run.world);
    this.#takeArrived();
  }

  #takeArrived(): void {
    for (const { raw } of this.#receivers.arrived.splice(0)) this.arrived.add(raw);
  }

  /** Checks the webhooks of a step, and errors in the log. */
  async #judge(disturbance: Disturbance | null): Promise<void> {
    await this.#settle();
    this.#judgeSignatures(disturbance);
    demand(this.#host.errors.splice(0).map((text) => `the service reported an error: ${text}`));
  }

  /** Checks the end of a run: all figures, the invariants of the database, and the timelines of all objects. */
  async end(): Promise<void> {
    await this.#compare(null);
    this.#takeArrived();
    const { world, keys } = this.#run;
    for (const book of world.books) {
      const totals = await readTotals(this.#host, book, keys.get(book.name) ?? "");
      demand(differences(expectedTotals(book), totals).map((text) => `${book.name}: ${text}`));
    }
    const db = openFile(this.#host.file, true);
    try {
      demand(breachesOf(db));
      for (const book of world.books) demand(await wrongTimelines(db, this.#host, book, keys.get(book.name) ?? ""));
    } finally {
      db.close();
    }
  }

  async #disturbed(plan: Planned, disturbance: Disturbance | null): Promise<void> {
    switch (disturbance?.how) {
      case "kill":
        return this.#killed([plan], disturbance.at);
      case "fail":
        return this.#failed(plan, disturbance.at);
      case "fault":
        return this.#faulted(plan, disturbance.effect);
      case "chaos":
        return this.#withChaos(disturbance.setting, () => this.#plainly(plan));
      default:
        return this.#plainly(plan);
    }
  }

  async #plainly(plan: Plan): Promise<void> {
    this.#accept(plan, await this.#host.ask(plan.ask));
    if (plan.replaces) await this.#syncReceivers();
  }

  /** The answer must be the planned one. The model follows it. */
  #accept({ ask, status, code, apply, wrong }: Plan, reply: Reply | null): void {
    const what = `${ask.method} ${ask.path} ${ask.raw ?? JSON.stringify(ask.body) ?? ""}`;
    if (reply === null) throw new Disagreement([`${what} was cut off`]);
    const seen = reply.body?.error?.code;
    if (reply.status !== status || seen !== code) {
      const expected = `${status}${code === undefined ? "" : ` ${code}`}`;
      throw new Disagreement([`${what}: expected ${expected}, got ${reply.status} ${reply.text.slice(0, 400)}`]);
    }
    const problems = wrong?.(reply) ?? [];
    demand(problems.map((problem) => `${what}: ${problem}: ${reply.text.slice(0, 400)}`));
    apply?.(this.#run.world, reply.body);
  }

  async #killed(plans: readonly Planned[], moment: number): Promise<void> {
    const replies = new Map<Plan, Reply>();
    const wasDuring = await this.#host.killDuring(moment, async (isDead) => {
      const asked = plans.map(async (plan) => {
        const reply = await this.#host.ask(plan.ask);
        if (reply !== null && !isDead()) replies.set(plan, reply);
      });
      await Promise.all(asked);
      await this.#nudge();
    });
    this.#count(wasDuring ? "kills in the middle" : "kills at rest");
    this.#receivers.shut();
    await this.#host.revive();
    await this.#syncReceivers();
    this.#receivers.open();
    await this.#nudge();
    for (const [plan, reply] of replies) this.#accept(plan, reply);
    for (const plan of plans.filter((one) => !replies.has(one))) {
      this.#count("requests without an answer");
      this.#count(`without an answer: ${plan.kind}`);
      await this.#findOut(plan, false);
    }
  }

  async #failed(plan: Plan, at: number): Promise<void> {
    // Due work that fails is tried again a minute later, and so is not where the model has it.
    if (plan.catchUp !== undefined) return this.#plainly(plan);
    let reply: Reply | null = null;
    const isReached = await this.#host.failDuring(at, async () => {
      reply = await this.#host.ask(plan.ask);
      await this.#nudge();
    });
    this.#host.errors.length = 0;
    this.#count(isReached ? "failed writes" : "writes that were too few to fail");
    const { status = 0 } = (reply as Reply | null) ?? {};
    if (status === 500 && isReached) return this.#count("requests that failed");
    this.#accept(plan, reply);
    if (plan.replaces) await this.#syncReceivers();
  }

  async #faulted(plan: Plan, effect: Readonly<Record<string, string | number>>): Promise<void> {
    const path = plan.ask.path.split("?")[0] ?? "";
    if (!path.startsWith("/v1/")) return this.#plainly(plan);
    const rule = { match: { method: plan.ask.method, path }, effect, times: 1 };
    const sandbox = { path: "/_sandbox/faults", key: TEST_KEY };
    await this.#host.ask({ ...sandbox, method: "POST", body: rule });
    const reply = await this.#host.ask(plan.ask);
    await this.#host.ask({ ...sandbox, method: "DELETE" });
    this.#count(`faults: ${Object.entries(effect).join()}`);
    if (effect.drop === "after") {
      if (reply !== null) throw new Disagreement([`${plan.ask.path}: the answer was not dropped`]);
      return this.#findOut(plan, true);
    }
    const expected = effect.status ?? null;
    if ((reply?.status ?? null) !== expected) throw new Disagreement([`a fault did not happen: ${reply?.text}`]);
  }

  async #withChaos(setting: string, work: () => Promise<void>): Promise<void> {
    const set = (value: number) => {
      const body = { [setting]: value };
      return this.#host.ask({ method: "POST", path: "/_sandbox/webhooks/chaos", key: TEST_KEY, body });
    };
    await set(1);
    this.#count(`chaos: ${setting}`);
    await work();
    await this.#settle();
    await set(0);
  }

  /** Brings the model to where the service is after a request whose answer was lost, as a careful client would. */
  async #findOut(plan: Plan, mustBeDone: boolean): Promise<void> {
    const { world } = this.#run;
    if (plan.status >= 400) return;
    if (plan.catchUp !== undefined) return plan.catchUp(world);
    if (plan.repeats === true) {
      const reply = await this.#host.ask(plan.ask);
      const isReplay = reply?.headers.get("idempotent-replayed") === "true";
      if (mustBeDone && !isReplay)
        throw new Disagreement([`${plan.ask.path} was done, and its repetition is no replay`]);
      return this.#accept(plan, reply);
    }
    if (plan.find !== undefined) {
      const found = await plan.find();
      if (found !== null) plan.apply?.(world, found);
      else if (mustBeDone) throw new Disagreement([`${plan.ask.path} was done, and nothing is there`]);
      return;
    }
    plan.apply?.(world, null);
    if (mustBeDone) return;
    await this.#settle();
    // Either all of it happened, or nothing did. What did not happen may be a whole account, whose keys are refused then.
    const name = plan.book?.name ?? null;
    if (await this.#agrees(name)) return;
    const before = structuredClone(this.#before);
    if (name === null) Object.assign(world, before);
    else world.books = world.books.map((book) => (book.name === name ? same(before, book) : book));
  }

  /** Lets the service do what is due now, deliveries included. */
  async #nudge(): Promise<void> {
    await this.#host.ask({ method: "POST", path: "/_sandbox/clock/advance", key: TEST_KEY, body: { seconds: 0 } });
  }

  async #settle(): Promise<void> {
    await this.#nudge();
    moveTo(this.#run.world, this.#run.world.now);
  }

  /** After a restart or a restore the service remembers fewer attempts than were made; receivers go by its memory. */
  async #syncReceivers(): Promise<void> {
    const attempts = new Map<string, number>();
    // Every account that there was in the run: a restore may bring one back that the step before had not.
    for (const key of this.#run.keys.values()) {
      for (let after = ""; ; ) {
        const path = `/_sandbox/webhooks/deliveries?limit=100${after}`;
        const page = await this.#host.ask({ method: "GET", path, key });
        // The second account is not there before it was restored, and after a reset.
        if (page?.status !== 200) break;
        for (const one of page.body.data) attempts.set(one.id, one.attempts);
        if (!page.body.has_more) break;
        after = `&after=${page.body.next_cursor}`;
      }
    }
    this.#receivers.remember(attempts);
  }

  async #problems(only: string | null): Promise<string[]> {
    const { world } = this.#run;
    // Two states of a service may differ by nothing but the clock: a restore after a small advance, for example.
    const clock = await this.#host.ask({ method: "GET", path: "/_sandbox/clock", key: TEST_KEY });
    const expected = new Date(world.now).toISOString();
    const problems =
      clock?.body.now === expected ? [] : [`the clock: expected "${expected}", read "${clock?.body.now}"`];
    for (const book of world.books) {
      if (only !== null && book.name !== only) continue;
      const seen = await readFigures(this.#host, book, this.#run.keys.get(book.name) ?? "");
      problems.push(...differences(expectedFigures(book), seen).map((text) => `${book.name}: ${text}`));
    }
    return problems;
  }

  async #agrees(only: string | null): Promise<boolean> {
    try {
      return (await this.#problems(only)).length === 0;
    } catch (error) {
      if (error instanceof ReadFailure) return false;
      throw error;
    }
  }

  async #compare(only: string | null): Promise<void> {
    demand(await this.#problems(only));
  }

  /** The secrets with which a request to this URL may be signed; null when one of them is not known. */
  #secretsFor(url: string): string[] | null {
    const [, owner = ""] = new URL(url).pathname.split("/");
    const account = /^(?:account|elsewhere)-(.+)$/.exec(owner)?.[1];
    const known = this.#run.secrets.get(decodeURIComponent(account ?? ""));
    if (known !== undefined) return [known];
    const endpoints = [this.#before, this.#run.world].flatMap(({ books }) => books).flatMap((book) => book.endpoints);
    const found = endpoints.filter((one) => one.url === url || one.id === account).map(({ secret }) => secret);
    return found.every((secret): secret is string => secret !== null) ? found : null;
  }

  #judgeSignatures(disturbance: Disturbance | null): void {
    const corrupts = disturbance?.how === "chaos" && disturbance.setting === "corrupt_signature";
    for (const one of this.#receivers.arrived) {
      const secrets = this.#secretsFor(one.url);
      if (secrets === null || secrets.length === 0) continue;
      this.#count("webhooks");
      if (isSigned(one, secrets) === corrupts) {
        throw new Disagreement([`a webhook to ${one.url} has a ${corrupts ? "right" : "wrong"} signature: ${one.raw}`]);
      }
    }
  }
}

async function newRun(host: Host, receivers: string): Promise<Run> {
  const { users, signingSecret } = host;
  const added = await host.ask({ method: "POST", path: "/_sandbox/accounts", key: TEST_KEY, body: { name: "Second" } });
  const second = added?.body;
  const ownerOf = (all: typeof users) => {
    const { email = "", password } = all.find(({ role }) => role === "OWNER") ?? {};
    return { email, password: password ?? "" };
  };
  let numbers = 0;
  const books = (["first", "second"] as const).flatMap((account) =>
    (["test", "live"] as const).map((mode) => emptyBook(`${account} ${mode}`, account, mode)),
  );
  return {
    ...{ host, receivers, saved: new Map() },
    world: { now: START, books, keys: {}, dead: [] },
    keys: new Map([
      ["first test", TEST_KEY],
      ["first live", LIVE_KEY],
      ["second test", second.test_key],
      ["second live", second.live_key],
    ]),
    owners: new Map([
      ["first", ownerOf(users)],
      ["second", ownerOf(second.users)],
    ]),
    secrets: new Map([
      ["first", signingSecret],
      ["second", second.signing_secret],
    ]),
    next: () => ++numbers,
  };
}
