import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { registry } from "../../../src/registry.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import {
  ACTIONS,
  type Action,
  addEvidence,
  caseIn,
  evidenceOf,
  openCase,
  postEvidence,
  readCase,
  ticketFor,
  tryAction,
  upload,
} from "../../support/med.js";
import { expectRefused } from "../../support/refusals.js";

/** The routes of a case: whose they are, their second address, and what an appeal must say. */

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());
beforeEach(() => emulator.sandbox("/reset"));

const UNKNOWN = "018f0000-0000-7000-8000-000000000000";

describe("1 accounts and modes", () => {
  it("are apart in the list", async () => {
    const { test_key: other } = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    for (const key of [emulator.key, emulator.live, other]) {
      const opened = await openCase(emulator, {}, { key });
      expect((await emulator.call("GET", "/v1/med/cases", { key })).body.data).toStrictEqual([opened]);
      const foreign = `/v1/med/cases?charge_id=${opened.charge_id}`;
      const readers = [emulator.key, emulator.live, other].filter((reader) => reader !== key);
      for (const reader of readers) {
        expect((await emulator.call("GET", foreign, { key: reader })).body.data).toEqual([]);
      }
    }
  });

  it("are apart on every route of a case: a foreign one is unknown, and nothing happens to it", async () => {
    const { test_key: other } = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    for (const key of [emulator.live, other]) {
      const opened = await openCase(emulator, {}, { key });
      const ticket = await ticketFor(emulator, opened.id, {}, { key });
      await upload(ticket);
      for (const id of [opened.id, opened.id.slice(4)]) await expectUnknown(id, ticket.id);
      expect(await readCase(emulator, opened.id, { key })).toStrictEqual(opened);
      expect(await evidenceOf(emulator, opened.id, { key })).toEqual([]);
    }
  });

  it.each([`med_${UNKNOWN}`, UNKNOWN, `ch_${UNKNOWN}`, `MED_${UNKNOWN}`, "nonsense", "med_", "%00", "a%2Fb"])(
    "know nothing of a case called %s",
    async (id) => {
      await openCase(emulator);
      await expectUnknown(id, `ev_${UNKNOWN}`);
    },
  );

  it("need a key on every route", async () => {
    const routes = registry.map(({ contract }) => contract).filter(({ id }) => id.startsWith("med."));
    expect(routes).toHaveLength(7);
    const { id } = await openCase(emulator);
    for (const { method, path, aliases } of routes) {
      expect(aliases).toHaveLength(1);
      for (const route of [path, ...(aliases ?? [])]) {
        expectRefused(await emulator.call(method, route.replace("{id}", id), { key: null }), "unauthorized");
      }
    }
  });
});

/** Everything that can be asked about a case answers that there is none. */
async function expectUnknown(id: string, evidenceId: string): Promise<void> {
  expectRefused(await emulator.call("GET", `/v1/med/cases/${id}`), "not_found");
  for (const action of Object.keys(ACTIONS) as Action[]) {
    expectRefused(await tryAction(emulator, id, action), "not_found");
  }
  expectRefused(await emulator.call("GET", `/v1/med/cases/${id}/evidence`), "not_found");
  expectRefused(await postEvidence(emulator, id), "not_found");
  expectRefused(await emulator.call("POST", `/v1/med/cases/${id}/evidence/${evidenceId}/complete`), "not_found");
}

describe("/v1/infractions", () => {
  const call = (method: string, path: string, body?: object) =>
    emulator.call(method, `/v1/infractions${path}`, body === undefined ? {} : { body });

  it("lists and reads the same, and refuses the same", async () => {
    const opened = await caseIn(emulator, "appealed");
    await caseIn(emulator, "rejected");
    for (const query of ["", "?limit=1", "?status=appealed&type=med"]) {
      const { body } = await emulator.call("GET", `/v1/med/cases${query}`);
      expect((await call("GET", query)).body).toStrictEqual(body);
    }
    expect((await call("GET", `/${opened.id}`)).body).toStrictEqual(opened);
    expectRefused(await call("GET", "?page=1"), "invalid_request", "page");
    expectRefused(await call("GET", `/med_${UNKNOWN}`), "not_found");
  });

  it("takes a case through appeal and evidence, and another to acceptance", async () => {
    const [first, second] = [await openCase(emulator), await openCase(emulator)];
    const appealed = await call("POST", `/${first.id}/appeal`, { reason: "It was delivered" });
    expect([appealed.status, appealed.body.status]).toEqual([200, "appealed"]);
    const file = { file_name: "a.png", file_size: 3, mime_type: "image/png" };
    const ticket = await call("POST", `/${first.id}/evidence`, file);
    expect([ticket.status, ticket.body.object]).toEqual([201, "med_case_evidence_upload"]);
    await upload(ticket.body, Buffer.from("abc"));
    const done = await call("POST", `/${first.id}/evidence/${ticket.body.id}/complete`);
    expect([done.status, done.body.object]).toEqual([200, "med_case_evidence"]);
    expect((await call("GET", `/${first.id}/evidence`)).body).toMatchObject({ data: [{ id: done.body.id }] });
    expect((await call("POST", `/${second.id}/accept`)).body).toMatchObject({ status: "accepted" });
    expectRefused(await call("POST", `/${second.id}/accept`), "invalid_request", "id");
  });
});

