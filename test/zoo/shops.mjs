import { resolve } from "node:path";

/** @param {string} file Of this repository, where tests and scripts are run. */
const at = (file) => resolve(file);

/**
 * The shops of the zoo that are wrong in one way each, as real integrations are. `shop.mjs --wrong NAME` is that shop.
 *
 * `faults` aim `survive` at it; none means that it goes wrong in any schedule. `oracle` is what must find it; null: nothing does.
 *
 * @typedef {{ about: string, faults: readonly string[], oracle: string | null }} Wrong
 * @type {Readonly<Record<string, Wrong>>}
 */
export const WRONG = {
  "ships-each-time": {
    about: "A webhook that comes twice sends the goods twice.",
    faults: ["duplicate"],
    oracle: "fulfilled_twice",
  },
  "ships-for-each-family": {
    about: "charge.paid and payment.completed tell of one payment, and the goods go out for each of them.",
    faults: [],
    oracle: "fulfilled_twice",
  },
  "no-lock": {
    about: "Looks whether the goods went out, waits for its store, then sends them: two webhooks at once both send.",
    faults: ["simultaneous"],
    oracle: "fulfilled_twice",
  },
  "remembers-in-memory": {
    about:
      "Which goods went out is known in memory alone: a webhook that comes again after a restart sends them again.",
    faults: ["duplicate", "restart"],
    oracle: "fulfilled_twice",
  },
  "old-expiry-cancels": {
    about: "The expiry of an old attempt cancels the order that a newer attempt has paid.",
    faults: ["expiry"],
    oracle: "paid_not_fulfilled",
  },
  "last-word-wins": {
    about:
      "Takes the webhook that came last for the present state, so that a late charge.created opens a paid order again.",
    faults: ["reordered"],
    oracle: "paid_not_fulfilled",
  },
  "answers-first": {
    about: "Answers 200 and works afterwards: what it was told is lost when it is killed in between.",
    faults: ["restart"],
    oracle: "paid_not_fulfilled",
  },
  "orders-in-memory": {
    about: "Has its orders in memory, so that a restart loses them.",
    faults: ["restart"],
    oracle: "paid_not_fulfilled",
  },
  "new-key-each-try": {
    about: "Makes a new idempotency key for each try, so that a lost answer leads to a second charge.",
    faults: ["api_lost_answer"],
    oracle: "charged_twice",
  },
  impatient: {
    about: "Takes a slow answer for a refusal and starts another attempt.",
    faults: ["api_slow"],
    oracle: "charged_twice",
  },
  "no-second-try": {
    about: "One 429 is the end of the order: it is marked as failed, and what is paid later is not looked at.",
    faults: ["api_429"],
    oracle: "paid_not_fulfilled",
  },
  "trusts-anybody": {
    about: "Does not verify the signature, so that anybody can pay an order.",
    faults: ["forged"],
    oracle: "forgery_believed",
  },
  "trusts-the-past": {
    about: "Verifies the digest and not the timestamp, so that a recorded webhook is believed for ever.",
    faults: ["stale"],
    oracle: "forgery_believed",
  },
  "refuses-new-fields": {
    about: "Checks bodies against a closed list of fields, and refuses a webhook with a new one.",
    faults: ["unknown_fields"],
    oracle: "never_settles",
  },
  "dies-of-new-values": {
    about: "Throws at a value that is not in its list, where nothing catches it.",
    faults: ["unknown_values"],
    oracle: "shop_died",
  },
  "refuses-known-events": {
    about: "Answers 409 to an event that it knows already, which is then sent again and again.",
    faults: ["cut_answer"],
    oracle: "never_settles",
  },
  "dies-without-answer": {
    about: "A request to the service that gets no answer throws where nothing catches it.",
    faults: ["api_lost_answer"],
    oracle: "shop_died",
  },
  "takes-503-for-no": {
    about: "Asks the service about each webhook, and takes an error for a charge that is not paid.",
    faults: ["api_503"],
    oracle: "paid_not_fulfilled",
  },
  "letters-stripped": {
    about: "Keeps the digits of a document alone, so that a CNPJ with letters is refused by the service.",
    faults: ["letters_in_cnpj"],
    oracle: "buy_refused",
  },
  "any-end-is-paid": {
    about: "Takes every charge that is not pending any more for paid, also one that has expired.",
    faults: ["expiry"],
    oracle: "fulfilled_unpaid",
  },
  "refund-means-paid": {
    about:
      "Concludes from a refund that the order was paid: money of the wrong payer, which went back at once, ships it.",
    faults: ["other_payer"],
    oracle: "fulfilled_unpaid",
  },
  "ignores-refunds": {
    about: "Does not listen to payment.refunded: the order stays paid.",
    faults: ["refund"],
    oracle: "refund_unknown",
  },
  "part-is-all": {
    about: "Takes a refund of a part for a refund of everything.",
    faults: ["partial_refund"],
    oracle: "refund_unknown",
  },
  "ignores-disputes": {
    about: "Does not listen to MED cases: the order stays paid.",
    faults: ["dispute"],
    oracle: "dispute_unknown",
  },
  // Mistakes that `survive` cannot see.
  "tries-once": {
    about: "Sends a request to the service once: the customer has to come back, as `survive` does.",
    faults: ["api_503"],
    oracle: null,
  },
  "no-flush": {
    about: "Answers before the system has written to the disk: a killed process loses nothing, a power cut does.",
    faults: ["restart"],
    oracle: null,
  },
  "compares-plainly": {
    about: "Compares digests in a time that tells how much of them fits.",
    faults: ["forged"],
    oracle: null,
  },
};

/** The shops that are right, by what they are. */
export const RIGHT = {
  "Node, believes webhooks alone": ["node", at("test/zoo/shop.mjs")],
  "Node, reads the charge": ["node", at("examples/shop/shop.mjs"), "orders.json"],
  "Python, reads the charge": ["python3", at("examples/shop-python/shop.py"), "shop.db"],
  "PHP, reads the charge": [
    "sh",
    "-c",
    `SHOP_FILE=orders.json exec php -S 127.0.0.1:$PORT ${at("examples/shop-php/shop.php")}`,
  ],
};

/** @param {string} name */
export const wrongShop = (name) => ["node", at("test/zoo/shop.mjs"), "--wrong", name];
