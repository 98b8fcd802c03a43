#!/usr/bin/env node
// This file is CommonJS, which Node starts sooner than an ES module: scripts often run `--version` only to see whether
// qa-pay is installed, so it is answered here, before anything else is loaded.
const { enableCompileCache } = require("node:module");
const { version } = require("../package.json");

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version}\n`);
} else {
  // Node 22 and newer keep what they compiled in a folder for temporary files, so that the next start need not compile it
  // again; NODE_DISABLE_COMPILE_CACHE=1 turns that off. Node 20 has no such cache.
  enableCompileCache?.();
  const { main } = require("../dist/program.cjs").cli;
  void main().then((code) => {
    process.exitCode = code;
  });
}
