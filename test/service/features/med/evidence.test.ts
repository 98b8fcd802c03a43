import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../../support/charges.js";
import type { Loose, TestEmulator } from "../../../support/emulator.js";
import {
  act,
  addEvidence,
  evidenceOf,
  medOf,
  openCase,
  PNG,
  postComplete,
  postEvidence,
  readCase,
  ticketFor,
  upload,
  uploadInChunks,
} from "../../../support/med.js";
import { sendHalf } from "../../../support/raw-http.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownFolder, sharedEmulator } from "../../../support/shared.js";

/** Evidence in three steps: the request, the answer and the effect of each (docs/service/med.md#evidence). */

const emulator = sharedEmulator({ frozen: true });
let opened: Loose;
beforeAll(async () => {
  opened = await openCase(emulator);
});

const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf"];
const MAX = 10_485_760;
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

describe("the ticket", () => {
  it("says where, how and until when to upload, and nothing more", async () => {
    const { status, body } = await postEvidence(emulator, opened.id, { file_size: 48_213 });
    expect([status, body]).toStrictEqual([
      201,
      {
        id: expect.stringMatching(new RegExp(`^ev_${UUID}$`)),
        object: "med_case_evidence_upload",
        upload_url: expect.stringMatching(new RegExp(`^${emulator.url}/[^?]+\\?.+$`)),
        upload_method: "PUT",
        upload_headers: { "Content-Type": "image/png", "Content-Length": "48213" },
        expires_in: 900,
      },
    ]);
  });

  it("is another one every time", async () => {
    const [first, second] = [await ticketFor(emulator, opened.id), await ticketFor(emulator, opened.id)];
    expect([first.id === second.id, first.upload_url === second.upload_url]).toEqual([false, false]);
  });

  it.each(TYPES)("is issued for a file of type %s", async (mime_type) => {
    const ticket = await ticketFor(emulator, opened.id, { mime_type });
    expect(ticket.upload_headers["Content-Type"]).toBe(mime_type);
  });

  it.each([1, MAX - 1, MAX])("is issued for a file of %i bytes", async (file_size) => {
    const { upload_headers } = await ticketFor(emulator, opened.id, { file_size });
    expect(upload_headers["Content-Length"]).toBe(String(file_size));
  });

  it.each([
    "../../etc/passwd",
    "..\\..\\boot.ini",
    "/etc/passwd",
    "C:\\nota.png",
    "folder/nota.png",
    "..",
    ".",
    "nota.png\r\nSet-Cookie: a=b",
    "nota\npng",
    "nota\tpng",
    "nota\u0000.png",
    "nota\u001b[31m.png",
    "nota\u007f.png",
    "nota\u0085.png",
    "nota\ud800.png",
  ])("is refused for a file called %j", async (file_name) => {
    const raw = JSON.stringify({ file_name, file_size: 3, mime_type: "image/png" });
    const answer = await emulator.call("POST", `/v1/med/cases/${opened.id}/evidence`, { raw });
    expectRefused(answer, "invalid_request");
  });
});

