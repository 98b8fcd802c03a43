import { readdir, readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { PageAnswer } from "../http/page.js";
import { type TaggedBody, tagged, taggedAnswer } from "../http/tagged-body.js";
import { type Language, languageOf } from "../kernel/language.js";

/** The documentation as the build made it, and its answers to a browser. */

/** The built package has it beside its own code; the source has it in the folder that the build fills. */
const SITE_FOLDER = new URL(
  import.meta.url.endsWith("/src/docs-site/site.ts") ? "../../dist/docs/" : "./docs/",
  import.meta.url,
);

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

/** A page loads what lies beside it and nothing else, and no text can become markup or code. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The build stores texts compressed, with this behind their names: the site is a large part of the package. */
const COMPRESSED = ".br";

const decompress = promisify(brotliDecompress);

/** The folder of the pages in Portuguese. */
const PORTUGUESE = "pt-br/";

export interface DocsSite {
  /** The paths of all pages without `.html`: `guides/quick-start`, `pt-br/guides/quick-start`. */
  readonly pages: readonly string[];
  answer(path: string, query: URLSearchParams, asked: IncomingHttpHeaders): Promise<PageAnswer>;
}

function typeOf(path: string): string | undefined {
  return TYPES[path.slice(path.lastIndexOf(".") + 1)];
}

function plainText(status: number, text: string): PageAnswer {
  return { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}

/** The file of an address without a language: the reader's own, else the English one. */
function inLanguage(paths: ReadonlySet<string>, path: string, language: Language): string | null {
  const page = path === "" || path.endsWith("/") ? `${path}index.html` : `${path}.html`;
  const wanted = language === "pt-BR" ? [PORTUGUESE + page, page] : [page];
  return wanted.find((name) => paths.has(name)) ?? null;
}

/**
 * Reads which files the site has. Only these are ever opened, so that no address leads out of the folder. Throws the error
 * of the file system when the site was not built.
 */
export async function openSite(folder: URL = SITE_FOLDER): Promise<DocsSite> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const stored = new Set(names);
  const paths = new Set(
    names
      .map((name) => (name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name))
      .filter((name) => typeOf(name) !== undefined),
  );
  const read = new Map<string, TaggedBody>();
  async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
    if (stored.has(path)) return new Uint8Array(await readFile(new URL(path, folder)));
    return new Uint8Array(await decompress(await readFile(new URL(path + COMPRESSED, folder))));
  }
  async function fileOf(path: string): Promise<TaggedBody> {
    const known = read.get(path);
    if (known !== undefined) return known;
    const file = tagged(await bytesOf(path));
    read.set(path, file);
    return file;
  }
  return {
    pages: [...paths].filter((path) => path.endsWith(".html")).map((path) => path.slice(0, -".html".length)),
    async answer(path, query, asked) {
      const name = path.slice(1);
      const type = typeOf(name);
      if (paths.has(name) && type !== undefined) {
        return taggedAnswer(
          await fileOf(name),
          { ...HEADERS, "content-type": type, "cache-control": "no-cache" },
          asked,
        );
      }
      const language = languageOf(query.get("lang"), asked["accept-language"], "en");
      const found = inLanguage(paths, name, language);
      if (found === null) return plainText(404, "There is no such page. The first page is at /");
      return { status: 302, headers: { ...HEADERS, location: `/${found}`, vary: "accept-language" }, body: null };
    },
  };
}
