import { medEvents } from "./med/machine.js";
import { payoutEvents } from "./payouts/machine.js";
import { transactionEvents } from "./transactions/machine.js";

/**
 * The events of the nouns, apart from their other parts: machines, columns and the commands of a client need the names
 * of all events, and load neither schemas nor stores.
 */
export const EVENTS = [transactionEvents, payoutEvents, medEvents];
