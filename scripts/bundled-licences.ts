import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";

/** The names of the packages that files come from. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

async function licenceOf(name: string): Promise<string> {
  const folder = join("node_modules", name);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so that it cannot be bundled`);
  return `${name}\n\n${await readFile(join(folder, file), "utf8")}`;
}

/**
 * Writes the licences of all bundled packages into a file beside the bundle. A package that is bundled is not installed
 * with ours, and its licence wants to be passed on.
 */
export function bundledLicences(folder: string): EsbuildPlugin {
  return {
    name: "bundled-licences",
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        const licences = await Promise.all(packagesOf(Object.keys(metafile?.inputs ?? {})).map(licenceOf));
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));
      });
    },
  };
}
