import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { expect, type TestContext, test, vi } from "vitest";
import { createMarkdown } from "../../scripts/docs-site/markdown.js";
import { choicesOf } from "../../scripts/docs-site/tabs.js";
import { ENGLISH, type Language, otherLanguages } from "../../src/base/kernel/language.js";
import { docsFolder } from "../../src/base/pages/docs-folder.js";
import {
  presentable,
  type Sample,
  samplesOf,
  settingOf,
  settled,
  showsSpeech,
  withTexts,
  withValuesOf,
} from "../docs/samples.js";
import { newPlace } from "../support/binary.js";
import { freePort } from "../support/free-port.js";
import { LOADED_BY_NODE } from "../support/loaded-by-node.js";
import { PATIENCE } from "../support/patience.js";
import { hasProgram } from "../support/programs.js";
import { type Background, openShell, type Shell } from "../support/shell.js";

/**
 * Every sample of the guides, run in the order of the page with the built command, in a folder of its own. The words after
 * a fence say what a sample is:
 *
 * - `sh` is run and must succeed; `sh exit=5` must end with 5. `sh service` starts the service of the page, `sh background`
 *   a program that goes on, such as a receiver. `sh elsewhere` is not run: it needs a clone, or a registry of packages.
 * - `js` is run too, with Vitest when it imports that.
 * - `text` below one of them is its output. What differs from run to run may differ, and later samples are run with what
 *   stands there in this run. `text of=service` and `text of=background` are lines that the program has printed by then.
 *   `text elsewhere` is compared with nothing.
 * - A page with a choice of languages is read once for each: what is in the sections of the others is left out.
 * - `needs=php` names a program of scripts/programs.mjs; a sample with curl needs no such word. Where it is not installed, the page
 *   ends before this sample: those behind it use what it makes. `receiver=php/receiver.php` puts this file of examples/receivers into the folder first.
 * - `… file=name` is saved into the folder. `from=path` is a file of this repository, word for word.
 * - JSON between comments is generated (test/docs/guides.test.ts).
 *
 * A page that shows commands which speak the language of the person is run in each language: there the page has its own outputs.
 *
 * `npm run docs:samples` writes outputs anew that are stale.
 */

const FOLDER = "docs/guides";
const VITEST = new URL("../../node_modules/vitest/vitest.mjs", import.meta.url).pathname;
const english = ["README.md", ...readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`)];

/** Returns the page in another language. */
function translationOf(path: string, language: Language): string {
  return path === "README.md" ? `README.${language}.md` : path.replace("docs/", `docs/${docsFolder(language)}`);
}

const spoken = english.filter((path) => showsSpeech(readFileSync(path, "utf8")));
interface Reading {
  readonly path: string;
  /** The language of the person who reads the page. */
  readonly language: Language;
  /** Its English page. */
  readonly source: string;
}

const inEnglish = english.map((path): Reading => ({ path, language: ENGLISH, source: path }));
const inOthers = otherLanguages(ENGLISH).flatMap((language) =>
  spoken.map((source): Reading => ({ path: translationOf(source, language), language, source })),
);

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((done) => {
    socket.once("connect", () => done(true)).once("error", () => done(false));
  }).then((isThere) => {
    socket.destroy();
    return isThere === true;
  });
}

/** Values of the page that stand for values of this run: ids, keys and secrets. */
class Known {
  readonly #real = new Map<string, string>([["127.0.0.1:4600", ""]]);

  /** Learns from a sample and the output that has the same form. */
  learn(shown: string, real: string): void {
    const { parts } = settled(real);
    for (const [index, part] of settled(shown).parts.entries()) {
      const found = parts[index];
      if (found !== undefined && found !== part) this.#real.set(part, found);
    }
  }

  /** The text of a sample as it can be run now. */
  replaced(text: string): string {
    let made = text;
    for (const [shown, real] of this.#real) if (real !== "") made = made.replaceAll(shown, real);
    return made;
  }
}

class Page {
  readonly place = newPlace();
  readonly shell: Shell;
  readonly known = new Known();
  readonly background: Background[] = [];
  service: Background | null = null;
  host = "";
  readonly receiverPort: number;

  constructor(receiverPort: number, language: Language) {
    this.receiverPort = receiverPort;
    const { env } = this.place;
    this.shell = openShell({ ...this.place, env: { ...env, QA_PAY_LANG: language } });
    const modules = join(this.place.folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(new URL("../..", import.meta.url).pathname, join(modules, "qa-pay"));
    symlinkSync(new URL("../../node_modules/vitest", import.meta.url).pathname, join(modules, "vitest"));
    writeFileSync(join(this.place.folder, "vitest.config.mjs"), LOADED_BY_NODE);
  }

  runnable(text: string): string {
    return this.known
      .replaced(text)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${this.receiverPort}`)
      .replace(/\b3000\b/g, String(this.receiverPort));
  }

  async start(text: string): Promise<void> {
    await this.service?.stop();
    // As for a reader, a service that is started again is where it was before.
    const port = this.host === "" ? "0" : this.host.split(":")[1];
    const [line = ""] = this.runnable(text).split("\n");
    this.service = this.shell.start(`${line.replace(/\s+#.*$/, "").replace(/ --port \d+/, "")} --port ${port}`);
    const ready = await this.service.says(/is ready at https?:\/\/\S+/);
    this.host = ready.slice(ready.indexOf("//") + 2);
    await this.service.says(/Console .*\n|Database .*\n/);
    this.known.learn("127.0.0.1:4600", this.host);
  }

  async startReceiver(sample: Sample): Promise<Background> {
    const source = settingOf(sample, "receiver");
    if (source !== undefined) {
      const text = readFileSync(join("examples/receivers", source), "utf8");
      writeFileSync(join(this.place.folder, basename(source)), this.runnable(text));
    }
    const { out: variables } = await this.shell.run("env | grep ^QA_PAY_ || true");
    const started = this.shell.start(
      `env ${variables.trim().replaceAll("\n", " ")} ${this.runnable(sample.text.trim())}`,
    );
    this.background.push(started);
    await vi.waitUntil(() => isListening(this.receiverPort), { timeout: 50_000, interval: 100 });
    return started;
  }

  async close(): Promise<void> {
    for (const one of this.background) await one.stop();
    await this.service?.stop();
    this.shell.close();
    this.place.remove();
  }
}