describe("the three steps", () => {
  it("are accepted for eight files at once, and the ninth must be sent again", async () => {
    const ticket = await ticketFor(emulator, opened.id);
    const options = { method: "PUT", headers: ticket.upload_headers, body: PNG };
    const halves = await Promise.all(Array.from({ length: 8 }, () => sendHalf(ticket.upload_url, options)));
    const ninth = await upload(ticket);
    expect([ninth.status, ninth.body]).toEqual([503, "Too many files arrive at once. Send this one again.\n"]);
    const ends = await Promise.all(halves.map((half) => half.finish()));
    expect(ends.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await upload(ticket)).status).toBe(200);
  });

  it("are taken by a second emulator of the same process while the first takes no more files", async () => {
    const second = await ownEmulator();
    const full = await ticketFor(emulator, opened.id);
    const free = await ticketFor(second, (await openCase(second)).id);
    const options = { method: "PUT", headers: full.upload_headers, body: PNG };
    const halves = await Promise.all(Array.from({ length: 8 }, () => sendHalf(full.upload_url, options)));
    const [refused, taken] = [await upload(full), await upload(free)];
    await Promise.all(halves.map((half) => half.finish()));
    expect([refused.status, taken.status]).toEqual([503, 200]);
  });

  it("end with the evidence, listed and counted", async () => {
    const { id } = await openCase(emulator);
    const { now: announced } = await advance(30);
    const ticket = await ticketFor(emulator, id, { file_name: "nota fiscal.png" });
    expect(await upload(ticket)).toMatchObject({ status: 200, body: null });
    const { now: confirmed } = await advance(30);
    const { status, body } = await postComplete(emulator, id, ticket.id);
    expect([status, body]).toStrictEqual([
      200,
      {
        id: ticket.id,
        object: "med_case_evidence",
        file_name: "nota fiscal.png",
        file_size: PNG.length,
        mime_type: "image/png",
        uploaded_by: "merchant",
        created_at: announced,
        uploaded_at: confirmed,
        view_url: expect.stringMatching(new RegExp(`^${emulator.url}/`)),
      },
    ]);
    const list = (await emulator.call("GET", `/v1/med/cases/${id}/evidence`)).body;
    expect(list).toStrictEqual({ object: "list", data: [body] });
    // To contest a case or to add evidence is no change of the charge's status, so there is no event.
    expect(await eventsOf(emulator, id)).toEqual(["med_case.created"]);
  });

  it("change the case's updated_at and count only with the last step, and only once", async () => {
    const before = await openCase(emulator);
    const { id, charge_id, opened_at } = before;
    await advance(30);
    const ticket = await ticketFor(emulator, id);
    await upload(ticket);
    expect(await readCase(emulator, id)).toStrictEqual(before);
    const { now } = await advance(30);
    await postComplete(emulator, id, ticket.id);
    const after = { ...before, evidence_count: 1, updated_at: now };
    expect(await readCase(emulator, id)).toStrictEqual(after);
    expect((await emulator.call("GET", `/v1/med/cases?charge_id=${charge_id}`)).body.data).toStrictEqual([after]);
    // The charge tells of the same case; evidence is no event of it.
    expect(await medOf(emulator, charge_id)).toMatchObject({ updatedAt: now, lastEventAt: opened_at });
    await advance(30);
    await postComplete(emulator, id, ticket.id);
    expect(await readCase(emulator, id)).toStrictEqual(after);
    expect((await act(emulator, id, "appeal")).updated_at).not.toBe(now);
  });

  it("may be taken for several files, newest first", async () => {
    const { id } = await openCase(emulator);
    const added: string[] = [];
    for (const file_name of ["a.png", "b.png", "c.png"]) {
      added.unshift((await addEvidence(emulator, id, { file_name })).id);
      await advance(1);
    }
    expect((await evidenceOf(emulator, id)).map((one) => one.id)).toEqual(added);
  });

  it("count only when all are done", async () => {
    const { id } = await openCase(emulator);
    const announced = await ticketFor(emulator, id);
    const uploaded = await ticketFor(emulator, id);
    await upload(uploaded);
    expect([await evidenceOf(emulator, id), (await readCase(emulator, id)).evidence_count]).toEqual([[], 0]);
    expectRefused(await postComplete(emulator, id, announced.id), "EVIDENCE_NOT_UPLOADED");
    expect((await postComplete(emulator, id, uploaded.id)).status).toBe(200);
    expect((await evidenceOf(emulator, id)).map((one) => one.id)).toEqual([uploaded.id]);
  });

  it("may repeat the last step: the answer stays the same, later too", async () => {
    const { id } = await openCase(emulator);
    const first = await addEvidence(emulator, id);
    await advance(3_600);
    const { status, body } = await postComplete(emulator, id, first.id);
    expect(status).toBe(200);
    expect({ ...body, view_url: "" }).toStrictEqual({ ...first, view_url: "" });
    const both = await Promise.all([postComplete(emulator, id, first.id), postComplete(emulator, id, first.id)]);
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);
    expect((await readCase(emulator, id)).evidence_count).toBe(1);
  });

  it.each([1, MAX])("carry a file of %i bytes unchanged", async (size) => {
    const { id } = await openCase(emulator);
    const content = Buffer.alloc(size, "pay0");
    const { view_url } = await addEvidence(emulator, id, { mime_type: "application/pdf" }, content);
    const seen = Buffer.from(await (await fetch(view_url)).arrayBuffer());
    expect([seen.length, seen.equals(content)]).toEqual([size, true]);
  });

  it("belong to one case: evidence of another is unknown", async () => {
    const [mine, other] = [await openCase(emulator), await openCase(emulator)];
    const ticket = await ticketFor(emulator, mine.id);
    await upload(ticket);
    for (const evidence of [ticket.id, "ev_018f0000-0000-7000-8000-000000000000", "nonsense", mine.id]) {
      expectRefused(await postComplete(emulator, other.id, evidence), "not_found");
    }
    expectRefused(await postComplete(emulator, mine.id, ticket.id, { key: emulator.live }), "not_found");
    expect((await postComplete(emulator, mine.id, ticket.id)).status).toBe(200);
  });
});

