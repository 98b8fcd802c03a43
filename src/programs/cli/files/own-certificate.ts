import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { linkSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Tls } from "../../../api/http/server.js";
import { DAY } from "../../../base/kernel/duration.js";
import { errorCode, reasonOf } from "../../../base/kernel/reason.js";
import type { Words } from "../../../base/kernel/wording.js";
import { makeFolder } from "../../../base/platform/own-folder.js";
import { userFolder } from "../../../base/platform/real-runtime.js";
import { Failure, usage, whyUnreadable } from "../terminal/failure.js";
import { findFile, textIn } from "../terminal/find-file.js";
import type { Io } from "../terminal/io.js";
import { Distrusted, privateFile, writePrivately } from "./private-file.js";

/**
 * The certificate of this user for servers on this machine: `serve --https` makes it once, and keeps it in the cache folder. It is
 * self-signed and no authority: who trusts it trusts localhost alone, also when its key is stolen.
 */
export interface OwnCertificate extends Tls {
  /** The path of a PEM file with the certificate alone, for programs that have to trust it. */
  readonly file: string;
  /** A sentence about a new certificate in the place of an old one, which other programs have to trust anew; null for any other. */
  readonly replaced: string | null;
}

const CERTIFICATE = "localhost.pem";
/** It has the key and the certificate, so that both are always of one kind. The other file is a copy of its second part. */
const WITH_KEY = "localhost-key.pem";
const NAMES = ["localhost", "127.0.0.1", "::1"] as const;
/** Systems of Apple refuse a certificate that is valid for more than 825 days. */
const VALID_MS = 820 * DAY;
/** A certificate is valid from a day before, because clocks differ. */
const EARLIER_MS = DAY;
/** A certificate that ends earlier is replaced at a start. */
const RENEW_MS = 30 * DAY;

/** The folder for files of this user that qa-pay can create again; null where the user has no home. */
export function cacheFolder({ env, home, platform }: Pick<Io, "env" | "home" | "platform">): string | null {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (platform === "win32") {
    const folder = userFolder(local, home, "AppData", "Local");
    return folder === null ? null : join(folder, "qa-pay", "cache");
  }
  const isMac = platform === "darwin";
  const folder = isMac ? userFolder(undefined, home, "Library", "Caches") : userFolder(xdg, home, ".cache");
  return folder === null ? null : join(folder, "qa-pay");
}

const ELSEWHERE = "Remove it, or name another cache folder in XDG_CACHE_HOME.";

function unusable(path: string, why: Words, hint = ELSEWHERE): Failure {
  return usage(`The certificate of --https cannot be kept in ${path}: ${why}.`, hint);
}

/** Makes the folder where it is missing. Throws Failure (exit 2) for one in which somebody else could exchange files. */
function requireFolder(io: Io): string {
  const folder = cacheFolder(io);
  if (folder === null)
    throw usage("There is no home folder to keep the certificate of --https in.", "Set HOME or XDG_CACHE_HOME.");
  try {
    makeFolder(folder);
  } catch (error) {
    throw unusable(folder, reasonOf(error));
  }
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw unusable(folder, "it is a link");
  if (io.uid === null) return folder;
  if (found.uid !== io.uid) throw unusable(folder, "it belongs to another user");
  if ((found.mode & 0o022) === 0) return folder;
  const mode = (found.mode & 0o777).toString(8);
  throw unusable(folder, `others may change it (mode ${mode})`, `Check it, then run: chmod 700 ${folder}`);
}

/** The text of a file of the certificate; null when there is none. Throws Failure for one that `read` refuses. */
function readOwn(path: string, read: () => Buffer | null): string | null {
  try {
    const bytes = read();
    return bytes === null ? null : textIn(bytes);
  } catch (error) {
    throw unusable(path, whyUnreadable(error), error instanceof Distrusted ? error.hint : undefined);
  }
}