/** True if every line of the sample is among the lines of the output, in this order. */
function isWithin(shown: string, out: string): boolean {
  const lines = settled(out).form.split("\n");
  let at = -1;
  return settled(shown)
    .form.split("\n")
    .every((line) => {
      at = lines.indexOf(line, at + 1);
      return at >= 0;
    });
}

/** The lines of an output that have the form of the lines of a sample, so that their parts can be learned. */
function matching(shown: string, out: string): string {
  const forms = settled(shown).form.split("\n");
  return out
    .split("\n")
    .filter((line) => forms.includes(settled(line).form))
    .join("\n");
}

function save(page: Page, sample: Sample, name: string): void {
  writeFileSync(join(page.place.folder, name), page.runnable(sample.text));
}

/** The command that runs a sample of JavaScript: with Vitest when it holds tests of Vitest. */
function commandOf(page: Page, sample: Sample): string {
  const isVitest = /from "(?:qa-pay\/)?vitest"/.test(sample.text);
  const file = `sample-${sample.line}${isVitest ? ".test" : ""}.mjs`;
  save(page, sample, file);
  return isVitest ? `node '${VITEST}' run --root . ${file}` : `node ${file}`;
}

/** The output of a sample, or of the program that it started; null when it did neither. */
type Done = string | Background | null;

async function runToEnd(page: Page, sample: Sample, lines: string, where: string): Promise<string> {
  const { code, out } = await page.shell.run(lines);
  const expected = Number(settingOf(sample, "exit") ?? 0);
  if (code !== expected) throw new Error(`${where} ended with ${code}, not ${expected}:\n${sample.text}\n${out}`);
  return out;
}

/** Runs one sample. Returns the output that the next one may show, or null when it has none. */
async function perform(page: Page, sample: Sample, where: string): Promise<Done> {
  const [language, ...words] = sample.info.split(" ");
  const name = settingOf(sample, "file");
  if (name !== undefined) save(page, sample, name);
  const source = settingOf(sample, "from");
  if (source !== undefined) expect(readFileSync(source, "utf8").trimEnd(), where).toBe(sample.text.trimEnd());
  if (language === "js" && name === undefined && source === undefined) {
    return runToEnd(page, sample, commandOf(page, sample), where);
  }
  if (language !== "sh" || words.includes("elsewhere")) return null;
  if (words.includes("service")) {
    await page.start(sample.text);
    return page.service;
  }
  if (words.includes("background")) {
    return page.startReceiver(sample);
  }
  return runToEnd(page, sample, page.runnable(sample.text), where);
}

/** Lines of the service or of a program in the background. Deliveries are on their way: an advance waits for them. */
async function expectPrinted(page: Page, shown: string, program: Background): Promise<void> {
  if (page.service !== null) await page.shell.run("qa-pay sandbox clock advance --seconds 0");
  await vi
    .waitUntil(() => isWithin(shown, program.out()), PATIENCE)
    .catch(() => expect(program.out()).toContain(shown));
  page.known.learn(shown, matching(shown, program.out()));
}