describe("a file of another size", () => {
  it.each([PNG.length - 1, PNG.length + 1, 0])(
    "than declared, sent in chunks: %i bytes arrive and are refused in the end",
    async (size) => {
      const ticket = await ticketFor(emulator, opened.id);
      const counted = (await readCase(emulator, opened.id)).evidence_count;
      expect((await uploadInChunks(ticket, Buffer.alloc(size, 1))).status).toBe(200);
      const error = expectRefused(await postComplete(emulator, opened.id, ticket.id), "EVIDENCE_SIZE_MISMATCH");
      expect(error.message).toMatch(new RegExp(`\\b${PNG.length}\\b.*\\b${size}\\b`));
      expect((await readCase(emulator, opened.id)).evidence_count).toBe(counted);
    },
  );

  it("may be uploaded again in the right one", async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    await uploadInChunks(ticket, Buffer.alloc(9, 1));
    expectRefused(await postComplete(emulator, id, ticket.id), "EVIDENCE_SIZE_MISMATCH");
    await uploadInChunks(ticket, PNG);
    const { body } = await postComplete(emulator, id, ticket.id);
    expect(Buffer.from(await (await fetch(body.view_url)).arrayBuffer()).equals(PNG)).toBe(true);
  });

  it("may be larger than any file may be", async () => {
    const ticket = await ticketFor(emulator, opened.id, { file_size: MAX });
    expect((await uploadInChunks(ticket, Buffer.alloc(MAX + 1))).status).toBe(200);
    expectRefused(await postComplete(emulator, opened.id, ticket.id), "EVIDENCE_SIZE_MISMATCH");
  });

  it("may be far larger, and the server goes on", async () => {
    const ticket = await ticketFor(emulator, opened.id, { file_size: MAX });
    expect((await uploadInChunks(ticket, Buffer.alloc(3 * MAX))).status).toBe(200);
    expectRefused(await postComplete(emulator, opened.id, ticket.id), "EVIDENCE_SIZE_MISMATCH");
  });
});

describe("an upload that carries more than its file", () => {
  it.each([
    [{ apikey: "qa_test_of-nobody" }, "apikey"],
    [{ authorization: "Bearer x" }, "Authorization"],
    [{ apikey: "", Authorization: "" }, "apikey and Authorization"],
  ])("is refused, because the address is on another host elsewhere: %o", async (headers, named) => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    const { status, body } = await upload(ticket, PNG, headers);
    expect([status, body]).toEqual([
      403,
      "Neither apikey nor Authorization belongs here: the address is signed, and elsewhere it is on another host. " +
        `Leave out ${named}, and send exactly the headers of upload_headers.\n`,
    ]);
    expectRefused(await postComplete(emulator, id, ticket.id), "EVIDENCE_NOT_UPLOADED");
    expect((await upload(ticket)).status).toBe(200);
    expect((await postComplete(emulator, id, ticket.id)).status).toBe(200);
  });

  it("is refused when the file is encoded", async () => {
    const { id } = await openCase(emulator);
    const { status, body } = await upload(await ticketFor(emulator, id), PNG, { "content-encoding": "gzip" });
    expect([status, body]).toEqual([415, expect.stringContaining("this one is sent as gzip")]);
  });
});

describe("an address that has expired", () => {
  it("takes the file until 900 seconds after the ticket, not at them", async () => {
    const { id } = await openCase(emulator);
    const [inTime, tooLate] = [await ticketFor(emulator, id), await ticketFor(emulator, id)];
    await advance(899.999);
    expect((await upload(inTime)).status).toBe(200);
    await advance(0.001);
    expect((await upload(tooLate)).status).toBe(403);
    expectRefused(await postComplete(emulator, id, tooLate.id), "EVIDENCE_NOT_UPLOADED");
    expect(await evidenceOf(emulator, id)).toEqual([]);
  });

  it("does not matter to a file that arrived in time", async () => {
    const { id } = await openCase(emulator);
    const ticket = await ticketFor(emulator, id);
    await upload(ticket);
    const { now } = await advance(86_400);
    const { status, body } = await postComplete(emulator, id, ticket.id);
    expect([status, body.uploaded_at]).toEqual([200, now]);
  });
});

it("8 evidence after a restart is there with its file, and tickets go on", async () => {
  const folder = ownFolder();
  const options = { db: folder.db, testKey: "qa_test_evidence-lives-here", frozen: true };
  const restarted = async (before: TestEmulator | null) => {
    await before?.close();
    return ownEmulator(options);
  };
  /** The port is another one after a restart; what is signed does not name it. */
  const moved = (url: string, to: TestEmulator) => url.replace(/^http:\/\/[^/]+/, to.url);
  let running = await restarted(null);
  const { id } = await openCase(running);
  const confirmed = await addEvidence(running, id, { file_name: "ação.png" });
  const [uploaded, waiting] = [await ticketFor(running, id), await ticketFor(running, id)];
  await upload(uploaded);
  await act(running, id, "appeal");
  running = await restarted(running);
  expect(await readCase(running, id)).toMatchObject({ status: "appealed", evidence_count: 1 });
  const [listed] = await evidenceOf(running, id);
  expect({ ...listed, view_url: "" }).toStrictEqual({ ...confirmed, view_url: "" });
  for (const url of [listed.view_url, moved(confirmed.view_url, running)]) {
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(PNG)).toBe(true);
  }
  expect((await postComplete(running, id, uploaded.id)).status).toBe(200);
  const continued = { ...waiting, upload_url: moved(waiting.upload_url, running) };
  expect((await upload(continued)).status).toBe(200);
  expect((await postComplete(running, id, waiting.id)).status).toBe(200);
});
