import { pick } from "../../../base/kernel/pick.js";
import { answerText, idsOf, listIn } from "../answer.js";
import { checks, type Host, withNeeds } from "../check.js";
import * as expect from "../expect.js";
import { type CheckedExchange, Skip } from "../run-context.js";

/** Keys: which are accepted, and which objects each of them can read. */

/** One route of every kind that needs an API key. */
const ROUTES = [
  "/v1/wallets/balance",
  "/v1/wallets",
  "/v1/payments",
  "/v1/payments/stats",
  "/v1/charges/ch_qa-pay-conform",
  "/v1/webhooks/endpoints",
  "/v1/webhooks/deliveries",
  "/v1/med/cases",
];
const UNAUTHORIZED = { status: 401, code: "unauthorized" };

/** The key with its last character exchanged. */
function withOtherEnd(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
}

async function refusesEverywhere(host: Host, key: "none" | { readonly text: string }): Promise<string> {
  for (const path of ROUTES) {
    const what = `GET ${path} ${key === "none" ? "without a key" : "with a wrong key"}`;
    expect.refusal(await host.get(path, { key }), UNAUTHORIZED, what);
  }
  return `401 unauthorized on ${ROUTES.length} routes`;
}

/** Throws Skip when the host does not know the key of the other mode. */
async function listOfOther(host: Host, path: string): Promise<CheckedExchange> {
  const other = await host.get(path, { key: "other" });
  if (other.status === 401) throw new Skip("the host does not know the key of the other mode");
  return other;
}

export const ACCESS = checks([], {
  "key-missing": (host) => refusesEverywhere(host, "none"),
  "key-unknown": (host) => refusesEverywhere(host, { text: "qa_test_qa-pay-conform-does-not-exist" }),
  async "key-exact"(host) {
    const { apiKey } = host.context;
    for (const text of [withOtherEnd(apiKey), apiKey.toUpperCase(), `${apiKey}x`]) {
      expect.refusal(await host.get("/v1/wallets", { key: { text } }), UNAUTHORIZED, "a key that differs a little");
    }
    return "401 for three keys that differ a little";
  },
  "key-before-body": withNeeds(["write"], async (host) => {
    const seen = await host.ask("POST", "/v1/charges", { key: "none", body: { amount: 0 } });
    expect.refusal(seen, UNAUTHORIZED, "POST /v1/charges without a key");
    return answerText(seen);
  }),
  async "api-keys-login"(host) {
    expect.refusal(await host.get("/v1/api-keys"), UNAUTHORIZED, "GET /v1/api-keys with an API key");
    const without = await host.get("/v1/api-keys", { key: "none" });
    expect.refusal(without, UNAUTHORIZED, "GET /v1/api-keys without anything");
    return "401 with an API key and without one";
  },
  async "event-catalog-open"(host) {
    expect.status(await host.get("/v1/webhooks/event-catalog", { key: "none" }), 200);
    return "200 without a key";
  },
  "modes-apart": withNeeds(["other_key"], async (host) => {
    const id = await host.objects.paymentId();
    const other = await listOfOther(host, "/v1/payments");
    expect.refusal(await host.get(`/v1/payments/${id}`, { key: "other" }), expect.NOT_FOUND);
    expect.refusal(await host.get(`/v1/charges/${id}`, { key: "other" }), expect.NOT_FOUND);
    const shared = idsOf(listIn(other)).filter((one) => one.endsWith(id));
    expect.that(shared.length === 0, "The list of the other mode has other payments.", `it has ${shared[0]}`, other);
    return "404 with the key of the other mode, and not in its list";
  }),
  "modes-apart-lists": withNeeds(["other_key"], async (host) => {
    for (const path of ["/v1/med/cases", "/v1/webhooks/endpoints", "/v1/webhooks/deliveries"]) {
      const own = new Set(idsOf(listIn(await host.get(path))));
      const other = await listOfOther(host, path);
      const shared = listIn(other).find((one) => own.has(String(pick(one, "id"))));
      const saw = `GET ${path} shows ${String(pick(shared, "id"))} to both`;
      expect.that(shared === undefined, "Both keys see different objects.", saw, other);
    }
    return "three lists, no object in both modes";
  }),
});
