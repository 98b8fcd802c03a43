import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";
import { installSqlite, SQLITE_PACKAGES } from "./install-sqlite.mjs";

/** The folders of the packages that files come from, such as `node_modules/zod`. */
function packagesOf(files: readonly string[]): string[] {
  return files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
}

/** The licences of the native binaries that come along. SQLite itself is in the public domain. */
const IN_BINARIES = ["@photostructure/sqlite", "node-addon-api"].map((name) => join(SQLITE_PACKAGES, name));

/** The licences of what is copied into the source: each file begins with its name and version. */
const COPIED = "scripts/licences";

/** The texts of licences by their names. */
const KNOWN = "scripts/licence-texts";

function readLicences(): string[] {
  return readdirSync(COPIED).map((file) => readFileSync(join(COPIED, file), "utf8"));
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Where a package offers several licences, such as `(MIT OR Apache-2.0)`, the first one is taken.
  const [kind = ""] = String(license).replace(/[()]/g, "").split(" OR ");
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry));
  const file = files.find((entry) => entry.toLowerCase().endsWith(`-${kind.toLowerCase()}`)) ?? files[0];
  // Some packages name their licence and do not contain its text.
  const text = readFileSync(file === undefined ? join(KNOWN, `${kind}.txt`) : join(folder, file), "utf8");
  return `${name} ${version} (${kind})\n\n${text.trim()}\n`;
}

/**
 * Writes the licences of all bundled packages into one file, for every build that shares this plugin. A package that is
 * bundled is not installed with ours, and its licence wants to be passed on.
 */
export function bundleLicences(file: string): EsbuildPlugin {
  installSqlite();
  const known = new Set(IN_BINARIES);
  return {
    name: "bundled-licences",
    setup(build) {
      build.onEnd(({ metafile }) => {
        // Of an input that is named nowhere in the output, nothing is bundled.
        const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
        const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
        for (const folder of packagesOf(used)) known.add(folder);
        const licences = [...[...known].map(licenceOf), ...readLicences()].sort();
        mkdirSync(dirname(file), { recursive: true });
        // Not asynchronous: the builds run side by side, and the later one must find the packages of both.
        writeFileSync(file, licences.join(`\n${"-".repeat(80)}\n\n`));
      });
    },
  };
}
