import { basename, dirname, extname, resolve } from "node:path";
import {
  checkWebhooks,
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  testText,
} from "../../../../checks/incident/written-test.js";
import { usage } from "../../terminal/failure.js";
import { writeNamed } from "../../terminal/named-file.js";
import { dataLines, jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { receiverUrl } from "../receiver.js";
import { incidentIn, withExitCodes } from "./named-incident.js";

const ENDINGS: Readonly<Record<string, FrameworkName>> = { ".py": "pytest", ".php": "phpunit" };

export const command = defineCommand({
  command: "incident test",
  summary: "Write a test of your shop that replays the webhooks of a file",
  takes: { "<file>": "a file of `incident save`" },
  flags: {
    "--framework <name>": {
      about: "test framework (default: by the ending of --output, else vitest)",
      choices: ["vitest", "pytest", "phpunit"],
    },
    "--output <file>": "new file to write, or - for standard output (default: a file beside <file>)",
    "--forward-to <url>": { about: "where your shop receives webhooks", default: "http://localhost:3000/webhooks" },
  },
  examples: [
    "qa-pay incident test incident.json",
    "qa-pay incident test incident.json --framework pytest --forward-to http://localhost:8000/webhooks",
  ],
  globals: { quiet: true },
}).run(
  withExitCodes(async ({ io, given: { file }, flags }) => {
    const { forwardTo, output = "", quiet, json } = flags;
    const receiver = receiverUrl("--forward-to", forwardTo);
    if (file === "-") throw usage("The test reads the incident each time it runs: name a file, not standard input.");
    const name = flags.framework ?? ENDINGS[extname(output)] ?? "vitest";
    const framework: Framework = FRAMEWORKS[name];
    const incident = await incidentIn(io, file);
    checkWebhooks(incident, file);
    const path = resolve(io.cwd, file);
    const stem = basename(file, extname(file));
    const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
    const own = resolve(dirname(path), framework.file(words.length === 0 ? ["incident"] : words, stem));
    const isPrinted = output === "-";
    const target = output === "" || isPrinted ? own : resolve(io.cwd, output);
    if (name === "phpunit" && !/^[A-Za-z_]\w*\.php$/.test(basename(target))) {
      throw usage(
        `--output ${output} is not named like a class, as PHPUnit needs it. Choose a name such as IncidentTest.php.`,
      );
    }
    const text = testText(framework, incident, { path, output: target, receiver });
    if (isPrinted) return void io.out(dataLines(text));
    await writeNamed(io, target, text, { flag: "wx" });
    if (json) io.out(jsonText({ file: target, framework: name, incident: path }));
    else if (!quiet) {
      io.out(say`${target}\n`);
      io.err(
        say`Start your shop, and replace YOURS in the test by what your order must be. Then: ${framework.run} ${target}\n`,
      );
    }
  }),
);
