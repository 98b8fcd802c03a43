import { formatCount } from "../../../base/kernel/format-count.js";
import { pick } from "../../../base/kernel/pick.js";
import { field, idsOf, listIn, requireSome, steadily, textIn, valueText } from "../answer.js";
import { type Check, checks, type Host } from "../check.js";
import * as expect from "../expect.js";

/** MED cases and their evidence. */

const CASES = "/v1/med/cases";
const UNKNOWN = "med_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const PDF = "%PDF-1.4\n% qa-pay conform\n";

/** The id of a case that can be read. */
async function caseId(host: Host): Promise<string> {
  const [first] = requireSome(await host.objects.medCases(), 1, "MED cases");
  return String(pick(first, "id"));
}

const READING = checks([], {
  async "med-shape"(host) {
    const id = await caseId(host);
    await expect.expectServed(host, "GET /v1/med/cases/{id}", { params: { id } });
    return `case ${id} as in the schema`;
  },
  async "med-list"(host) {
    await host.objects.medCases();
    const seen = await expect.expectServed(host, "GET /v1/med/cases");
    const [more, cursor] = [field(seen, "has_more"), field(seen, "next_cursor")];
    const saw = `${valueText(more)} and ${valueText(cursor)}`;
    expect.that(more === (cursor !== null), "next_cursor is null when has_more is false.", saw, seen);
    return `${formatCount(listIn(seen).length, "case")}, has_more ${valueText(more)}`;
  },
  async "med-pages"(host) {
    requireSome(await host.objects.medCases(), 2, "MED cases");
    return steadily(async () => {
      const wanted = idsOf(listIn(await host.get(`${CASES}?limit=2`)));
      const first = await host.get(`${CASES}?limit=1`);
      expect.value(first, "has_more", true, "has_more is true on the first of two pages.");
      const cursor = encodeURIComponent(textIn(first, "next_cursor"));
      const second = await host.get(`${CASES}?limit=1&starting_after=${cursor}`);
      const got = [...idsOf(listIn(first)), ...idsOf(listIn(second))];
      expect.same(got, wanted, `Two pages of one are ${valueText(wanted)}.`, second);
      return "two pages of one are the page of two";
    });
  },
  async "med-order"(host) {
    requireSome(await host.objects.medCases(), 2, "MED cases");
    const seen = await host.get(CASES);
    const times = listIn(seen).map((one) => Date.parse(String(pick(one, "created_at"))));
    const wrong = times.findIndex((time, index) => (times[index - 1] ?? time) < time);
    expect.that(wrong === -1, "No case is newer than the one before it.", `entry ${wrong} is newer`, seen);
    return `${times.length} cases in order`;
  },
  "med-filters": expect.refuses("400 for six wrong queries", expect.INVALID, [
    `GET ${CASES}?limit=0`,
    `GET ${CASES}?limit=101`,
    `GET ${CASES}?status=none`,
    `GET ${CASES}?type=none`,
    `GET ${CASES}?created_after=yesterday`,
    `GET ${CASES}?starting_after=${UNKNOWN}`,
  ]),
  async "med-filter-charge"(host) {
    const [first] = requireSome(await host.objects.medCases(), 1, "MED cases");
    for (const name of ["charge_id", "status"]) {
      const value = String(pick(first, name));
      const seen = await host.get(`${CASES}?${name}=${encodeURIComponent(value)}&limit=100`);
      const found = listIn(seen);
      const other = found.find((one) => pick(one, name) !== value);
      const saw = found.length === 0 ? "none" : valueText(pick(other, name));
      expect.that(found.length > 0 && other === undefined, `All cases have ${name} ${value}.`, saw, seen);
    }
    return "charge_id and status";
  },
  "med-alias": (host) =>
    steadily(async () => {
      const [one, other] = [await host.get(CASES), await host.get("/v1/infractions")];
      expect.status(other, 200);
      const wanted = idsOf(listIn(one));
      expect.same(idsOf(listIn(other)), wanted, `Both list ${valueText(wanted)}.`, other);
      return "the same cases";
    }),
  "med-unknown": expect.refuses("404 for the case and for its evidence", expect.NOT_FOUND, [
    `GET ${CASES}/${UNKNOWN}`,
    `GET ${CASES}/${UNKNOWN}/evidence`,
  ]),
  async "evidence-list"(host) {
    const seen = await expect.expectServed(host, "GET /v1/med/cases/{id}/evidence", {
      params: { id: await caseId(host) },
    });
    return formatCount(listIn(seen).length, "file");
  },
});

