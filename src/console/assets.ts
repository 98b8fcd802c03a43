import { readFile } from "node:fs/promises";
import { type TaggedBody, tagged } from "../http/tagged-body.js";
import { ApiError, shortened } from "../kernel/errors.js";

/** The files of the console's page, as the build made them. Each is read at its first use and kept. */

/** The built package has them beside its own code; the source has them in the folder that the build fills. */
const FOLDER = new URL(
  import.meta.url.endsWith("/src/console/assets.ts") ? "../../dist/console/" : "./console/",
  import.meta.url,
);

const NAME = /^\w[\w.-]{0,100}$/;

/** Their names stay the same from version to version. Names of all other files change with their contents. */
const ENTRIES: readonly string[] = ["main.js", "main.css", "icon.svg"];

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

export interface Asset {
  readonly content: TaggedBody;
  readonly type: string;
  /** Whether a browser may keep it without asking again. */
  readonly isImmutable: boolean;
}

export type Assets = (name: string) => Promise<Asset>;

function missing(name: string, cause?: unknown): ApiError {
  const message = `The console has no file ${shortened(name)} here. In a checkout of the source, \`npm run build\` makes its files.`;
  return new ApiError("not_found", { message, cause });
}

export function createAssets(folder: URL = FOLDER): Assets {
  const read = new Map<string, Asset>();
  return async (name) => {
    const known = read.get(name);
    if (known !== undefined) return known;
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (!NAME.test(name) || type === undefined) throw missing(name);
    const bytes = await readFile(new URL(name, folder)).catch((cause: unknown) => {
      throw missing(name, cause);
    });
    const asset = { content: tagged(new Uint8Array(bytes)), type, isImmutable: !ENTRIES.includes(name) };
    read.set(name, asset);
    return asset;
  };
}
