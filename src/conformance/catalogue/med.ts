import { pick } from "../../kernel/pick.js";
import {
  answerText,
  counted,
  expectRefusal,
  expectStatus,
  expectThat,
  field,
  idsOf,
  listIn,
  requireSome,
  shown,
  steadily,
  textIn,
} from "../expect.js";
import type { Check, Host } from "../types.js";

/** MED cases and their evidence. */

const CASES = "/v1/med/cases";
const INVALID = { status: 400, code: "invalid_request" };
const UNKNOWN = "med_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const PDF = "%PDF-1.4\n% qa-pay conform\n";

/** The id of a case that can be read. */
async function caseId(host: Host): Promise<string> {
  const [first] = requireSome(await host.material.medCases(), 1, "MED cases");
  return String(pick(first, "id"));
}

const READING: readonly Check[] = [
  {
    name: "med-shape",
    section: "2.9",
    about: "A MED case that is read has all its fields; those without a value are null.",
    async run(host) {
      const id = await caseId(host);
      const seen = await host.get(`${CASES}/${id}`);
      expectStatus(seen, 200);
      host.shapes.check(seen, "GET /v1/med/cases/{id}");
      return `case ${id} as in the schema`;
    },
  },
  {
    name: "med-list",
    section: "4.13",
    about: "The list of MED cases has object list, data, has_more and next_cursor.",
    async run(host) {
      await host.material.medCases();
      const seen = await host.get(CASES);
      expectStatus(seen, 200);
      host.shapes.check(seen, "GET /v1/med/cases");
      const [more, cursor] = [field(seen, "has_more"), field(seen, "next_cursor")];
      const isRight = more === (cursor !== null);
      expectThat(isRight, "next_cursor is null when has_more is false.", `${shown(more)} and ${shown(cursor)}`, seen);
      return `${counted(listIn(seen).length, "case")}, has_more ${shown(more)}`;
    },
  },
  {
    name: "med-pages",
    section: "4.13",
    about: "next_cursor leads to the next case, without a gap and without a repetition.",
    async run(host) {
      requireSome(await host.material.medCases(), 2, "MED cases");
      return steadily(async () => {
        const wanted = idsOf(listIn(await host.get(`${CASES}?limit=2`)));
        const first = await host.get(`${CASES}?limit=1`);
        const hasMore = field(first, "has_more");
        expectThat(hasMore === true, "has_more is true on the first of two pages.", `it is ${shown(hasMore)}`, first);
        const cursor = encodeURIComponent(textIn(first, "next_cursor"));
        const second = await host.get(`${CASES}?limit=1&starting_after=${cursor}`);
        const got = [...idsOf(listIn(first)), ...idsOf(listIn(second))];
        expectThat(shown(got) === shown(wanted), `Two pages of one are ${shown(wanted)}.`, shown(got), second);
        return "two pages of one are the page of two";
      });
    },
  },
  {
    name: "med-order",
    section: "4.13",
    about: "MED cases come newest first.",
    async run(host) {
      requireSome(await host.material.medCases(), 2, "MED cases");
      const seen = await host.get(CASES);
      const times = listIn(seen).map((one) => Date.parse(String(pick(one, "created_at"))));
      const wrong = times.findIndex((time, index) => (times[index - 1] ?? time) < time);
      expectThat(wrong === -1, "No case is newer than the one before it.", `entry ${wrong} is newer`, seen);
      return `${times.length} cases in order`;
    },
  },
  {
    name: "med-filters",
    section: "4.13",
    about: "A filter of the list is never ignored: a wrong one is refused with 400.",
    async run(host) {
      for (const [query, param] of [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["status=none", "status"],
        ["type=none", "type"],
        ["created_after=yesterday", "created_after"],
        [`starting_after=${UNKNOWN}`, "starting_after"],
      ] as const) {
        expectRefusal(await host.get(`${CASES}?${query}`), { ...INVALID, param });
      }
      return "400 for six wrong queries";
    },
  },
  {
    name: "med-filter-charge",
    section: "4.13",
    about: "The filters charge_id and status leave out the other cases.",
    async run(host) {
      const [first] = requireSome(await host.material.medCases(), 1, "MED cases");
      for (const name of ["charge_id", "status"]) {
        const value = String(pick(first, name));
        const seen = await host.get(`${CASES}?${name}=${encodeURIComponent(value)}&limit=100`);
        const found = listIn(seen);
        const other = found.find((one) => pick(one, name) !== value);
        const saw = found.length === 0 ? "none" : shown(pick(other, name));
        expectThat(found.length > 0 && other === undefined, `All cases have ${name} ${value}.`, saw, seen);
      }
      return "charge_id and status";
    },
  },
  {
    name: "med-alias",
    section: "4.13",
    about: "/v1/infractions answers as /v1/med/cases does.",
    run: (host) =>
      steadily(async () => {
        const [one, other] = [await host.get(CASES), await host.get("/v1/infractions")];
        expectStatus(other, 200);
        const [wanted, got] = [shown(idsOf(listIn(one))), shown(idsOf(listIn(other)))];
        expectThat(got === wanted, `Both list ${wanted}.`, got, other);
        return "the same cases";
      }),
  },
  {
    name: "med-unknown",
    section: "4.13",
    about: "An unknown MED case answers 404 not_found.",
    async run(host) {
      for (const route of ["", "/evidence"]) {
        expectRefusal(await host.get(`${CASES}/${UNKNOWN}${route}`), { status: 404, code: "not_found" });
      }
      return "404 for the case and for its evidence";
    },
  },
  {
    name: "evidence-list",
    section: "4.13",
    about: "The evidence of a case is a list of confirmed files.",
    async run(host) {
      const seen = await host.get(`${CASES}/${await caseId(host)}/evidence`);
      expectStatus(seen, 200);
      host.shapes.check(seen, "GET /v1/med/cases/{id}/evidence");
      return counted(listIn(seen).length, "file");
    },
  },
];