const WRITING = checks(["write", "emulator"], {
  async "med-opened"(host) {
    const { chargeId } = await host.objects.openCase("its charge becomes disputed");
    const seen = await host.get(`/v1/charges/${chargeId}`);
    expect.value(seen, "status", "disputed", "The charge is disputed.");
    const refund = await host.ask("POST", `/v1/payments/${chargeId.replace("ch_", "")}/refund`, {
      body: { idempotencyKey: host.newKey() },
    });
    expect.that(refund.status >= 400, "It cannot be refunded.", `it was, with ${refund.status}`, refund);
    return "disputed, and no refund";
  },
  async "med-appeal"(host) {
    const { id } = await host.objects.openCase("it is appealed");
    const appeal = (reason: string) => host.ask("POST", `${CASES}/${id}/appeal`, { body: { reason } });
    for (const reason of ["four", "x".repeat(2_001)]) {
      expect.refusal(
        await appeal(reason),
        { ...expect.INVALID, param: "reason" },
        `A reason of ${reason.length} characters`,
      );
    }
    const own = { params: { id }, body: { reason: `qa-pay conform ${host.run}` } };
    const seen = await expect.expectServed(host, "POST /v1/med/cases/{id}/appeal", own);
    expect.value(seen, "status", "appealed");
    const isReported =
      typeof field(seen, "appeal_reason") === "string" && typeof field(seen, "appealed_at") === "string";
    expect.that(isReported, "appeal_reason and appealed_at are set.", "they are not", seen);
    expect.refusal(await appeal("once more"), expect.INVALID, "A second appeal");
    return "appealed, and a second appeal is refused";
  },
  async "med-accept"(host) {
    const { id } = await host.objects.openCase("it is accepted");
    const seen = await host.ask("POST", `${CASES}/${id}/accept`);
    expect.status(seen, 200);
    const got = [field(seen, "status"), field(seen, "money_outcome")];
    expect.same(got, ["accepted", "lost"], "It is accepted, money_outcome lost.", seen);
    expect.refusal(await host.ask("POST", `${CASES}/${id}/accept`), expect.INVALID, "A second accept");
    return "accepted, lost, and a second accept is refused";
  },
  async "evidence-steps"(host) {
    const { id } = await host.objects.openCase("it gets evidence");
    const body = { file_name: "qa-pay-conform.pdf", file_size: PDF.length, mime_type: "application/pdf" };
    const ticket = await expect.expectServed(host, "POST /v1/med/cases/{id}/evidence", { params: { id }, body }, 201);
    expect.value(ticket, "expires_in", 900);
    const evidence = textIn(ticket, "id");
    const early = await host.ask("POST", `${CASES}/${id}/evidence/${evidence}/complete`);
    expect.refusal(early, { status: 409, code: "EVIDENCE_NOT_UPLOADED" }, "To confirm before the upload");
    const status = await host.upload(textIn(ticket, "upload_url"), { "content-type": "application/pdf" }, PDF);
    expect.that(status < 300, "The upload answers 2xx.", `it answered ${status}`);
    const complete = "POST /v1/med/cases/{id}/evidence/{evidence_id}/complete";
    for (let times = 0; times < 2; times++)
      await expect.expectServed(host, complete, { params: { id, evidence_id: evidence } });
    const listed = listIn(await host.get(`${CASES}/${id}/evidence`));
    expect.that(listed.length === 1, "One file is listed.", `${listed.length} are`);
    return "ticket, upload, confirmation";
  },
  async "evidence-limits"(host) {
    const { id } = await host.objects.openCase("it gets no evidence");
    const body = { file_name: "qa-pay-conform.pdf", file_size: 1, mime_type: "application/pdf" };
    const wrong = Object.entries({ mime_type: "text/plain", file_size: 10_485_761, file_name: 1 }).map(
      ([param, value]) =>
        [
          `A ticket with ${param} ${valueText(value)}`,
          { ...body, [param]: value },
          { ...expect.INVALID, param },
        ] as const,
    );
    await expect.allRefused(wrong, (one) => host.ask("POST", `${CASES}/${id}/evidence`, { body: one }));
    return "400 for three wrong files";
  },
});

export const MED: readonly Check[] = [...READING, ...WRITING];
