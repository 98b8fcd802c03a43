import { type Merged, mergeParts } from "../../base/kernel/merge-parts.js";
import access from "./access/texts.json" with { type: "json" };
import emails from "./emails/texts.json" with { type: "json" };
import history from "./history/texts.json" with { type: "json" };
import med from "./med/texts.json" with { type: "json" };
import payouts from "./payouts/texts.json" with { type: "json" };
import refunds from "./refunds/texts.json" with { type: "json" };
import requests from "./requests/texts.json" with { type: "json" };
import transactions from "./transactions/texts.json" with { type: "json" };
import wallets from "./wallets/texts.json" with { type: "json" };
import webhooks from "./webhooks/texts.json" with { type: "json" };

/** The texts of the nouns, apart from their other parts, because the pages of the console load them. */
const NOUN_TEXTS = [history, requests, emails, access, webhooks, wallets, transactions, refunds, payouts, med] as const;

type Texts = (typeof NOUN_TEXTS)[number];

/** One table of all nouns. */
export function textsOfNouns<Name extends keyof Texts>(table: Name): Merged<Texts[Name]> {
  return mergeParts(NOUN_TEXTS.map((texts): Texts[Name] => texts[table]));
}
