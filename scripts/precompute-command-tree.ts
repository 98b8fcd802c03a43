import { basename } from "node:path";
import { type EsbuildPlugin, evaluate, toLiteral } from "./evaluate-module.js";

type CommandTree = Pick<typeof import("../src/cli/tree/command-tree.js"), "commandNouns" | "commandsOf">;
type HelpTexts = typeof import("../src/cli/tree/help-texts.js");
type Routes = typeof import("../src/cli/tree/route-table.js");

/** What stands in a file of its own, as the name of the file before its digest. */
const FILES = "command-files";

/** Where code finds a file beside it: by its URL, as the single-file executable needs it, or faster by its name. */
const PLACES = { esm: "new URL(file, import.meta.url)", cjs: '__dirname + "/" + file' };
type Format = keyof typeof PLACES;

/** Code that declares the `files` of nouns, which `nameOf` names, and `read`, which reads one. */
function filesText(format: Format, nouns: readonly string[], nameOf: (noun: string) => string): string {
  return [
    `import { readFileSync } from "node:fs";`,
    ...nouns.map((noun, index) => `import file${index} from "${FILES}:${nameOf(noun)}";`),
    `const files = new Map([${nouns.map((noun, index) => `[${JSON.stringify(noun)}, file${index}]`)}]);`,
    `const read = (file) => JSON.parse(readFileSync(${PLACES[format]}, "utf8"));`,
  ].join("\n");
}

/**
 * The commands of each noun are in a file of their own, and so are their help texts. Most commands read one of these files,
 * and no command waits for the others to be parsed.
 */
function commandTreeText({ commandNouns }: CommandTree, format: Format): string {
  const nouns = commandNouns.map(({ noun }) => noun);
  return [
    filesText(format, nouns, (noun) => noun),
    `export const commandNouns = ${toLiteral(commandNouns)};`,
    "export const commandsOf = (noun) => (files.has(noun) ? read(files.get(noun)) : []);",
  ].join("\n");
}

const helpName = (noun: string) => (noun === "" ? "help" : `help-${noun}`);

function helpTextsText({ helpTexts }: HelpTexts, format: Format): string {
  return [
    filesText(format, [...helpTexts.keys()], helpName),
    "export const helpTexts = new Map([...files].map(([noun, file]) => [noun, () => read(file)]));",
  ].join("\n");
}

function routesText({ routes }: Routes): string {
  return `export const routes = () => JSON.parse(${JSON.stringify(toLiteral(routes()))});`;
}

/** Every module that is replaced, and the code in its place. */
interface Replaced {
  readonly path: string;
  /** Puts what stands in files of its own into `files`, by their names. */
  text(values: never, files: Map<string, object>, format: Format): string;
}

const REPLACED: readonly Replaced[] = [
  {
    path: "src/cli/tree/command-tree.ts",
    text(values: CommandTree, files, format) {
      for (const { noun } of values.commandNouns) files.set(noun, values.commandsOf(noun));
      return commandTreeText(values, format);
    },
  },
  {
    path: "src/cli/tree/help-texts.ts",
    text(values: HelpTexts, files, format) {
      for (const [noun, texts] of values.helpTexts) files.set(helpName(noun), texts());
      return helpTextsText(values, format);
    },
  },
  { path: "src/cli/tree/route-table.ts", text: (values: Routes) => routesText(values) },
];

/**
 * Replaces modules of `src/cli/tree` in the build by their computed values.
 *
 * In the source, these modules derive their values from the registry, so they load all operations with their zod
 * schemas, and all commands. A client command such as `qa-pay charges get` needs only the result: names and flags; and
 * `--help` only a text. With the computed values, client commands load neither zod nor a native module, and start in half the time.
 */
export function precomputeCommandTree(): EsbuildPlugin {
  return {
    name: "precompute-command-tree",
    setup(build) {
      const files = new Map<string, object>();
      const format = build.initialOptions.format === "cjs" ? "cjs" : "esm";
      for (const { path, text } of REPLACED) {
        const filter = new RegExp(`[\\\\/]${path.replaceAll("/", "[\\\\/]").replace(".", "\\.")}$`);
        build.onLoad({ filter }, async () => {
          const { values, inputs } = await evaluate<never>(build.esbuild, path);
          return { contents: text(values, files, format), loader: "js", watchFiles: inputs };
        });
      }
      build.onResolve({ filter: new RegExp(`^${FILES}:`) }, ({ path }) => ({
        path: `${path.slice(FILES.length + 1)}.json`,
        namespace: FILES,
      }));
      build.onLoad({ filter: /./, namespace: FILES }, ({ path }) => ({
        contents: toLiteral(files.get(basename(path, ".json")) ?? {}),
        loader: "file",
      }));
    },
  };
}
