import { shorten } from "../../base/kernel/errors.js";
import { t, type Wording } from "../../base/kernel/wording.js";
import { mayBeOrder } from "./causes.js";

/** The mode of the book that has an id, and its account; null for the caller's own. */
export interface Elsewhere {
  readonly mode: string;
  readonly account: string | null;
}

/** The sentence about an id that the caller's book does not have, on an emulator. `found` is the book that has it. */
export function notHereText(given: string, found: Elsewhere | null): Wording {
  const id = shorten(given);
  if (found === null) {
    return mayBeOrder(given)
      ? t`None of the newest 2,000 payments names the order ${id}, and no request in the log has this id.`
      : t`Nothing on this emulator has the id ${id}.`;
  }
  const { mode, account } = found;
  return account === null
    ? t`${id} belongs to this account, in ${mode} mode. Use its ${mode} key.`
    : t`${id} belongs to the account ${account}, in ${mode} mode. Use a ${mode} key of that account.`;
}
