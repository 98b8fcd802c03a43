import { basename, dirname, extname, relative, sep } from "node:path";
import { capitalize } from "../../base/kernel/capitalize.js";
import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { fileError, type Incident, strangeFile } from "./file.js";
import { IncidentError } from "./incident-error.js";
import { planOf } from "./plan.js";
import PHPUNIT from "./tests/phpunit.php.txt?raw";
import PYTEST from "./tests/pytest.py.txt?raw";
import VITEST from "./tests/vitest.mjs.txt?raw";

/** Writes a test that replays an incident. From then on the file belongs to the team (docs/decisions/152-incidents.md). */

export interface Framework {
  readonly template: string;
  /** Returns a file name of letters and digits for a name of any form. */
  readonly file: (words: readonly string[], stem: string) => string;
  /** A text as the language writes it. */
  readonly quoteText: (text: string) => string;
  readonly run: string;
}

/** A class is named after its file, and no name begins with a digit. */
function className(words: readonly string[]): string {
  const name = words.map(capitalize).join("");
  return `${/^\d/.test(name) ? "Incident" : ""}${name}Test`;
}

export const FRAMEWORKS = {
  vitest: {
    template: VITEST,
    file: (_words, stem) => `${stem}.test.mjs`,
    quoteText: JSON.stringify,
    run: "npx vitest run",
  },
  pytest: {
    template: PYTEST,
    file: (words) => `test_${words.join("_").toLowerCase()}.py`,
    quoteText: JSON.stringify,
    run: "pytest",
  },
  phpunit: {
    template: PHPUNIT,
    file: (words) => `${className(words)}.php`,
    quoteText: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
    run: "vendor/bin/phpunit",
  },
} as const satisfies Readonly<Record<string, Framework>>;

export type FrameworkName = keyof typeof FRAMEWORKS;

/** Throws IncidentError for contents of another program, and for an incident without any webhook to replay. */
export function checkWebhooks({ rows }: Incident, file: string): void {
  let count: number;
  try {
    count = planOf(rows, undefined).sendings.length;
  } catch (error) {
    throw strangeFile(file, reasonOf(error));
  }
  if (count === 0) throw new IncidentError("usage", `${file} has no webhooks, so there is nothing to test.`);
}

interface TestPaths {
  readonly path: string;
  readonly output: string;
  readonly receiver: string;
}

/** Returns the test for `output`. It takes nothing from the file but an id of the right form. */
export function testText(framework: Framework, incident: Incident, { path, output, receiver }: TestPaths): string {
  const id = rawId(incident.subject, ID_PREFIX.charge, ID_PREFIX.transaction);
  if (id === null) throw fileError(path, "its subject is no charge");
  const values: Readonly<Record<string, string>> = {
    id: incident.subject,
    incident: relative(dirname(output), path).split(sep).join("/"),
    receiver,
    class: basename(output, extname(output)),
  };
  // All places are filled in one pass, so that a value that looks like a place stays a value.
  return framework.template.replace(/(["']?)\{\{(\w+)\}\}\1/g, (_all, quote: string, name: string) => {
    const value = values[name] ?? "";
    return quote === "" ? value : framework.quoteText(value);
  });
}
