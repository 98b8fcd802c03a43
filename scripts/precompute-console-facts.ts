import { type EsbuildPlugin, evaluate, toLiteral } from "./evaluate-module.js";

/**
 * Replaces the modules `routes` and `commands` in src/console/browser/facts by their computed values. In the source they are
 * derived from the registry, which a page could not load.
 */
export function precomputeConsoleFacts(): EsbuildPlugin {
  return {
    name: "precompute-console-facts",
    setup(build) {
      build.onLoad(
        { filter: /[\\/]src[\\/]console[\\/]browser[\\/]facts[\\/](routes|commands)\.ts$/ },
        async ({ path }) => {
          const name = path.endsWith("routes.ts") ? "routes" : "commands";
          const module = `src/console/browser/facts/${name}.ts`;
          const { values, inputs } = await evaluate<Record<string, object>>(build.esbuild, module);
          // A text for JSON.parse loads faster than code.
          const text = JSON.stringify(toLiteral(values[name] ?? {}));
          return { contents: `export const ${name} = JSON.parse(${text});`, loader: "js", watchFiles: inputs };
        },
      );
    },
  };
}
