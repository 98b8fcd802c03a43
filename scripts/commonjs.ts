import { join } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";

const FORM = {
  format: "cjs",
  platform: "node",
  target: "node20",
  define: { "import.meta.url": "moduleUrl" },
  // An `import()` becomes a `require` at the same place.
  supported: { "dynamic-import": false },
  legalComments: "inline",
} as const;
const MODULE_URL = 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;\n';

/** esbuild drops comments that are not marked. These name the source of what follows, also for the test of licences. */
const withMarks = (text: string) => text.replace(/^\/\/ (?=[\w@-]+[:/]\S+$)/gm, "//! ");

/**
 * Writes the program as CommonJS, which Node starts sooner than ES modules. esbuild itself writes a program of several files as
 * ES modules only.
 */
export function asCommonJs(): EsbuildPlugin {
  return {
    name: "commonjs",
    setup({ esbuild, initialOptions: { outdir = "" }, onEnd }) {
      onEnd(async ({ outputFiles = [] }) => {
        for (const file of outputFiles) {
          const { code } = await esbuild.transform(withMarks(file.text), FORM);
          file.contents = Buffer.from(code.includes("moduleUrl") ? MODULE_URL + code : code);
        }
        // For `import`, which would read each file of CommonJS that it names twice. So it names one that holds little.
        const contents = Buffer.from('export * from "./index.cjs";\n');
        outputFiles.push({ path: join(outdir, "index.js"), contents, text: contents.toString(), hash: "" });
      });
    },
  };
}
