import type { Core } from "./core.js";
import type { EmulatorOptions } from "./emulator-types.js";
import { type FirstAccount, findFirstAccount } from "./first-account.js";

/** Brings the database into the state in which a start needs it, in one unit of work. */
export async function prepareDatabase(core: Core, options: EmulatorOptions): Promise<FirstAccount> {
  const { uow, clock, real, stores, log, secrets, newUsers } = core;
  const account = await uow.write((tx) => {
    const isKnown = clock.restore();
    if (options.frozen && !clock.frozen) clock.freezeAt(isKnown ? clock.now() : real.epoch(), tx);
    else clock.persist();
    for (const secret of secrets) secret();
    stores.webhooks.recoverClaimed();
    // A reset may take the emulated clock back to real time, but nothing takes it back further.
    stores.users.forgetTokensBefore(Math.min(clock.now(), real.epoch()));
    return findFirstAccount({ ...tx, now: clock.now() }, options, log);
  });
  newUsers.set(account.newUsers, uow);
  return account;
}
