import { readFile } from "node:fs/promises";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * What listhen uses for TLS certificates, QR codes of addresses, WebSockets, tunnels, the clipboard, and to run and watch
 * a program under development. qa-pay asks listhen for none of them.
 */
const UNUSED = /^(node-forge|uqr|crossws\/adapters\/node|untun|tinyclip|jiti|@parcel\/watcher(-wasm)?)$/;

/**
 * What the MCP server takes from its platform. Its validator of JSON Schema (300 KB) checks answers of users to questions
 * of a server; ours asks none.
 */
const MCP_PLATFORM = `export { default as process } from "node:process";
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("no answers of users are validated");
  }
}`;

/**
 * Leaves out of the bundle what would be read or installed and never used: a megabyte of listhen, and the error messages of
 * zod in forty languages. `import { z }` holds all of zod as one object; of `import * as z` only the used parts remain.
 */
export function lighterPackages(): EsbuildPlugin {
  return {
    name: "lighter-packages",
    setup(build) {
      build.onResolve({ filter: UNUSED }, ({ importer }) =>
        /[\\/]node_modules[\\/]listhen[\\/]/.test(importer) ? { path: "unused", namespace: "unused" } : undefined,
      );
      build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
        path: "mcp-platform",
        namespace: "mcp-platform",
      }));
      build.onLoad({ filter: /./, namespace: "mcp-platform" }, () => ({ contents: MCP_PLATFORM, loader: "js" }));
      // Removes comments. esbuild keeps those inside classes, and they were a third of Commander.
      build.onLoad(
        { filter: /[\\/]node_modules[\\/](commander|@modelcontextprotocol)[\\/].*\.m?js$/ },
        async ({ path }) => {
          const text = await readFile(path, "utf8");
          return { contents: (await build.esbuild.transform(text, { minifyWhitespace: true })).code, loader: "js" };
        },
      );
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes('import { z } from "zod"')) return undefined;
        return { contents: text.replace('import { z } from "zod"', 'import * as z from "zod"'), loader: "ts" };
      });
    },
  };
}
