import { answerText, field, idsOf, listIn, valueText } from "../answer.js";
import { checks, needing } from "../check.js";
import * as expect from "../expect.js";

/** Refunds of payments. */

export const REFUNDS = checks(["write", "emulator"], {
  "refund-unsettled": needing(["write"], async (host) => {
    const { raw } = await host.objects.charge();
    const seen = await host.ask("POST", `/v1/payments/${raw}/refund`, { body: { idempotencyKey: host.newKey() } });
    expect.expectThat(
      seen.status >= 400 && seen.status < 500,
      "It is refused.",
      `it answered ${answerText(seen)}`,
      seen,
    );
    return answerText(seen);
  }),
  async refund(host) {
    const { raw } = await host.objects.paidCharge();
    const body = { idempotencyKey: host.newKey(), amount: 34, reason: `qa-pay conform ${host.run}` };
    const first = await expect.served(host, "POST /v1/payments/{id}/refund", { params: { id: raw }, body }, 201);
    expect.value(first, "status", "PENDING");
    const again = await host.ask("POST", `/v1/payments/${raw}/refund`, { body });
    const ids = [field(first, "id"), field(again, "id")];
    expect.expectThat(ids[0] === ids[1], `The second answer is refund ${valueText(ids[0])}.`, valueText(ids[1]), again);
    const list = await host.get(`/v1/payments/${raw}/refunds`);
    host.shapes.check(list, "GET /v1/payments/{id}/refunds");
    const listed = idsOf(listIn(list, ""));
    expect.expectThat(
      valueText(listed) === valueText([ids[0]]),
      "The list has this refund once.",
      valueText(listed),
      list,
    );
    return "one refund for two requests";
  },
  async "refund-limits"(host) {
    const { raw } = await host.objects.paidCharge();
    const good = { idempotencyKey: host.newKey(), amount: 1 };
    const wrong = [{ amount: 999_999 }, { amount: 0 }, { idempotencyKey: "short" }, { reason: "x".repeat(501) }].map(
      (one) => {
        const [param = ""] = Object.keys(one);
        return [`A refund with a wrong ${param}`, { ...good, ...one }, { param }] as const;
      },
    );
    await expect.allRefused(wrong, (body) => host.ask("POST", `/v1/payments/${raw}/refund`, { body }));
    return "400 for four wrong bodies";
  },
});