describe("8 the reason of an appeal", () => {
  const appeal = async (reason: unknown) => {
    const { id } = await openCase(emulator);
    return emulator.call("POST", `/v1/med/cases/${id}/appeal`, { body: { reason } });
  };

  it.each([5, 6, 1_999, 2_000])("may have %i characters, and is kept as it is", async (length) => {
    const reason = "é".repeat(length);
    expect((await appeal(reason)).body).toMatchObject({ status: "appealed", appeal_reason: reason });
  });

  it.each(["", "abcd", "x".repeat(2_001), undefined, null, 12_345, ["abcde"], {}])(
    "is refused as %o",
    async (reason) => {
      expectRefused(await appeal(reason), "invalid_request", "reason");
    },
  );

  it.each(["", "[]", "nonsense", '{"reason":"abc\\u0000defg"}', '{"reason":"abcd\\ud800efg"}'])(
    "needs a body that holds it: %s",
    async (raw) => {
      const { id } = await openCase(emulator);
      expectRefused(await emulator.call("POST", `/v1/med/cases/${id}/appeal`, { raw }), "invalid_request");
      expect((await readCase(emulator, id)).status).toBe("open");
    },
  );
});

describe("accepting", () => {
  it.each([{}, { raw: "" }, { body: {} }, { body: { reason: 5, status: "closed" } }])(
    "needs no body: %o",
    async (given) => {
      const { id } = await openCase(emulator);
      const { status, body } = await emulator.call("POST", `/v1/med/cases/${id}/accept`, given);
      expect([status, body.status, body.money_outcome]).toEqual([200, "accepted", "lost"]);
    },
  );
});

describe("8 a decision of the bank", () => {
  it.each([undefined, null, "", "won", "lost", "UPHELD", true])("is not %o", async (outcome) => {
    const opened = await openCase(emulator);
    const answer = await emulator.call("POST", `/_sandbox/med-cases/${opened.id}/decide`, { body: { outcome } });
    expectRefused(answer, "invalid_request", "outcome");
    expect(await readCase(emulator, opened.id)).toStrictEqual(opened);
  });

  it.each(["withdraw", "request-evidence"])("%s needs no body", async (what) => {
    const { id } = await openCase(emulator);
    expect((await emulator.call("POST", `/_sandbox/med-cases/${id}/${what}`)).status).toBe(200);
  });
});

describe("the confirmed evidence", () => {
  it("is counted wherever the case is shown", async () => {
    const { id } = await openCase(emulator);
    for (const count of [1, 2, 3]) {
      await addEvidence(emulator, id);
      await ticketFor(emulator, id);
      expect((await readCase(emulator, id)).evidence_count).toBe(count);
      expect((await emulator.call("GET", "/v1/med/cases")).body.data[0].evidence_count).toBe(count);
    }
    expect((await tryAction(emulator, id, "appeal")).body.evidence_count).toBe(3);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=med_case.updated`);
    expect(data[0].payload.data.object.evidence_count).toBe(3);
  });
});

describe("8 a reset", () => {
  it("clears cases, evidence, holds and e-mails", async () => {
    const { id } = await openCase(emulator);
    const { view_url } = await addEvidence(emulator, id);
    await emulator.sandbox("/reset");
    expectRefused(await emulator.call("GET", `/v1/med/cases/${id}`), "not_found");
    expect((await emulator.call("GET", "/v1/med/cases")).body.data).toEqual([]);
    expect((await emulator.sandbox("/emails")).data).toEqual([]);
    expect((await emulator.call("GET", "/v1/wallets/balance")).body).toMatchObject({ available: 0, retained: 0 });
    expect((await fetch(view_url)).status).toBe(403);
  });

  it("forgets a case that was still to be opened", async () => {
    const charge: Loose = await emulator.charge({ metadata: { _sandbox: { pay_after: 0, med_after: 60 } } });
    await emulator.sandbox("/clock/advance", { seconds: 1 });
    await emulator.sandbox("/reset");
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).status).toBe(404);
    expect((await emulator.call("GET", "/v1/med/cases")).body.data).toEqual([]);
  });
});
