// @ts-check
// Usage: PATH=$(node scripts/bare-path.mjs <folder>) npm test
// Fills a folder with links to the programs that a developer's machine has in any case: Node, npm, git, a shell and the basic
// tools. Prints the folder. Used as PATH, it shows whether the tests need anything else.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const PROGRAMS = [
  "node npm npx git sh bash",
  // Of coreutils, grep and sed: what the tests, the build and npm use.
  "cat chmod cp cut date dirname env grep head ls mkdir mkfifo mktemp mv readlink rm sed sleep sort tail tr uname wc",
];

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error("Name the folder: node scripts/bare-path.mjs <folder>");
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
const places = (process.env.PATH ?? "").split(delimiter);
for (const name of PROGRAMS.join(" ").split(" ")) {
  const found = places.map((place) => join(place, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is in no folder of PATH`);
  symlinkSync(found, join(folder, name));
}
console.log(folder);
