import { basename } from "node:path";
import { type EsbuildPlugin, evaluate, toLiteral } from "./evaluate-module.js";

type CommandTree = Pick<
  typeof import("../src/cli/tree/command-tree.js"),
  "commandNouns" | "commandsOf" | "commandHelp"
>;
const NO_HELP = { commands: {}, errors: {} } as ReturnType<CommandTree["commandHelp"]>;
type Routes = typeof import("../src/cli/tree/route-table.js");

const TEXTS = "command-texts";
/** The name of the file with the help of all operations. */
const HELP = "command-help";

/**
 * The commands of each noun are in a file of their own. Most commands read one of these files, and no command waits for
 * the others to be parsed.
 */
function commandTreeText({ commandNouns }: CommandTree): string {
  const nouns = commandNouns.map(({ noun }) => noun);
  return [
    `import { readFileSync } from "node:fs";`,
    `import help from "${TEXTS}:${HELP}";`,
    ...nouns.map((noun, index) => `import file${index} from "${TEXTS}:${noun}";`),
    `const files = {${nouns.map((noun, index) => `${JSON.stringify(noun)}: file${index}`)}};`,
    `const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));`,
    `export const commandHelp = () => read(help);`,
    `export const commandNouns = ${toLiteral(commandNouns)};`,
    `export const commandsOf = (noun) => (Object.hasOwn(files, noun) ? read(files[noun]) : []);`,
  ].join("\n");
}

function routesText({ routes }: Routes): string {
  return `export const routes = () => JSON.parse(${JSON.stringify(toLiteral(routes()))});`;
}

const COMMAND_TREE = /[\\/]src[\\/]cli[\\/]tree[\\/]command-tree\.ts$/;
const ROUTES = /[\\/]src[\\/]cli[\\/]tree[\\/]route-table\.ts$/;

/**
 * Replaces the modules `src/cli/tree/command-tree.ts` and `route-table.ts` in the build by their computed values.
 *
 * In the source, these modules derive their values from the registry, so they load all operations with their zod
 * schemas, and all commands. A client command such as `qa-pay charges get` needs only the result: names, flags and help
 * texts. With the computed values, client commands load neither zod nor a native module, and start in half the time.
 */
export function precomputeCommandTree(): EsbuildPlugin {
  return {
    name: "precompute-command-tree",
    setup(build) {
      let tree: CommandTree = { commandNouns: [], commandsOf: () => [], commandHelp: () => NO_HELP };
      build.onLoad({ filter: COMMAND_TREE }, async () => {
        const { values, inputs } = await evaluate<CommandTree>(build.esbuild, "src/cli/tree/command-tree.ts");
        tree = values;
        return { contents: commandTreeText(values), loader: "js", watchFiles: inputs };
      });
      build.onResolve({ filter: new RegExp(`^${TEXTS}:`) }, ({ path }) => ({
        path: `${path.slice(TEXTS.length + 1)}.json`,
        namespace: TEXTS,
      }));
      build.onLoad({ filter: /./, namespace: TEXTS }, ({ path }) => {
        const name = basename(path, ".json");
        return { contents: toLiteral(name === HELP ? tree.commandHelp() : tree.commandsOf(name)), loader: "file" };
      });
      build.onLoad({ filter: ROUTES }, async () => {
        const { values, inputs } = await evaluate<Routes>(build.esbuild, "src/cli/tree/route-table.ts");
        return { contents: routesText(values), loader: "js", watchFiles: inputs };
      });
    },
  };
}
