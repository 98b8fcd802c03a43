import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";

/** What a package imports for abilities that qa-pay does not ask of it. The bundle has an empty module instead. */
const UNUSED: Readonly<Record<string, RegExp>> = {
  // TLS and its certificates, QR codes of addresses, WebSockets, tunnels, the clipboard, the browser, and to run and watch
  // a program under development.
  listhen:
    /^(node:https|node-forge|uqr|crossws\/adapters\/node|untun|tinyclip|jiti|@parcel\/watcher(-wasm)?|\.\.\/chunks\/xdg-open\.mjs)$/,
  // Servers over TLS, which listhen would close with it.
  "http-shutdown": /^https$/,
  // Programs that are commands of their own. With it, Node loads its sockets and streams at every start.
  commander: /^node:child_process$/,
  // Fonts from files, and pictures: documents are drawn with the standard fonts and lines.
  pdfkit: /^(fontkit|png-js)$/,
};

/** Smaller editions of packages, by what imports them and the name that it imports. */
const SMALLER = [
  // Without colours and questions: listhen only warns.
  { importer: "listhen", name: "consola", path: "node_modules/consola/dist/basic.mjs" },
  // For Node, ofetch brings a copy of fetch. Every version of Node that is supported has its own.
  { importer: "", name: "ofetch", path: "node_modules/ofetch/dist/index.mjs" },
];

/** The standard fonts that documents use (src/documents). pdfkit has fourteen. */
const FONTS = ["Helvetica", "HelveticaBold"];

function ofPackage(importer: string, name: string): boolean {
  return importer.replaceAll("\\", "/").includes(`/node_modules/${name}/`);
}

/**
 * pdfkit requires each font when it is used first, by a name that no bundler can see. Of these lines, those of unused
 * fonts go, and the others become plain.
 */
function withFontsInside(text: string): string {
  const lines = text.split("\n").flatMap((line) => {
    const font = /require\$1\('#standard-fonts\/(\w+)'\)/.exec(line)?.[1];
    if (font === undefined) return [line];
    return FONTS.includes(font) ? [line.replace("require$1(", "require(")] : [];
  });
  return lines.join("\n");
}

/** What a part of h3 says, and what it says in the bundle. */
const WITHOUT_WEB_CLASSES = [
  [
    'import { FastResponse, FastURL } from "srvx";',
    "const FastURL = URL; const FastResponse = function (...answer) { return new Response(...answer); };",
  ],
  ["FrozenHeaders = class extends Headers {", "FrozenHeaders = class {"],
  ["new FrozenHeaders(", "Object.freeze("],
] as const;

/**
 * h3 makes web headers when it is loaded, and imports a faster web answer. For both Node loads its whole HTTP client. The server
 * needs neither, because it sends its answers itself (src/http/server.ts).
 */
function withoutWebClasses(text: string): string {
  return WITHOUT_WEB_CLASSES.reduce((lighter, [known, other]) => {
    if (!lighter.includes(known)) throw new Error(`h3 does not say this any more: ${known}`);
    return lighter.replaceAll(known, other);
  }, text);
}

/**
 * Every command can measure texts, and few do. The expressions over all of Unicode for it take a millisecond to make, so they are
 * made for the first text.
 */
function withLateExpressions(text: string): string {
  const [head, body, end] = text.split(/\/\* HELPERS \*\/|^export default getStringTruncatedWidth;$/m);
  if (end === undefined) throw new Error("fast-string-truncated-width is written in another way now");
  const late = "let made; export default (...given) => (made ??= make())(...given);";
  return `${head}const make = () => {${body}return getStringTruncatedWidth; };\n${late}`;
}

/**
 * What the MCP server takes from its platform. Its validator of JSON Schema (300 KB) checks answers of users to questions
 * of a server; ours asks none.
 */
const MCP_PLATFORM = `export { default as process } from "node:process";
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("no answers of users are validated");
  }
}`;

/** `import { z }` holds all of zod as one object, with its messages in forty languages. Of this only the used parts remain. */
function withPartsOfZod(text: string): string {
  return text.replace('import { z } from "zod"', 'import * as z from "zod"');
}

/** A `require` that is made at run time finds installed packages only. This one is bundled, and still loads at its first use. */
function withEncoderInside(text: string): string {
  return text.replace('load("qr")', 'require("qr")');
}

const SHORTENED =
  /[\\/]node_modules[\\/](?:commander|@modelcontextprotocol|ajv|ajv-formats|nodemailer|pdfkit)[\\/].*\.m?js$/;

/** Leaves out of the bundle what would be read or installed and never used. */
export function lighterPackages(): EsbuildPlugin {
  return {
    name: "lighter-packages",
    setup(build) {
      for (const [name, filter] of Object.entries(UNUSED)) {
        build.onResolve({ filter }, ({ importer }) =>
          ofPackage(importer, name) ? { path: name, namespace: "unused" } : undefined,
        );
      }
      build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
        path: "mcp-platform",
        namespace: "mcp-platform",
      }));
      build.onLoad({ filter: /./, namespace: "mcp-platform" }, () => ({ contents: MCP_PLATFORM, loader: "js" }));
      for (const { importer: by, name, path } of SMALLER) {
        build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ importer }) =>
          by === "" || ofPackage(importer, by) ? { path: resolve(path) } : undefined,
        );
      }
      build.onLoad({ filter: /[\\/]fast-string-truncated-width[\\/]dist[\\/]index\.js$/ }, async ({ path }) => ({
        contents: withLateExpressions(await readFile(path, "utf8")),
        loader: "js",
      }));
      build.onLoad({ filter: /[\\/]node_modules[\\/]h3[\\/]dist[\\/]response\.mjs$/ }, async ({ path }) => ({
        contents: withoutWebClasses(await readFile(path, "utf8")),
        loader: "js",
      }));
      // Shortens what is read at every start, and what takes most of an installation. Comments inside classes and functions, which
      // esbuild keeps otherwise, were a third of Commander.
      build.onLoad({ filter: SHORTENED }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const used = ofPackage(path, "pdfkit") ? withFontsInside(text) : text;
        const { code } = await build.esbuild.transform(used, { minifyWhitespace: true, minifySyntax: true });
        return { contents: code, loader: "js" };
      });
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const lighter = withEncoderInside(withPartsOfZod(text));
        return lighter === text ? undefined : { contents: lighter, loader: "ts" };
      });
    },
  };
}
