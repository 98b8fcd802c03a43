import { isJsonObject } from "../../kernel/json.js";
import { pick } from "../../kernel/pick.js";
import {
  answerText,
  expectRefusal,
  expectStatus,
  expectThat,
  field,
  idsOf,
  listIn,
  requireSome,
  shown,
  steadily,
} from "../expect.js";
import { rawId } from "../material.js";
import type { Check, Host, Seen } from "../types.js";

/** Payments: reading, lists, statistics. */

const UNKNOWN = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const NOT_FOUND = { status: 404, code: "not_found" };

async function page(host: Host, query: string): Promise<{ readonly seen: Seen; readonly ids: string[] }> {
  const seen = await host.get(`/v1/payments?${query}`);
  expectStatus(seen, 200);
  return { seen, ids: idsOf(listIn(seen)) };
}

function expectOrder(seen: Seen, path: string, order: "newest" | "oldest"): void {
  const times = listIn(seen).map((one) => Date.parse(String(pick(one, path))));
  const wrong = times.findIndex((time, index) => {
    const before = times[index - 1] ?? time;
    return order === "newest" ? before < time : before > time;
  });
  const saw = `entry ${wrong} is ${order === "newest" ? "newer" : "older"} than the one before it`;
  expectThat(wrong === -1, `${seen.path} is ordered by ${path}, ${order} first.`, saw, seen);
}

