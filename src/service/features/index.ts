import { namesOf } from "../../base/kernel/names.js";
import { access } from "./access/index.js";
import { emails } from "./emails/index.js";
import { history } from "./history/index.js";
import { med } from "./med/index.js";
import { payouts } from "./payouts/index.js";
import { refunds } from "./refunds/index.js";
import { requests } from "./requests/index.js";
import { transactions } from "./transactions/index.js";
import { wallets } from "./wallets/index.js";
import { webhooks } from "./webhooks/index.js";

/**
 * The nouns of the service, each after those that it imports from, types included. For facts about a later noun, such
 * as the refund in an event of its transaction, an earlier one declares a type of its own.
 */
const BY_FOLDER = { history, requests, emails, access, webhooks, wallets, transactions, refunds, payouts, med };

export const NOUNS = Object.values(BY_FOLDER);
export const NOUN_FOLDERS = namesOf(BY_FOLDER);
