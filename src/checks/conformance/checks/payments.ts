import { isJsonObject } from "../../../base/kernel/json.js";
import { pick } from "../../../base/kernel/pick.js";
import { answerText, field, idsOf, listIn, requireSome, steadily, valueText } from "../answer.js";
import { asWarning, checks, type Host, withNeeds } from "../check.js";
import * as expect from "../expect.js";
import type { CheckedExchange } from "../run-context.js";
import { withoutPrefix } from "../test-objects.js";

/** Payments: reading, lists, statistics. */

const UNKNOWN = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";

async function page(host: Host, query: string): Promise<{ readonly seen: CheckedExchange; readonly ids: string[] }> {
  const seen = await host.get(`/v1/payments?${query}`);
  expect.status(seen, 200);
  return { seen, ids: idsOf(listIn(seen)) };
}

function expectOrder(seen: CheckedExchange, path: string, order: "newest" | "oldest"): void {
  const times = listIn(seen).map((one) => Date.parse(String(pick(one, path))));
  const wrong = times.findIndex((time, index) => {
    const before = times[index - 1] ?? time;
    return order === "newest" ? before < time : before > time;
  });
  const saw = `entry ${wrong} is ${order === "newest" ? "newer" : "older"} than the one before it`;
  expect.that(wrong === -1, `${seen.path} is ordered by ${path}, ${order} first.`, saw, seen);
}

