import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

const SUFFIX = "?raw";

/** Makes `import text from "./file?raw"` import a file as text, like Vite: for SQL, styles and page scripts. */
export function rawText(): EsbuildPlugin {
  return {
    name: "raw-text",
    setup(build) {
      build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
        // With the suffix: tsup takes a path that ends with .css for a style sheet of its own.
        path: join(resolveDir, path),
        namespace: "raw-text",
      }));
      build.onLoad({ filter: /./, namespace: "raw-text" }, async ({ path }) => ({
        contents: await readFile(path.slice(0, -SUFFIX.length), "utf8"),
        loader: "text",
        watchFiles: [path.slice(0, -SUFFIX.length)],
      }));
    },
  };
}
