#!/usr/bin/env node
const { existsSync } = require("node:fs");

const words = process.argv.slice(2);
const asksForHelp = () => words[0] === "help" || ["--help", "-h"].includes(words.at(-1));
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  // Scripts often run this only to see whether qa-pay is installed; the program would take 30 ms longer on Node 20.
  console.log(require("../package.json").version);
} else if (!existsSync(`${__dirname}/../dist/cli.cjs`)) {
  const clone = require("node:path").dirname(__dirname);
  console.error(`qa-pay is not built yet: run \`npm ci && npm run build\` in ${clone}, and then this command again.`);
  process.exitCode = 1;
} else if (!asksForHelp() || !require("../dist/help.cjs").showHelp()) {
  void require("../dist/cli.cjs")
    .main()
    .then((code) => {
      process.exitCode = code;
    });
}
