/** The mixed load of the soak: what an integration does in a day, in the proportions of one. */

const KEPT = 500;
const LAST_ANSWER_MS = 60_000;

/**
 * Sends one request after the other is due, whether or not earlier ones are answered.
 * @returns what was counted: requests by operation, the statuses that were not expected, and times in milliseconds
 */
export function startLoad({ url, test_key: key }, rate) {
  const counts = {};
  const unexpected = {};
  let times = [];
  const open = { charges: [], paid: [], cases: [] };
  let number = 0;

  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  function keep(list, value) {
    list.push(value);
    if (list.length > KEPT) list.shift();
  }

  function note(problem) {
    unexpected[problem] = (unexpected[problem] ?? 0) + 1;
  }

  async function ask(method, path, expected, body, headers = {}) {
    const began = performance.now();
    const init = { method, headers: { apikey: key, "content-type": "application/json", ...headers } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    times.push(performance.now() - began);
    if (!expected.includes(answer.status)) {
      note(`${answer.status} to ${method} ${path.replace(/\w+_[\da-f-]{36}|[\da-f-]{36}/, "{id}")}`);
    }
    return answer.ok && text !== "" ? JSON.parse(text) : null;
  }

  const idempotent = () => ({ "idempotency-key": `soak-${process.pid}-${number}-key` });
  async function create() {
    const amount = 1 + Math.floor(Math.random() * 100_000);
    const made = await ask("POST", "/v1/charges", [201], { amount, payment_method: "pix" }, idempotent());
    if (made !== null) keep(open.charges, made.id);
  }
  async function pay() {
    const id = open.charges.shift();
    if (id === undefined) return create();
    if ((await ask("POST", `/_sandbox/charges/${id}/pay`, [200])) !== null) keep(open.paid, id);
  }
  async function refund() {
    const id = open.paid.shift();
    if (id === undefined) return pay();
    const body = { idempotencyKey: `soak-refund-${number}`, amount: 1 };
    await ask("POST", `/v1/payments/${id.replace("ch_", "")}/refund`, [201], body);
  }
  async function contest() {
    const id = open.paid.pop();
    if (id === undefined) return pay();
    const made = await ask("POST", "/_sandbox/med-cases", [201], { charge_id: id });
    if (made !== null) keep(open.cases, made.id);
  }
  async function decide() {
    const id = open.cases.shift();
    if (id === undefined) return contest();
    const outcome = pick(["upheld", "refunded_to_merchant", "closed_without_refund"]);
    await ask("POST", `/_sandbox/med-cases/${id}/decide`, [200], { outcome });
  }
  async function read() {
    const id = pick(open.charges);
    if (id !== undefined) await ask("GET", `/v1/charges/${id}`, [200]);
  }

  let isPassing = false;
  /** One at a time, because each waits for its turn, and for receivers that take their 30 seconds. */
  async function passMinute() {
    if (isPassing) return read();
    isPassing = true;
    await ask("POST", "/_sandbox/clock/advance", [200], { seconds: 60 }).finally(() => {
      isPassing = false;
    });
  }

  /** How many of 100 requests are of each kind. */
  const MIX = [
    [30, "create", create],
    [20, "pay", pay],
    [5, "refund", refund],
    [2, "open a MED case", contest],
    [2, "decide a MED case", decide],
    [17, "read", read],
    [8, "list payments", () => ask("GET", "/v1/payments?limit=20", [200])],
    [4, "list deliveries", () => ask("GET", "/v1/webhooks/deliveries?limit=20", [200])],
    [3, "read balances", () => ask("GET", "/v1/wallets/balance", [200])],
    [3, "read statistics", () => ask("GET", "/v1/payments/stats", [200])],
    [2, "a wrong key", () => ask("GET", "/v1/wallets", [401], undefined, { apikey: "qa_test_wrong" })],
    [2, "a wrong body", () => ask("POST", "/v1/charges", [400], { amount: "ten" }, idempotent())],
    [1, "an unknown charge", () => ask("GET", "/v1/charges/ch_00000000-0000-4000-8000-000000000000", [404])],
    [1, "pass a minute", passMinute],
  ].flatMap(([share, name, run]) => Array.from({ length: share }, () => ({ name, run })));

  const underWay = new Map();
  const timer = setInterval(() => {
    number += 1;
    const { name, run } = pick(MIX);
    counts[name] = (counts[name] ?? 0) + 1;
    const work = run().catch((error) => note(String(error.cause ?? error)));
    underWay.set(work, name);
    void work.finally(() => underWay.delete(work));
  }, 1_000 / rate);

  return {
    counts,
    unexpected,
    ask,
    /** The times of the requests since the last call. */
    taken() {
      const taken = times;
      times = [];
      return taken;
    },
    /** Ends the load. Resolves to the names of requests that have no answer a minute later. */
    async stop() {
      clearInterval(timer);
      let limit;
      const patience = new Promise((resolve) => {
        limit = setTimeout(resolve, LAST_ANSWER_MS);
      });
      await Promise.race([Promise.all(underWay.keys()), patience]);
      clearTimeout(limit);
      return [...underWay.values()];
    },
  };
}
