import { readFile } from "node:fs/promises";
import { COMPRESSED, cacheFiles, type TaggedBody, tagBody, typeOf, unpackBody } from "../../api/http/tagged-body.js";
import { ApiError, shorten } from "../../base/kernel/errors.js";

/** The files of the console's page, from the build. Each is read at its first use and kept. */

/** The built package has them beside its own code; the source has them in the folder that the build fills. */
const FOLDER = new URL(
  import.meta.url.endsWith("/src/web/console/assets.ts") ? "../../../dist/console/" : "./console/",
  import.meta.url,
);

const NAME = /^\w[\w.-]{0,100}$/;

export interface Asset {
  readonly content: TaggedBody;
  readonly type: string;
}

export type Assets = (name: string) => Promise<Asset>;

function missing(name: string, cause?: unknown): ApiError {
  const message = `The console has no file ${shorten(name)} here. In a checkout of the source, \`npm run build\` makes its files.`;
  return new ApiError("not_found", { message, cause });
}

export function createAssets(folder: URL = FOLDER): Assets {
  const read = async (name: string) => new Uint8Array(await readFile(new URL(name, folder)));
  const fileOf = cacheFiles((name) =>
    read(name + COMPRESSED)
      .then(unpackBody, async () => tagBody(await read(name)))
      .catch((cause: unknown) => {
        throw missing(name, cause);
      }),
  );
  return async (name) => {
    const type = typeOf(name);
    if (!NAME.test(name) || type === undefined) throw missing(name);
    return { content: await fileOf(name), type };
  };
}
