import { basename, dirname, extname, relative, resolve, sep } from "node:path";
import { capitalized } from "../../../../kernel/capitalized.js";
import { ID_PREFIX, rawId } from "../../../../kernel/ids.js";
import { reasonOf } from "../../../../kernel/reason.js";
import { usage } from "../../../terminal/failure.js";
import { writeNamed } from "../../../terminal/named-file.js";
import { dataLines, jsonText, say } from "../../../terminal/terminal-text.js";
import { defineCommand } from "../../../tree/define-command.js";
import { receiverUrl } from "../../receiver.js";
import { changedFile, type Incident, incidentIn, strangeFile } from "../file.js";
import { planOf } from "../replay/plan.js";
import PHPUNIT from "./phpunit.php.txt?raw";
import PYTEST from "./pytest.py.txt?raw";
import VITEST from "./vitest.mjs.txt?raw";

/** `incident test`: writes a test that replays an incident, once. The team goes on with it (docs/decisions/153-written-tests.md). */

interface Framework {
  readonly template: string;
  /** The name of the file for words of letters and digits, and for the same as it was written. */
  readonly file: (words: readonly string[], stem: string) => string;
  /** A text as the language writes it. */
  readonly quoted: (text: string) => string;
  readonly run: string;
}

/** A class is named after its file, and no name begins with a digit. */
function className(words: readonly string[]): string {
  const name = words.map(capitalized).join("");
  return `${/^\d/.test(name) ? "Incident" : ""}${name}Test`;
}

const FRAMEWORKS = {
  vitest: {
    template: VITEST,
    file: (_words, stem) => `${stem}.test.mjs`,
    quoted: JSON.stringify,
    run: "npx vitest run",
  },
  pytest: {
    template: PYTEST,
    file: (words) => `test_${words.join("_").toLowerCase()}.py`,
    quoted: JSON.stringify,
    run: "pytest",
  },
  phpunit: {
    template: PHPUNIT,
    file: (words) => `${className(words)}.php`,
    quoted: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
    run: "vendor/bin/phpunit",
  },
} as const satisfies Readonly<Record<string, Framework>>;

type FrameworkName = keyof typeof FRAMEWORKS;

const ENDINGS: Readonly<Record<string, FrameworkName>> = { ".py": "pytest", ".php": "phpunit" };

/** Throws Failure: exit 5 for contents that are none of ours, exit 2 for an incident of which a replay sends nothing. */
function checkWebhooks({ rows }: Incident, file: string): void {
  let count: number;
  try {
    count = planOf(rows, undefined).sendings.length;
  } catch (error) {
    throw strangeFile(file, reasonOf(error));
  }
  if (count === 0) throw usage(`${file} has no webhooks, so there is nothing to test.`);
}

interface TestPaths {
  readonly path: string;
  readonly output: string;
  readonly receiver: string;
}

/** The test as it is written into `output`. What it takes from the file is an id that has the form of one, and nothing else. */
function testText(framework: Framework, incident: Incident, { path, output, receiver }: TestPaths): string {
  const id = rawId(incident.subject, ID_PREFIX.charge, ID_PREFIX.transaction);
  if (id === null) throw changedFile(path, "its subject is no charge");
  const values: Readonly<Record<string, string>> = {
    id: incident.subject,
    incident: relative(dirname(output), path).split(sep).join("/"),
    receiver,
    class: basename(output, extname(output)),
  };
  const given = (name: string) => values[name] ?? "";
  return framework.template
    .replace(/["']\{\{(\w+)\}\}["']/g, (_all, name: string) => framework.quoted(given(name)))
    .replace(/\{\{(\w+)\}\}/g, (_all, name: string) => given(name));
}

export const command = defineCommand({
  command: "incident test",
  summary: "Write a test of your shop that replays the webhooks of a file",
  section: "shop",
  takes: { "<file>": "a file of `incident save`" },
  flags: {
    "--framework <name>": {
      about: "what runs the test; without it by the ending of --output, else vitest",
      choices: ["vitest", "pytest", "phpunit"],
    },
    "--output <file>": "new file to write; without it one beside the given file, with - standard output",
    "--forward-to <url>": { about: "where your shop receives webhooks", default: "http://localhost:3000/webhooks" },
  },
  examples: [
    "qa-pay incident test incident.json",
    "qa-pay incident test incident.json --framework pytest --forward-to http://localhost:8000/webhooks",
  ],
  globals: { quiet: true },
}).run(async ({ io, given: { file }, flags }) => {
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
    throw usage(`--output ${output} is no name of a class. PHPUnit wants one, such as IncidentTest.php.`);
  }
  const text = testText(framework, incident, { path, output: target, receiver });
  if (isPrinted) return void io.out(dataLines(text));
  await writeNamed(io, target, text, { flag: "wx" });
  if (json) io.out(jsonText({ file: target, framework: name, incident: path }));
  else if (!quiet) {
    io.out(say`${target}\n`);
    io.err(
      say`Start your shop and say what your order must be where it says YOURS. Then: ${framework.run} ${target}\n`,
    );
  }
});
