#!/usr/bin/env node
// This file is CommonJS, which Node starts sooner than an ES module: scripts often run `--version` only to see whether
// qa-pay is installed, so it is answered here, before anything else is loaded. Help texts have a small file of their own.
const words = process.argv.slice(2);
const asksForHelp = () => words[0] === "help" || ["--help", "-h"].includes(words.at(-1));
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  const line = `${require("../package.json").version}\n`;
  try {
    // Written directly: to open the stream of standard output takes Node longer than all the rest.
    require("node:fs").writeSync(1, line);
  } catch {
    process.stdout.write(line);
  }
} else if (!require("node:fs").existsSync(`${__dirname}/../dist/program.cjs`)) {
  const clone = require("node:path").dirname(__dirname);
  console.error(`qa-pay is not built yet: run \`npm ci && npm run build\` in ${clone}, and then this command again.`);
  process.exitCode = 1;
} else if (!asksForHelp() || !require("../dist/help.cjs").showHelp()) {
  // The class of all modules is handed over, because to load it from node:module takes a millisecond.
  require("../dist/compiled-code.cjs").keepCompiledCode(module.constructor);
  const { main } = require("../dist/program.cjs").cli;
  void main().then((code) => {
    process.exitCode = code;
  });
}