export const PAYMENTS = checks([], {
  async "payment-shape"(host) {
    const id = await host.objects.paymentId();
    const seen = await expect.expectServed(host, "GET /v1/payments/{id}", { params: { id } });
    expect.value(seen, "id", id);
    return `payment ${id} as in the schema`;
  },
  async "payment-net-amount"(host) {
    const listed = requireSome(await host.objects.payments(), 1, "payments");
    for (const one of listed) {
      const [amount, provider, platform, net] = ["amount", "providerFee", "platformFee", "netAmount"].map((name) =>
        pick(one, name),
      );
      if (net === null || net === undefined) continue;
      const sum = Number(amount) - Number(provider) - Number(platform);
      const saw = `${String(pick(one, "id"))}: ${valueText(amount)} - ${valueText(provider)} - ${valueText(platform)} and ${valueText(net)}`;
      expect.that(sum === net, "netAmount is amount - providerFee - platformFee.", saw);
    }
    return `${listed.length} payments, all of them so`;
  },
  async "payments-list"(host) {
    await host.objects.payments();
    const seen = await expect.expectServed(host, "GET /v1/payments");
    const [number, limit] = [field(seen, "page"), field(seen, "limit")];
    const saw = `${valueText(number)} and ${valueText(limit)}`;
    expect.that(number === 1 && limit === 20, "page is 1 and limit 20.", saw, seen);
    const other = idsOf(listIn(seen)).find((id) => !id.startsWith("tx_"));
    expect.that(other === undefined, "Ids in lists begin with tx_.", `one is ${valueText(other)}`, seen);
    const count = listIn(seen).length;
    const total = Number(field(seen, "total"));
    const isCounted = count === Math.min(total, 20);
    expect.that(isCounted, "data has as many entries as total, 20 at most.", `${count} of ${total}`, seen);
    return `${count} of ${total}`;
  },
  async "payments-pages"(host) {
    requireSome(await host.objects.payments(), 2, "payments");
    return steadily(async () => {
      const both = await page(host, "limit=2");
      for (const [number, wanted] of both.ids.entries()) {
        const { seen, ids } = await page(host, `limit=1&page=${number + 1}`);
        const saw = ids.join(", ") || "an empty page";
        expect.that(ids.length === 1 && ids[0] === wanted, `Page ${number + 1} of one entry is ${wanted}.`, saw, seen);
      }
      return "two pages of one are the page of two";
    });
  },
  async "payments-order"(host) {
    requireSome(await host.objects.payments(), 2, "payments");
    expectOrder((await page(host, "limit=50")).seen, "createdAt", "newest");
    expectOrder((await page(host, "limit=50&sortOrder=asc")).seen, "createdAt", "oldest");
    return "both orders";
  },
  async "payments-filter"(host) {
    const [first] = requireSome(await host.objects.payments(), 1, "payments");
    const [status, createdAt] = [pick(first, "status"), pick(first, "createdAt")];
    const filtered = await page(host, `status=${String(status)}&limit=100`);
    const other = listIn(filtered.seen).find((one) => pick(one, "status") !== status);
    const saw = `one is ${valueText(pick(other, "status"))}`;
    expect.that(other === undefined, `All payments are ${String(status)}.`, saw, filtered.seen);
    const since = await page(host, `startDate=${encodeURIComponent(String(createdAt))}&limit=100`);
    const from = Date.parse(String(createdAt));
    const older = listIn(since.seen).find((one) => Date.parse(String(pick(one, "createdAt"))) < from);
    const old = `one is of ${valueText(pick(older, "createdAt"))}`;
    expect.that(older === undefined, `No payment is older than ${String(createdAt)}.`, old, since.seen);
    return `status=${String(status)} and startDate`;
  },
  "payments-limit": asWarning(
    expect.refuses("400 for five wrong queries", expect.INVALID, [
      "GET /v1/payments?limit=101",
      "GET /v1/payments?limit=0",
      "GET /v1/payments?page=0",
      "GET /v1/payments?status=NONE",
      "GET /v1/payments?startDate=yesterday",
    ]),
  ),
  "payment-unknown": expect.refuses("404 not_found on four routes, and for an id of another form", expect.NOT_FOUND, [
    `GET /v1/payments/${UNKNOWN}`,
    `GET /v1/payments/${UNKNOWN}/refunds`,
    `GET /v1/payments/${UNKNOWN}/provider-status`,
    `GET /v1/payments/${UNKNOWN}/receipt`,
    "GET /v1/payments/qa-pay-conform",
  ]),
  async "stats-shape"(host) {
    for (const [query, days] of [
      [{}, 7],
      [{ days: 3 }, 3],
    ] as const) {
      const seen = await expect.expectServed(host, "GET /v1/payments/stats", { query });
      const points = listIn(seen, "dailyVolume").map((point) => String(pick(point, "date")));
      expect.that(points.length === days, `dailyVolume has ${days} points.`, `it has ${points.length}`, seen);
      const wrong = points.find((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date));
      expect.that(wrong === undefined, "A date reads like 2026-11-21.", `one is ${valueText(wrong)}`, seen);
    }
    return "7 days by default, 3 when requested";
  },
  async "stats-rate"(host) {
    const seen = await host.get("/v1/payments/stats");
    const total = Number(field(seen, "totalTransactions"));
    const paid = Number(field(seen, "paidTransactions"));
    const rate = Number(field(seen, "successRate"));
    const exact = total === 0 ? 0 : (100 * paid) / total;
    const saw = `${rate} for ${paid} of ${total}`;
    expect.that(Math.abs(rate - exact) < 1, `successRate is near ${exact.toFixed(1)}.`, saw, seen);
    return saw;
  },
  async metrics(host) {
    for (const query of ["", "?days=1&currency=BRL"]) {
      const seen = await host.get(`/v1/payments/metrics${query}`);
      expect.status(seen, 200);
      expect.that(isJsonObject(seen.json), "The body is an object.", `it is ${valueText(seen.json)}`, seen);
    }
    return "200 with an object";
  },
  async "provider-status"(host) {
    const id = await host.objects.paymentId();
    return steadily(async () => {
      const seen = await expect.expectServed(host, "GET /v1/payments/{id}/provider-status", { params: { id } });
      const own = field(await host.get(`/v1/payments/${id}`), "status");
      expect.value(seen, "localStatus", own, `localStatus is ${valueText(own)}.`);
      return String(own);
    });
  },
  "payment-create": withNeeds(["write"], async (host) => {
    const { createPayment, paymentBody } = host.objects;
    const seen = await createPayment(paymentBody());
    expect.status(seen, 201);
    host.shapes.check(seen, "POST /v1/payments", 201);
    expect.value(seen, "status", "WAITING_PAYMENT");
    const id = field(seen, "id");
    expect.that(id === withoutPrefix(id), "The id of a creation has no prefix.", `it is ${valueText(id)}`, seen);
    return answerText(seen);
  }),
  "payment-create-wrong": withNeeds(["write"], async (host) => {
    const wrong = [
      { paymentMethods: undefined },
      { amount: 0 },
      { amount: undefined },
      { customerEmail: "nobody" },
      { idempotencyKey: undefined },
    ].flatMap((change) => expect.wrongFields("A payment", host.objects.paymentBody(), [change]));
    await expect.allRefused(wrong, (body) => host.ask("POST", "/v1/payments", { body }));
    return "400 for five wrong bodies";
  }),
  "payment-idempotency": withNeeds(["write"], async (host) => {
    const { createPayment, paymentBody } = host.objects;
    const body = { ...paymentBody(), amount: 4_321 };
    const first = await createPayment(body);
    expect.status(first, 201);
    const again = await createPayment(body);
    const id = field(first, "id");
    expect.value(again, "id", id, `The second answer is payment ${valueText(id)}.`);
    return "one payment for two requests";
  }),
  "payment-cancel": withNeeds(["write"], async (host) => {
    const seen = await host.objects.createCharge(host.objects.chargeBody("it is cancelled"));
    expect.status(seen, 201);
    const id = withoutPrefix(field(seen, "id"));
    const cancelled = await host.ask("POST", `/v1/payments/${id}/cancel`);
    expect.status(cancelled, 200);
    expect.value(cancelled, "status", "CANCELLED");
    const charge = await host.get(`/v1/charges/ch_${id}`);
    expect.value(charge, "status", "cancelled", "The charge is cancelled.");
    const again = await host.ask("POST", `/v1/payments/${id}/cancel`);
    expect.that(again.status >= 400, "A second cancel is refused.", `it was accepted with ${again.status}`, again);
    return "CANCELLED, and a second cancel is refused";
  }),
});
