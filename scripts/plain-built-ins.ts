import { isBuiltin } from "node:module";
import type { Options } from "tsup";

type ChunkPlugin = NonNullable<Options["plugins"]>[number];

/** `import all, { one as other } from "node:fs"` as esbuild prints it, on one or more lines. */
const STATIC_IMPORT =
  /^import (?:(?<all>[\w$]+)(?:, )?|\* as (?<names>[\w$]+))?(?:\{(?<some>[^}]*)\})? ?from "(?<name>[^"]+)";$/gm;

/**
 * Takes built-in modules by `process.getBuiltinModule` in place of `import`. An import reads every export of a built-in
 * module, and so loads parts that load on demand: streams for `node:fs`, the parser of arguments for `node:util`.
 */
export function plainBuiltIns(): ChunkPlugin {
  return {
    name: "plain-built-ins",
    renderChunk(code) {
      const taken: string[] = [];
      const rest = code.replace(STATIC_IMPORT, (line, ...details) => {
        const { all, names, some, name } = details.at(-1);
        if (!isBuiltin(name)) return line;
        const source = `process.getBuiltinModule("${name}")`;
        for (const whole of [all, names]) if (whole !== undefined) taken.push(`const ${whole} = ${source};`);
        if (some !== undefined) taken.push(`const {${some.replaceAll(" as ", ": ")}} = ${source};`);
        return "";
      });
      // At the top, as imports are: a function of the chunk may be called before the line of its module.
      return taken.length === 0 ? undefined : { code: `${taken.join("\n")}\n${rest}` };
    },
  };
}
