import type { EsbuildPlugin } from "./evaluate-module.js";

/**
 * Built-in modules of Node that a package imports for what qa-pay never or rarely asks of it: to start a program, and to listen
 * with a certificate. Each takes milliseconds of every start.
 */
const LAZY = [
  { importer: "commander", builtIn: "node:child_process", name: "spawn" },
  { importer: "listhen", builtIn: "node:https", name: "createServer" },
  { importer: "http-shutdown", builtIn: "https", name: "Server" },
] as const;

/** Makes these packages load such a module when they first call its function. */
export function lazyBuiltIns(): EsbuildPlugin {
  const namespace = "lazy-built-ins";
  return {
    name: namespace,
    setup(build) {
      for (const { importer: by, builtIn, name } of LAZY) {
        const from = new RegExp(`[\\\\/]node_modules[\\\\/]${by}[\\\\/]`);
        build.onResolve({ filter: new RegExp(`^${builtIn}$`) }, ({ importer }) =>
          from.test(importer) ? { path: `${builtIn}.${name}`, namespace } : undefined,
        );
      }
      build.onLoad({ filter: /./, namespace }, ({ path }) => {
        const [builtIn = "", name = ""] = path.split(".");
        return { contents: `exports.${name} = (...words) => require("${builtIn}").${name}(...words);`, loader: "js" };
      });
    },
  };
}
