import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder of the Markdown files. */
export const SOURCE = "docs";

/** The texts of all pages, by their paths in `docs` without `.md`. */
export async function readPages(): Promise<Map<string, string>> {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const read = files.map(async (name) => {
    const path = name.replaceAll("\\", "/").replace(/\.md$/, "");
    return [path, await readFile(join(SOURCE, name), "utf8")] as const;
  });
  return new Map(await Promise.all(read));
}
