import { readdir, readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import type { PageAnswer } from "../../api/http/page.js";
import { answerTagged, COMPRESSED, cacheFiles, tagBody, typeOf, unpackBody } from "../../api/http/tagged-body.js";
import { type Language, languageOf } from "../../base/kernel/language.js";
import { docsFolder } from "../../base/pages/docs-folder.js";

/** The built documentation, and its answers to a browser. */

/** The built package has it beside its own code; the source has it in the folder that the build fills. */
const SITE_FOLDER = new URL(
  import.meta.url.endsWith("/src/web/docs/site.ts") ? "../../../dist/docs/" : "./docs/",
  import.meta.url,
);

/** A page loads only files beside it, and no text can become markup or code. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The sources of the site. The package has their pictures only there. */
const DOCUMENTS = "../../docs/";

export type DocsSite = Awaited<ReturnType<typeof openSite>>;

function plainText(status: number, text: string): PageAnswer {
  return { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}

/** The file of an address without a language: in the reader's language, else in English. */
function inLanguage(paths: ReadonlySet<string>, path: string, language: Language): string | null {
  const page = path === "" || path.endsWith("/") ? `${path}index.html` : `${path}.html`;
  return [docsFolder(language) + page, page].find((name) => paths.has(name)) ?? null;
}

/**
 * Reads the list of the site's files. Only these are ever opened, so that no address leads out of the folder. Throws
 * the error of the file system when the site was not built.
 */
export async function openSite(folder: URL = SITE_FOLDER) {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const stored = new Map(names.map((name) => [name, new URL(name, folder)]));
  if (!names.some((name) => name.startsWith("images/"))) {
    const pictures = await readdir(new URL(`${DOCUMENTS}images`, folder)).catch(() => []);
    for (const name of pictures) stored.set(`images/${name}`, new URL(`${DOCUMENTS}images/${name}`, folder));
  }
  const paths = new Set(
    [...stored.keys()]
      .map((name) => (name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name))
      .filter((name) => typeOf(name) !== undefined),
  );
  const fileOf = cacheFiles(async (path) => {
    const file = stored.get(path);
    if (file !== undefined) return tagBody(new Uint8Array(await readFile(file)));
    return unpackBody(new Uint8Array(await readFile(new URL(path + COMPRESSED, folder))));
  });
  return {
    /** The paths of all pages without `.html`: `guides/quick-start`, `pt-br/guides/quick-start`. */
    pages: [...paths].filter((path) => path.endsWith(".html")).map((path) => path.slice(0, -".html".length)),
    async answer(path: string, query: URLSearchParams, request: IncomingHttpHeaders): Promise<PageAnswer> {
      const name = path.slice(1);
      const type = typeOf(name);
      if (paths.has(name) && type !== undefined) {
        const headers = { ...HEADERS, "content-type": type, "cache-control": "no-cache" };
        return answerTagged(await fileOf(name), headers, request);
      }
      const language = languageOf(query.get("lang"), request["accept-language"], "en");
      const found = inLanguage(paths, name, language);
      if (found === null) return plainText(404, "There is no such page. The first page is at /");
      return { status: 302, headers: { ...HEADERS, location: `/${found}`, vary: "accept-language" }, body: null };
    },
  };
}