/** The output as the page shows it: what stands there, when it has the same form. `english` is what the English page shows. */
function output(page: Page, shown: string, out: string, english: string): string {
  const isSame = settled(out).form === settled(shown).form;
  const text = withValuesOf(english, isSame ? shown : presentable(out, page.receiverPort));
  page.known.learn(text, out);
  return text;
}

/** The samples up to the first one whose program is missing. */
function runnableOf(context: TestContext, samples: readonly Sample[], path: string): readonly Sample[] {
  const at = samples.findIndex((sample) => {
    const program =
      settingOf(sample, "needs") ?? (/^sh\b/.test(sample.info) && /\bcurl /.test(sample.text) ? "curl" : undefined);
    return program !== undefined && !hasProgram(context, program, `${path} from line ${sample.line}`);
  });
  return at === -1 ? samples : samples.slice(0, at);
}

/** The texts of samples as they should be, by their lines. */
type Texts = Map<number, string>;

/** Performs the samples in their order. `english` has the texts of the English page, by the lines of this one. */
async function performAll(page: Page, samples: readonly Sample[], path: string, english: Texts): Promise<Texts> {
  const texts: Texts = new Map();
  let last: Done = null;
  for (const sample of samples) {
    const of = settingOf(sample, "of");
    const program = of === "service" ? page.service : page.background.at(-1);
    let text = sample.text;
    if (of !== undefined && program == null) throw new Error(`${path}:${sample.line}: there is no ${of} yet`);
    if (program != null && of !== undefined) await expectPrinted(page, text, program);
    else if (sample.info === "text" && typeof last === "string")
      text = output(page, text, last, english.get(sample.line) ?? text);
    else if (sample.info === "text" && last !== null && typeof last !== "string") await expectPrinted(page, text, last);
    else last = await perform(page, sample, `${path}:${sample.line}`);
    texts.set(sample.line, text);
  }
  return texts;
}

/** What each reader of a page reads: all of it, but of a choice with commands the section of one language alone. */
function readingsOf(text: string): Sample[][] {
  const tokens = createMarkdown().parse(text, {});
  const tabs = choicesOf(tokens).flat();
  const languages = new Map<number, string>();
  for (const { name, start, end } of tabs) {
    for (const { type, map } of tokens.slice(start, end))
      if (type === "fence") languages.set((map?.[0] ?? 0) + 1, name);
  }
  const samples = samplesOf(text);
  const isRun = ({ info, line }: Sample) => languages.has(line) && /^sh\b(?!.* elsewhere)/.test(info);
  const readers = new Set(samples.filter(isRun).map(({ line }) => languages.get(line)));
  if (readers.size === 0) return [samples];
  return [...readers].map((reader) => samples.filter(({ line }) => (languages.get(line) ?? reader) === reader));
}

interface PageToRead {
  readonly path: string;
  readonly language: Language;
  readonly english: Texts;
}

async function performReading(
  context: TestContext,
  reading: readonly Sample[],
  { path, language, english }: PageToRead,
): Promise<Texts> {
  const page = new Page(await freePort(), language);
  try {
    return await performAll(page, runnableOf(context, reading, path), path, english);
  } finally {
    await page.close();
  }
}

// A page most often waits for the programs that it starts, and knows nothing of another one.
test.concurrent.for([...inEnglish, ...inOthers])(
  "every sample of $path does what the page shows",
  async ({ path, language, source }, context) => {
    const text = readFileSync(path, "utf8");
    const samples = samplesOf(text);
    const originals = samplesOf(readFileSync(source, "utf8"));
    const english: Texts = new Map(samples.map(({ line }, index) => [line, originals[index]?.text ?? ""]));
    const done: Texts[] = [];
    for (const reading of readingsOf(text))
      done.push(await performReading(context, reading, { path, language, english }));
    const texts = samples.map(({ line, text: shown }) => done.find((one) => one.has(line))?.get(line) ?? shown);
    await context.expect(withTexts(text, samples, texts)).toMatchFileSnapshot(`../../${path}`);
  },
);

test("every sample of the guides is of a kind that is run or compared", () => {
  for (const path of english) {
    const text = readFileSync(path, "utf8");
    for (const sample of samplesOf(text)) {
      const [language = ""] = sample.info.split(" ");
      const isGenerated = /<!-- json [^\n]* -->\s*```json\n$/.test(text.slice(0, sample.start));
      const isCompared = ["file", "from"].some((name) => settingOf(sample, name) !== undefined);
      expect([
        `${path}:${sample.line}`,
        sample.info,
        isGenerated || isCompared || ["sh", "js", "text"].includes(language),
      ]).toEqual([`${path}:${sample.line}`, sample.info, true]);
      if (isCompared) expect(existsSync(settingOf(sample, "from") ?? "."), sample.info).toBe(true);
    }
  }
});