const WRITING: readonly Check[] = [
  {
    name: "med-opened",
    section: "3.1",
    about: "A charge with an open MED case is disputed.",
    needs: ["write", "emulator"],
    async run(host) {
      const { chargeId } = await host.material.openCase("its charge becomes disputed");
      const seen = await host.get(`/v1/charges/${chargeId}`);
      const status = field(seen, "status");
      expectThat(status === "disputed", "The charge is disputed.", `it is ${shown(status)}`, seen);
      const refund = await host.ask("POST", `/v1/payments/${chargeId.replace("ch_", "")}/refund`, {
        body: { idempotencyKey: host.newKey() },
      });
      expectThat(refund.status >= 400, "It cannot be refunded.", `it was, with ${refund.status}`, refund);
      return "disputed, and no refund";
    },
  },
  {
    name: "med-appeal",
    section: "4.13",
    about: "An open case is appealed once, with a reason of 5 to 2000 characters.",
    needs: ["write", "emulator"],
    async run(host) {
      const { id } = await host.material.openCase("it is appealed");
      const appeal = (reason: string) => host.ask("POST", `${CASES}/${id}/appeal`, { body: { reason } });
      for (const reason of ["four", "x".repeat(2_001)]) {
        expectRefusal(await appeal(reason), { ...INVALID, param: "reason" }, `A reason of ${reason.length} characters`);
      }
      const seen = await appeal(`qa-pay conform ${host.run}`);
      expectStatus(seen, 200);
      host.shapes.check(seen, "POST /v1/med/cases/{id}/appeal");
      const status = field(seen, "status");
      expectThat(status === "appealed", "status is appealed.", `it is ${shown(status)}`, seen);
      const isTold = typeof field(seen, "appeal_reason") === "string" && typeof field(seen, "appealed_at") === "string";
      expectThat(isTold, "appeal_reason and appealed_at are set.", "they are not", seen);
      expectRefusal(await appeal("once more"), INVALID, "A second appeal");
      return "appealed, and a second appeal is refused";
    },
  },
  {
    name: "med-accept",
    section: "4.13",
    about: "An open case is accepted once; its money is lost then.",
    needs: ["write", "emulator"],
    async run(host) {
      const { id } = await host.material.openCase("it is accepted");
      const seen = await host.ask("POST", `${CASES}/${id}/accept`);
      expectStatus(seen, 200);
      const got = [field(seen, "status"), field(seen, "money_outcome")];
      expectThat(shown(got) === '["accepted","lost"]', "It is accepted, money_outcome lost.", shown(got), seen);
      expectRefusal(await host.ask("POST", `${CASES}/${id}/accept`), INVALID, "A second accept");
      return "accepted, lost, and a second accept is refused";
    },
  },
  {
    name: "evidence-steps",
    section: "2.10",
    about: "Evidence is a ticket, an upload without a key and a confirmation.",
    needs: ["write", "emulator"],
    async run(host) {
      const { id } = await host.material.openCase("it gets evidence");
      const body = { file_name: "qa-pay-conform.pdf", file_size: PDF.length, mime_type: "application/pdf" };
      const ticket = await host.ask("POST", `${CASES}/${id}/evidence`, { body });
      expectStatus(ticket, 201);
      host.shapes.check(ticket, "POST /v1/med/cases/{id}/evidence", 201);
      const life = field(ticket, "expires_in");
      expectThat(life === 900, "expires_in is 900.", `it is ${shown(life)}`, ticket);
      const complete = () => host.ask("POST", `${CASES}/${id}/evidence/${textIn(ticket, "id")}/complete`);
      expectRefusal(await complete(), { status: 409, code: "EVIDENCE_NOT_UPLOADED" }, "To confirm before the upload");
      const status = await host.upload(textIn(ticket, "upload_url"), { "content-type": "application/pdf" }, PDF);
      expectThat(status < 300, "The upload answers 2xx.", `it answered ${status}`);
      for (const seen of [await complete(), await complete()]) {
        expectStatus(seen, 200);
        host.shapes.check(seen, "POST /v1/med/cases/{id}/evidence/{evidence_id}/complete");
      }
      const listed = listIn(await host.get(`${CASES}/${id}/evidence`));
      expectThat(listed.length === 1, "One file is listed.", `${listed.length} are`);
      return "ticket, upload, confirmation";
    },
  },
  {
    name: "evidence-limits",
    section: "8",
    about: "A file of another type or of more than 10 MB gets no ticket.",
    needs: ["write", "emulator"],
    async run(host) {
      const { id } = await host.material.openCase("it gets no evidence");
      const body = { file_name: "qa-pay-conform.pdf", file_size: 1, mime_type: "application/pdf" };
      for (const [param, value] of [
        ["mime_type", "text/plain"],
        ["file_size", 10_485_761],
        ["file_name", 1],
      ] as const) {
        const seen = await host.ask("POST", `${CASES}/${id}/evidence`, { body: { ...body, [param]: value } });
        expectRefusal(seen, { ...INVALID, param }, `A ticket with ${param} ${shown(value)}`);
      }
      return "400 for three wrong files";
    },
  },
];