/** The key with its certificate. Nobody else may have read or written it. */
const readKey = (io: Io, path: string) => readOwn(path, () => privateFile(io, path));

/** The file for other programs. Its owner may let others read it, such as a container. */
const readCopy = (path: string) => readOwn(path, () => findFile(path, { noLinks: true })?.bytes ?? null);

/** The two parts of the text. Throws Error when they are no certificate of localhost with its key. */
function partsOf(text: string): Tls & { readonly endsAt: number } {
  const [key = "", cert = ""] = text.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----\n/g) ?? [];
  const parsed = new X509Certificate(cert);
  if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new Error("its key is that of another certificate");
  const [name, ...addresses] = NAMES;
  const isOurs = parsed.checkHost(name) !== undefined && addresses.every((one) => parsed.checkIP(one) !== undefined);
  if (!isOurs || !parsed.verify(parsed.publicKey)) throw new Error("it is none for localhost");
  return { key, cert, endsAt: Date.parse(parsed.validTo) };
}

/** Makes a key and a certificate, as the text of their file. It takes up to two seconds, once for each user. */
async function makeText(io: Io): Promise<string> {
  // listhen brings this library. What listhen makes with it is signed by an authority that it throws away, so nobody could trust it.
  const { pki, md } = (await import("node-forge")).default;
  const encoding = { type: "spki", format: "pem" } as const;
  const { privateKey: key, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: encoding,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  // A number that begins with a small digit is positive.
  certificate.serialNumber = `1${io.random().replaceAll("-", "")}`.slice(0, 32);
  certificate.validity.notBefore = new Date(io.now() - EARLIER_MS);
  certificate.validity.notAfter = new Date(io.now() - EARLIER_MS + VALID_MS);
  const subject = [
    { name: "commonName", value: NAMES[0] },
    { name: "organizationName", value: "qa-pay on this machine" },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  const [name, ...addresses] = NAMES;
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectKeyIdentifier" },
    { name: "subjectAltName", altNames: [{ type: 2, value: name }, ...addresses.map((ip) => ({ type: 7, ip }))] },
  ]);
  certificate.sign(pki.privateKeyFromPem(key), md.sha256.create());
  return key + pki.certificateToPem(certificate).replaceAll("\r\n", "\n");
}

/** Writes a file that is not there. Returns its text: that of another start if one has written it meanwhile. */
function writeFirst(io: Io, path: string, text: string): string {
  const own = `${path}.${io.random()}`;
  writePrivately(own, text, io.random());
  try {
    linkSync(own, path);
    return text;
  } catch (error) {
    const first = errorCode(error) === "EEXIST" ? readKey(io, path) : null;
    if (first === null) throw error;
    return first;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Why the certificate in a text has to be replaced; null if it need not. */
function whyReplaced(io: Io, text: string): string | null {
  try {
    return partsOf(text).endsAt - io.now() < RENEW_MS ? "the one before ends soon" : null;
  } catch {
    return "the file of the one before was damaged";
  }
}

/**
 * The certificate of this user, made where there is none, and made anew where it ends soon or its file is damaged. Throws Failure
 * (exit 2) where it cannot be kept safely.
 */
export async function ownCertificate(io: Io): Promise<OwnCertificate> {
  const folder = requireFolder(io);
  const path = join(folder, WITH_KEY);
  const file = join(folder, CERTIFICATE);
  let text = readKey(io, path);
  const why = text === null ? null : whyReplaced(io, text);
  try {
    if (why !== null) rmSync(path, { force: true });
    if (text === null || why !== null) text = writeFirst(io, path, await makeText(io));
    const { key, cert } = partsOf(text);
    if (readCopy(file) !== cert) writePrivately(file, cert, io.random());
    const replaced = why === null ? null : `${file} is a new certificate, which other programs have to trust: ${why}`;
    return { key, cert, file, replaced };
  } catch (error) {
    throw error instanceof Failure ? error : unusable(folder, reasonOf(error));
  }
}
