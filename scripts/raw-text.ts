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
        path: join(resolveDir, path.slice(0, -SUFFIX.length)),
        namespace: "raw-text",
      }));
      build.onLoad({ filter: /./, namespace: "raw-text" }, async ({ path }) => ({
        contents: await readFile(path, "utf8"),
        loader: "text",
        watchFiles: [path],
      }));
    },
  };
}