const REFUNDS: readonly Check[] = [
  {
    name: "refund-unsettled",
    section: "4.9",
    about: "A payment that is not settled cannot be refunded.",
    needs: ["write"],
    async run(host) {
      const { raw } = await host.material.charge();
      const seen = await host.ask("POST", `/v1/payments/${raw}/refund`, { body: { idempotencyKey: host.newKey() } });
      expectThat(seen.status >= 400 && seen.status < 500, "It is refused.", `it answered ${answerText(seen)}`, seen);
      return answerText(seen);
    },
  },
  {
    name: "refund",
    section: "4.9",
    about: "A refund of a part answers 201 PENDING, once for each idempotencyKey.",
    needs: ["write", "emulator"],
    async run(host) {
      const { raw } = await host.material.paidCharge();
      const body = { idempotencyKey: host.newKey(), amount: 34, reason: `qa-pay conform ${host.run}` };
      const first = await host.ask("POST", `/v1/payments/${raw}/refund`, { body });
      expectStatus(first, 201);
      host.shapes.check(first, "POST /v1/payments/{id}/refund", 201);
      const status = field(first, "status");
      expectThat(status === "PENDING", "status is PENDING.", `it is ${shown(status)}`, first);
      const again = await host.ask("POST", `/v1/payments/${raw}/refund`, { body });
      const ids = [field(first, "id"), field(again, "id")];
      expectThat(ids[0] === ids[1], `The second answer is refund ${shown(ids[0])}.`, shown(ids[1]), again);
      const list = await host.get(`/v1/payments/${raw}/refunds`);
      host.shapes.check(list, "GET /v1/payments/{id}/refunds");
      const listed = idsOf(listIn(list, ""));
      expectThat(shown(listed) === shown([ids[0]]), "The list has this refund once.", shown(listed), list);
      return "one refund for two requests";
    },
  },
  {
    name: "refund-limits",
    section: "8",
    about: "A refund is at most what is left, its key has 8 to 128 characters, its reason at most 500.",
    needs: ["write", "emulator"],
    async run(host) {
      const { raw } = await host.material.paidCharge();
      const good = { idempotencyKey: host.newKey(), amount: 1 };
      for (const [param, value] of [
        ["amount", 999_999],
        ["amount", 0],
        ["idempotencyKey", "short"],
        ["reason", "x".repeat(501)],
      ] as const) {
        const seen = await host.ask("POST", `/v1/payments/${raw}/refund`, { body: { ...good, [param]: value } });
        expectRefusal(seen, { status: 400, param }, `A refund with a wrong ${param}`);
      }
      return "400 for four wrong bodies";
    },
  },
];

export const MED: readonly Check[] = [...READING, ...WRITING, ...REFUNDS];
