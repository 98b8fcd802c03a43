// @ts-check
// The types of the package name those of zod. zod itself is in the bundle and is not installed with qa-pay, so the files
// of its types that ours need are copied to dist/types/zod, and ours name them there.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const FROM = "node_modules/zod";
const TO = "dist/types/zod";
const OURS = "dist/index.d.ts";
/** The files behind the names that types of ours may import. */
const ENTRIES = new Map([
  ["zod", "index.d.ts"],
  ["zod/v4/core", "v4/core/index.d.ts"],
]);
/** The messages of zod in forty languages: no type of ours has one. */
const LOCALES = /^export (?:\*|\{[^}]*\}) (?:as \w+ )?from "[^"]*\/locales\/index\.js";$/gm;

const ours = readFileSync(OURS, "utf8").replace(/from ['"](zod[^'"]*)['"]/g, (_, name) => {
  const file = ENTRIES.get(name);
  assert(file, `${OURS} imports ${name}: name its file in this script`);
  return `from './types/zod/${file.replace(/\.d\.ts$/, ".js")}'`;
});
const copied = new Set();
for (const file of ENTRIES.values()) copy(file);
writeFileSync(OURS, ours);

/** @param {string} file The path inside zod, with slashes. */
function copy(file) {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(join(FROM, file), "utf8").replace(LOCALES, "");
  mkdirSync(dirname(join(TO, file)), { recursive: true });
  writeFileSync(join(TO, file), text);
  for (const [, name = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
    copy(posix.join(posix.dirname(file), name.replace(/\.js$/, ".d.ts")));
  }
}
