import { type EsbuildPlugin, evaluate, toLiteral } from "./evaluate-module.js";

type CommandTree = Pick<typeof import("../src/cli/tree/command-tree.js"), "commandNouns" | "commandsOf">;
type BodyRoutes = typeof import("../src/cli/tree/body-routes.js");

/** Writes the values as texts for JSON.parse: they load faster than code, and only the needed ones are parsed. */
function commandTreeText({ commandNouns, commandsOf }: CommandTree): string {
  const texts = Object.fromEntries(commandNouns.map(({ noun }) => [noun, toLiteral(commandsOf(noun))]));
  return [
    `const texts = ${JSON.stringify(texts)};`,
    `export const commandNouns = ${toLiteral(commandNouns)};`,
    `export const commandsOf = (noun) => JSON.parse(Object.hasOwn(texts, noun) ? texts[noun] : "[]");`,
  ].join("\n");
}

function bodyRoutesText({ bodyRoutes }: BodyRoutes): string {
  return `export const bodyRoutes = () => JSON.parse(${JSON.stringify(toLiteral(bodyRoutes()))});`;
}

/**
 * Replaces the modules `src/cli/tree/command-tree.ts` and `body-routes.ts` in the build by their computed values.
 *
 * In the source, these modules derive their values from the registry, so they load all operations with their zod
 * schemas, and all commands. A client command such as `qa-pay charges get` needs only the result: names, flags and help
 * texts. With the computed values, client commands load neither zod nor a native module, and start in half the time.
 */
export function precomputeCommandTree(): EsbuildPlugin {
  return {
    name: "precompute-command-tree",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]cli[\\/]tree[\\/]command-tree\.ts$/ }, async () => {
        const { values, inputs } = await evaluate<CommandTree>(build.esbuild, "src/cli/tree/command-tree.ts");
        return { contents: commandTreeText(values), loader: "js", watchFiles: inputs };
      });
      build.onLoad({ filter: /[\\/]src[\\/]cli[\\/]tree[\\/]body-routes\.ts$/ }, async () => {
        const { values, inputs } = await evaluate<BodyRoutes>(build.esbuild, "src/cli/tree/body-routes.ts");
        return { contents: bodyRoutesText(values), loader: "js", watchFiles: inputs };
      });
    },
  };
}
