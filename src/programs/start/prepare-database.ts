import { START } from "../../base/kernel/cause.js";
import { iso } from "../../base/kernel/time.js";
import { extendShared, type Tx } from "../../service/features/tx.js";
import type { Core } from "./core.js";
import { type FirstAccount, findFirstAccount } from "./first-account.js";

function prepareClock({ clock, real, log, settings }: Core, tx: Tx): void {
  const { frozen, startAt, clockSpeed } = settings;
  const isKnown = clock.restore(tx);
  if (isKnown && startAt !== null) {
    const way = "Move its clock with `qa-pay sandbox clock advance`, or choose a new file with --db";
    log.warn(`--start-at ${iso(startAt)} has no effect: this database has a clock, at ${iso(clock.now())}. ${way}`);
  }
  if (!isKnown && startAt !== null) clock.beginAt(startAt, frozen, tx);
  else if (frozen && !clock.frozen) clock.freezeAt(isKnown ? clock.now() : real.epoch(), tx);
  else clock.persist();
  if (clockSpeed !== null) clock.setSpeed(clockSpeed, tx);
}

/** Prepares the database for a start, in one unit of work. */
export async function prepareDatabase(core: Core): Promise<FirstAccount> {
  const { uow, clock, real, stores, log, secrets, newUsers } = core;
  const account = await uow.writeOnce((tx) => {
    prepareClock(core, tx);
    for (const secret of secrets) secret();
    stores.webhooks.recoverClaimed();
    // Only a reset may set the emulated clock back, and not further than to its start.
    stores.users.forgetTokensBefore(Math.min(clock.now(), clock.begunAt ?? real.epoch()));
    return findFirstAccount(extendShared(tx, { now: clock.now() }), log);
  }, START);
  newUsers.set(account.newUsers, uow);
  return account;
}
