import { readFile } from "node:fs/promises";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

/** What listhen uses for TLS certificates and for QR codes of addresses. qa-pay asks listhen for neither. */
const UNUSED = /^(node-forge|uqr)$/;

/**
 * Leaves out of the bundle what a start would read and never use: half a megabyte of listhen, and the error messages of
 * zod in forty languages. `import { z }` holds all of zod as one object; of `import * as z` only the used parts remain.
 */
export function lighterPackages(): EsbuildPlugin {
  return {
    name: "lighter-packages",
    setup(build) {
      build.onResolve({ filter: UNUSED }, ({ path, importer }) =>
        /[\\/]node_modules[\\/]listhen[\\/]/.test(importer) ? { path, namespace: "unused" } : undefined,
      );
      build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes('import { z } from "zod"')) return undefined;
        return { contents: text.replace('import { z } from "zod"', 'import * as z from "zod"'), loader: "ts" };
      });
    },
  };
}
