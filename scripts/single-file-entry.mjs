// The entry of the single-file executable. Node has no file system for what an executable carries, so a file that the
// package reads by its place beside the code is taken from the assets here.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { getAsset, getAssetKeys } from "node:sea";

const folder = new URL("./", import.meta.url).href;
const names = new Set(getAssetKeys());

/** The names of the assets below a folder; null when there are none. */
function listAssets(place) {
  if (!(place instanceof URL) || !place.href.startsWith(folder)) return null;
  const inside = place.href.slice(folder.length);
  const found = [...names].filter((name) => name.startsWith(inside)).map((name) => name.slice(inside.length));
  return found.length === 0 ? null : found;
}

/** The bytes of an asset; null when the place is not that of one. */
function readAsset(place) {
  if (!(place instanceof URL) || !place.href.startsWith(folder)) return null;
  const name = place.href.slice(folder.length);
  return names.has(name) ? Buffer.from(getAsset(name)) : null;
}

/** The bytes as `readFile` of Node returns them: as a text when an encoding was passed. */
function decodeAs(bytes, options) {
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : bytes;
}

const { readFileSync } = fs;
const { readFile, readdir } = fs.promises;
fs.readFileSync = (place, options) => {
  const bytes = readAsset(place);
  return bytes === null ? readFileSync(place, options) : decodeAs(bytes, options);
};
fs.promises.readFile = async (place, options) => {
  const bytes = readAsset(place);
  return bytes === null ? readFile(place, options) : decodeAs(bytes, options);
};
fs.promises.readdir = async (place, options) => listAssets(place) ?? readdir(place, options);
syncBuiltinESMExports();

const { main } = await import("../dist/cli.cjs");
process.exitCode = await main();
