import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import { USERS_OF_START } from "../../base/kernel/cause.js";
import type { Runtime } from "../../base/kernel/runtime.js";
import { addUsers, hashPasswords, type NewUser } from "../../service/features/access/actions.js";
import type { ServiceSettings } from "../../service/features/service-settings.js";
import type { Tx } from "../../service/features/tx.js";

/** Stores the users that a start has created. Hashing a password is slow, so the start itself does not wait for it. */
export function createNewUsers(
  { random, log }: Pick<Runtime, "random" | "log">,
  settings: Pick<ServiceSettings, "passwordCost">,
) {
  let store = () => Promise.resolve();
  let waitUntilStored: Promise<void> | null = null;
  return {
    /** Receives the users of this start; they are stored at the first call of `waitUntilStored`. */
    set(users: readonly NewUser[], uow: UnitOfWork<Tx>): void {
      if (users.length === 0) return;
      store = async () => {
        try {
          const hashed = await hashPasswords(users, random, settings);
          await uow.write((tx) => addUsers(tx, hashed), USERS_OF_START);
        } catch (error) {
          log.error("the users of this start could not be stored; the next start creates new ones", error);
        }
      };
    },
    /** Resolves when the users are stored. A login and a snapshot wait for it. */
    stored(): Promise<void> {
      waitUntilStored ??= store();
      return waitUntilStored;
    },
  };
}
