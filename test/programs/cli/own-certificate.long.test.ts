import { createPrivateKey, X509Certificate } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY } from "../../../src/base/kernel/duration.js";
import { ownCertificate } from "../../../src/programs/cli/files/own-certificate.js";
import { type Io, processIo } from "../../../src/programs/cli/terminal/io.js";
import type { CliOptions } from "../../support/cli.js";
import { newFolder } from "../../support/folder.js";
import { OF_OWN_AUTHORITY } from "../../support/own-authority.js";
import { projectServers } from "../../support/project-servers.js";
import { SELF_SIGNED } from "../../support/self-signed.js";

/** The certificate of `serve --https`: when it is made, how long it is kept, and the files that are refused. */

const shared = newFolder();
afterAll(shared.remove);
const servers = projectServers();
const { at, project, serve } = servers;
const run = (words: readonly string[], options: CliOptions = {}) => servers.cli.run(words, options);
const KEY_FILE = "localhost-key.pem";
const cache = (...names: string[]) => at(".cache", "qa-pay", ...names);
const modeOf = (file: string) => statSync(file).mode & 0o777;

const own = (): Io => ({ ...processIo(), env: {}, home: at(), platform: "linux" });
/** The certificate that a start at this time finds or makes. */
const certificateAt = (now: number) => ownCertificate({ ...own(), now: () => now });
/** Copies a certificate, because a new key takes long. */
function copyCertificate(): void {
  mkdirSync(cache(), { recursive: true, mode: 0o700 });
  for (const name of [KEY_FILE, "localhost.pem"]) copyFileSync(join(shared.path, "qa-pay", name), cache(name));
}

describe("the certificate", () => {
  const now = Date.now();
  beforeAll(() => ownCertificate({ ...processIo(), env: { XDG_CACHE_HOME: shared.path }, platform: "linux" }));

  it("is in files for their owner alone, and for localhost alone, for 820 days", async () => {
    const { file, key, cert, replaced } = await certificateAt(now);
    expect([file, replaced]).toEqual([cache("localhost.pem"), null]);
    expect(readdirSync(cache()).sort()).toEqual([KEY_FILE, "localhost.pem"]);
    expect([modeOf(cache()), modeOf(file), modeOf(cache(KEY_FILE))]).toEqual([0o700, 0o600, 0o600]);
    expect([readFileSync(file, "utf8"), readFileSync(cache(KEY_FILE), "utf8")]).toEqual([cert, key + cert]);
    const { subjectAltName, validFrom, validTo } = new X509Certificate(cert);
    expect(subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    expect((Date.parse(validTo) - Date.parse(validFrom)) / DAY).toBe(820);
    expect(await certificateAt(now + 788 * DAY)).toEqual({ file, key, cert, replaced: null });
  });

  it("is replaced a month before its end, and a running server is still believed", async () => {
    copyCertificate();
    const { cert } = await certificateAt(now);
    const server = await serve(project("shop"), ["--https", "--db", ":memory:"]);
    const later = await certificateAt(now + 791 * DAY);
    expect(later.cert).not.toBe(cert);
    expect(later.replaced).toBe(
      `${later.file} is a new certificate, which other programs have to trust: the one before ends soon`,
    );
    expect(readFileSync(later.file, "utf8")).toBe(later.cert);
    const { test_key: key, url } = server.ready;
    const words = ["wallets", "list", "--base-url", url, "--api-key", key];
    expect(await run(words, { cwd: project("other") })).toMatchObject({ code: 0 });
  });

  it.each([
    ["is empty", () => writeFileSync(cache(KEY_FILE), "")],
    ["is cut", () => writeFileSync(cache(KEY_FILE), readFileSync(cache(KEY_FILE), "utf8").slice(0, -100))],
    [
      "has the key of another certificate",
      () => writeFileSync(cache(KEY_FILE), `${SELF_SIGNED.key}\n${readFileSync(cache("localhost.pem"), "utf8")}`),
    ],
    ["is of another host", () => writeFileSync(cache(KEY_FILE), OF_OWN_AUTHORITY.key + OF_OWN_AUTHORITY.cert)],
  ])("is made anew where its file %s", async (_what, damage) => {
    copyCertificate();
    damage();
    const { replaced, key, cert, file } = await certificateAt(now);
    expect(replaced).toContain("the file of the one before was damaged");
    expect([readFileSync(cache(KEY_FILE), "utf8"), readFileSync(file, "utf8")]).toEqual([key + cert, cert]);
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it("that programs trust is written anew from the other file, and its owner may let others read it", async () => {
    copyCertificate();
    const { cert, file } = await certificateAt(now);
    writeFileSync(file, "other");
    await certificateAt(now);
    expect(readFileSync(file, "utf8")).toBe(cert);
    rmSync(file);
    await certificateAt(now);
    expect(readFileSync(file, "utf8")).toBe(cert);
    chmodSync(file, 0o644);
    await certificateAt(now);
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual([cert, 0o644]);
  });

  it("of the first of two starts at once is that of both", async () => {
    const [one, other] = await Promise.all([certificateAt(now), certificateAt(now)]);
    expect(one).toEqual(other);
    expect(readdirSync(cache()).sort()).toEqual([KEY_FILE, "localhost.pem"]);
  });

  const elsewhere = (...names: string[]) => at("elsewhere", ...names);
  it.each<[string, () => void, string]>([
    ["others may read its key", () => chmodSync(cache(KEY_FILE), 0o640), "others may read it (mode 640)"],
    ["others may change its folder", () => chmodSync(cache(), 0o770), "others may change it (mode 770)"],
    [
      "its folder is a link",
      () => {
        renameSync(cache(), elsewhere());
        symlinkSync(elsewhere(), cache());
      },
      "it is a link",
    ],
    [
      "its key is a link",
      () => {
        renameSync(cache(KEY_FILE), elsewhere());
        symlinkSync(elsewhere(), cache(KEY_FILE));
      },
      "it is a link",
    ],
    [
      "the file for other programs is a link",
      () => {
        renameSync(cache("localhost.pem"), elsewhere());
        symlinkSync(elsewhere(), cache("localhost.pem"));
      },
      "it is a link",
    ],
    [
      "a folder stands in the place of its key",
      () => {
        rmSync(cache(KEY_FILE));
        mkdirSync(cache(KEY_FILE));
      },
      "it is a folder",
    ],
  ])("is refused, and nothing is changed, where %s", async (_what, spoil, why) => {
    copyCertificate();
    spoil();
    const before = readdirSync(cache());
    const words = ["serve", "--https", "--db", ":memory:", "--port", "0"];
    const { code, out, err } = await run(words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Error: The certificate of --https cannot be kept in ");
    expect(err).toContain(`: ${why}.\n`);
    expect(readdirSync(cache())).toEqual(before);
  });

  it("is refused where the folder or the key belongs to another user, and where there is no folder for it", async () => {
    copyCertificate();
    const words = ["serve", "--https", "--db", ":memory:", "--port", "0"];
    const uid = (process.getuid?.() ?? 0) + 1;
    expect(await run(words, { uid })).toMatchObject({
      code: 2,
      err: expect.stringContaining("belongs to another user"),
    });
    expect(await run(words, { home: null })).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        "There is no home folder to keep the certificate of --https in.\nSet HOME or XDG_CACHE_HOME.",
      ),
    });
  });
});
