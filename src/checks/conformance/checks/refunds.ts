import { answerText, field, idsOf, listIn, valueText } from "../answer.js";
import { checks, withNeeds } from "../check.js";
import * as expect from "../expect.js";

/** Refunds of payments. */

export const REFUNDS = checks(["write", "emulator"], {
  "refund-unsettled": withNeeds(["write"], async (host) => {
    const { raw } = await host.objects.charge();
    const seen = await host.ask("POST", `/v1/payments/${raw}/refund`, { body: { idempotencyKey: host.newKey() } });
    expect.that(seen.status >= 400 && seen.status < 500, "It is refused.", `it answered ${answerText(seen)}`, seen);
    return answerText(seen);
  }),
  async refund(host) {
    const { raw } = await host.objects.paidCharge();
    const body = { idempotencyKey: host.newKey(), amount: 34, reason: `qa-pay conform ${host.run}` };
    const first = await expect.expectServed(host, "POST /v1/payments/{id}/refund", { params: { id: raw }, body }, 201);
    expect.value(first, "status", "PENDING");
    const again = await host.ask("POST", `/v1/payments/${raw}/refund`, { body });
    const id = field(first, "id");
    expect.same(field(again, "id"), id, `The second answer is refund ${valueText(id)}.`, again);
    const list = await host.get(`/v1/payments/${raw}/refunds`);
    host.shapes.check(list, "GET /v1/payments/{id}/refunds");
    expect.same(idsOf(listIn(list, "")), [id], "The list has this refund once.", list);
    return "one refund for two requests";
  },
  async "refund-limits"(host) {
    const { raw } = await host.objects.paidCharge();
    const good = { idempotencyKey: host.newKey(), amount: 1 };
    const changes = [{ amount: 999_999 }, { amount: 0 }, { idempotencyKey: "short" }, { reason: "x".repeat(501) }];
    const wrong = expect.wrongFields("A refund", good, changes);
    await expect.allRefused(wrong, (body) => host.ask("POST", `/v1/payments/${raw}/refund`, { body }));
    return "400 for four wrong bodies";
  },
});
