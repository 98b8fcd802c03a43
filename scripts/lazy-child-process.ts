import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * Lets commander load `node:child_process` when it first starts a program, which ours never does: it would cost every
 * command two milliseconds of its start.
 */
export function lazyChildProcess(): EsbuildPlugin {
  const lazy = 'exports.spawn = (...words) => require("node:child_process").spawn(...words);';
  return {
    name: "lazy-child-process",
    setup(build) {
      build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
          ? { path: "child_process", namespace: "lazy-child-process" }
          : undefined,
      );
      build.onLoad({ filter: /./, namespace: "lazy-child-process" }, () => ({ contents: lazy, loader: "js" }));
    },
  };
}
