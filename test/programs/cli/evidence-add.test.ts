import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { act, evidenceOf, openCase, PNG } from "../../support/med.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `med evidence add`: ticket, file and confirmation as one command. */

const LIMIT = 10_485_760;

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

function file(name: string, content: string | Uint8Array = PNG): string {
  writeFileSync(join(cli.folder, name), content);
  return name;
}

const add = (id: string, name: string, ...flags: string[]) => cli.run(["med", "evidence", "add", id, name, ...flags]);

/** A PDF of exactly this many bytes. */
function pdf(bytes: number): Uint8Array {
  const content = new Uint8Array(bytes).fill(0x20);
  content.set(Buffer.from("%PDF-1.4\n"));
  return content;
}

describe("a file", () => {
  it("is uploaded and confirmed; --json is the last answer, exactly", async () => {
    const { id } = await openCase(emulator);
    const { code, out, err } = await add(id, file("nota fiscal.png"), "--json");
    expect([code, err]).toEqual([0, ""]);
    const listed = await evidenceOf(emulator, id);
    expect(listed).toMatchObject([{ file_name: "nota fiscal.png", file_size: PNG.length, mime_type: "image/png" }]);
    expect(JSON.parse(out).id).toBe(listed[0].id);
    const { data } = (await emulator.call("GET", "/_sandbox/requests?limit=1&method=POST")).body;
    // The log hides the signature of the address.
    const { view_url: address, ...rest } = JSON.parse(out);
    expect({ ...rest, view_url: address.replace(/signature=\w+$/, "signature=[not logged]") }).toEqual(
      data[0].response_body,
    );
  });

  it("is shown to a person with a progress bar and the result", async () => {
    const { id } = await openCase(emulator);
    file("large.pdf", pdf(200_000));
    const { code, out, err } = await cli.run(["med", "evidence", "add", id, "large.pdf", "--no-color"], {
      answers: [],
    });
    expect(code).toBe(0);
    expect(out).toMatch(/large\.pdf/);
    expect(err).toMatch(/^(\r[█░]{24} \d+ %)+\n/);
    const shares = [...err.matchAll(/ (\d+) %/g)].map(([, share]) => Number(share));
    expect(shares).toEqual([33, 66, 98, 100]);
    const quiet = await cli.run(["med", "evidence", "add", id, "large.pdf", "--quiet"], { answers: [] });
    expect([quiet.code, quiet.err]).toEqual([0, ""]);
    expect((await add(id, "large.pdf")).err).toBe("");
  });

  it.each([
    ["image/png", PNG],
    ["image/jpeg", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3)],
    ["image/gif", "GIF89a and so on"],
    ["image/gif", "GIF87a and so on"],
    ["image/webp", "RIFF\u0001\u0001\u0001\u0001WEBPVP8 "],
    ["application/pdf", "%PDF-1.7\n"],
  ])("is %s by its first bytes, whatever its name is", async (type, content) => {
    const { id } = await openCase(emulator);
    const { code, out } = await add(id, file("scan.txt", content), "--json");
    expect([code, JSON.parse(out).mime_type]).toEqual([0, type]);
  });

  it("has its own name, whatever the path to it is", async () => {
    const { id } = await openCase(emulator);
    mkdirSync(join(cli.folder, "scans"));
    const { out } = await add(id, join(cli.folder, file("scans/page-1.png")), "--json");
    expect(JSON.parse(out).file_name).toBe("page-1.png");
  });

  it("is not sent with --dry-run", async () => {
    const { id } = await openCase(emulator);
    const { code, out } = await add(id, file("dry.png"), "--dry-run", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      method: "POST",
      url: `${emulator.url}/v1/med/cases/${id}/evidence`,
      body: { file_name: "dry.png", file_size: PNG.length, mime_type: "image/png" },
    });
    expect(await evidenceOf(emulator, id)).toEqual([]);
  });
});

it.each([
  ["nowhere.png", null, "The file nowhere.png cannot be read: there is no such file."],
  ["folder", "folder", "The file folder cannot be read: it is a folder."],
  ["empty.png", "", "empty.png is no PNG, JPEG, WebP, GIF or PDF."],
  ["letter.pdf", "Dear bank,", "letter.pdf is no PNG, JPEG, WebP, GIF or PDF."],
  ["page.png", "<svg/>", "page.png is no PNG"],
  ["huge.pdf", pdf(LIMIT + 1), `huge.pdf has ${LIMIT + 1} bytes; evidence has at most ${LIMIT}.`],
])("a file that cannot be evidence is refused before anything is sent %s", async (name, content, message) => {
  if (content === "folder") mkdirSync(join(cli.folder, name));
  else if (content !== null) file(name, content);
  const { code, out, err } = await add("med_1", name, "--base-url", "http://127.0.0.1:9", "--api-key", emulator.key);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
});

describe("a service that refuses", () => {
  it("ends with 4 for an unknown case, 5 for a finished case, 3 for a wrong key, 7 without an answer", async () => {
    const { id } = await openCase(emulator);
    await act(emulator, id, "accept");
    const name = file("late.png");
    const ends = async (caseId: string, ...flags: string[]) => {
      const { code, out, err } = await add(caseId, name, "--json", ...flags);
      expect(out).toBe("");
      return [code, (JSON.parse(err) as Loose).error.code];
    };
    expect(await ends("med_01980000-0000-7000-8000-000000000000")).toEqual([4, "not_found"]);
    expect(await ends(id)).toEqual([5, expect.any(String)]);
    expect(await ends(id, "--api-key", "qa_test_nobody-knows-me")).toEqual([3, "unauthorized"]);
    expect(await ends(id, "--base-url", "http://127.0.0.1:9", "--api-key", emulator.key)).toEqual([7, "unreachable"]);
  });

  it.each([
    ["does not take the file", 403, "the storage answered 403"],
    ["breaks off", 0, "The upload to http://127.0.0.1:"],
  ])("and whose storage %s ends with 7, unconfirmed", async (_what, status, message) => {
    const asked: string[] = [];
    const host = await startHost((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.method === "PUT") {
        if (status === 0) return void request.destroy();
        request.resume();
        return void request.on("end", () => response.writeHead(status).end());
      }
      const upload_url = `http://${request.headers.host}/storage`;
      response.writeHead(201).end(JSON.stringify({ id: "ev_1", upload_url, upload_headers: {} }));
    });
    const { code, out, err } = await add("med_1", file("kept.png"), "--base-url", host.url, "--api-key", emulator.key);
    await host.close();
    expect([code, out]).toEqual([7, ""]);
    expect(err).toContain(message);
    expect(asked).toEqual(["POST /v1/med/cases/med_1/evidence", "PUT /storage"]);
  });
});
