import { readFile, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Options } from "tsup";
import { COMPRESSED } from "../src/api/http/tagged-body.js";

const compress = promisify(brotliCompress);

/** Stores the files of pages compressed, as servers send them: they take a fifth of the room then. */
export async function compressTexts(files: readonly string[], quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  for (const file of files) {
    await writeFile(file + COMPRESSED, await compress(await readFile(file), { params }));
    await rm(file);
  }
}

/** Compresses the scripts and styles of a build. */
export function compressBuild(): NonNullable<Options["plugins"]>[number] {
  return {
    name: "compress-build",
    buildEnd: ({ writtenFiles }) => compressTexts(writtenFiles.map(({ name }) => name)),
  };
}
