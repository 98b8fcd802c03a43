import { readFile } from "node:fs/promises";
import { partsOf, SHELL } from "./console-parts.js";
import type { EsbuildPlugin } from "./evaluate-module.js";
import { BROWSER, LANGUAGES, loaderOf, textModules, textsOf, withoutTexts } from "./files-per-language.js";
import { precomputeConsoleFacts } from "./precompute-console-facts.js";

/** Decides into which files the build puts the console: few scripts, and the texts of each language beside them. */
export function consoleFiles(): EsbuildPlugin {
  return {
    name: "console-files",
    async setup(build) {
      const parts = await partsOf(build.esbuild, { ...build.initialOptions, plugins: [precomputeConsoleFacts()] });
      const modules = textModules();
      const partOf = (path: string) => parts.roomOf(path) ?? SHELL;

      build.onLoad({ filter: /[\\/]src[\\/]console[\\/]browser[\\/].*\.tsx?$/ }, async ({ path }) => {
        const module = modules.find((one) => one.path === path);
        const alsoLoaded = parts.loadedBefore.get(path) ?? [];
        if (module === undefined && alsoLoaded.length === 0) return undefined;
        const own = module === undefined ? await readFile(path, "utf8") : withoutTexts(module, partOf(path));
        const imports = alsoLoaded.map((one) => `import ${JSON.stringify(one)};`);
        return { contents: [own, ...imports].join("\n"), loader: path.endsWith("x") ? "tsx" : "ts" };
      });

      // The name of such a module is the beginning of the name of its file: `texts-en-shell`.
      build.onResolve({ filter: /^(?:text-files|texts):/ }, ({ path }) => {
        return { path: path.replace(":", "-"), namespace: path.slice(0, path.indexOf(":")) };
      });
      build.onLoad({ filter: /.*/, namespace: "text-files" }, ({ path }) => {
        return { contents: loaderOf(path.replace("text-files-", "")), loader: "ts", resolveDir: BROWSER };
      });
      build.onLoad({ filter: /.*/, namespace: "texts" }, ({ path }) => {
        const language = LANGUAGES.find((one) => path.startsWith(`texts-${one}-`)) ?? "en";
        const ofPart = modules.filter((module) => path === `texts-${language}-${partOf(module.path)}`);
        return { contents: textsOf(ofPart, language), loader: "ts", resolveDir: BROWSER };
      });
    },
  };
}
