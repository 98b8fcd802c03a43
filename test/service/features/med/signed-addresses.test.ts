import { beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { act, addEvidence, evidenceOf, openCase, PNG, postComplete, ticketFor, upload } from "../../../support/med.js";
import { send } from "../../../support/raw-http.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/**
 * Addresses that are their own credential: what they let in and out, and how a file is shown
 * (docs/service/med.md#evidence).
 */

const emulator = sharedEmulator({ frozen: true });
let opened: Loose;
beforeAll(async () => {
  opened = await openCase(emulator);
});

const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const ticket = (body: object = {}) => ticketFor(emulator, opened.id, body);

/** The address with one of its query parameters changed; null takes it away. */
function withQuery(url: string, name: string, change: (value: string) => string | null): string {
  const changed = new URL(url);
  const value = change(changed.searchParams.get(name) ?? "");
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
}

const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
/** Names of the parameters of an address, whatever they are called. */
const parameters = (url: string) => [...new URL(url).searchParams.keys()];

/** Every change that makes a good address invalid. */
function spoiled(url: string): string[] {
  const { origin, pathname, search } = new URL(url);
  const changes: ((value: string) => string | null)[] = [
    () => null,
    () => "",
    (value) => flip(value, 0),
    (value) => flip(value, value.length - 1),
    (value) => `${value}0`,
    (value) => value.slice(0, -1),
    (value) => `${value} `,
    () => "ééé",
    () => "9999999999999999",
    () => "-1",
  ];
  const queries = parameters(url).flatMap((name) => changes.map((change) => withQuery(url, name, change)));
  // Each parameter alone, none, and somebody else's id under the same signature.
  const alone = parameters(url).map((name) => `${origin}${pathname}?${name}=${new URL(url).searchParams.get(name)}`);
  const strangers = [pathname.slice(0, -1), `${pathname}0`, pathname.slice(0, -36) + flip(pathname.slice(-36), 35)];
  const moved = strangers.map((path) => `${origin}${path}${search}`);
  return [...new Set([...queries, ...alone, ...moved, origin + pathname])].filter((other) => other !== url);
}

describe("an upload address", () => {
  it("needs no key", async () => {
    expect((await upload(await ticket(), PNG)).status).toBe(200);
  });

  it("is refused after any change to it", async () => {
    const good = await ticket();
    const other = await ticket();
    const swapped = new URL(good.upload_url);
    swapped.search = new URL(other.upload_url).search;
    for (const upload_url of [...spoiled(good.upload_url), swapped.href]) {
      const answer = await upload({ ...good, upload_url });
      // A path that is no address at all is simply not there.
      expect([upload_url, [403, 404].includes(answer.status)]).toEqual([upload_url, true]);
    }
    expectRefused(await postComplete(emulator, opened.id, good.id), "EVIDENCE_NOT_UPLOADED");
    expect((await upload(good)).status).toBe(200);
  });

  it("cannot be extended", async () => {
    const late = await ticket();
    await advance(900);
    for (const name of parameters(late.upload_url)) {
      const upload_url = withQuery(late.upload_url, name, (value) => (/^\d+$/.test(value) ? `${value}0` : value));
      expect((await upload({ ...late, upload_url })).status).toBe(403);
    }
    expectRefused(await postComplete(emulator, opened.id, late.id), "EVIDENCE_NOT_UPLOADED");
  });

  it.each(["image/jpeg", "image/PNG", "image/png; charset=utf-8", "text/html", "application/octet-stream", ""])(
    "is bound to the type: %j is a 403",
    async (type) => {
      const good = await ticket();
      expect((await upload(good, PNG, { "Content-Type": type })).status).toBe(403);
      expectRefused(await postComplete(emulator, opened.id, good.id), "EVIDENCE_NOT_UPLOADED");
    },
  );

  it("is bound to the type: none is a 403", async () => {
    const { upload_url: url, upload_headers: headers } = await ticket();
    const length = { "content-length": headers["Content-Length"] };
    expect((await send(url, { method: "PUT", headers: length, body: PNG })).status).toBe(403);
  });

  it.each([-1, 1])("is bound to the size: %i byte off is a 403", async (off) => {
    const good = await ticket();
    const content = Buffer.alloc(PNG.length + off);
    expect((await upload(good, content, { "Content-Length": String(content.length) })).status).toBe(403);
    expectRefused(await postComplete(emulator, opened.id, good.id), "EVIDENCE_NOT_UPLOADED");
  });

  it("answers a file that is far too large at once, and the connection goes on", async () => {
    const good = await ticket();
    const content = Buffer.alloc(4 * 1_048_576);
    const answer = await fetch(good.upload_url, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: content,
    });
    expect(answer.status).toBe(403);
    expect((await upload(good)).status).toBe(200);
  });

  it("takes the file again until it is confirmed: the last one counts", async () => {
    const good = await ticket();
    await upload(good, Buffer.alloc(PNG.length, 1));
    await upload(good, PNG);
    const { body } = await postComplete(emulator, opened.id, good.id);
    expect((await upload(good, Buffer.alloc(PNG.length, 2))).status).toBe(403);
    expect(Buffer.from(await (await fetch(body.view_url)).arrayBuffer()).equals(PNG)).toBe(true);
  });

  it("is for PUT alone", async () => {
    const { upload_url: url } = await ticket();
    for (const method of ["GET", "POST", "DELETE", "PATCH"]) {
      const { status } = await send(url, { method, headers: { "content-type": "image/png" } });
      expect([method, status]).toEqual([method, 404]);
    }
  });

  it("is of no use to another web page", async () => {
    const good = await ticket();
    expectRefused(await upload(good, PNG, { origin: "https://elsewhere.test" }), "origin_not_allowed");
    expectRefused(await upload(good, PNG, { host: "elsewhere.test" }), "origin_not_allowed");
  });
});

describe("a view address", () => {
  it("is good for five minutes of the emulated clock, without a key", async () => {
    const { view_url: url } = await addEvidence(emulator, opened.id);
    await advance(299.999);
    expect((await fetch(url)).status).toBe(200);
    await advance(0.001);
    expect((await fetch(url)).status).toBe(403);
  });

  it("is a new one whenever the evidence is shown", async () => {
    const { id } = await openCase(emulator);
    const added = await addEvidence(emulator, id);
    await advance(301);
    expect((await fetch(added.view_url)).status).toBe(403);
    const [listed] = await evidenceOf(emulator, id);
    const { body } = await postComplete(emulator, id, added.id);
    for (const url of [listed.view_url, body.view_url]) expect((await fetch(url)).status).toBe(200);
  });

  it("stays good when the case is decided", async () => {
    const { id } = await openCase(emulator);
    await addEvidence(emulator, id);
    await act(emulator, id, "accept");
    const [{ view_url }] = await evidenceOf(emulator, id);
    expect((await fetch(view_url)).status).toBe(200);
  });

  it("is refused after any change to it", async () => {
    const first = await addEvidence(emulator, opened.id, { file_name: "a.png" });
    const second = await addEvidence(emulator, opened.id, { file_name: "b.png" });
    const swapped = new URL(first.view_url);
    swapped.search = new URL(second.view_url).search;
    for (const url of [...spoiled(first.view_url), swapped.href]) {
      const answer = await send(url);
      expect([url, [403, 404].includes(answer.status)]).toEqual([url, true]);
      expect(String(answer.body)).not.toContain("PNG");
    }
    expect((await send(first.view_url)).status).toBe(200);
  });

  it("and an upload address cannot replace each other", async () => {
    const good = await ticket();
    await upload(good);
    const { view_url } = (await postComplete(emulator, opened.id, good.id)).body;
    const fresh = await ticket();
    await upload(fresh);
    const [up, view] = [new URL(fresh.upload_url), new URL(view_url)];
    const pathOf = (path: string, id: string) => path.slice(0, -36) + id.slice(-36);
    const headers = { "content-type": "image/png" };
    for (const [method, url] of [
      ["PUT", view_url],
      ["PUT", `${up.origin}${pathOf(up.pathname, good.id)}${view.search}`],
      ["GET", `${up.origin}${pathOf(view.pathname, fresh.id)}${up.search}`],
      ["GET", `${up.origin}${pathOf(view.pathname, good.id)}${up.search}`],
      ["GET", fresh.upload_url],
    ] as const) {
      const { status } = await send(url, { method, headers, ...(method === "PUT" ? { body: PNG } : {}) });
      expect([method, url, [403, 404].includes(status)]).toEqual([method, url, true]);
    }
  });
});

describe("a file that is shown", () => {
  it.each([
    ["image/png", "<script>alert(1)</script>"],
    ["image/jpeg", "<!doctype html><body onload=alert(1)>"],
    ["image/gif", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["image/webp", "#!/bin/sh\nrm -rf /"],
    ["application/pdf", "<html><script>parent.location='https://elsewhere.test'</script></html>"],
  ])("as %s is inert whatever it really is: %s", async (mime_type, text) => {
    const { view_url } = await addEvidence(emulator, opened.id, { mime_type }, Buffer.from(text));
    const answer = await fetch(view_url);
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(answer.headers.get("content-type")).toBe(mime_type);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const policy = String(answer.headers.get("content-security-policy"));
    expect(policy).toMatch(/(^|;)\s*sandbox\s*(;|$)/);
    expect(policy).toContain("default-src 'none'");
    expect(answer.headers.get("cache-control")).toMatch(/no-store/);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each([
    'nota "fiscal".png',
    "nota'; filename=evil.html",
    "ação – 収据 🧾.png",
    "nota%0d%0aSet-Cookie: a=b.png",
    "a;b,c=d.png",
    "$(reboot) `id` & | nota.png",
    "..nota..png",
    " ",
    "<img src=x onerror=alert(1)>.png",
    "gnp.\u202egnp",
    "x".repeat(255),
  ])("called %j keeps its name without harm", async (file_name) => {
    const evidence = await addEvidence(emulator, opened.id, { file_name });
    expect(evidence.file_name).toBe(file_name);
    const answer = await fetch(evidence.view_url);
    const disposition = String(answer.headers.get("content-disposition"));
    const encoded = /^inline; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(disposition)?.[1];
    expect([disposition, decodeURIComponent(encoded ?? "")]).toEqual([disposition, file_name]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });
});
