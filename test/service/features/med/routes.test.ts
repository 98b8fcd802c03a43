import { beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { addEvidence, caseIn, openCase, readCase, ticketFor, tryAction } from "../../../support/med.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** The routes of a case: whose they are, their second address, and what an appeal must say. */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

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

  it.each([
    "     ",
    "\t\n\r \u00a0",
    "\u200b\u200b\u200b\u200b\u200b",
    "\u2060 \ufeff \u200d",
    "\u3164\u3164\u3164\u3164\u3164",
    "\u2800\u2800 \u2800\u2800",
    "\u0007\u001b\u0085\u0000x".slice(0, 3).repeat(2),
    "\u202e\u202d\u2066\u2069\u200e",
  ])("says nothing as %j, and is refused", async (reason) => {
    const { id } = await openCase(emulator);
    const answer = await emulator.call("POST", `/v1/med/cases/${id}/appeal`, { body: { reason } });
    expectRefused(answer, "invalid_request", "reason");
    expect(await readCase(emulator, id)).toMatchObject({ status: "open", appeal_reason: null });
  });

  it("may have white space and unseen characters around what it says", async () => {
    for (const reason of ["  a  ", "\u200b\u200b\u200bok"]) {
      expect((await appeal(reason)).body).toMatchObject({ status: "appealed", appeal_reason: reason });
    }
  });
});

it("the confirmed evidence is counted wherever the case is shown", async () => {
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
