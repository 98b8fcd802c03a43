import { defineConfig, type Options } from "tsup";
import { bundleLicences } from "./scripts/bundled-licences.js";
import { asCommonJs } from "./scripts/commonjs.js";
import { compressBuild } from "./scripts/compress-texts.js";
import { docsSite } from "./scripts/docs-site/build-docs-site.js";
import { evaluateModules } from "./scripts/evaluate-module.js";
import { copySqlite } from "./scripts/install-sqlite.mjs";
import { rawText } from "./scripts/raw-text.js";

/** Several builds bundle packages, and the licences of all are in one file. */
const licences = bundleLicences("dist/LICENSES.txt");

copySqlite("dist/sqlite");

const program: Options = {
  entry: { cli: "src/programs/cli/main.ts", index: "src/index.ts" },
  format: "esm",
  // The last but one plugin writes these files as CommonJS.
  outExtension: () => ({ js: ".cjs" }),
  platform: "node",
  target: "node20",
  // Chunks are what lets a command load only what it needs: every `await import()` becomes its own file.
  splitting: true,
  // Node shows the source line of an error that nobody caught, and stack traces its names: both must be readable. It
  // costs a start nothing that can be measured.
  minify: false,
  sourcemap: false,
  // The other builds write their own folders at the same time.
  clean: ["!console/**", "!docs/**", "!help.cjs", "!sqlite/**", "!vitest.js", "!webhooks/**"],
  // scripts/package-types.mjs writes the types of the package.
  dts: false,
  // tsup drops the `node:` prefix unless told not to, and node:sqlite exists under no other name.
  removeNodeProtocol: false,
  // Everything is bundled: installing ninety packages takes longer than all that a first start does. What has a native part
  // cannot be. What `noExternal` names is bundled in any case.
  // jiti and @parcel/watcher are for `listenAndWatch` of listhen, which runs and watches a program under development.
  noExternal: [/^(?!jiti$|@parcel\/)/],
  external: ["better-sqlite3", "@napi-rs/keyring", "jiti", "@parcel/watcher", "@parcel/watcher-wasm"],
  esbuildOptions(options) {
    // The edition of pdfkit in which a bundler finds the fonts: the others look for them at run time.
    options.alias = { pdfkit: "./node_modules/pdfkit/js/pdfkit.old.js" };
  },
  esbuildPlugins: [rawText(), evaluateModules(), asCommonJs(), licences],
};

/** The console: a page for browsers, whose files the server reads when somebody opens it. */
const consolePage: Options = {
  entry: { main: "src/web/console/browser/main.tsx" },
  outDir: "dist/console",
  publicDir: "src/web/console/browser/public",
  format: "esm",
  platform: "browser",
  target: "es2022",
  // A first visit gets what most pages need, and other visits the rest: pages that are tools, receivers, languages. With a
  // script for each page, a page would be read from twenty, because each two pages share something else.
  splitting: true,
  minify: true,
  sourcemap: false,
  clean: true,
  dts: false,
  noExternal: [/./],
  esbuildOptions(options) {
    options.jsx = "automatic";
    options.jsxImportSource = "preact";
  },
  plugins: [compressBuild()],
  esbuildPlugins: [rawText(), evaluateModules(), licences],
};

/** The documentation: pages of plain HTML with one script, for the search. The last plugin makes the pages. */
const docsPages: Options = {
  entry: { site: "src/web/docs/browser/site.ts" },
  outDir: "dist/docs/assets",
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  sourcemap: false,
  clean: true,
  dts: false,
  noExternal: [/./],
  esbuildPlugins: [licences, docsSite("dist/docs")],
};

/** The verifier of webhooks: one file, for `import` and for `require`, that needs nothing of the rest. */
const webhooks: Options = {
  entry: ["src/service/webhooks/index.ts"],
  outDir: "dist/webhooks",
  format: ["esm", "cjs"],
  platform: "node",
  target: "node20",
  splitting: false,
  clean: true,
  dts: false,
  removeNodeProtocol: false,
};

/** The help alone: with the program a help takes about 25 ms longer on Node 20. */
const help: Options = {
  entry: { help: "src/programs/cli/show-help.ts" },
  format: "cjs",
  platform: "node",
  target: "node20",
  splitting: false,
  clean: false,
  dts: false,
  removeNodeProtocol: false,
  noExternal: [/./],
  esbuildPlugins: [evaluateModules()],
};

/** For Vitest, which is an ES module. It takes the emulator from the index of the program. */
const vitest: Options = {
  entry: ["src/vitest.ts"],
  format: "esm",
  platform: "node",
  target: "node20",
  bundle: false,
  clean: false,
  dts: false,
};

/** The tests of test/smoke run the command alone, and the documentation takes longer than all else. */
const isForSmoke = process.env.QA_PAY_BUILD === "smoke";
const command = [program, help, vitest];

export default defineConfig(isForSmoke ? command : [...command, consolePage, docsPages, webhooks]);