export const PAYMENTS: readonly Check[] = [
  {
    name: "payment-shape",
    section: "2.4",
    about: "A payment that is read has all its fields; those of other methods are null.",
    async run(host) {
      const id = await host.material.paymentId();
      const seen = await host.get(`/v1/payments/${id}`);
      expectStatus(seen, 200);
      host.shapes.check(seen, "GET /v1/payments/{id}");
      expectThat(field(seen, "id") === id, `id is ${id}.`, `it is ${shown(field(seen, "id"))}`, seen);
      return `payment ${id} as in the schema`;
    },
  },
  {
    name: "payment-net-amount",
    section: "2.4",
    about: "netAmount is amount minus both fees.",
    async run(host) {
      const listed = requireSome(await host.material.payments(), 1, "payments");
      for (const one of listed) {
        const [amount, provider, platform, net] = ["amount", "providerFee", "platformFee", "netAmount"].map((name) =>
          pick(one, name),
        );
        if (net === null || net === undefined) continue;
        const sum = Number(amount) - Number(provider) - Number(platform);
        const saw = `${String(pick(one, "id"))}: ${shown(amount)} - ${shown(provider)} - ${shown(platform)} and ${shown(net)}`;
        expectThat(sum === net, "netAmount is amount - providerFee - platformFee.", saw);
      }
      return `${listed.length} payments, all of them so`;
    },
  },
  {
    name: "payments-list",
    section: "4.7",
    about: "The list of payments has data, total, page 1 and limit 20, with tx_ ids.",
    async run(host) {
      await host.material.payments();
      const seen = await host.get("/v1/payments");
      expectStatus(seen, 200);
      host.shapes.check(seen, "GET /v1/payments");
      const [number, limit] = [field(seen, "page"), field(seen, "limit")];
      expectThat(number === 1 && limit === 20, "page is 1 and limit 20.", `${shown(number)} and ${shown(limit)}`, seen);
      const other = idsOf(listIn(seen)).find((id) => !id.startsWith("tx_"));
      expectThat(other === undefined, "Ids in lists begin with tx_.", `one is ${shown(other)}`, seen);
      const count = listIn(seen).length;
      const total = Number(field(seen, "total"));
      const isCounted = count === Math.min(total, 20);
      expectThat(isCounted, "data has as many entries as total, 20 at most.", `${count} of ${total}`, seen);
      return `${count} of ${total}`;
    },
  },
  {
    name: "payments-pages",
    section: "4.7",
    about: "Pages follow each other without a gap and without a repetition.",
    async run(host) {
      requireSome(await host.material.payments(), 2, "payments");
      return steadily(async () => {
        const both = await page(host, "limit=2");
        for (const [number, wanted] of both.ids.entries()) {
          const { seen, ids } = await page(host, `limit=1&page=${number + 1}`);
          const saw = ids.join(", ") || "an empty page";
          expectThat(ids.length === 1 && ids[0] === wanted, `Page ${number + 1} of one entry is ${wanted}.`, saw, seen);
        }
        return "two pages of one are the page of two";
      });
    },
  },
  {
    name: "payments-order",
    section: "4.7",
    about: "Payments come newest first, and oldest first with sortOrder=asc.",
    async run(host) {
      requireSome(await host.material.payments(), 2, "payments");
      expectOrder((await page(host, "limit=50")).seen, "createdAt", "newest");
      expectOrder((await page(host, "limit=50&sortOrder=asc")).seen, "createdAt", "oldest");
      return "both orders";
    },
  },
  {
    name: "payments-filter",
    section: "4.7",
    about: "The filters status and startDate leave out the other payments.",
    async run(host) {
      const [first] = requireSome(await host.material.payments(), 1, "payments");
      const [status, createdAt] = [pick(first, "status"), pick(first, "createdAt")];
      const filtered = await page(host, `status=${String(status)}&limit=100`);
      const other = listIn(filtered.seen).find((one) => pick(one, "status") !== status);
      const saw = `one is ${shown(pick(other, "status"))}`;
      expectThat(other === undefined, `All payments are ${String(status)}.`, saw, filtered.seen);
      const since = await page(host, `startDate=${encodeURIComponent(String(createdAt))}&limit=100`);
      const from = Date.parse(String(createdAt));
      const older = listIn(since.seen).find((one) => Date.parse(String(pick(one, "createdAt"))) < from);
      const old = `one is of ${shown(pick(older, "createdAt"))}`;
      expectThat(older === undefined, `No payment is older than ${String(createdAt)}.`, old, since.seen);
      return `status=${String(status)} and startDate`;
    },
  },
  {
    name: "payments-limit",
    section: "8",
    about: "The list of payments refuses a limit above 100 and values that cannot be.",
    isWarning: true,
    async run(host) {
      for (const [query, param] of [
        ["limit=101", "limit"],
        ["limit=0", "limit"],
        ["page=0", "page"],
        ["status=NONE", "status"],
        ["startDate=yesterday", "startDate"],
      ] as const) {
        expectRefusal(await host.get(`/v1/payments?${query}`), { status: 400, code: "invalid_request", param });
      }
      return "400 for five wrong queries";
    },
  },
  {
    name: "payment-unknown",
    section: "7.2",
    about: "An unknown payment answers 404 not_found on every route of it.",
    async run(host) {
      for (const route of ["", "/refunds", "/provider-status", "/receipt"]) {
        expectRefusal(await host.get(`/v1/payments/${UNKNOWN}${route}`), NOT_FOUND);
      }
      expectRefusal(await host.get("/v1/payments/qa-pay-conform"), NOT_FOUND);
      return "404 not_found on four routes, and for an id of another form";
    },
  },
  {
    name: "stats-shape",
    section: "4.8",
    about: "The statistics have all their fields and one point for each day.",
    async run(host) {
      for (const [query, days] of [
        ["", 7],
        ["?days=3", 3],
      ] as const) {
        const seen = await host.get(`/v1/payments/stats${query}`);
        expectStatus(seen, 200);
        host.shapes.check(seen, "GET /v1/payments/stats");
        const points = listIn(seen, "dailyVolume").map((point) => String(pick(point, "date")));
        expectThat(points.length === days, `dailyVolume has ${days} points.`, `it has ${points.length}`, seen);
        const wrong = points.find((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date));
        expectThat(wrong === undefined, "A date reads like 2026-11-21.", `one is ${shown(wrong)}`, seen);
      }
      return "7 days by default, 3 when asked";
    },
  },
  {
    name: "stats-rate",
    section: "4.8",
    about: "successRate is the whole percentage of payments that were paid.",
    async run(host) {
      const seen = await host.get("/v1/payments/stats");
      const [total, paid, rate] = ["totalTransactions", "paidTransactions", "successRate"].map((name) =>
        Number(field(seen, name)),
      ) as [number, number, number];
      const exact = total === 0 ? 0 : (100 * paid) / total;
      const saw = `${rate} for ${paid} of ${total}`;
      expectThat(Math.abs(rate - exact) < 1, `successRate is near ${exact.toFixed(1)}.`, saw, seen);
      return saw;
    },
  },
  {
    name: "metrics",
    section: "4.8",
    about: "The metrics answer an object, for all currencies and for one.",
    async run(host) {
      for (const query of ["", "?days=1&currency=BRL"]) {
        const seen = await host.get(`/v1/payments/metrics${query}`);
        expectStatus(seen, 200);
        expectThat(isJsonObject(seen.json), "The body is an object.", `it is ${shown(seen.json)}`, seen);
      }
      return "200 with an object";
    },
  },
  {
    name: "provider-status",
    section: "4.10",
    about: "The status at the provider has its fields, and the local status of the payment.",
    async run(host) {
      const id = await host.material.paymentId();
      return steadily(async () => {
        const seen = await host.get(`/v1/payments/${id}/provider-status`);
        expectStatus(seen, 200);
        host.shapes.check(seen, "GET /v1/payments/{id}/provider-status");
        const [local, own] = [field(seen, "localStatus"), field(await host.get(`/v1/payments/${id}`), "status")];
        expectThat(local === own, `localStatus is ${shown(own)}.`, `it is ${shown(local)}`, seen);
        return String(local);
      });
    },
  },
  {
    name: "payment-create",
    section: "4.6",
    about: "A new payment answers 201 WAITING_PAYMENT with the fields of a creation.",
    needs: ["write"],
    async run(host) {
      const seen = await host.material.payment();
      expectStatus(seen, 201);
      host.shapes.check(seen, "POST /v1/payments", 201);
      const status = field(seen, "status");
      expectThat(status === "WAITING_PAYMENT", "status is WAITING_PAYMENT.", `it is ${shown(status)}`, seen);
      const id = field(seen, "id");
      expectThat(id === rawId(id), "The id of a creation has no prefix.", `it is ${shown(id)}`, seen);
      return answerText(seen);
    },
  },
  {
    name: "payment-create-wrong",
    section: "4.6",
    about: "A payment without a method, an amount, an idempotency key or a valid e-mail is refused.",
    needs: ["write"],
    async run(host) {
      const good = { amount: 100, paymentMethods: ["PIX"], customerName: `qa-pay conform ${host.run}` };
      const wrong: readonly (readonly [string, object])[] = [
        ["paymentMethods", { ...good, paymentMethods: undefined }],
        ["amount", { ...good, amount: 0 }],
        ["amount", { ...good, amount: undefined }],
        ["customerEmail", { ...good, customerEmail: "nobody" }],
        ["idempotencyKey", good],
      ];
      for (const [param, body] of wrong) {
        const key = param === "idempotencyKey" ? {} : { idempotencyKey: host.newKey() };
        const seen = await host.ask("POST", "/v1/payments", { body: { ...body, ...key } });
        expectRefusal(seen, { status: 400, param }, `A payment with a wrong ${param}`);
      }
      return "400 for five wrong bodies";
    },
  },
  {
    name: "payment-idempotency",
    section: "4.6",
    about: "The same idempotencyKey answers the first payment, and makes no second one.",
    needs: ["write"],
    async run(host) {
      const body = {
        amount: 4_321,
        paymentMethods: ["PIX"],
        customerName: `qa-pay conform ${host.run}`,
        metadata: { conform_run: host.run },
        idempotencyKey: host.newKey(),
      };
      const first = await host.ask("POST", "/v1/payments", { body });
      expectStatus(first, 201);
      const again = await host.ask("POST", "/v1/payments", { body });
      const [one, other] = [field(first, "id"), field(again, "id")];
      for (const id of new Set([one, other])) {
        host.atEnd(async () => void (await host.ask("POST", `/v1/payments/${rawId(id)}/cancel`)));
      }
      expectThat(one === other, `The second answer is payment ${shown(one)}.`, `it is ${shown(other)}`, again);
      return "one payment for two requests";
    },
  },
  {
    name: "payment-cancel",
    section: "4.10",
    about: "A waiting payment can be cancelled once, and its charge is cancelled then.",
    needs: ["write"],
    async run(host) {
      const seen = await host.material.createCharge(host.material.chargeBody("it is cancelled"));
      expectStatus(seen, 201);
      const id = rawId(field(seen, "id"));
      const cancelled = await host.ask("POST", `/v1/payments/${id}/cancel`);
      expectStatus(cancelled, 200);
      const status = field(cancelled, "status");
      expectThat(status === "CANCELLED", "status is CANCELLED.", `it is ${shown(status)}`, cancelled);
      const charge = await host.get(`/v1/charges/ch_${id}`);
      const shownStatus = field(charge, "status");
      expectThat(shownStatus === "cancelled", "The charge is cancelled.", `it is ${shown(shownStatus)}`, charge);
      const again = await host.ask("POST", `/v1/payments/${id}/cancel`);
      expectThat(again.status >= 400, "A second cancel is refused.", `it was accepted with ${again.status}`, again);
      return "CANCELLED, and a second cancel is refused";
    },
  },
];
