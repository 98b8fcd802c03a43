// tsup.config.ts
import { defineConfig } from "tsup";

// scripts/bundled-licences.ts
import { mkdirSync as mkdirSync2, readdirSync, readFileSync as readFileSync2, writeFileSync } from "node:fs";
import { dirname, join as join2 } from "node:path";

// scripts/install-sqlite.mjs
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
var __injected_import_meta_url__ = "file:///tmp/wt/console-pages/scripts/install-sqlite.mjs";
var ASKED = "scripts/sqlite";
var HOME = "node_modules/.cache/qa-pay/sqlite";
var SQLITE_PACKAGES = join(HOME, "node_modules");
function installSqlite() {
  const lockOf = (folder) => readFileSync(join(folder, "package-lock.json"), "utf8");
  if (existsSync(join(SQLITE_PACKAGES, ".package-lock.json")) && lockOf(HOME) === lockOf(ASKED)) return;
  mkdirSync(HOME, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(ASKED, name), join(HOME, name));
  const flags = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const shell = process.platform === "win32";
  execFileSync("npm", ["ci", "--prefix", HOME, ...flags], { shell, stdio: ["ignore", "ignore", "inherit"] });
}
if (process.argv[1] === fileURLToPath(__injected_import_meta_url__)) installSqlite();

// scripts/bundled-licences.ts
function packagesOf(files) {
  return files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
}
var IN_BINARIES = ["@photostructure/sqlite", "node-addon-api"].map((name) => join2(SQLITE_PACKAGES, name));
var COPIED = "scripts/licences";
function copiedLicences() {
  return readdirSync(COPIED).map((file) => readFileSync2(join2(COPIED, file), "utf8"));
}
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync2(join2(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry2) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry2));
  if (file === void 0) throw new Error(`${name} has no licence file, so that it cannot be bundled`);
  return `${name} ${version} (${license})

${readFileSync2(join2(folder, file), "utf8").trim()}
`;
}
function bundledLicences(file) {
  installSqlite();
  const known = new Set(IN_BINARIES);
  return {
    name: "bundled-licences",
    setup(build) {
      build.onEnd(({ metafile }) => {
        const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
        const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
        for (const folder of packagesOf(used)) known.add(folder);
        const licences2 = [...[...known].map(licenceOf), ...copiedLicences()].sort();
        mkdirSync2(dirname(file), { recursive: true });
        writeFileSync(file, licences2.join(`
${"-".repeat(80)}

`));
      });
    }
  };
}

// scripts/commonjs.ts
import { basename, dirname as dirname2, join as join3 } from "node:path";
var GROUPS = {
  program: /^src\/cli\/(main|tree\/program)\.ts$/,
  sender: /^src\/cli\/operation\/run-operation\.ts$/,
  library: /^src\/index\.ts$/
};
var ENTRIES = /* @__PURE__ */ new Set(["index.js", "vitest.js"]);
var MODULE_URL = 'const moduleUrl = () => require("node:url").pathToFileURL(__filename).href;\n';
var FORM = {
  format: "cjs",
  platform: "node",
  target: "node20",
  legalComments: "inline",
  define: { "import.meta.url": "moduleUrl" }
};
var withNames = (text) => text.replace(/^\/\/ (?=[\w@-]+[:/]\S+$)/gm, "//! ");
var withoutMarks = (text) => text.replace(/^( *)\/\/! (?=[\w@-]+[:/]\S+$)/gm, "$1// ");
var REQUIRE = 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);\n';
var partName = (name) => name.replace(/\.js$/, "").replaceAll("-", "_");
var commonJsName = (name) => name.replace(/\.js$/, ".cjs");
function loadedWith(outputs, entries) {
  const found = /* @__PURE__ */ new Set();
  const add = (path) => {
    const output = outputs[path];
    if (output === void 0 || found.has(basename(path))) return;
    found.add(basename(path));
    for (const { path: imported, kind } of output.imports) if (kind === "import-statement") add(imported);
  };
  for (const [path, { entryPoint = "" }] of Object.entries(outputs)) if (entries.test(entryPoint)) add(path);
  return found;
}
function gatheredFiles(outputs) {
  const groups = Object.entries(GROUPS).map(([name, entries]) => ({ name, files: loadedWith(outputs, entries) }));
  const names = Object.keys(outputs).map((path) => basename(path));
  const of = (file) => {
    const loading = groups.filter(({ files }) => files.has(file)).map(({ name: name2 }) => name2);
    const name = loading.join("-");
    return name === "program-sender" ? "program" : name;
  };
  const found = names.filter((name) => !ENTRIES.has(name)).map((name) => [name, of(name)]);
  return new Map(found.filter(([, gathered]) => gathered !== ""));
}
function required(name, gathered) {
  const file = gathered.get(name);
  return file === void 0 ? `require("./${commonJsName(name)}")` : `require("./${file}.cjs").${partName(name)}`;
}
function inAscii(text) {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function finished(code, gathered) {
  const text = inAscii(withoutMarks(code)).replace(/^\/\/ gathered:.*\n/gm, "").replace(/\bimport\(("node:[\w/]+")\)/g, "Promise.resolve().then(() => require($1))").replace(/\bimport\("\.\/([\w.-]+\.js)"\)/g, 'Promise.resolve().then(() => require("./$1"))').replace(/\brequire\("\.\/([\w.-]+\.js)"\)/g, (_call, name) => required(name, gathered));
  const left = /(?:\bimport|\brequire)\("\.\/[^"]*\.js"\)/.exec(text);
  if (left !== null) throw new Error(`a file of the program is loaded by another name: ${left[0]}`);
  return text.includes("moduleUrl") ? MODULE_URL + text.replace(/\bmoduleUrl\b/g, "moduleUrl()") : text;
}
function entry(text, gathered) {
  const code = text.replace(/^import "\.\/[\w.-]+\.js";\n/gm, "").replace(/^import \{([^}]*)\} from "\.\/([\w.-]+\.js)";$/gm, (_line, names, name) => {
    return `const {${names.replaceAll(" as ", ": ")}} = ${required(name, gathered)};`;
  });
  return REQUIRE + code;
}
async function gather(esbuild, texts, gathered) {
  const contents = [...texts.keys()].map((name) => `export * as ${partName(name)} from "./${name}";`).join("\n");
  const files = {
    name: "gathered-files",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const isStatic = kind === "import-statement" || texts.has(basename(path));
        return isStatic ? { path: basename(path), namespace: "gathered" } : { path, external: true };
      });
      build.onLoad({ filter: /./, namespace: "gathered" }, ({ path }) => ({
        contents: texts.get(path) ?? `module.exports = ${required(path, gathered)};`
      }));
    }
  };
  const made = await esbuild.build({ ...FORM, stdin: { contents }, bundle: true, write: false, plugins: [files] });
  return finished(made.outputFiles[0]?.text ?? "", gathered);
}
function asCommonJs() {
  return {
    name: "commonjs",
    setup({ esbuild, onEnd }) {
      onEnd(async ({ outputFiles = [], metafile: { outputs } = { outputs: {} } }) => {
        const scripts = outputFiles.filter(({ path }) => path.endsWith(".js"));
        const gathered = gatheredFiles(outputs);
        for (const file of new Set(gathered.values())) {
          const own = scripts.filter(({ path: path2 }) => gathered.get(basename(path2)) === file);
          const texts = new Map(own.map(({ path: path2, text: text2 }) => [basename(path2), withNames(text2)]));
          const text = await gather(esbuild, texts, gathered);
          const path = join3(dirname2(own[0]?.path ?? ""), `${file}.cjs`);
          outputFiles.push({ path, text, contents: Buffer.from(text), hash: "" });
        }
        for (const file of scripts) {
          const name = basename(file.path);
          if (ENTRIES.has(name)) {
            file.contents = Buffer.from(entry(file.text, gathered));
          } else if (gathered.has(name)) {
            outputFiles.splice(outputFiles.indexOf(file), 1);
          } else {
            const { code } = await esbuild.transform(withNames(file.text), FORM);
            file.contents = Buffer.from(finished(code, gathered));
            file.path = join3(dirname2(file.path), commonJsName(name));
          }
        }
      });
    }
  };
}

// scripts/docs-site/build-docs-site.ts
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join as join4 } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import Eleventy from "@11ty/eleventy";

// scripts/docs-site/markdown.ts
import { createRequire } from "node:module";
import MarkdownIt from "markdown-it";
var __injected_import_meta_url__2 = "file:///tmp/wt/console-pages/scripts/docs-site/markdown.ts";
var require2 = createRequire(__injected_import_meta_url__2);
var highlighter = require2("highlight.js/lib/common");
function slugger() {
  const used = /* @__PURE__ */ new Map();
  return (title) => {
    const slug = title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}
function pageLink(href, folder) {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const url = new URL(href, `docs://site/docs/${folder}`);
  if (!url.pathname.startsWith("/docs/")) return null;
  return href.replace(/(^|\/)README\.md(?=#|$)/, "$1index.html").replace(/\.md(?=#|$)/, ".html");
}
function highlighted(code, info) {
  const [language = ""] = info.split(/[ ,]/);
  const known = language === "sh" ? "bash" : language;
  return highlighter.getLanguage(known) === void 0 ? "" : highlighter.highlight(code, { language: known }).value;
}
function addAnchors(tokens) {
  const slug = slugger();
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type !== "heading_open" || text === void 0) continue;
    const parts = (text.children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
    token.attrSet("id", slug(parts.map(({ content }) => content).join("")));
  }
}
function mendLinks(tokens, folder) {
  for (const { children } of tokens) {
    let isDropped = false;
    for (const token of children ?? []) {
      if (token.type === "link_open") {
        const href = pageLink(String(token.attrGet("href")), folder);
        isDropped = href === null;
        if (href !== null) token.attrSet("href", href);
      }
      if (isDropped && token.type.startsWith("link_")) token.hidden = true;
      if (token.type === "link_close") isDropped = false;
    }
  }
}
function createMarkdown() {
  const markdown = new MarkdownIt({ html: true, highlight: highlighted });
  markdown.core.ruler.push("pages", ({ tokens, env }) => {
    const { page } = env;
    const stem = page?.filePathStem ?? "/";
    addAnchors(tokens);
    mendLinks(tokens, stem.slice(1, stem.lastIndexOf("/") + 1));
  });
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  return markdown;
}

// scripts/docs-site/navigation.ts
var FOLDERS = { en: "", "pt-BR": "pt-br/" };
var GROUPS2 = [
  {
    title: { en: "Start", "pt-BR": "Comece aqui" },
    pages: ["README", "guides/quick-start", "guides/simulate", "guides/clock", "guides/faq"]
  },
  {
    title: { en: "Integrate", "pt-BR": "Integra\xE7\xE3o" },
    pages: [
      "guides/integrate-node",
      "guides/integrate-python",
      "guides/integrate-php",
      "guides/integrate-go",
      "guides/integrate-ruby",
      "guides/integrate-java",
      "guides/payments",
      "guides/refunds",
      "guides/objects"
    ]
  },
  {
    title: { en: "Webhooks", "pt-BR": "Webhooks" },
    pages: [
      "guides/webhooks",
      "guides/webhook-samples",
      "guides/secrets",
      "guides/deduplicate",
      "guides/webhooks-node",
      "guides/webhooks-python",
      "guides/webhooks-php",
      "guides/webhooks-go",
      "guides/webhooks-ruby",
      "guides/webhooks-java"
    ]
  },
  {
    title: { en: "Tests and CI", "pt-BR": "Testes e CI" },
    pages: ["guides/ci", "guides/fixtures", "guides/test-kit", "guides/client", "guides/conformance", "guides/agents"]
  },
  {
    title: { en: "Work with it", "pt-BR": "Uso no dia a dia" },
    pages: ["guides/support-desk", "guides/med", "guides/server", "guides/command-line", "guides/*"]
  },
  {
    title: { en: "Rules of the service", "pt-BR": "Regras do servi\xE7o (em ingl\xEAs)" },
    isEnglish: true,
    pages: [
      "service/README",
      "service/charges",
      "service/payments",
      "service/refunds",
      "service/wallets",
      "service/payouts",
      "service/med",
      "service/webhooks",
      "service/idempotency",
      "service/errors",
      "service/requests",
      "service/keys",
      "service/sandbox",
      "service/*"
    ]
  },
  {
    title: { en: "Reference", "pt-BR": "Refer\xEAncia (em ingl\xEAs)" },
    isEnglish: true,
    pages: ["CLI", "EVENTS", "ERRORS", "TRANSITIONS", "LIMITS", "CONSOLE"]
  },
  {
    title: { en: "How it is built", "pt-BR": "Como \xE9 feito (em ingl\xEAs)" },
    isEnglish: true,
    pages: ["ARCHITECTURE", "PERFORMANCE", "RELEASING", "decisions/README"]
  }
];
function pagesOf(group, language, known) {
  const folder = group.isEnglish ? "" : FOLDERS[language];
  const named = new Set(GROUPS2.flatMap(({ pages }) => pages));
  return group.pages.flatMap((page) => {
    if (!page.endsWith("*")) return known.has(folder + page) ? [folder + page] : [];
    const parent = folder + page.slice(0, -1);
    const others = [...known].filter((path) => path.startsWith(parent) && !named.has(path.slice(folder.length)));
    return others.sort();
  });
}
function languageOfPage(path) {
  return path.startsWith(FOLDERS["pt-BR"]) ? "pt-BR" : "en";
}
function translationOf(path, known) {
  const folder = FOLDERS["pt-BR"];
  const other = path.startsWith(folder) ? path.slice(folder.length) : folder + path;
  return known.has(other) ? other : null;
}
function addressOf(path) {
  return `${path.replace(/(^|\/)README$/, "$1index")}.html`;
}

// scripts/docs-site/page.ts
import { posix } from "node:path";

// src/kernel/html.ts
var ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
function escapeXml(text) {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
function escapeHtml(text) {
  return escapeXml(text).replaceAll("'", "&#39;");
}

// src/docs-pages/layout.ts
var TEXTS = {
  en: { skip: "Skip to the text", other: "Portugu\xEAs", otherLanguage: "pt-BR" },
  "pt-BR": { skip: "Ir para o texto", other: "English", otherLanguage: "en" }
};
function layoutHtml({ language, title, version, head, data = {}, home, search = "", ...page }) {
  const { skip, other, otherLanguage: lang } = TEXTS[language];
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const link = page.elsewhere === null ? "" : `<a class="language" lang="${lang}" hreflang="${lang}" href="${page.elsewhere}">${other}</a>`;
  const body = page.menu === null ? `<main id="content" class="home">
${page.content}
</main>` : `<div class="frame"><nav class="menu" aria-label="${page.menu.title}"><details class="all" open><summary>${page.menu.title}</summary>
${page.menu.html}
</details></nav>
<main id="content">
${page.content}
</main></div>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
${head}</head>
<body${attributes.join("")}>
<a class="skip" href="#content">${skip}</a>
<header><a class="name" href="${home}">qa-pay <small>${escapeHtml(version)}</small></a>
${search}
${link}</header>
${body}
</body></html>
`;
}

// scripts/docs-site/page.ts
var WORDS = {
  en: {
    menu: "All pages",
    search: "Search",
    none: "Nothing found.",
    copy: "Copy",
    copied: "Copied",
    onThisPage: "On this page",
    next: "Next",
    previous: "Previous"
  },
  "pt-BR": {
    menu: "Todas as p\xE1ginas",
    search: "Buscar",
    none: "Nada encontrado.",
    copy: "Copiar",
    copied: "Copiado",
    onThisPage: "Nesta p\xE1gina",
    next: "Pr\xF3xima",
    previous: "Anterior"
  }
};
function relative(from, to) {
  return posix.relative(posix.dirname(addressOf(from)), to);
}
function menuHtml(site, path, language) {
  const known = new Set(site.titles.keys());
  const groups = GROUPS2.map((group) => {
    const pages = pagesOf(group, language, known);
    const links = pages.map((page) => {
      const current = page === path ? ' aria-current="page"' : "";
      const title = escapeHtml(site.titles.get(page) ?? page);
      return `<li><a href="${relative(path, addressOf(page))}"${current}>${title}</a></li>`;
    });
    if (links.length === 0) return "";
    const isOpen = pages.includes(path) || !group.isEnglish;
    return `<details${isOpen ? " open" : ""}><summary>${group.title[language]}</summary><ul>${links.join("")}</ul></details>`;
  });
  return groups.join("\n");
}
function contentsHtml(body, title) {
  const headings = [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (headings.length < 3) return "";
  const links = headings.map(([, id, text]) => `<li><a href="#${id}">${text?.replace(/<\/?a[^>]*>/g, "")}</a></li>`);
  return `<nav class="contents" aria-label="${title}"><p>${title}</p><ul>${links.join("")}</ul></nav>`;
}
function neighboursHtml(site, path, language) {
  const known = new Set(site.titles.keys());
  const order = GROUPS2.flatMap((group) => pagesOf(group, language, known));
  const at = order.indexOf(path);
  const { previous, next } = WORDS[language];
  const link = (page, rel, word) => page === void 0 ? "" : `<a rel="${rel}" href="${relative(path, addressOf(page))}"><small>${word}</small>${escapeHtml(site.titles.get(page) ?? page)}</a>`;
  if (at < 0) return "";
  return `<nav class="neighbours">${link(order[at - 1], "prev", previous)}${link(order[at + 1], "next", next)}</nav>`;
}
function pageHtml(site, path, body) {
  const language = languageOfPage(path);
  const words = WORDS[language];
  const root = relative(path, "assets/x").slice(0, -"assets/x".length);
  const other = translationOf(path, new Set(site.titles.keys()));
  const otherLanguage = language === "en" ? "pt-BR" : "en";
  const title = site.titles.get(path) ?? path;
  const elsewhere = other === null ? `${FOLDERS[otherLanguage]}index.html` : addressOf(other);
  return layoutHtml({
    language,
    title: `${title} \xB7 qa-pay`,
    version: site.version,
    head: `<link rel="stylesheet" href="${root}assets/docs.css"><link rel="icon" href="${root}assets/icon.svg">
<script type="module" src="${root}assets/site.js"></script>`,
    data: { root, none: words.none, copy: words.copy, copied: words.copied },
    home: relative(path, `${FOLDERS[language]}index.html`),
    search: `<search hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false"><div id="found" class="found" role="status"></div></search>`,
    elsewhere: relative(path, elsewhere),
    menu: { title: words.menu, html: menuHtml(site, path, language) },
    content: `${body.replace("</h1>", `</h1>
${contentsHtml(body, words.onThisPage)}`)}
${neighboursHtml(site, path, language)}`
  });
}

// scripts/docs-site/sections.ts
function plain(tokens) {
  const words = tokens.flatMap(({ type, content, children }) => {
    if (type === "fence" || type === "code_block") return [content];
    return (children ?? []).flatMap((child) => child.type === "softbreak" ? [" "] : [child.content]);
  });
  return words.join(" ").replace(/\s+/g, " ").trim();
}
function sectionsOf(markdown, path, text) {
  const tokens = markdown.parse(text, { page: { filePathStem: `/${path}` } });
  const starts = tokens.flatMap(({ type }, index) => type === "heading_open" ? [index] : []);
  const page = plain(tokens.slice((starts[0] ?? 0) + 1, (starts[0] ?? 0) + 2));
  return starts.map((start, index) => {
    const anchor = String(tokens[start]?.attrGet("id"));
    const body = tokens.slice(start + 3, starts[index + 1] ?? tokens.length);
    const id = index === 0 ? addressOf(path) : `${addressOf(path)}#${anchor}`;
    return { id, page, title: plain(tokens.slice(start + 1, start + 2)), text: plain(body) };
  });
}

// scripts/docs-site/build-docs-site.ts
var SOURCE = "docs";
async function readPages() {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const read = files.map(async (name) => {
    const path = name.replaceAll("\\", "/").replace(/\.md$/, "");
    return [path, await readFile(join4(SOURCE, name), "utf8")];
  });
  return new Map(await Promise.all(read));
}
function titleOf(text) {
  return (/^# (.*)/m.exec(text)?.[1] ?? "").replaceAll("`", "");
}
async function writeSections(pages, folder) {
  const markdown = createMarkdown();
  const found = [...pages].filter(([path]) => !path.startsWith("decisions/"));
  await mkdir(join4(folder, "assets"), { recursive: true });
  for (const language of ["en", "pt-BR"]) {
    const own = found.filter(([path]) => languageOfPage(path) === language);
    const also = language === "en" ? [] : found.filter(([path]) => !path.startsWith("pt-br/") && !pages.has(`pt-br/${path}`));
    const sections = [...own, ...also].flatMap(([path, text]) => sectionsOf(markdown, path, text));
    await writeFile(join4(folder, `assets/search.${language}.json`), JSON.stringify(sections));
  }
}
async function writeList(folder) {
  const text = await readFile(join4(SOURCE, "llms.txt"), "utf8");
  const linked = text.replace(
    /\]\(([\w./-]+)\.md\)/g,
    (_link, path) => `](${addressOf(path.replace("../", ""))})`
  );
  await writeFile(join4(folder, "llms.txt"), linked);
}
var compress = promisify(brotliCompress);
async function compressTexts(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|json)$/.test(name));
  for (const name of names) {
    const file = join4(folder, name);
    await writeFile(`${file}.br`, await compress(await readFile(file)));
    await rm(file);
  }
}
async function buildDocsSite(folder, version) {
  const pages = await readPages();
  await mkdir(folder, { recursive: true });
  const old = (await readdir(folder)).filter((name) => name !== "assets");
  for (const name of old) await rm(join4(folder, name), { recursive: true });
  const site = { version, titles: new Map([...pages].map(([path, text]) => [path, titleOf(text)])) };
  const eleventy = new Eleventy(SOURCE, folder, {
    quietMode: true,
    configPath: false,
    config(config) {
      config.benchmarkManager.get("Configuration").setIsVerbose(false);
      config.setTemplateFormats(["md"]);
      config.setLibrary("md", createMarkdown());
      config.addGlobalData(
        "eleventyComputed.permalink",
        () => ({ page }) => addressOf(page.filePathStem.slice(1))
      );
      config.addTransform("page", function(body) {
        return pageHtml(site, this.page.filePathStem.slice(1), body);
      });
      config.addPassthroughCopy({
        [`${SOURCE}/images`]: "images",
        "src/console/browser/public/icon.svg": "assets/icon.svg",
        "src/docs-pages/browser/docs.css": "assets/docs.css"
      });
      return { markdownTemplateEngine: false, htmlTemplateEngine: false, dataTemplateEngine: false };
    }
  });
  eleventy.disableLogger();
  await eleventy.write();
  await writeSections(pages, folder);
  await writeList(folder);
  await compressTexts(folder);
}
function docsSite(folder) {
  return {
    name: "docs-site",
    setup(build) {
      build.onEnd(async ({ errors }) => {
        if (errors.length > 0) return;
        const { version } = JSON.parse(await readFile("package.json", "utf8"));
        await buildDocsSite(folder, version);
      });
    }
  };
}

// scripts/lighter-packages.ts
import { readFile as readFile2 } from "node:fs/promises";
import { resolve } from "node:path";
var UNUSED = {
  // TLS certificates, QR codes of addresses, WebSockets, tunnels, the clipboard, the browser, and to run and watch a
  // program under development.
  listhen: /^(node-forge|uqr|crossws\/adapters\/node|untun|tinyclip|jiti|@parcel\/watcher(-wasm)?|\.\.\/chunks\/xdg-open\.mjs)$/,
  // Fonts from files, and pictures: documents are drawn with the standard fonts and lines.
  pdfkit: /^(fontkit|png-js)$/,
  // Pictures as PNG: src/pix/png.ts writes them.
  qrcode: /^pngjs$/
};
var SMALLER = [
  // Without colours and questions: listhen only warns.
  { importer: "listhen", name: "consola", path: "node_modules/consola/dist/basic.mjs" },
  // For Node, ofetch brings a copy of fetch. Every version of Node that is supported has its own.
  { importer: "", name: "ofetch", path: "node_modules/ofetch/dist/index.mjs" }
];
var FONTS = ["Helvetica", "HelveticaBold"];
function ofPackage(importer, name) {
  return importer.replaceAll("\\", "/").includes(`/node_modules/${name}/`);
}
function withFontsInside(text) {
  const lines = text.split("\n").flatMap((line) => {
    const font = /require\$1\('#standard-fonts\/(\w+)'\)/.exec(line)?.[1];
    if (font === void 0) return [line];
    return FONTS.includes(font) ? [line.replace("require$1(", "require(")] : [];
  });
  return lines.join("\n");
}
var WITHOUT_WEB_CLASSES = [
  [
    'import { FastResponse, FastURL } from "srvx";',
    "const FastURL = URL; const FastResponse = function (...answer) { return new Response(...answer); };"
  ],
  ["FrozenHeaders = class extends Headers {", "FrozenHeaders = class {"],
  ["new FrozenHeaders(", "Object.freeze("]
];
function withoutWebClasses(text) {
  return WITHOUT_WEB_CLASSES.reduce((lighter, [known, other]) => {
    if (!lighter.includes(known)) throw new Error(`h3 does not say this any more: ${known}`);
    return lighter.replaceAll(known, other);
  }, text);
}
var MCP_PLATFORM = `export { default as process } from "node:process";
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("no answers of users are validated");
  }
}`;
function withPartsOfZod(text) {
  return text.replace('import { z } from "zod"', 'import * as z from "zod"');
}
function withEncoderInside(text) {
  return text.replace('load("qrcode")', 'require("qrcode")');
}
var SHORTENED = /[\\/]node_modules[\\/](?:commander|@modelcontextprotocol|ajv|ajv-formats|nodemailer|pdfkit)[\\/].*\.m?js$/;
function lighterPackages() {
  return {
    name: "lighter-packages",
    setup(build) {
      for (const [name, filter] of Object.entries(UNUSED)) {
        build.onResolve(
          { filter },
          ({ importer }) => ofPackage(importer, name) ? { path: "unused", namespace: "unused" } : void 0
        );
      }
      build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
        path: "mcp-platform",
        namespace: "mcp-platform"
      }));
      build.onLoad({ filter: /./, namespace: "mcp-platform" }, () => ({ contents: MCP_PLATFORM, loader: "js" }));
      for (const { importer: by, name, path } of SMALLER) {
        build.onResolve(
          { filter: new RegExp(`^${name}$`) },
          ({ importer }) => by === "" || ofPackage(importer, by) ? { path: resolve(path) } : void 0
        );
      }
      build.onLoad({ filter: /[\\/]node_modules[\\/]h3[\\/]dist[\\/]response\.mjs$/ }, async ({ path }) => ({
        contents: withoutWebClasses(await readFile2(path, "utf8")),
        loader: "js"
      }));
      build.onLoad({ filter: SHORTENED }, async ({ path }) => {
        const text = await readFile2(path, "utf8");
        const used = ofPackage(path, "pdfkit") ? withFontsInside(text) : text;
        const { code } = await build.esbuild.transform(used, { minifyWhitespace: true, minifySyntax: true });
        return { contents: code, loader: "js" };
      });
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile2(path, "utf8");
        const lighter = withEncoderInside(withPartsOfZod(text));
        return lighter === text ? void 0 : { contents: lighter, loader: "ts" };
      });
    }
  };
}

// scripts/pack-sqlite.mjs
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir as mkdir2, readdir as readdir2, readFile as readFile3, rm as rm2, writeFile as writeFile2 } from "node:fs/promises";
import { join as join5 } from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
import { promisify as promisify2 } from "node:util";
import { brotliCompress as brotliCompress2, constants } from "node:zlib";
var __injected_import_meta_url__3 = "file:///tmp/wt/console-pages/scripts/pack-sqlite.mjs";
var BINARIES = join5(SQLITE_PACKAGES, "@photostructure", "sqlite", "prebuilds");
var FOLDER = "dist/sqlite";
var QUALITY = { quick: 4, small: 11 };
var compress2 = promisify2(brotliCompress2);
async function packSqlite(level) {
  installSqlite();
  const sums = {};
  const binaries = [];
  for (const path of (await readdir2(BINARIES, { recursive: true })).sort()) {
    if (!path.endsWith(".node")) continue;
    const [platform = "", file = ""] = path.replaceAll("\\", "/").split("/");
    const name = file.endsWith(".musl.node") ? `${platform}-musl` : platform;
    assert(sums[name] === void 0, `There are two binaries for ${name}`);
    const bytes = await readFile3(join5(BINARIES, path));
    sums[name] = createHash("sha256").update(bytes).digest("hex");
    binaries.push([name, bytes]);
  }
  assert(binaries.length > 0, `${BINARIES} has no binaries`);
  const list = `${JSON.stringify(sums, null, 2)}
`;
  if (level === "quick" && await textOf(join5(FOLDER, "binaries.json")) === list) return;
  await rm2(FOLDER, { recursive: true, force: true });
  await mkdir2(FOLDER, { recursive: true });
  await Promise.all(
    binaries.map(async ([name, bytes]) => {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY[level],
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
      };
      await writeFile2(join5(FOLDER, `${name}.node.br`), await compress2(bytes, { params }));
    })
  );
  await writeFile2(join5(FOLDER, "binaries.json"), list);
}
async function textOf(file) {
  return readFile3(file, "utf8").catch(() => null);
}
if (process.argv[1] === fileURLToPath2(__injected_import_meta_url__3)) await packSqlite("small");

// scripts/precompute-command-tree.ts
import { basename as basename3 } from "node:path";

// scripts/evaluate-module.ts
import { mkdir as mkdir3, rm as rm3, writeFile as writeFile3 } from "node:fs/promises";
import { basename as basename2, join as join7 } from "node:path";
import { pathToFileURL } from "node:url";

// scripts/raw-text.ts
import { readFile as readFile4 } from "node:fs/promises";
import { join as join6 } from "node:path";
var SUFFIX = "?raw";
function rawText() {
  return {
    name: "raw-text",
    setup(build) {
      build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
        // With the suffix: tsup takes a path that ends with .css for a style sheet of its own.
        path: join6(resolveDir, path),
        namespace: "raw-text"
      }));
      build.onLoad({ filter: /./, namespace: "raw-text" }, async ({ path }) => ({
        contents: await readFile4(path.slice(0, -SUFFIX.length), "utf8"),
        loader: "text",
        watchFiles: [path.slice(0, -SUFFIX.length)]
      }));
    }
  };
}

// scripts/evaluate-module.ts
async function evaluate(esbuild, path) {
  const bundle = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [rawText()]
  });
  const code = bundle.outputFiles[0]?.contents ?? "";
  const folder = join7("node_modules", ".cache", "qa-pay");
  const file = join7(folder, `${basename2(path, ".ts")}-${process.pid}.mjs`);
  await mkdir3(folder, { recursive: true });
  await writeFile3(file, code);
  try {
    const values = await import(pathToFileURL(file).href);
    return { values, inputs: Object.keys(bundle.metafile.inputs) };
  } finally {
    await rm3(file, { force: true });
  }
}
function toLiteral(value) {
  return JSON.stringify(value, (key, value2) => {
    if (isPlainData(value2)) return value2;
    throw new Error(`"${key}" is not plain data (${typeof value2}), so the build cannot write it`);
  });
}
function isPlainData(value) {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return ["string", "boolean", "undefined"].includes(typeof value);
  return value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

// scripts/precompute-command-tree.ts
var NO_HELP = { commands: {}, errors: {} };
var TEXTS2 = "command-texts";
var HELP = "command-help";
function commandTreeText({ commandNouns }) {
  const nouns = commandNouns.map(({ noun }) => noun);
  return [
    `import { readFileSync } from "node:fs";`,
    `import help from "${TEXTS2}:${HELP}";`,
    ...nouns.map((noun, index) => `import file${index} from "${TEXTS2}:${noun}";`),
    `const files = {${nouns.map((noun, index) => `${JSON.stringify(noun)}: file${index}`)}};`,
    `const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));`,
    `export const commandHelp = () => read(help);`,
    `export const commandNouns = ${toLiteral(commandNouns)};`,
    `export const commandsOf = (noun) => (Object.hasOwn(files, noun) ? read(files[noun]) : []);`
  ].join("\n");
}
function routesText({ routes }) {
  return `export const routes = () => JSON.parse(${JSON.stringify(toLiteral(routes()))});`;
}
var COMMAND_TREE = /[\\/]src[\\/]cli[\\/]tree[\\/]command-tree\.ts$/;
var ROUTES = /[\\/]src[\\/]cli[\\/]tree[\\/]route-table\.ts$/;
function precomputeCommandTree() {
  return {
    name: "precompute-command-tree",
    setup(build) {
      let tree = { commandNouns: [], commandsOf: () => [], commandHelp: () => NO_HELP };
      build.onLoad({ filter: COMMAND_TREE }, async () => {
        const { values, inputs } = await evaluate(build.esbuild, "src/cli/tree/command-tree.ts");
        tree = values;
        return { contents: commandTreeText(values), loader: "js", watchFiles: inputs };
      });
      build.onResolve({ filter: new RegExp(`^${TEXTS2}:`) }, ({ path }) => ({
        path: `${path.slice(TEXTS2.length + 1)}.json`,
        namespace: TEXTS2
      }));
      build.onLoad({ filter: /./, namespace: TEXTS2 }, ({ path }) => {
        const name = basename3(path, ".json");
        return { contents: toLiteral(name === HELP ? tree.commandHelp() : tree.commandsOf(name)), loader: "file" };
      });
      build.onLoad({ filter: ROUTES }, async () => {
        const { values, inputs } = await evaluate(build.esbuild, "src/cli/tree/route-table.ts");
        return { contents: routesText(values), loader: "js", watchFiles: inputs };
      });
    }
  };
}

// scripts/precompute-console-facts.ts
function precomputeConsoleFacts() {
  return {
    name: "precompute-console-facts",
    setup(build) {
      build.onLoad(
        { filter: /[\\/]src[\\/]console[\\/]browser[\\/]facts[\\/](routes|commands)\.ts$/ },
        async ({ path }) => {
          const name = path.endsWith("routes.ts") ? "routes" : "commands";
          const module = `src/console/browser/facts/${name}.ts`;
          const { values, inputs } = await evaluate(build.esbuild, module);
          const text = JSON.stringify(toLiteral(values[name] ?? {}));
          return { contents: `export const ${name} = JSON.parse(${text});`, loader: "js", watchFiles: inputs };
        }
      );
    }
  };
}

// tsup.config.ts
var licences = bundledLicences("dist/LICENSES.txt");
var program = {
  entry: { cli: "src/cli/main.ts", index: "src/index.ts", vitest: "src/vitest.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  // Chunks are what lets a command load only what it needs: every `await import()` becomes its own file.
  splitting: true,
  // Node shows the source line of an error that nobody caught, and stack traces its names: both must be readable. It
  // costs a start nothing that can be measured.
  minify: false,
  sourcemap: false,
  // The other builds write their own folders at the same time.
  clean: ["!compiled-code.cjs", "!console/**", "!docs/**", "!sqlite/**", "!webhooks/**"],
  // scripts/package-types.mjs writes the types of the package.
  dts: false,
  // tsup drops the `node:` prefix unless told not to, and node:sqlite exists under no other name.
  removeNodeProtocol: false,
  // Everything is bundled: installing ninety packages takes longer than all that a first start does. What has a native part
  // cannot be, and Vitest must be the one of the project whose tests it runs. What `noExternal` names is bundled in any case.
  noExternal: [/^(?!vitest$)/],
  external: ["better-sqlite3", "@napi-rs/keyring", "vitest"],
  esbuildPlugins: [rawText(), precomputeCommandTree(), lighterPackages(), asCommonJs(), licences],
  onSuccess: () => packSqlite("quick")
};
var consolePage = {
  entry: { main: "src/console/browser/main.tsx" },
  outDir: "dist/console",
  publicDir: "src/console/browser/public",
  format: "esm",
  platform: "browser",
  target: "es2022",
  // One script: it comes from this machine, and a page is shown sooner than several scripts are asked for.
  splitting: false,
  minify: true,
  sourcemap: false,
  clean: true,
  dts: false,
  noExternal: [/./],
  esbuildOptions(options) {
    options.jsx = "automatic";
    options.jsxImportSource = "preact";
  },
  esbuildPlugins: [precomputeConsoleFacts(), licences]
};
var docsPages = {
  entry: { site: "src/docs-site/browser/site.ts" },
  outDir: "dist/docs/assets",
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  sourcemap: false,
  clean: true,
  dts: false,
  noExternal: [/./],
  esbuildPlugins: [licences, docsSite("dist/docs")]
};
var webhooks = {
  entry: ["src/webhooks/index.ts"],
  outDir: "dist/webhooks",
  format: ["esm", "cjs"],
  platform: "node",
  target: "node20",
  splitting: false,
  clean: true,
  dts: false,
  removeNodeProtocol: false
};
var compiledCode = {
  entry: { "compiled-code": "src/platform/compiled-code.ts" },
  format: "cjs",
  platform: "node",
  target: "node20",
  splitting: false,
  clean: false,
  dts: false,
  removeNodeProtocol: false
};
var tsup_config_default = defineConfig([program, consolePage, docsPages, webhooks, compiledCode]);
export {
  tsup_config_default as default
};
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsidHN1cC5jb25maWcudHMiLCAic2NyaXB0cy9idW5kbGVkLWxpY2VuY2VzLnRzIiwgInNjcmlwdHMvaW5zdGFsbC1zcWxpdGUubWpzIiwgInNjcmlwdHMvY29tbW9uanMudHMiLCAic2NyaXB0cy9kb2NzLXNpdGUvYnVpbGQtZG9jcy1zaXRlLnRzIiwgInNjcmlwdHMvZG9jcy1zaXRlL21hcmtkb3duLnRzIiwgInNjcmlwdHMvZG9jcy1zaXRlL25hdmlnYXRpb24udHMiLCAic2NyaXB0cy9kb2NzLXNpdGUvcGFnZS50cyIsICJzcmMva2VybmVsL2h0bWwudHMiLCAic3JjL2RvY3MtcGFnZXMvbGF5b3V0LnRzIiwgInNjcmlwdHMvZG9jcy1zaXRlL3NlY3Rpb25zLnRzIiwgInNjcmlwdHMvbGlnaHRlci1wYWNrYWdlcy50cyIsICJzY3JpcHRzL3BhY2stc3FsaXRlLm1qcyIsICJzY3JpcHRzL3ByZWNvbXB1dGUtY29tbWFuZC10cmVlLnRzIiwgInNjcmlwdHMvZXZhbHVhdGUtbW9kdWxlLnRzIiwgInNjcmlwdHMvcmF3LXRleHQudHMiLCAic2NyaXB0cy9wcmVjb21wdXRlLWNvbnNvbGUtZmFjdHMudHMiXSwKICAic291cmNlc0NvbnRlbnQiOiBbImNvbnN0IF9faW5qZWN0ZWRfZmlsZW5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3RzdXAuY29uZmlnLnRzXCI7Y29uc3QgX19pbmplY3RlZF9kaXJuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlc1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvdHN1cC5jb25maWcudHNcIjtpbXBvcnQgeyBkZWZpbmVDb25maWcsIHR5cGUgT3B0aW9ucyB9IGZyb20gXCJ0c3VwXCI7XG5pbXBvcnQgeyBidW5kbGVkTGljZW5jZXMgfSBmcm9tIFwiLi9zY3JpcHRzL2J1bmRsZWQtbGljZW5jZXMuanNcIjtcbmltcG9ydCB7IGFzQ29tbW9uSnMgfSBmcm9tIFwiLi9zY3JpcHRzL2NvbW1vbmpzLmpzXCI7XG5pbXBvcnQgeyBkb2NzU2l0ZSB9IGZyb20gXCIuL3NjcmlwdHMvZG9jcy1zaXRlL2J1aWxkLWRvY3Mtc2l0ZS5qc1wiO1xuaW1wb3J0IHsgbGlnaHRlclBhY2thZ2VzIH0gZnJvbSBcIi4vc2NyaXB0cy9saWdodGVyLXBhY2thZ2VzLmpzXCI7XG5pbXBvcnQgeyBwYWNrU3FsaXRlIH0gZnJvbSBcIi4vc2NyaXB0cy9wYWNrLXNxbGl0ZS5tanNcIjtcbmltcG9ydCB7IHByZWNvbXB1dGVDb21tYW5kVHJlZSB9IGZyb20gXCIuL3NjcmlwdHMvcHJlY29tcHV0ZS1jb21tYW5kLXRyZWUuanNcIjtcbmltcG9ydCB7IHByZWNvbXB1dGVDb25zb2xlRmFjdHMgfSBmcm9tIFwiLi9zY3JpcHRzL3ByZWNvbXB1dGUtY29uc29sZS1mYWN0cy5qc1wiO1xuaW1wb3J0IHsgcmF3VGV4dCB9IGZyb20gXCIuL3NjcmlwdHMvcmF3LXRleHQuanNcIjtcblxuLyoqIFNldmVyYWwgYnVpbGRzIGJ1bmRsZSBwYWNrYWdlcywgYW5kIHRoZSBsaWNlbmNlcyBvZiBhbGwgYXJlIGluIG9uZSBmaWxlLiAqL1xuY29uc3QgbGljZW5jZXMgPSBidW5kbGVkTGljZW5jZXMoXCJkaXN0L0xJQ0VOU0VTLnR4dFwiKTtcblxuY29uc3QgcHJvZ3JhbTogT3B0aW9ucyA9IHtcbiAgZW50cnk6IHsgY2xpOiBcInNyYy9jbGkvbWFpbi50c1wiLCBpbmRleDogXCJzcmMvaW5kZXgudHNcIiwgdml0ZXN0OiBcInNyYy92aXRlc3QudHNcIiB9LFxuICBmb3JtYXQ6IFwiZXNtXCIsXG4gIHBsYXRmb3JtOiBcIm5vZGVcIixcbiAgdGFyZ2V0OiBcIm5vZGUyMFwiLFxuICAvLyBDaHVua3MgYXJlIHdoYXQgbGV0cyBhIGNvbW1hbmQgbG9hZCBvbmx5IHdoYXQgaXQgbmVlZHM6IGV2ZXJ5IGBhd2FpdCBpbXBvcnQoKWAgYmVjb21lcyBpdHMgb3duIGZpbGUuXG4gIHNwbGl0dGluZzogdHJ1ZSxcbiAgLy8gTm9kZSBzaG93cyB0aGUgc291cmNlIGxpbmUgb2YgYW4gZXJyb3IgdGhhdCBub2JvZHkgY2F1Z2h0LCBhbmQgc3RhY2sgdHJhY2VzIGl0cyBuYW1lczogYm90aCBtdXN0IGJlIHJlYWRhYmxlLiBJdFxuICAvLyBjb3N0cyBhIHN0YXJ0IG5vdGhpbmcgdGhhdCBjYW4gYmUgbWVhc3VyZWQuXG4gIG1pbmlmeTogZmFsc2UsXG4gIHNvdXJjZW1hcDogZmFsc2UsXG4gIC8vIFRoZSBvdGhlciBidWlsZHMgd3JpdGUgdGhlaXIgb3duIGZvbGRlcnMgYXQgdGhlIHNhbWUgdGltZS5cbiAgY2xlYW46IFtcIiFjb21waWxlZC1jb2RlLmNqc1wiLCBcIiFjb25zb2xlLyoqXCIsIFwiIWRvY3MvKipcIiwgXCIhc3FsaXRlLyoqXCIsIFwiIXdlYmhvb2tzLyoqXCJdLFxuICAvLyBzY3JpcHRzL3BhY2thZ2UtdHlwZXMubWpzIHdyaXRlcyB0aGUgdHlwZXMgb2YgdGhlIHBhY2thZ2UuXG4gIGR0czogZmFsc2UsXG4gIC8vIHRzdXAgZHJvcHMgdGhlIGBub2RlOmAgcHJlZml4IHVubGVzcyB0b2xkIG5vdCB0bywgYW5kIG5vZGU6c3FsaXRlIGV4aXN0cyB1bmRlciBubyBvdGhlciBuYW1lLlxuICByZW1vdmVOb2RlUHJvdG9jb2w6IGZhbHNlLFxuICAvLyBFdmVyeXRoaW5nIGlzIGJ1bmRsZWQ6IGluc3RhbGxpbmcgbmluZXR5IHBhY2thZ2VzIHRha2VzIGxvbmdlciB0aGFuIGFsbCB0aGF0IGEgZmlyc3Qgc3RhcnQgZG9lcy4gV2hhdCBoYXMgYSBuYXRpdmUgcGFydFxuICAvLyBjYW5ub3QgYmUsIGFuZCBWaXRlc3QgbXVzdCBiZSB0aGUgb25lIG9mIHRoZSBwcm9qZWN0IHdob3NlIHRlc3RzIGl0IHJ1bnMuIFdoYXQgYG5vRXh0ZXJuYWxgIG5hbWVzIGlzIGJ1bmRsZWQgaW4gYW55IGNhc2UuXG4gIG5vRXh0ZXJuYWw6IFsvXig/IXZpdGVzdCQpL10sXG4gIGV4dGVybmFsOiBbXCJiZXR0ZXItc3FsaXRlM1wiLCBcIkBuYXBpLXJzL2tleXJpbmdcIiwgXCJ2aXRlc3RcIl0sXG4gIGVzYnVpbGRQbHVnaW5zOiBbcmF3VGV4dCgpLCBwcmVjb21wdXRlQ29tbWFuZFRyZWUoKSwgbGlnaHRlclBhY2thZ2VzKCksIGFzQ29tbW9uSnMoKSwgbGljZW5jZXNdLFxuICBvblN1Y2Nlc3M6ICgpID0+IHBhY2tTcWxpdGUoXCJxdWlja1wiKSxcbn07XG5cbi8qKiBUaGUgY29uc29sZTogYSBwYWdlIGZvciBicm93c2Vycywgd2hvc2UgZmlsZXMgdGhlIHNlcnZlciByZWFkcyB3aGVuIHNvbWVib2R5IG9wZW5zIGl0LiAqL1xuY29uc3QgY29uc29sZVBhZ2U6IE9wdGlvbnMgPSB7XG4gIGVudHJ5OiB7IG1haW46IFwic3JjL2NvbnNvbGUvYnJvd3Nlci9tYWluLnRzeFwiIH0sXG4gIG91dERpcjogXCJkaXN0L2NvbnNvbGVcIixcbiAgcHVibGljRGlyOiBcInNyYy9jb25zb2xlL2Jyb3dzZXIvcHVibGljXCIsXG4gIGZvcm1hdDogXCJlc21cIixcbiAgcGxhdGZvcm06IFwiYnJvd3NlclwiLFxuICB0YXJnZXQ6IFwiZXMyMDIyXCIsXG4gIC8vIE9uZSBzY3JpcHQ6IGl0IGNvbWVzIGZyb20gdGhpcyBtYWNoaW5lLCBhbmQgYSBwYWdlIGlzIHNob3duIHNvb25lciB0aGFuIHNldmVyYWwgc2NyaXB0cyBhcmUgYXNrZWQgZm9yLlxuICBzcGxpdHRpbmc6IGZhbHNlLFxuICBtaW5pZnk6IHRydWUsXG4gIHNvdXJjZW1hcDogZmFsc2UsXG4gIGNsZWFuOiB0cnVlLFxuICBkdHM6IGZhbHNlLFxuICBub0V4dGVybmFsOiBbLy4vXSxcbiAgZXNidWlsZE9wdGlvbnMob3B0aW9ucykge1xuICAgIG9wdGlvbnMuanN4ID0gXCJhdXRvbWF0aWNcIjtcbiAgICBvcHRpb25zLmpzeEltcG9ydFNvdXJjZSA9IFwicHJlYWN0XCI7XG4gIH0sXG4gIGVzYnVpbGRQbHVnaW5zOiBbcHJlY29tcHV0ZUNvbnNvbGVGYWN0cygpLCBsaWNlbmNlc10sXG59O1xuXG4vKiogVGhlIGRvY3VtZW50YXRpb246IHBhZ2VzIG9mIHBsYWluIEhUTUwgd2l0aCBvbmUgc2NyaXB0LCBmb3IgdGhlIHNlYXJjaC4gVGhlIGxhc3QgcGx1Z2luIG1ha2VzIHRoZSBwYWdlcy4gKi9cbmNvbnN0IGRvY3NQYWdlczogT3B0aW9ucyA9IHtcbiAgZW50cnk6IHsgc2l0ZTogXCJzcmMvZG9jcy1zaXRlL2Jyb3dzZXIvc2l0ZS50c1wiIH0sXG4gIG91dERpcjogXCJkaXN0L2RvY3MvYXNzZXRzXCIsXG4gIGZvcm1hdDogXCJlc21cIixcbiAgcGxhdGZvcm06IFwiYnJvd3NlclwiLFxuICB0YXJnZXQ6IFwiZXMyMDIyXCIsXG4gIG1pbmlmeTogdHJ1ZSxcbiAgc291cmNlbWFwOiBmYWxzZSxcbiAgY2xlYW46IHRydWUsXG4gIGR0czogZmFsc2UsXG4gIG5vRXh0ZXJuYWw6IFsvLi9dLFxuICBlc2J1aWxkUGx1Z2luczogW2xpY2VuY2VzLCBkb2NzU2l0ZShcImRpc3QvZG9jc1wiKV0sXG59O1xuXG4vKiogVGhlIHZlcmlmaWVyIG9mIHdlYmhvb2tzOiBvbmUgZmlsZSwgZm9yIGBpbXBvcnRgIGFuZCBmb3IgYHJlcXVpcmVgLCB0aGF0IG5lZWRzIG5vdGhpbmcgb2YgdGhlIHJlc3QuICovXG5jb25zdCB3ZWJob29rczogT3B0aW9ucyA9IHtcbiAgZW50cnk6IFtcInNyYy93ZWJob29rcy9pbmRleC50c1wiXSxcbiAgb3V0RGlyOiBcImRpc3Qvd2ViaG9va3NcIixcbiAgZm9ybWF0OiBbXCJlc21cIiwgXCJjanNcIl0sXG4gIHBsYXRmb3JtOiBcIm5vZGVcIixcbiAgdGFyZ2V0OiBcIm5vZGUyMFwiLFxuICBzcGxpdHRpbmc6IGZhbHNlLFxuICBjbGVhbjogdHJ1ZSxcbiAgZHRzOiBmYWxzZSxcbiAgcmVtb3ZlTm9kZVByb3RvY29sOiBmYWxzZSxcbn07XG5cbi8qKiBXaGF0IGtlZXBzIGNvbXBpbGVkIGNvZGUuIEl0IGlzIGxvYWRlZCBiZWZvcmUgdGhlIHByb2dyYW0sIGFuZCB0aGUgcHJvZ3JhbSdzIG93biBmaWxlcyBhcmUgbm90OiB0aGV5IGFyZSBjb21waWxlZCB3aXRoIGl0LiAqL1xuY29uc3QgY29tcGlsZWRDb2RlOiBPcHRpb25zID0ge1xuICBlbnRyeTogeyBcImNvbXBpbGVkLWNvZGVcIjogXCJzcmMvcGxhdGZvcm0vY29tcGlsZWQtY29kZS50c1wiIH0sXG4gIGZvcm1hdDogXCJjanNcIixcbiAgcGxhdGZvcm06IFwibm9kZVwiLFxuICB0YXJnZXQ6IFwibm9kZTIwXCIsXG4gIHNwbGl0dGluZzogZmFsc2UsXG4gIGNsZWFuOiBmYWxzZSxcbiAgZHRzOiBmYWxzZSxcbiAgcmVtb3ZlTm9kZVByb3RvY29sOiBmYWxzZSxcbn07XG5cbmV4cG9ydCBkZWZhdWx0IGRlZmluZUNvbmZpZyhbcHJvZ3JhbSwgY29uc29sZVBhZ2UsIGRvY3NQYWdlcywgd2ViaG9va3MsIGNvbXBpbGVkQ29kZV0pO1xuIiwgImNvbnN0IF9faW5qZWN0ZWRfZmlsZW5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvYnVuZGxlZC1saWNlbmNlcy50c1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0c1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9idW5kbGVkLWxpY2VuY2VzLnRzXCI7aW1wb3J0IHsgbWtkaXJTeW5jLCByZWFkZGlyU3luYywgcmVhZEZpbGVTeW5jLCB3cml0ZUZpbGVTeW5jIH0gZnJvbSBcIm5vZGU6ZnNcIjtcbmltcG9ydCB7IGRpcm5hbWUsIGpvaW4gfSBmcm9tIFwibm9kZTpwYXRoXCI7XG5pbXBvcnQgdHlwZSB7IEVzYnVpbGRQbHVnaW4gfSBmcm9tIFwiLi9ldmFsdWF0ZS1tb2R1bGUuanNcIjtcbmltcG9ydCB7IGluc3RhbGxTcWxpdGUsIFNRTElURV9QQUNLQUdFUyB9IGZyb20gXCIuL2luc3RhbGwtc3FsaXRlLm1qc1wiO1xuXG4vKiogVGhlIGZvbGRlcnMgb2YgdGhlIHBhY2thZ2VzIHRoYXQgZmlsZXMgY29tZSBmcm9tLCBzdWNoIGFzIGBub2RlX21vZHVsZXMvem9kYC4gKi9cbmZ1bmN0aW9uIHBhY2thZ2VzT2YoZmlsZXM6IHJlYWRvbmx5IHN0cmluZ1tdKTogc3RyaW5nW10ge1xuICByZXR1cm4gZmlsZXMuZmxhdE1hcCgoZmlsZSkgPT4gL14uKm5vZGVfbW9kdWxlc1xcLyg/OkBbXi9dK1xcLyk/W14vXSsvLmV4ZWMoZmlsZSk/LlswXSA/PyBbXSk7XG59XG5cbi8qKiBXaGF0IGlzIGluIHRoZSBuYXRpdmUgYmluYXJpZXMgdGhhdCBzY3JpcHRzL3BhY2stc3FsaXRlLm1qcyBhZGRzLiBTUUxpdGUgaXRzZWxmIGlzIGluIHRoZSBwdWJsaWMgZG9tYWluLiAqL1xuY29uc3QgSU5fQklOQVJJRVMgPSBbXCJAcGhvdG9zdHJ1Y3R1cmUvc3FsaXRlXCIsIFwibm9kZS1hZGRvbi1hcGlcIl0ubWFwKChuYW1lKSA9PiBqb2luKFNRTElURV9QQUNLQUdFUywgbmFtZSkpO1xuXG4vKiogVGhlIGxpY2VuY2VzIG9mIHdoYXQgaXMgY29waWVkIGludG8gdGhlIHNvdXJjZTogZWFjaCBmaWxlIGJlZ2lucyB3aXRoIGl0cyBuYW1lIGFuZCB2ZXJzaW9uLiAqL1xuY29uc3QgQ09QSUVEID0gXCJzY3JpcHRzL2xpY2VuY2VzXCI7XG5cbmZ1bmN0aW9uIGNvcGllZExpY2VuY2VzKCk6IHN0cmluZ1tdIHtcbiAgcmV0dXJuIHJlYWRkaXJTeW5jKENPUElFRCkubWFwKChmaWxlKSA9PiByZWFkRmlsZVN5bmMoam9pbihDT1BJRUQsIGZpbGUpLCBcInV0ZjhcIikpO1xufVxuXG5mdW5jdGlvbiBsaWNlbmNlT2YoZm9sZGVyOiBzdHJpbmcpOiBzdHJpbmcge1xuICBjb25zdCB7IG5hbWUsIHZlcnNpb24sIGxpY2Vuc2UgfSA9IEpTT04ucGFyc2UocmVhZEZpbGVTeW5jKGpvaW4oZm9sZGVyLCBcInBhY2thZ2UuanNvblwiKSwgXCJ1dGY4XCIpKTtcbiAgY29uc3QgZmlsZSA9IHJlYWRkaXJTeW5jKGZvbGRlcikuZmluZCgoZW50cnkpID0+IC9eKGxpY2VuW2NzXWV8Y29weWluZykoWy4tXXwkKS9pLnRlc3QoZW50cnkpKTtcbiAgaWYgKGZpbGUgPT09IHVuZGVmaW5lZCkgdGhyb3cgbmV3IEVycm9yKGAke25hbWV9IGhhcyBubyBsaWNlbmNlIGZpbGUsIHNvIHRoYXQgaXQgY2Fubm90IGJlIGJ1bmRsZWRgKTtcbiAgcmV0dXJuIGAke25hbWV9ICR7dmVyc2lvbn0gKCR7bGljZW5zZX0pXFxuXFxuJHtyZWFkRmlsZVN5bmMoam9pbihmb2xkZXIsIGZpbGUpLCBcInV0ZjhcIikudHJpbSgpfVxcbmA7XG59XG5cbi8qKlxuICogV3JpdGVzIHRoZSBsaWNlbmNlcyBvZiBhbGwgYnVuZGxlZCBwYWNrYWdlcyBpbnRvIG9uZSBmaWxlLCBmb3IgZXZlcnkgYnVpbGQgdGhhdCBzaGFyZXMgdGhpcyBwbHVnaW4uIEEgcGFja2FnZSB0aGF0IGlzXG4gKiBidW5kbGVkIGlzIG5vdCBpbnN0YWxsZWQgd2l0aCBvdXJzLCBhbmQgaXRzIGxpY2VuY2Ugd2FudHMgdG8gYmUgcGFzc2VkIG9uLlxuICovXG5leHBvcnQgZnVuY3Rpb24gYnVuZGxlZExpY2VuY2VzKGZpbGU6IHN0cmluZyk6IEVzYnVpbGRQbHVnaW4ge1xuICBpbnN0YWxsU3FsaXRlKCk7XG4gIGNvbnN0IGtub3duID0gbmV3IFNldChJTl9CSU5BUklFUyk7XG4gIHJldHVybiB7XG4gICAgbmFtZTogXCJidW5kbGVkLWxpY2VuY2VzXCIsXG4gICAgc2V0dXAoYnVpbGQpIHtcbiAgICAgIGJ1aWxkLm9uRW5kKCh7IG1ldGFmaWxlIH0pID0+IHtcbiAgICAgICAgLy8gT2YgYW4gaW5wdXQgdGhhdCBpcyBuYW1lZCBub3doZXJlIGluIHRoZSBvdXRwdXQsIG5vdGhpbmcgaXMgYnVuZGxlZC5cbiAgICAgICAgY29uc3QgaW5wdXRzID0gT2JqZWN0LnZhbHVlcyhtZXRhZmlsZT8ub3V0cHV0cyA/PyB7fSkuZmxhdE1hcCgob3V0cHV0KSA9PiBPYmplY3QuZW50cmllcyhvdXRwdXQuaW5wdXRzKSk7XG4gICAgICAgIGNvbnN0IHVzZWQgPSBpbnB1dHMuZmlsdGVyKChbLCB7IGJ5dGVzSW5PdXRwdXQgfV0pID0+IGJ5dGVzSW5PdXRwdXQgPiAwKS5tYXAoKFtwYXRoXSkgPT4gcGF0aCk7XG4gICAgICAgIGZvciAoY29uc3QgZm9sZGVyIG9mIHBhY2thZ2VzT2YodXNlZCkpIGtub3duLmFkZChmb2xkZXIpO1xuICAgICAgICBjb25zdCBsaWNlbmNlcyA9IFsuLi5bLi4ua25vd25dLm1hcChsaWNlbmNlT2YpLCAuLi5jb3BpZWRMaWNlbmNlcygpXS5zb3J0KCk7XG4gICAgICAgIG1rZGlyU3luYyhkaXJuYW1lKGZpbGUpLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KTtcbiAgICAgICAgLy8gTm90IGFzeW5jaHJvbm91czogdGhlIGJ1aWxkcyBydW4gc2lkZSBieSBzaWRlLCBhbmQgdGhlIGxhdGVyIG9uZSBtdXN0IGZpbmQgdGhlIHBhY2thZ2VzIG9mIGJvdGguXG4gICAgICAgIHdyaXRlRmlsZVN5bmMoZmlsZSwgbGljZW5jZXMuam9pbihgXFxuJHtcIi1cIi5yZXBlYXQoODApfVxcblxcbmApKTtcbiAgICAgIH0pO1xuICAgIH0sXG4gIH07XG59XG4iLCAiY29uc3QgX19pbmplY3RlZF9maWxlbmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9pbnN0YWxsLXNxbGl0ZS5tanNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHNcIjtjb25zdCBfX2luamVjdGVkX2ltcG9ydF9tZXRhX3VybF9fID0gXCJmaWxlOi8vL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvaW5zdGFsbC1zcWxpdGUubWpzXCI7Ly8gQHRzLWNoZWNrXG4vLyBVc2FnZTogbm9kZSBzY3JpcHRzL2luc3RhbGwtc3FsaXRlLm1qc1xuLy8gSW5zdGFsbHMgdGhlIHBhY2thZ2Ugd2hvc2UgbmF0aXZlIGJpbmFyaWVzIHFhLXBheSBicmluZ3MgYWxvbmcuIG5wbSBydW5zIHRoaXMgYWZ0ZXIgYW4gaW5zdGFsbCBpbiB0aGlzIHJlcG9zaXRvcnkgKHRoZSBzY3JpcHRcbi8vIGBkZXBlbmRlbmNpZXNgKSwgYW5kIGEgYnVpbGQgZG9lcyB3aGVyZSB0aGF0IGhhcyBub3QgYmVlbiBkb25lLiBBcyBgcHJlcGFyZWAsIG5wbSB3b3VsZCB0ZWxsIGV2ZXJ5Ym9keSB3aG8gaW5zdGFsbHMgcWEtcGF5IHRoYXRcbi8vIGl0IGhhcyBzdWNoIGEgc2NyaXB0LiBUaGUgcGFja2FnZSBuYW1lcyBOb2RlIDIyIGFzIHRoZSBvbGRlc3QsIGFuZCBubyBvcGVyYXRpbmcgc3lzdGVtIGJ1dCB0aHJlZTogYXMgYSBkZXBlbmRlbmN5IG9mIHRoaXNcbi8vIHJlcG9zaXRvcnksIGl0IHdvdWxkIGJlIGEgd2FybmluZyBmb3IgZXZlcnlib2R5IHdobyBpbnN0YWxscyBvbiBOb2RlIDIwLCBhbmQgYW4gZXJyb3Igb24gb3RoZXIgc3lzdGVtcy4gSXRzIGJpbmFyaWVzIGFyZSBvbmx5IHBhY2tlZC5cbmltcG9ydCB7IGV4ZWNGaWxlU3luYyB9IGZyb20gXCJub2RlOmNoaWxkX3Byb2Nlc3NcIjtcbmltcG9ydCB7IGNvcHlGaWxlU3luYywgZXhpc3RzU3luYywgbWtkaXJTeW5jLCByZWFkRmlsZVN5bmMgfSBmcm9tIFwibm9kZTpmc1wiO1xuaW1wb3J0IHsgam9pbiB9IGZyb20gXCJub2RlOnBhdGhcIjtcbmltcG9ydCB7IGZpbGVVUkxUb1BhdGggfSBmcm9tIFwibm9kZTp1cmxcIjtcblxuY29uc3QgQVNLRUQgPSBcInNjcmlwdHMvc3FsaXRlXCI7XG4vKiogYG5wbSBjaWAgcmVtb3ZlcyBpdCB3aXRoIGFsbCBvZiBub2RlX21vZHVsZXMuICovXG5jb25zdCBIT01FID0gXCJub2RlX21vZHVsZXMvLmNhY2hlL3FhLXBheS9zcWxpdGVcIjtcbi8qKiBXaGVyZSB0aGUgaW5zdGFsbGVkIHBhY2thZ2VzIGFyZS4gKi9cbmV4cG9ydCBjb25zdCBTUUxJVEVfUEFDS0FHRVMgPSBqb2luKEhPTUUsIFwibm9kZV9tb2R1bGVzXCIpO1xuXG4vKiogRG9lcyBub3RoaW5nIHdoZW4gd2hhdCB0aGUgbG9jayBmaWxlIG5hbWVzIGlzIHRoZXJlLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGluc3RhbGxTcWxpdGUoKSB7XG4gIGNvbnN0IGxvY2tPZiA9ICgvKiogQHR5cGUge3N0cmluZ30gKi8gZm9sZGVyKSA9PiByZWFkRmlsZVN5bmMoam9pbihmb2xkZXIsIFwicGFja2FnZS1sb2NrLmpzb25cIiksIFwidXRmOFwiKTtcbiAgLy8gbnBtIHdyaXRlcyB0aGlzIGZpbGUgd2hlbiBhbGwgaXMgaW5zdGFsbGVkLlxuICBpZiAoZXhpc3RzU3luYyhqb2luKFNRTElURV9QQUNLQUdFUywgXCIucGFja2FnZS1sb2NrLmpzb25cIikpICYmIGxvY2tPZihIT01FKSA9PT0gbG9ja09mKEFTS0VEKSkgcmV0dXJuO1xuICBta2RpclN5bmMoSE9NRSwgeyByZWN1cnNpdmU6IHRydWUgfSk7XG4gIGZvciAoY29uc3QgbmFtZSBvZiBbXCJwYWNrYWdlLmpzb25cIiwgXCJwYWNrYWdlLWxvY2suanNvblwiXSkgY29weUZpbGVTeW5jKGpvaW4oQVNLRUQsIG5hbWUpLCBqb2luKEhPTUUsIG5hbWUpKTtcbiAgY29uc3QgZmxhZ3MgPSBbXCItLWZvcmNlXCIsIFwiLS1pZ25vcmUtc2NyaXB0c1wiLCBcIi0tbm8tYXVkaXRcIiwgXCItLW5vLWZ1bmRcIiwgXCItLXByZWZlci1vZmZsaW5lXCIsIFwiLS1sb2dsZXZlbD1lcnJvclwiXTtcbiAgY29uc3Qgc2hlbGwgPSBwcm9jZXNzLnBsYXRmb3JtID09PSBcIndpbjMyXCI7XG4gIGV4ZWNGaWxlU3luYyhcIm5wbVwiLCBbXCJjaVwiLCBcIi0tcHJlZml4XCIsIEhPTUUsIC4uLmZsYWdzXSwgeyBzaGVsbCwgc3RkaW86IFtcImlnbm9yZVwiLCBcImlnbm9yZVwiLCBcImluaGVyaXRcIl0gfSk7XG59XG5cbmlmIChwcm9jZXNzLmFyZ3ZbMV0gPT09IGZpbGVVUkxUb1BhdGgoaW1wb3J0Lm1ldGEudXJsKSkgaW5zdGFsbFNxbGl0ZSgpO1xuIiwgImNvbnN0IF9faW5qZWN0ZWRfZmlsZW5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvY29tbW9uanMudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHNcIjtjb25zdCBfX2luamVjdGVkX2ltcG9ydF9tZXRhX3VybF9fID0gXCJmaWxlOi8vL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvY29tbW9uanMudHNcIjtpbXBvcnQgeyBiYXNlbmFtZSwgZGlybmFtZSwgam9pbiB9IGZyb20gXCJub2RlOnBhdGhcIjtcbmltcG9ydCB0eXBlIHsgRXNidWlsZFBsdWdpbiB9IGZyb20gXCIuL2V2YWx1YXRlLW1vZHVsZS5qc1wiO1xuXG50eXBlIFBsdWdpbkJ1aWxkID0gUGFyYW1ldGVyczxFc2J1aWxkUGx1Z2luW1wic2V0dXBcIl0+WzBdO1xudHlwZSBSZXN1bHQgPSBQYXJhbWV0ZXJzPFBhcmFtZXRlcnM8UGx1Z2luQnVpbGRbXCJvbkVuZFwiXT5bMF0+WzBdO1xudHlwZSBPdXRwdXRzID0gTm9uTnVsbGFibGU8UmVzdWx0W1wibWV0YWZpbGVcIl0+W1wib3V0cHV0c1wiXTtcblxuLyoqXG4gKiBXaGF0IHN0YXJ0cyBsb2FkIHRvZ2V0aGVyOiBhbGwgY29tbWFuZHMsIHRob3NlIHRoYXQgc2VuZCBhIHJlcXVlc3QsIGFuZCB0aGUgbGlicmFyeSB3aXRoIGBzZXJ2ZWAuIFRoZSBmaWxlcyB0aGF0IHRoZVxuICogc2FtZSBvZiB0aGVzZSBncm91cHMgbG9hZCBhcmUgZ2F0aGVyZWQgaW4gb25lIGZpbGUuXG4gKi9cbmNvbnN0IEdST1VQUzogUmVhZG9ubHk8UmVjb3JkPHN0cmluZywgUmVnRXhwPj4gPSB7XG4gIHByb2dyYW06IC9ec3JjXFwvY2xpXFwvKG1haW58dHJlZVxcL3Byb2dyYW0pXFwudHMkLyxcbiAgc2VuZGVyOiAvXnNyY1xcL2NsaVxcL29wZXJhdGlvblxcL3J1bi1vcGVyYXRpb25cXC50cyQvLFxuICBsaWJyYXJ5OiAvXnNyY1xcL2luZGV4XFwudHMkLyxcbn07XG5cbi8qKiBXaGF0IG90aGVyIHBhY2thZ2VzIGltcG9ydCBzdGF5cyBhbiBFUyBtb2R1bGU6IFZpdGVzdCBjYW5ub3QgYmUgcmVxdWlyZWQuICovXG5jb25zdCBFTlRSSUVTID0gbmV3IFNldChbXCJpbmRleC5qc1wiLCBcInZpdGVzdC5qc1wiXSk7XG5cbi8qKiBBIGZ1bmN0aW9uLCBiZWNhdXNlIG1vc3Qgc3RhcnRzIG5lZWQgbm8gVVJMLCBhbmQgdGhlIGZpcnN0IG9uZSB0YWtlcyBOb2RlIG1vc3Qgb2YgYSBtaWxsaXNlY29uZC4gKi9cbmNvbnN0IE1PRFVMRV9VUkwgPSAnY29uc3QgbW9kdWxlVXJsID0gKCkgPT4gcmVxdWlyZShcIm5vZGU6dXJsXCIpLnBhdGhUb0ZpbGVVUkwoX19maWxlbmFtZSkuaHJlZjtcXG4nO1xuLyoqIFNldHRpbmdzIG9mIGVzYnVpbGQgZm9yIGJvdGggd2F5cyB0byBtYWtlIENvbW1vbkpTLiAqL1xuY29uc3QgRk9STSA9IHtcbiAgZm9ybWF0OiBcImNqc1wiLFxuICBwbGF0Zm9ybTogXCJub2RlXCIsXG4gIHRhcmdldDogXCJub2RlMjBcIixcbiAgbGVnYWxDb21tZW50czogXCJpbmxpbmVcIixcbiAgZGVmaW5lOiB7IFwiaW1wb3J0Lm1ldGEudXJsXCI6IFwibW9kdWxlVXJsXCIgfSxcbn0gYXMgY29uc3Q7XG4vKiogS2VlcHMgdGhlIGxpbmVzIGluIHdoaWNoIGVzYnVpbGQgbmFtZXMgdGhlIHNvdXJjZSBvZiB3aGF0IGZvbGxvd3M6IGl0IGRyb3BzIGNvbW1lbnRzIHRoYXQgYXJlIG5vdCBtYXJrZWQuICovXG5jb25zdCB3aXRoTmFtZXMgPSAodGV4dDogc3RyaW5nKSA9PiB0ZXh0LnJlcGxhY2UoL15cXC9cXC8gKD89W1xcd0AtXStbOi9dXFxTKyQpL2dtLCBcIi8vISBcIik7XG5jb25zdCB3aXRob3V0TWFya3MgPSAodGV4dDogc3RyaW5nKSA9PiB0ZXh0LnJlcGxhY2UoL14oICopXFwvXFwvISAoPz1bXFx3QC1dK1s6L11cXFMrJCkvZ20sIFwiJDEvLyBcIik7XG5jb25zdCBSRVFVSVJFID0gJ2NvbnN0IHJlcXVpcmUgPSBwcm9jZXNzLmdldEJ1aWx0aW5Nb2R1bGUoXCJub2RlOm1vZHVsZVwiKS5jcmVhdGVSZXF1aXJlKGltcG9ydC5tZXRhLnVybCk7XFxuJztcblxuY29uc3QgcGFydE5hbWUgPSAobmFtZTogc3RyaW5nKSA9PiBuYW1lLnJlcGxhY2UoL1xcLmpzJC8sIFwiXCIpLnJlcGxhY2VBbGwoXCItXCIsIFwiX1wiKTtcbmNvbnN0IGNvbW1vbkpzTmFtZSA9IChuYW1lOiBzdHJpbmcpID0+IG5hbWUucmVwbGFjZSgvXFwuanMkLywgXCIuY2pzXCIpO1xuXG4vKiogVGhlIG5hbWVzIG9mIHRoZSBmaWxlcyB0aGF0IGxvYWQgdG9nZXRoZXIgd2l0aCB0aGUgZW50cmllcyB3aG9zZSBzb3VyY2UgbWF0Y2hlcy4gKi9cbmZ1bmN0aW9uIGxvYWRlZFdpdGgob3V0cHV0czogT3V0cHV0cywgZW50cmllczogUmVnRXhwKTogU2V0PHN0cmluZz4ge1xuICBjb25zdCBmb3VuZCA9IG5ldyBTZXQ8c3RyaW5nPigpO1xuICBjb25zdCBhZGQgPSAocGF0aDogc3RyaW5nKSA9PiB7XG4gICAgY29uc3Qgb3V0cHV0ID0gb3V0cHV0c1twYXRoXTtcbiAgICBpZiAob3V0cHV0ID09PSB1bmRlZmluZWQgfHwgZm91bmQuaGFzKGJhc2VuYW1lKHBhdGgpKSkgcmV0dXJuO1xuICAgIGZvdW5kLmFkZChiYXNlbmFtZShwYXRoKSk7XG4gICAgZm9yIChjb25zdCB7IHBhdGg6IGltcG9ydGVkLCBraW5kIH0gb2Ygb3V0cHV0LmltcG9ydHMpIGlmIChraW5kID09PSBcImltcG9ydC1zdGF0ZW1lbnRcIikgYWRkKGltcG9ydGVkKTtcbiAgfTtcbiAgZm9yIChjb25zdCBbcGF0aCwgeyBlbnRyeVBvaW50ID0gXCJcIiB9XSBvZiBPYmplY3QuZW50cmllcyhvdXRwdXRzKSkgaWYgKGVudHJpZXMudGVzdChlbnRyeVBvaW50KSkgYWRkKHBhdGgpO1xuICByZXR1cm4gZm91bmQ7XG59XG5cbi8qKlxuICogVGhlIGdhdGhlcmVkIGZpbGUgb2YgZWFjaCBmaWxlIHRoYXQgaXMgZ2F0aGVyZWQ6IGBwcm9ncmFtLWxpYnJhcnlgIGZvciB3aGF0IHRoZSBwcm9ncmFtIGFuZCB0aGUgbGlicmFyeSBsb2FkLiBXaGF0XG4gKiBzZW5kcyByZXF1ZXN0cyBpcyBvbmx5IGxvYWRlZCBieSB0aGUgcHJvZ3JhbSwgc28gd2hhdCBib3RoIGxvYWQgaXMgaW4gdGhlIGZpbGUgb2YgdGhlIHByb2dyYW0uXG4gKi9cbmZ1bmN0aW9uIGdhdGhlcmVkRmlsZXMob3V0cHV0czogT3V0cHV0cyk6IE1hcDxzdHJpbmcsIHN0cmluZz4ge1xuICBjb25zdCBncm91cHMgPSBPYmplY3QuZW50cmllcyhHUk9VUFMpLm1hcCgoW25hbWUsIGVudHJpZXNdKSA9PiAoeyBuYW1lLCBmaWxlczogbG9hZGVkV2l0aChvdXRwdXRzLCBlbnRyaWVzKSB9KSk7XG4gIGNvbnN0IG5hbWVzID0gT2JqZWN0LmtleXMob3V0cHV0cykubWFwKChwYXRoKSA9PiBiYXNlbmFtZShwYXRoKSk7XG4gIGNvbnN0IG9mID0gKGZpbGU6IHN0cmluZykgPT4ge1xuICAgIGNvbnN0IGxvYWRpbmcgPSBncm91cHMuZmlsdGVyKCh7IGZpbGVzIH0pID0+IGZpbGVzLmhhcyhmaWxlKSkubWFwKCh7IG5hbWUgfSkgPT4gbmFtZSk7XG4gICAgY29uc3QgbmFtZSA9IGxvYWRpbmcuam9pbihcIi1cIik7XG4gICAgcmV0dXJuIG5hbWUgPT09IFwicHJvZ3JhbS1zZW5kZXJcIiA/IFwicHJvZ3JhbVwiIDogbmFtZTtcbiAgfTtcbiAgY29uc3QgZm91bmQgPSBuYW1lcy5maWx0ZXIoKG5hbWUpID0+ICFFTlRSSUVTLmhhcyhuYW1lKSkubWFwKChuYW1lKSA9PiBbbmFtZSwgb2YobmFtZSldIGFzIGNvbnN0KTtcbiAgcmV0dXJuIG5ldyBNYXAoZm91bmQuZmlsdGVyKChbLCBnYXRoZXJlZF0pID0+IGdhdGhlcmVkICE9PSBcIlwiKSk7XG59XG5cbi8qKiBIb3cgYSBDb21tb25KUyBmaWxlIHRha2VzIGFub3RoZXIgb25lOiBhIHBhcnQgb2YgYSBnYXRoZXJlZCBmaWxlLCBvciBhIHdob2xlIGZpbGUuICovXG5mdW5jdGlvbiByZXF1aXJlZChuYW1lOiBzdHJpbmcsIGdhdGhlcmVkOiBSZWFkb25seU1hcDxzdHJpbmcsIHN0cmluZz4pOiBzdHJpbmcge1xuICBjb25zdCBmaWxlID0gZ2F0aGVyZWQuZ2V0KG5hbWUpO1xuICByZXR1cm4gZmlsZSA9PT0gdW5kZWZpbmVkID8gYHJlcXVpcmUoXCIuLyR7Y29tbW9uSnNOYW1lKG5hbWUpfVwiKWAgOiBgcmVxdWlyZShcIi4vJHtmaWxlfS5janNcIikuJHtwYXJ0TmFtZShuYW1lKX1gO1xufVxuXG4vKiogQ29kZSBvZiBBU0NJSSBhbG9uZSwgd2hpY2ggTm9kZSByZWFkcyBmYXN0ZXIgYW5kIGtlZXBzIGluIGhhbGYgb2YgdGhlIG1lbW9yeS4gKi9cbmZ1bmN0aW9uIGluQXNjaWkodGV4dDogc3RyaW5nKTogc3RyaW5nIHtcbiAgLy8gYmlvbWUtaWdub3JlIGxpbnQvc3VzcGljaW91cy9ub0NvbnRyb2xDaGFyYWN0ZXJzSW5SZWdleDogQVNDSUkgYmVnaW5zIHdpdGggdGhlbVxuICByZXR1cm4gdGV4dC5yZXBsYWNlKC9bXlxceDAwLVxceDdmXS9nLCAodW5pdCkgPT4gYFxcXFx1JHt1bml0LmNoYXJDb2RlQXQoMCkudG9TdHJpbmcoMTYpLnBhZFN0YXJ0KDQsIFwiMFwiKX1gKTtcbn1cblxuLyoqIENvZGUgb2YgYSBDb21tb25KUyBmaWxlLCBpbiB3aGljaCBub3RoaW5nIHN0YXJ0cyB0aGUgbG9hZGVyIG9mIEVTIG1vZHVsZXMuICovXG5mdW5jdGlvbiBmaW5pc2hlZChjb2RlOiBzdHJpbmcsIGdhdGhlcmVkOiBSZWFkb25seU1hcDxzdHJpbmcsIHN0cmluZz4pOiBzdHJpbmcge1xuICBjb25zdCB0ZXh0ID0gaW5Bc2NpaSh3aXRob3V0TWFya3MoY29kZSkpXG4gICAgLnJlcGxhY2UoL15cXC9cXC8gZ2F0aGVyZWQ6LipcXG4vZ20sIFwiXCIpXG4gICAgLnJlcGxhY2UoL1xcYmltcG9ydFxcKChcIm5vZGU6W1xcdy9dK1wiKVxcKS9nLCBcIlByb21pc2UucmVzb2x2ZSgpLnRoZW4oKCkgPT4gcmVxdWlyZSgkMSkpXCIpXG4gICAgLnJlcGxhY2UoL1xcYmltcG9ydFxcKFwiXFwuXFwvKFtcXHcuLV0rXFwuanMpXCJcXCkvZywgJ1Byb21pc2UucmVzb2x2ZSgpLnRoZW4oKCkgPT4gcmVxdWlyZShcIi4vJDFcIikpJylcbiAgICAucmVwbGFjZSgvXFxicmVxdWlyZVxcKFwiXFwuXFwvKFtcXHcuLV0rXFwuanMpXCJcXCkvZywgKF9jYWxsLCBuYW1lOiBzdHJpbmcpID0+IHJlcXVpcmVkKG5hbWUsIGdhdGhlcmVkKSk7XG4gIGNvbnN0IGxlZnQgPSAvKD86XFxiaW1wb3J0fFxcYnJlcXVpcmUpXFwoXCJcXC5cXC9bXlwiXSpcXC5qc1wiXFwpLy5leGVjKHRleHQpO1xuICBpZiAobGVmdCAhPT0gbnVsbCkgdGhyb3cgbmV3IEVycm9yKGBhIGZpbGUgb2YgdGhlIHByb2dyYW0gaXMgbG9hZGVkIGJ5IGFub3RoZXIgbmFtZTogJHtsZWZ0WzBdfWApO1xuICByZXR1cm4gdGV4dC5pbmNsdWRlcyhcIm1vZHVsZVVybFwiKSA/IE1PRFVMRV9VUkwgKyB0ZXh0LnJlcGxhY2UoL1xcYm1vZHVsZVVybFxcYi9nLCBcIm1vZHVsZVVybCgpXCIpIDogdGV4dDtcbn1cblxuLyoqIEFuIGVudHJ5IG9mIHRoZSBwYWNrYWdlLiBJdCB0YWtlcyB3aGF0IGlzIENvbW1vbkpTIGJ5IGByZXF1aXJlYCwgYmVjYXVzZSBgaW1wb3J0YCB3b3VsZCByZWFkIGl0IHR3aWNlLiAqL1xuZnVuY3Rpb24gZW50cnkodGV4dDogc3RyaW5nLCBnYXRoZXJlZDogUmVhZG9ubHlNYXA8c3RyaW5nLCBzdHJpbmc+KTogc3RyaW5nIHtcbiAgY29uc3QgY29kZSA9IHRleHRcbiAgICAucmVwbGFjZSgvXmltcG9ydCBcIlxcLlxcL1tcXHcuLV0rXFwuanNcIjtcXG4vZ20sIFwiXCIpXG4gICAgLnJlcGxhY2UoL15pbXBvcnQgXFx7KFtefV0qKVxcfSBmcm9tIFwiXFwuXFwvKFtcXHcuLV0rXFwuanMpXCI7JC9nbSwgKF9saW5lLCBuYW1lczogc3RyaW5nLCBuYW1lOiBzdHJpbmcpID0+IHtcbiAgICAgIHJldHVybiBgY29uc3QgeyR7bmFtZXMucmVwbGFjZUFsbChcIiBhcyBcIiwgXCI6IFwiKX19ID0gJHtyZXF1aXJlZChuYW1lLCBnYXRoZXJlZCl9O2A7XG4gICAgfSk7XG4gIHJldHVybiBSRVFVSVJFICsgY29kZTtcbn1cblxuLyoqIE9uZSBDb21tb25KUyBmaWxlIG9mIHNldmVyYWwgZmlsZXMuIEl0IGV4cG9ydHMgZWFjaCBvZiB0aGVtIGJ5IGl0cyBuYW1lLiAqL1xuYXN5bmMgZnVuY3Rpb24gZ2F0aGVyKFxuICBlc2J1aWxkOiBQbHVnaW5CdWlsZFtcImVzYnVpbGRcIl0sXG4gIHRleHRzOiBSZWFkb25seU1hcDxzdHJpbmcsIHN0cmluZz4sXG4gIGdhdGhlcmVkOiBSZWFkb25seU1hcDxzdHJpbmcsIHN0cmluZz4sXG4pOiBQcm9taXNlPHN0cmluZz4ge1xuICBjb25zdCBjb250ZW50cyA9IFsuLi50ZXh0cy5rZXlzKCldLm1hcCgobmFtZSkgPT4gYGV4cG9ydCAqIGFzICR7cGFydE5hbWUobmFtZSl9IGZyb20gXCIuLyR7bmFtZX1cIjtgKS5qb2luKFwiXFxuXCIpO1xuICBjb25zdCBmaWxlczogRXNidWlsZFBsdWdpbiA9IHtcbiAgICBuYW1lOiBcImdhdGhlcmVkLWZpbGVzXCIsXG4gICAgc2V0dXAoYnVpbGQpIHtcbiAgICAgIGJ1aWxkLm9uUmVzb2x2ZSh7IGZpbHRlcjogL15cXC5cXC8vIH0sICh7IHBhdGgsIGtpbmQgfSkgPT4ge1xuICAgICAgICBjb25zdCBpc1N0YXRpYyA9IGtpbmQgPT09IFwiaW1wb3J0LXN0YXRlbWVudFwiIHx8IHRleHRzLmhhcyhiYXNlbmFtZShwYXRoKSk7XG4gICAgICAgIHJldHVybiBpc1N0YXRpYyA/IHsgcGF0aDogYmFzZW5hbWUocGF0aCksIG5hbWVzcGFjZTogXCJnYXRoZXJlZFwiIH0gOiB7IHBhdGgsIGV4dGVybmFsOiB0cnVlIH07XG4gICAgICB9KTtcbiAgICAgIGJ1aWxkLm9uTG9hZCh7IGZpbHRlcjogLy4vLCBuYW1lc3BhY2U6IFwiZ2F0aGVyZWRcIiB9LCAoeyBwYXRoIH0pID0+ICh7XG4gICAgICAgIGNvbnRlbnRzOiB0ZXh0cy5nZXQocGF0aCkgPz8gYG1vZHVsZS5leHBvcnRzID0gJHtyZXF1aXJlZChwYXRoLCBnYXRoZXJlZCl9O2AsXG4gICAgICB9KSk7XG4gICAgfSxcbiAgfTtcbiAgY29uc3QgbWFkZSA9IGF3YWl0IGVzYnVpbGQuYnVpbGQoeyAuLi5GT1JNLCBzdGRpbjogeyBjb250ZW50cyB9LCBidW5kbGU6IHRydWUsIHdyaXRlOiBmYWxzZSwgcGx1Z2luczogW2ZpbGVzXSB9KTtcbiAgcmV0dXJuIGZpbmlzaGVkKG1hZGUub3V0cHV0RmlsZXNbMF0/LnRleHQgPz8gXCJcIiwgZ2F0aGVyZWQpO1xufVxuXG4vKipcbiAqIFdyaXRlcyB0aGUgcHJvZ3JhbSBhcyBDb21tb25KUywgaW4gZmV3IGZpbGVzLiBOb2RlIHN0YXJ0cyBpdCBzb29uZXIgdGhhbiBFUyBtb2R1bGVzOiB0aGVpciBsb2FkZXIgaXMgYXN5bmNocm9ub3VzLCB0YWtlc1xuICogYWJvdXQgYSBtaWxsaXNlY29uZCBmb3IgZWFjaCBmaWxlLCBhbmQgcmVhZHMgYWxsIGV4cG9ydHMgb2YgZWFjaCBidWlsdC1pbiBtb2R1bGUuIEV2ZXJ5IG1vZHVsZSBpcyBpbiBvbmUgZmlsZSBhbG9uZSwgc29cbiAqIHRoYXQgaXQgZXhpc3RzIG9uY2UgaW4gYSBwcm9jZXNzLCBob3dldmVyIGl0IGlzIGxvYWRlZC5cbiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGFzQ29tbW9uSnMoKTogRXNidWlsZFBsdWdpbiB7XG4gIHJldHVybiB7XG4gICAgbmFtZTogXCJjb21tb25qc1wiLFxuICAgIHNldHVwKHsgZXNidWlsZCwgb25FbmQgfSkge1xuICAgICAgb25FbmQoYXN5bmMgKHsgb3V0cHV0RmlsZXMgPSBbXSwgbWV0YWZpbGU6IHsgb3V0cHV0cyB9ID0geyBvdXRwdXRzOiB7fSB9IH0pID0+IHtcbiAgICAgICAgY29uc3Qgc2NyaXB0cyA9IG91dHB1dEZpbGVzLmZpbHRlcigoeyBwYXRoIH0pID0+IHBhdGguZW5kc1dpdGgoXCIuanNcIikpO1xuICAgICAgICBjb25zdCBnYXRoZXJlZCA9IGdhdGhlcmVkRmlsZXMob3V0cHV0cyk7XG4gICAgICAgIGZvciAoY29uc3QgZmlsZSBvZiBuZXcgU2V0KGdhdGhlcmVkLnZhbHVlcygpKSkge1xuICAgICAgICAgIGNvbnN0IG93biA9IHNjcmlwdHMuZmlsdGVyKCh7IHBhdGggfSkgPT4gZ2F0aGVyZWQuZ2V0KGJhc2VuYW1lKHBhdGgpKSA9PT0gZmlsZSk7XG4gICAgICAgICAgY29uc3QgdGV4dHMgPSBuZXcgTWFwKG93bi5tYXAoKHsgcGF0aCwgdGV4dCB9KSA9PiBbYmFzZW5hbWUocGF0aCksIHdpdGhOYW1lcyh0ZXh0KV0pKTtcbiAgICAgICAgICBjb25zdCB0ZXh0ID0gYXdhaXQgZ2F0aGVyKGVzYnVpbGQsIHRleHRzLCBnYXRoZXJlZCk7XG4gICAgICAgICAgY29uc3QgcGF0aCA9IGpvaW4oZGlybmFtZShvd25bMF0/LnBhdGggPz8gXCJcIiksIGAke2ZpbGV9LmNqc2ApO1xuICAgICAgICAgIG91dHB1dEZpbGVzLnB1c2goeyBwYXRoLCB0ZXh0LCBjb250ZW50czogQnVmZmVyLmZyb20odGV4dCksIGhhc2g6IFwiXCIgfSk7XG4gICAgICAgIH1cbiAgICAgICAgZm9yIChjb25zdCBmaWxlIG9mIHNjcmlwdHMpIHtcbiAgICAgICAgICBjb25zdCBuYW1lID0gYmFzZW5hbWUoZmlsZS5wYXRoKTtcbiAgICAgICAgICBpZiAoRU5UUklFUy5oYXMobmFtZSkpIHtcbiAgICAgICAgICAgIGZpbGUuY29udGVudHMgPSBCdWZmZXIuZnJvbShlbnRyeShmaWxlLnRleHQsIGdhdGhlcmVkKSk7XG4gICAgICAgICAgfSBlbHNlIGlmIChnYXRoZXJlZC5oYXMobmFtZSkpIHtcbiAgICAgICAgICAgIG91dHB1dEZpbGVzLnNwbGljZShvdXRwdXRGaWxlcy5pbmRleE9mKGZpbGUpLCAxKTtcbiAgICAgICAgICB9IGVsc2Uge1xuICAgICAgICAgICAgY29uc3QgeyBjb2RlIH0gPSBhd2FpdCBlc2J1aWxkLnRyYW5zZm9ybSh3aXRoTmFtZXMoZmlsZS50ZXh0KSwgRk9STSk7XG4gICAgICAgICAgICBmaWxlLmNvbnRlbnRzID0gQnVmZmVyLmZyb20oZmluaXNoZWQoY29kZSwgZ2F0aGVyZWQpKTtcbiAgICAgICAgICAgIGZpbGUucGF0aCA9IGpvaW4oZGlybmFtZShmaWxlLnBhdGgpLCBjb21tb25Kc05hbWUobmFtZSkpO1xuICAgICAgICAgIH1cbiAgICAgICAgfVxuICAgICAgfSk7XG4gICAgfSxcbiAgfTtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9idWlsZC1kb2NzLXNpdGUudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvZG9jcy1zaXRlXCI7Y29uc3QgX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyA9IFwiZmlsZTovLy90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9idWlsZC1kb2NzLXNpdGUudHNcIjtpbXBvcnQgeyBta2RpciwgcmVhZGRpciwgcmVhZEZpbGUsIHJtLCB3cml0ZUZpbGUgfSBmcm9tIFwibm9kZTpmcy9wcm9taXNlc1wiO1xuaW1wb3J0IHsgam9pbiB9IGZyb20gXCJub2RlOnBhdGhcIjtcbmltcG9ydCB7IHByb21pc2lmeSB9IGZyb20gXCJub2RlOnV0aWxcIjtcbmltcG9ydCB7IGJyb3RsaUNvbXByZXNzIH0gZnJvbSBcIm5vZGU6emxpYlwiO1xuaW1wb3J0IEVsZXZlbnR5IGZyb20gXCJAMTF0eS9lbGV2ZW50eVwiO1xuaW1wb3J0IHR5cGUgeyBFc2J1aWxkUGx1Z2luIH0gZnJvbSBcIi4uL2V2YWx1YXRlLW1vZHVsZS5qc1wiO1xuaW1wb3J0IHsgY3JlYXRlTWFya2Rvd24gfSBmcm9tIFwiLi9tYXJrZG93bi5qc1wiO1xuaW1wb3J0IHsgYWRkcmVzc09mLCBsYW5ndWFnZU9mUGFnZSB9IGZyb20gXCIuL25hdmlnYXRpb24uanNcIjtcbmltcG9ydCB7IHBhZ2VIdG1sLCB0eXBlIFNpdGUgfSBmcm9tIFwiLi9wYWdlLmpzXCI7XG5pbXBvcnQgeyBzZWN0aW9uc09mIH0gZnJvbSBcIi4vc2VjdGlvbnMuanNcIjtcblxuLyoqIFRoZSBkb2N1bWVudGF0aW9uIGFzIGEgc2l0ZTogZWFjaCBNYXJrZG93biBmaWxlIG9mIGBkb2NzYCBiZWNvbWVzIGEgcGFnZSBvZiBwbGFpbiBIVE1MIHdpdGggcmVsYXRpdmUgbGlua3MuICovXG5cbmNvbnN0IFNPVVJDRSA9IFwiZG9jc1wiO1xuXG4vKiogVGhlIHRleHRzIG9mIGFsbCBwYWdlcywgYnkgdGhlaXIgcGF0aHMgaW4gYGRvY3NgIHdpdGhvdXQgYC5tZGAuICovXG5hc3luYyBmdW5jdGlvbiByZWFkUGFnZXMoKTogUHJvbWlzZTxNYXA8c3RyaW5nLCBzdHJpbmc+PiB7XG4gIGNvbnN0IGZpbGVzID0gKGF3YWl0IHJlYWRkaXIoU09VUkNFLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KSkuZmlsdGVyKChuYW1lKSA9PiBuYW1lLmVuZHNXaXRoKFwiLm1kXCIpKS5zb3J0KCk7XG4gIGNvbnN0IHJlYWQgPSBmaWxlcy5tYXAoYXN5bmMgKG5hbWUpID0+IHtcbiAgICBjb25zdCBwYXRoID0gbmFtZS5yZXBsYWNlQWxsKFwiXFxcXFwiLCBcIi9cIikucmVwbGFjZSgvXFwubWQkLywgXCJcIik7XG4gICAgcmV0dXJuIFtwYXRoLCBhd2FpdCByZWFkRmlsZShqb2luKFNPVVJDRSwgbmFtZSksIFwidXRmOFwiKV0gYXMgY29uc3Q7XG4gIH0pO1xuICByZXR1cm4gbmV3IE1hcChhd2FpdCBQcm9taXNlLmFsbChyZWFkKSk7XG59XG5cbmZ1bmN0aW9uIHRpdGxlT2YodGV4dDogc3RyaW5nKTogc3RyaW5nIHtcbiAgcmV0dXJuICgvXiMgKC4qKS9tLmV4ZWModGV4dCk/LlsxXSA/PyBcIlwiKS5yZXBsYWNlQWxsKFwiYFwiLCBcIlwiKTtcbn1cblxuLyoqIFdyaXRlcyB0aGUgdGV4dHMgdGhhdCB0aGUgc2VhcmNoIGxvb2tzIHRocm91Z2gsIGEgZmlsZSBmb3IgZWFjaCBsYW5ndWFnZS4gRGVjaXNpb25zIGFyZSBmb3IgdGhvc2Ugd2hvIGJ1aWxkIGl0LiAqL1xuYXN5bmMgZnVuY3Rpb24gd3JpdGVTZWN0aW9ucyhwYWdlczogUmVhZG9ubHlNYXA8c3RyaW5nLCBzdHJpbmc+LCBmb2xkZXI6IHN0cmluZyk6IFByb21pc2U8dm9pZD4ge1xuICBjb25zdCBtYXJrZG93biA9IGNyZWF0ZU1hcmtkb3duKCk7XG4gIGNvbnN0IGZvdW5kID0gWy4uLnBhZ2VzXS5maWx0ZXIoKFtwYXRoXSkgPT4gIXBhdGguc3RhcnRzV2l0aChcImRlY2lzaW9ucy9cIikpO1xuICBhd2FpdCBta2Rpcihqb2luKGZvbGRlciwgXCJhc3NldHNcIiksIHsgcmVjdXJzaXZlOiB0cnVlIH0pO1xuICBmb3IgKGNvbnN0IGxhbmd1YWdlIG9mIFtcImVuXCIsIFwicHQtQlJcIl0gYXMgY29uc3QpIHtcbiAgICBjb25zdCBvd24gPSBmb3VuZC5maWx0ZXIoKFtwYXRoXSkgPT4gbGFuZ3VhZ2VPZlBhZ2UocGF0aCkgPT09IGxhbmd1YWdlKTtcbiAgICAvLyBBIHJlYWRlciBvZiBQb3J0dWd1ZXNlIGFsc28gZmluZHMgdGhlIHBhZ2VzIHRoYXQgYXJlIGluIEVuZ2xpc2ggb25seS5cbiAgICBjb25zdCBhbHNvID1cbiAgICAgIGxhbmd1YWdlID09PSBcImVuXCIgPyBbXSA6IGZvdW5kLmZpbHRlcigoW3BhdGhdKSA9PiAhcGF0aC5zdGFydHNXaXRoKFwicHQtYnIvXCIpICYmICFwYWdlcy5oYXMoYHB0LWJyLyR7cGF0aH1gKSk7XG4gICAgY29uc3Qgc2VjdGlvbnMgPSBbLi4ub3duLCAuLi5hbHNvXS5mbGF0TWFwKChbcGF0aCwgdGV4dF0pID0+IHNlY3Rpb25zT2YobWFya2Rvd24sIHBhdGgsIHRleHQpKTtcbiAgICBhd2FpdCB3cml0ZUZpbGUoam9pbihmb2xkZXIsIGBhc3NldHMvc2VhcmNoLiR7bGFuZ3VhZ2V9Lmpzb25gKSwgSlNPTi5zdHJpbmdpZnkoc2VjdGlvbnMpKTtcbiAgfVxufVxuXG4vKiogVGhlIGxpc3Qgb2YgdGhlIGRvY3VtZW50cyBmb3IgYWdlbnRzLCB3aXRoIHRoZSBhZGRyZXNzZXMgdGhhdCB0aGV5IGhhdmUgaW4gdGhlIHNpdGUuICovXG5hc3luYyBmdW5jdGlvbiB3cml0ZUxpc3QoZm9sZGVyOiBzdHJpbmcpOiBQcm9taXNlPHZvaWQ+IHtcbiAgY29uc3QgdGV4dCA9IGF3YWl0IHJlYWRGaWxlKGpvaW4oU09VUkNFLCBcImxsbXMudHh0XCIpLCBcInV0ZjhcIik7XG4gIGNvbnN0IGxpbmtlZCA9IHRleHQucmVwbGFjZShcbiAgICAvXFxdXFwoKFtcXHcuLy1dKylcXC5tZFxcKS9nLFxuICAgIChfbGluaywgcGF0aDogc3RyaW5nKSA9PiBgXSgke2FkZHJlc3NPZihwYXRoLnJlcGxhY2UoXCIuLi9cIiwgXCJcIikpfSlgLFxuICApO1xuICBhd2FpdCB3cml0ZUZpbGUoam9pbihmb2xkZXIsIFwibGxtcy50eHRcIiksIGxpbmtlZCk7XG59XG5cbmNvbnN0IGNvbXByZXNzID0gcHJvbWlzaWZ5KGJyb3RsaUNvbXByZXNzKTtcblxuLyoqIFN0b3JlcyBwYWdlcyBhbmQgdGV4dHMgb2YgdGhlIHNlYXJjaCBjb21wcmVzc2VkOiB0aGV5IGFyZSBtb3N0IG9mIHRoZSBzaXRlLCBhbmQgdGFrZSBhIGZpZnRoIG9mIHRoZSByb29tIHRoZW4uICovXG5hc3luYyBmdW5jdGlvbiBjb21wcmVzc1RleHRzKGZvbGRlcjogc3RyaW5nKTogUHJvbWlzZTx2b2lkPiB7XG4gIGNvbnN0IG5hbWVzID0gKGF3YWl0IHJlYWRkaXIoZm9sZGVyLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KSkuZmlsdGVyKChuYW1lKSA9PiAvXFwuKGh0bWx8anNvbikkLy50ZXN0KG5hbWUpKTtcbiAgZm9yIChjb25zdCBuYW1lIG9mIG5hbWVzKSB7XG4gICAgY29uc3QgZmlsZSA9IGpvaW4oZm9sZGVyLCBuYW1lKTtcbiAgICBhd2FpdCB3cml0ZUZpbGUoYCR7ZmlsZX0uYnJgLCBhd2FpdCBjb21wcmVzcyhhd2FpdCByZWFkRmlsZShmaWxlKSkpO1xuICAgIGF3YWl0IHJtKGZpbGUpO1xuICB9XG59XG5cbi8qKiBCdWlsZHMgdGhlIHdob2xlIHNpdGUgaW50byBhIGZvbGRlci4gKi9cbmFzeW5jIGZ1bmN0aW9uIGJ1aWxkRG9jc1NpdGUoZm9sZGVyOiBzdHJpbmcsIHZlcnNpb246IHN0cmluZyk6IFByb21pc2U8dm9pZD4ge1xuICBjb25zdCBwYWdlcyA9IGF3YWl0IHJlYWRQYWdlcygpO1xuICAvLyBQYWdlcyBvZiBhbiBlYXJsaWVyIGJ1aWxkLCB3aGljaCBtYXkgaGF2ZSBubyBzb3VyY2UgYW55IG1vcmUuIFRoZSBidW5kbGVyIGhhcyB3cml0dGVuIHRoZSBhc3NldHMgYW5ldy5cbiAgYXdhaXQgbWtkaXIoZm9sZGVyLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KTtcbiAgY29uc3Qgb2xkID0gKGF3YWl0IHJlYWRkaXIoZm9sZGVyKSkuZmlsdGVyKChuYW1lKSA9PiBuYW1lICE9PSBcImFzc2V0c1wiKTtcbiAgZm9yIChjb25zdCBuYW1lIG9mIG9sZCkgYXdhaXQgcm0oam9pbihmb2xkZXIsIG5hbWUpLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KTtcbiAgY29uc3Qgc2l0ZTogU2l0ZSA9IHsgdmVyc2lvbiwgdGl0bGVzOiBuZXcgTWFwKFsuLi5wYWdlc10ubWFwKChbcGF0aCwgdGV4dF0pID0+IFtwYXRoLCB0aXRsZU9mKHRleHQpXSkpIH07XG4gIGNvbnN0IGVsZXZlbnR5ID0gbmV3IEVsZXZlbnR5KFNPVVJDRSwgZm9sZGVyLCB7XG4gICAgcXVpZXRNb2RlOiB0cnVlLFxuICAgIGNvbmZpZ1BhdGg6IGZhbHNlLFxuICAgIGNvbmZpZyhjb25maWcpIHtcbiAgICAgIC8vIEhvdyBsb25nIHRoZSBwYWdlcyB0b29rIHdvdWxkIHN0YW5kIGJldHdlZW4gdGhlIGxpbmVzIG9mIHRoZSBidWlsZC5cbiAgICAgIGNvbmZpZy5iZW5jaG1hcmtNYW5hZ2VyLmdldChcIkNvbmZpZ3VyYXRpb25cIikuc2V0SXNWZXJib3NlKGZhbHNlKTtcbiAgICAgIGNvbmZpZy5zZXRUZW1wbGF0ZUZvcm1hdHMoW1wibWRcIl0pO1xuICAgICAgY29uZmlnLnNldExpYnJhcnkoXCJtZFwiLCBjcmVhdGVNYXJrZG93bigpKTtcbiAgICAgIGNvbmZpZy5hZGRHbG9iYWxEYXRhKFxuICAgICAgICBcImVsZXZlbnR5Q29tcHV0ZWQucGVybWFsaW5rXCIsXG4gICAgICAgICgpID0+XG4gICAgICAgICAgKHsgcGFnZSB9OiB7IHBhZ2U6IHsgZmlsZVBhdGhTdGVtOiBzdHJpbmcgfSB9KSA9PlxuICAgICAgICAgICAgYWRkcmVzc09mKHBhZ2UuZmlsZVBhdGhTdGVtLnNsaWNlKDEpKSxcbiAgICAgICk7XG4gICAgICBjb25maWcuYWRkVHJhbnNmb3JtKFwicGFnZVwiLCBmdW5jdGlvbiAoYm9keSkge1xuICAgICAgICByZXR1cm4gcGFnZUh0bWwoc2l0ZSwgdGhpcy5wYWdlLmZpbGVQYXRoU3RlbS5zbGljZSgxKSwgYm9keSk7XG4gICAgICB9KTtcbiAgICAgIGNvbmZpZy5hZGRQYXNzdGhyb3VnaENvcHkoe1xuICAgICAgICBbYCR7U09VUkNFfS9pbWFnZXNgXTogXCJpbWFnZXNcIixcbiAgICAgICAgXCJzcmMvY29uc29sZS9icm93c2VyL3B1YmxpYy9pY29uLnN2Z1wiOiBcImFzc2V0cy9pY29uLnN2Z1wiLFxuICAgICAgICBcInNyYy9kb2NzLXBhZ2VzL2Jyb3dzZXIvZG9jcy5jc3NcIjogXCJhc3NldHMvZG9jcy5jc3NcIixcbiAgICAgIH0pO1xuICAgICAgcmV0dXJuIHsgbWFya2Rvd25UZW1wbGF0ZUVuZ2luZTogZmFsc2UsIGh0bWxUZW1wbGF0ZUVuZ2luZTogZmFsc2UsIGRhdGFUZW1wbGF0ZUVuZ2luZTogZmFsc2UgfTtcbiAgICB9LFxuICB9KTtcbiAgLy8gTmVpdGhlciBpcyBpdCBvZiBpbnRlcmVzdCBob3cgbWFueSBwYWdlcyB0aGVyZSBhcmUuIEVycm9ycyBhcmUgdGhyb3duLlxuICBlbGV2ZW50eS5kaXNhYmxlTG9nZ2VyKCk7XG4gIGF3YWl0IGVsZXZlbnR5LndyaXRlKCk7XG4gIGF3YWl0IHdyaXRlU2VjdGlvbnMocGFnZXMsIGZvbGRlcik7XG4gIGF3YWl0IHdyaXRlTGlzdChmb2xkZXIpO1xuICBhd2FpdCBjb21wcmVzc1RleHRzKGZvbGRlcik7XG59XG5cbi8qKiBCdWlsZHMgdGhlIHNpdGUgYWZ0ZXIgdGhlIHNjcmlwdHMgdGhhdCBnbyBpbnRvIGl0LiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGRvY3NTaXRlKGZvbGRlcjogc3RyaW5nKTogRXNidWlsZFBsdWdpbiB7XG4gIHJldHVybiB7XG4gICAgbmFtZTogXCJkb2NzLXNpdGVcIixcbiAgICBzZXR1cChidWlsZCkge1xuICAgICAgYnVpbGQub25FbmQoYXN5bmMgKHsgZXJyb3JzIH0pID0+IHtcbiAgICAgICAgaWYgKGVycm9ycy5sZW5ndGggPiAwKSByZXR1cm47XG4gICAgICAgIGNvbnN0IHsgdmVyc2lvbiB9ID0gSlNPTi5wYXJzZShhd2FpdCByZWFkRmlsZShcInBhY2thZ2UuanNvblwiLCBcInV0ZjhcIikpIGFzIHsgdmVyc2lvbjogc3RyaW5nIH07XG4gICAgICAgIGF3YWl0IGJ1aWxkRG9jc1NpdGUoZm9sZGVyLCB2ZXJzaW9uKTtcbiAgICAgIH0pO1xuICAgIH0sXG4gIH07XG59XG4iLCAiY29uc3QgX19pbmplY3RlZF9maWxlbmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9kb2NzLXNpdGUvbWFya2Rvd24udHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvZG9jcy1zaXRlXCI7Y29uc3QgX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyA9IFwiZmlsZTovLy90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9tYXJrZG93bi50c1wiO2ltcG9ydCB7IGNyZWF0ZVJlcXVpcmUgfSBmcm9tIFwibm9kZTptb2R1bGVcIjtcbmltcG9ydCBNYXJrZG93bkl0IGZyb20gXCJtYXJrZG93bi1pdFwiO1xuXG4vKiogTWFya2Rvd24gYXMgdGhlIGRvY3VtZW50YXRpb24gdXNlcyBpdC4gTGlua3MgYmV0d2VlbiBmaWxlcyBiZWNvbWUgbGlua3MgYmV0d2VlbiBwYWdlcy4gKi9cblxuaW50ZXJmYWNlIEhpZ2hsaWdodGVyIHtcbiAgZ2V0TGFuZ3VhZ2UobmFtZTogc3RyaW5nKTogb2JqZWN0IHwgdW5kZWZpbmVkO1xuICBoaWdobGlnaHQoY29kZTogc3RyaW5nLCBvcHRpb25zOiB7IHJlYWRvbmx5IGxhbmd1YWdlOiBzdHJpbmcgfSk6IHsgcmVhZG9ubHkgdmFsdWU6IHN0cmluZyB9O1xufVxuXG4vKiogTm90IGltcG9ydGVkOiB0aGUgdHlwZXMgb2YgdGhpcyBwYWNrYWdlIHdvdWxkIGFkZCB0aG9zZSBvZiBhIGJyb3dzZXIgdG8gYWxsIGNvZGUgdGhhdCBydW5zIGluIE5vZGUuICovXG5jb25zdCByZXF1aXJlID0gY3JlYXRlUmVxdWlyZShpbXBvcnQubWV0YS51cmwpO1xuY29uc3QgaGlnaGxpZ2h0ZXI6IEhpZ2hsaWdodGVyID0gcmVxdWlyZShcImhpZ2hsaWdodC5qcy9saWIvY29tbW9uXCIpO1xuXG4vKiogVGhlIG5hbWUgb2YgYSBoZWFkaW5nIGluIGxpbmtzLCBhcyBHaXRIdWIgbWFrZXMgaXQuIFRoZSBzYW1lIHRpdGxlIGEgc2Vjb25kIHRpbWUgZ2V0cyBgLTFgLiAqL1xuZnVuY3Rpb24gc2x1Z2dlcigpOiAodGl0bGU6IHN0cmluZykgPT4gc3RyaW5nIHtcbiAgY29uc3QgdXNlZCA9IG5ldyBNYXA8c3RyaW5nLCBudW1iZXI+KCk7XG4gIHJldHVybiAodGl0bGUpID0+IHtcbiAgICBjb25zdCBzbHVnID0gdGl0bGVcbiAgICAgIC50b0xvd2VyQ2FzZSgpXG4gICAgICAucmVwbGFjZSgvW15cXHB7TH1cXHB7Tn0gXy1dL2d1LCBcIlwiKVxuICAgICAgLnJlcGxhY2VBbGwoXCIgXCIsIFwiLVwiKTtcbiAgICBjb25zdCB0aW1lcyA9IHVzZWQuZ2V0KHNsdWcpID8/IDA7XG4gICAgdXNlZC5zZXQoc2x1ZywgdGltZXMgKyAxKTtcbiAgICByZXR1cm4gdGltZXMgPT09IDAgPyBzbHVnIDogYCR7c2x1Z30tJHt0aW1lc31gO1xuICB9O1xufVxuXG4vKiogQSBsaW5rIHRvIGEgZmlsZSBhcyBhIGxpbmsgdG8gaXRzIHBhZ2UuIE51bGwgZm9yIGEgZmlsZSB0aGF0IGlzIG5vdCBpbiB0aGUgc2l0ZSwgc3VjaCBhcyBvbmUgb2YgdGhlIHNvdXJjZS4gKi9cbmZ1bmN0aW9uIHBhZ2VMaW5rKGhyZWY6IHN0cmluZywgZm9sZGVyOiBzdHJpbmcpOiBzdHJpbmcgfCBudWxsIHtcbiAgaWYgKC9eKD86W2Etel0rOnwjKS9pLnRlc3QoaHJlZikpIHJldHVybiBocmVmO1xuICBjb25zdCB1cmwgPSBuZXcgVVJMKGhyZWYsIGBkb2NzOi8vc2l0ZS9kb2NzLyR7Zm9sZGVyfWApO1xuICBpZiAoIXVybC5wYXRobmFtZS5zdGFydHNXaXRoKFwiL2RvY3MvXCIpKSByZXR1cm4gbnVsbDtcbiAgcmV0dXJuIGhyZWYucmVwbGFjZSgvKF58XFwvKVJFQURNRVxcLm1kKD89I3wkKS8sIFwiJDFpbmRleC5odG1sXCIpLnJlcGxhY2UoL1xcLm1kKD89I3wkKS8sIFwiLmh0bWxcIik7XG59XG5cbmZ1bmN0aW9uIGhpZ2hsaWdodGVkKGNvZGU6IHN0cmluZywgaW5mbzogc3RyaW5nKTogc3RyaW5nIHtcbiAgY29uc3QgW2xhbmd1YWdlID0gXCJcIl0gPSBpbmZvLnNwbGl0KC9bICxdLyk7XG4gIGNvbnN0IGtub3duID0gbGFuZ3VhZ2UgPT09IFwic2hcIiA/IFwiYmFzaFwiIDogbGFuZ3VhZ2U7XG4gIHJldHVybiBoaWdobGlnaHRlci5nZXRMYW5ndWFnZShrbm93bikgPT09IHVuZGVmaW5lZCA/IFwiXCIgOiBoaWdobGlnaHRlci5oaWdobGlnaHQoY29kZSwgeyBsYW5ndWFnZToga25vd24gfSkudmFsdWU7XG59XG5cbnR5cGUgVG9rZW4gPSBSZXR1cm5UeXBlPE1hcmtkb3duSXRbXCJwYXJzZVwiXT5bbnVtYmVyXTtcblxuZnVuY3Rpb24gYWRkQW5jaG9ycyh0b2tlbnM6IHJlYWRvbmx5IFRva2VuW10pOiB2b2lkIHtcbiAgY29uc3Qgc2x1ZyA9IHNsdWdnZXIoKTtcbiAgZm9yIChjb25zdCBbaW5kZXgsIHRva2VuXSBvZiB0b2tlbnMuZW50cmllcygpKSB7XG4gICAgY29uc3QgdGV4dCA9IHRva2Vuc1tpbmRleCArIDFdO1xuICAgIGlmICh0b2tlbi50eXBlICE9PSBcImhlYWRpbmdfb3BlblwiIHx8IHRleHQgPT09IHVuZGVmaW5lZCkgY29udGludWU7XG4gICAgY29uc3QgcGFydHMgPSAodGV4dC5jaGlsZHJlbiA/PyBbXSkuZmlsdGVyKCh7IHR5cGUgfSkgPT4gdHlwZSA9PT0gXCJ0ZXh0XCIgfHwgdHlwZSA9PT0gXCJjb2RlX2lubGluZVwiKTtcbiAgICB0b2tlbi5hdHRyU2V0KFwiaWRcIiwgc2x1ZyhwYXJ0cy5tYXAoKHsgY29udGVudCB9KSA9PiBjb250ZW50KS5qb2luKFwiXCIpKSk7XG4gIH1cbn1cblxuLyoqIFRha2VzIHRoZSBsaW5rcyB0byBmaWxlcyB0aGF0IGFyZSBub3QgaW4gdGhlIHNpdGUgYXdheSwgYW5kIGtlZXBzIHRoZWlyIHRleHQuICovXG5mdW5jdGlvbiBtZW5kTGlua3ModG9rZW5zOiByZWFkb25seSBUb2tlbltdLCBmb2xkZXI6IHN0cmluZyk6IHZvaWQge1xuICBmb3IgKGNvbnN0IHsgY2hpbGRyZW4gfSBvZiB0b2tlbnMpIHtcbiAgICBsZXQgaXNEcm9wcGVkID0gZmFsc2U7XG4gICAgZm9yIChjb25zdCB0b2tlbiBvZiBjaGlsZHJlbiA/PyBbXSkge1xuICAgICAgaWYgKHRva2VuLnR5cGUgPT09IFwibGlua19vcGVuXCIpIHtcbiAgICAgICAgY29uc3QgaHJlZiA9IHBhZ2VMaW5rKFN0cmluZyh0b2tlbi5hdHRyR2V0KFwiaHJlZlwiKSksIGZvbGRlcik7XG4gICAgICAgIGlzRHJvcHBlZCA9IGhyZWYgPT09IG51bGw7XG4gICAgICAgIGlmIChocmVmICE9PSBudWxsKSB0b2tlbi5hdHRyU2V0KFwiaHJlZlwiLCBocmVmKTtcbiAgICAgIH1cbiAgICAgIGlmIChpc0Ryb3BwZWQgJiYgdG9rZW4udHlwZS5zdGFydHNXaXRoKFwibGlua19cIikpIHRva2VuLmhpZGRlbiA9IHRydWU7XG4gICAgICBpZiAodG9rZW4udHlwZSA9PT0gXCJsaW5rX2Nsb3NlXCIpIGlzRHJvcHBlZCA9IGZhbHNlO1xuICAgIH1cbiAgfVxufVxuXG5leHBvcnQgZnVuY3Rpb24gY3JlYXRlTWFya2Rvd24oKTogTWFya2Rvd25JdCB7XG4gIGNvbnN0IG1hcmtkb3duID0gbmV3IE1hcmtkb3duSXQoeyBodG1sOiB0cnVlLCBoaWdobGlnaHQ6IGhpZ2hsaWdodGVkIH0pO1xuICBtYXJrZG93bi5jb3JlLnJ1bGVyLnB1c2goXCJwYWdlc1wiLCAoeyB0b2tlbnMsIGVudiB9KSA9PiB7XG4gICAgY29uc3QgeyBwYWdlIH0gPSBlbnYgYXMgeyBwYWdlPzogeyBmaWxlUGF0aFN0ZW0/OiBzdHJpbmcgfSB9O1xuICAgIGNvbnN0IHN0ZW0gPSBwYWdlPy5maWxlUGF0aFN0ZW0gPz8gXCIvXCI7XG4gICAgYWRkQW5jaG9ycyh0b2tlbnMpO1xuICAgIG1lbmRMaW5rcyh0b2tlbnMsIHN0ZW0uc2xpY2UoMSwgc3RlbS5sYXN0SW5kZXhPZihcIi9cIikgKyAxKSk7XG4gIH0pO1xuICAvLyBBIHdpZGUgdGFibGUgc2Nyb2xscyBieSBpdHNlbGYsIHNvIHRoYXQgdGhlIHBhZ2UgZG9lcyBub3QuXG4gIG1hcmtkb3duLnJlbmRlcmVyLnJ1bGVzLnRhYmxlX29wZW4gPSAoKSA9PiAnPGRpdiBjbGFzcz1cIndpZGVcIiB0YWJpbmRleD1cIjBcIj48dGFibGU+XFxuJztcbiAgbWFya2Rvd24ucmVuZGVyZXIucnVsZXMudGFibGVfY2xvc2UgPSAoKSA9PiBcIjwvdGFibGU+PC9kaXY+XFxuXCI7XG4gIHJldHVybiBtYXJrZG93bjtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9uYXZpZ2F0aW9uLnRzXCI7Y29uc3QgX19pbmplY3RlZF9kaXJuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZVwiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9kb2NzLXNpdGUvbmF2aWdhdGlvbi50c1wiOy8qKiBUaGUgb3JkZXIgb2YgdGhlIHBhZ2VzIGluIHRoZSBtZW51IG9mIHRoZSBkb2N1bWVudGF0aW9uLCBieSB0aGVpciBwYXRocyBpbiBgZG9jc2Agd2l0aG91dCBgLm1kYC4gKi9cblxuZXhwb3J0IGNvbnN0IExBTkdVQUdFUyA9IFtcImVuXCIsIFwicHQtQlJcIl0gYXMgY29uc3Q7XG5leHBvcnQgdHlwZSBEb2NzTGFuZ3VhZ2UgPSAodHlwZW9mIExBTkdVQUdFUylbbnVtYmVyXTtcblxuLyoqIFRoZSBmb2xkZXIgb2YgdGhlIHBhZ2VzIG9mIGEgbGFuZ3VhZ2UsIGluc2lkZSBgZG9jc2AuICovXG5leHBvcnQgY29uc3QgRk9MREVSUzogUmVhZG9ubHk8UmVjb3JkPERvY3NMYW5ndWFnZSwgc3RyaW5nPj4gPSB7IGVuOiBcIlwiLCBcInB0LUJSXCI6IFwicHQtYnIvXCIgfTtcblxuaW50ZXJmYWNlIEdyb3VwIHtcbiAgcmVhZG9ubHkgdGl0bGU6IFJlYWRvbmx5PFJlY29yZDxEb2NzTGFuZ3VhZ2UsIHN0cmluZz4+O1xuICAvKiogUGF0aHMgaW4gdGhlIGZvbGRlciBvZiB0aGUgbGFuZ3VhZ2U7IGAqYCBzdGFuZHMgZm9yIGV2ZXJ5IHBhZ2Ugb2YgdGhhdCBmb2xkZXIgdGhhdCBubyBncm91cCBuYW1lcy4gKi9cbiAgcmVhZG9ubHkgcGFnZXM6IHJlYWRvbmx5IHN0cmluZ1tdO1xuICAvKiogU2V0IHdoZW4gdGhlc2UgcGFnZXMgYXJlIGluIEVuZ2xpc2ggb25seS4gKi9cbiAgcmVhZG9ubHkgaXNFbmdsaXNoPzogdHJ1ZTtcbn1cblxuZXhwb3J0IGNvbnN0IEdST1VQUzogcmVhZG9ubHkgR3JvdXBbXSA9IFtcbiAge1xuICAgIHRpdGxlOiB7IGVuOiBcIlN0YXJ0XCIsIFwicHQtQlJcIjogXCJDb21lY2UgYXF1aVwiIH0sXG4gICAgcGFnZXM6IFtcIlJFQURNRVwiLCBcImd1aWRlcy9xdWljay1zdGFydFwiLCBcImd1aWRlcy9zaW11bGF0ZVwiLCBcImd1aWRlcy9jbG9ja1wiLCBcImd1aWRlcy9mYXFcIl0sXG4gIH0sXG4gIHtcbiAgICB0aXRsZTogeyBlbjogXCJJbnRlZ3JhdGVcIiwgXCJwdC1CUlwiOiBcIkludGVncmFcdTAwRTdcdTAwRTNvXCIgfSxcbiAgICBwYWdlczogW1xuICAgICAgXCJndWlkZXMvaW50ZWdyYXRlLW5vZGVcIixcbiAgICAgIFwiZ3VpZGVzL2ludGVncmF0ZS1weXRob25cIixcbiAgICAgIFwiZ3VpZGVzL2ludGVncmF0ZS1waHBcIixcbiAgICAgIFwiZ3VpZGVzL2ludGVncmF0ZS1nb1wiLFxuICAgICAgXCJndWlkZXMvaW50ZWdyYXRlLXJ1YnlcIixcbiAgICAgIFwiZ3VpZGVzL2ludGVncmF0ZS1qYXZhXCIsXG4gICAgICBcImd1aWRlcy9wYXltZW50c1wiLFxuICAgICAgXCJndWlkZXMvcmVmdW5kc1wiLFxuICAgICAgXCJndWlkZXMvb2JqZWN0c1wiLFxuICAgIF0sXG4gIH0sXG4gIHtcbiAgICB0aXRsZTogeyBlbjogXCJXZWJob29rc1wiLCBcInB0LUJSXCI6IFwiV2ViaG9va3NcIiB9LFxuICAgIHBhZ2VzOiBbXG4gICAgICBcImd1aWRlcy93ZWJob29rc1wiLFxuICAgICAgXCJndWlkZXMvd2ViaG9vay1zYW1wbGVzXCIsXG4gICAgICBcImd1aWRlcy9zZWNyZXRzXCIsXG4gICAgICBcImd1aWRlcy9kZWR1cGxpY2F0ZVwiLFxuICAgICAgXCJndWlkZXMvd2ViaG9va3Mtbm9kZVwiLFxuICAgICAgXCJndWlkZXMvd2ViaG9va3MtcHl0aG9uXCIsXG4gICAgICBcImd1aWRlcy93ZWJob29rcy1waHBcIixcbiAgICAgIFwiZ3VpZGVzL3dlYmhvb2tzLWdvXCIsXG4gICAgICBcImd1aWRlcy93ZWJob29rcy1ydWJ5XCIsXG4gICAgICBcImd1aWRlcy93ZWJob29rcy1qYXZhXCIsXG4gICAgXSxcbiAgfSxcbiAge1xuICAgIHRpdGxlOiB7IGVuOiBcIlRlc3RzIGFuZCBDSVwiLCBcInB0LUJSXCI6IFwiVGVzdGVzIGUgQ0lcIiB9LFxuICAgIHBhZ2VzOiBbXCJndWlkZXMvY2lcIiwgXCJndWlkZXMvZml4dHVyZXNcIiwgXCJndWlkZXMvdGVzdC1raXRcIiwgXCJndWlkZXMvY2xpZW50XCIsIFwiZ3VpZGVzL2NvbmZvcm1hbmNlXCIsIFwiZ3VpZGVzL2FnZW50c1wiXSxcbiAgfSxcbiAge1xuICAgIHRpdGxlOiB7IGVuOiBcIldvcmsgd2l0aCBpdFwiLCBcInB0LUJSXCI6IFwiVXNvIG5vIGRpYSBhIGRpYVwiIH0sXG4gICAgcGFnZXM6IFtcImd1aWRlcy9zdXBwb3J0LWRlc2tcIiwgXCJndWlkZXMvbWVkXCIsIFwiZ3VpZGVzL3NlcnZlclwiLCBcImd1aWRlcy9jb21tYW5kLWxpbmVcIiwgXCJndWlkZXMvKlwiXSxcbiAgfSxcbiAge1xuICAgIHRpdGxlOiB7IGVuOiBcIlJ1bGVzIG9mIHRoZSBzZXJ2aWNlXCIsIFwicHQtQlJcIjogXCJSZWdyYXMgZG8gc2VydmlcdTAwRTdvIChlbSBpbmdsXHUwMEVBcylcIiB9LFxuICAgIGlzRW5nbGlzaDogdHJ1ZSxcbiAgICBwYWdlczogW1xuICAgICAgXCJzZXJ2aWNlL1JFQURNRVwiLFxuICAgICAgXCJzZXJ2aWNlL2NoYXJnZXNcIixcbiAgICAgIFwic2VydmljZS9wYXltZW50c1wiLFxuICAgICAgXCJzZXJ2aWNlL3JlZnVuZHNcIixcbiAgICAgIFwic2VydmljZS93YWxsZXRzXCIsXG4gICAgICBcInNlcnZpY2UvcGF5b3V0c1wiLFxuICAgICAgXCJzZXJ2aWNlL21lZFwiLFxuICAgICAgXCJzZXJ2aWNlL3dlYmhvb2tzXCIsXG4gICAgICBcInNlcnZpY2UvaWRlbXBvdGVuY3lcIixcbiAgICAgIFwic2VydmljZS9lcnJvcnNcIixcbiAgICAgIFwic2VydmljZS9yZXF1ZXN0c1wiLFxuICAgICAgXCJzZXJ2aWNlL2tleXNcIixcbiAgICAgIFwic2VydmljZS9zYW5kYm94XCIsXG4gICAgICBcInNlcnZpY2UvKlwiLFxuICAgIF0sXG4gIH0sXG4gIHtcbiAgICB0aXRsZTogeyBlbjogXCJSZWZlcmVuY2VcIiwgXCJwdC1CUlwiOiBcIlJlZmVyXHUwMEVBbmNpYSAoZW0gaW5nbFx1MDBFQXMpXCIgfSxcbiAgICBpc0VuZ2xpc2g6IHRydWUsXG4gICAgcGFnZXM6IFtcIkNMSVwiLCBcIkVWRU5UU1wiLCBcIkVSUk9SU1wiLCBcIlRSQU5TSVRJT05TXCIsIFwiTElNSVRTXCIsIFwiQ09OU09MRVwiXSxcbiAgfSxcbiAge1xuICAgIHRpdGxlOiB7IGVuOiBcIkhvdyBpdCBpcyBidWlsdFwiLCBcInB0LUJSXCI6IFwiQ29tbyBcdTAwRTkgZmVpdG8gKGVtIGluZ2xcdTAwRUFzKVwiIH0sXG4gICAgaXNFbmdsaXNoOiB0cnVlLFxuICAgIHBhZ2VzOiBbXCJBUkNISVRFQ1RVUkVcIiwgXCJQRVJGT1JNQU5DRVwiLCBcIlJFTEVBU0lOR1wiLCBcImRlY2lzaW9ucy9SRUFETUVcIl0sXG4gIH0sXG5dO1xuXG4vKiogVGhlIHBhZ2VzIG9mIGEgZ3JvdXAgdGhhdCB0aGVyZSBhcmUsIGluIGl0cyBvcmRlci4gYGtub3duYCBhcmUgdGhlIHBhdGhzIG9mIGFsbCBwYWdlcy4gKi9cbmV4cG9ydCBmdW5jdGlvbiBwYWdlc09mKGdyb3VwOiBHcm91cCwgbGFuZ3VhZ2U6IERvY3NMYW5ndWFnZSwga25vd246IFJlYWRvbmx5U2V0PHN0cmluZz4pOiBzdHJpbmdbXSB7XG4gIGNvbnN0IGZvbGRlciA9IGdyb3VwLmlzRW5nbGlzaCA/IFwiXCIgOiBGT0xERVJTW2xhbmd1YWdlXTtcbiAgY29uc3QgbmFtZWQgPSBuZXcgU2V0KEdST1VQUy5mbGF0TWFwKCh7IHBhZ2VzIH0pID0+IHBhZ2VzKSk7XG4gIHJldHVybiBncm91cC5wYWdlcy5mbGF0TWFwKChwYWdlKSA9PiB7XG4gICAgaWYgKCFwYWdlLmVuZHNXaXRoKFwiKlwiKSkgcmV0dXJuIGtub3duLmhhcyhmb2xkZXIgKyBwYWdlKSA/IFtmb2xkZXIgKyBwYWdlXSA6IFtdO1xuICAgIGNvbnN0IHBhcmVudCA9IGZvbGRlciArIHBhZ2Uuc2xpY2UoMCwgLTEpO1xuICAgIGNvbnN0IG90aGVycyA9IFsuLi5rbm93bl0uZmlsdGVyKChwYXRoKSA9PiBwYXRoLnN0YXJ0c1dpdGgocGFyZW50KSAmJiAhbmFtZWQuaGFzKHBhdGguc2xpY2UoZm9sZGVyLmxlbmd0aCkpKTtcbiAgICByZXR1cm4gb3RoZXJzLnNvcnQoKTtcbiAgfSk7XG59XG5cbmV4cG9ydCBmdW5jdGlvbiBsYW5ndWFnZU9mUGFnZShwYXRoOiBzdHJpbmcpOiBEb2NzTGFuZ3VhZ2Uge1xuICByZXR1cm4gcGF0aC5zdGFydHNXaXRoKEZPTERFUlNbXCJwdC1CUlwiXSkgPyBcInB0LUJSXCIgOiBcImVuXCI7XG59XG5cbi8qKiBUaGUgc2FtZSBwYWdlIGluIHRoZSBvdGhlciBsYW5ndWFnZSwgb3IgbnVsbCB3aGVuIHRoZXJlIGlzIG5vbmUuICovXG5leHBvcnQgZnVuY3Rpb24gdHJhbnNsYXRpb25PZihwYXRoOiBzdHJpbmcsIGtub3duOiBSZWFkb25seVNldDxzdHJpbmc+KTogc3RyaW5nIHwgbnVsbCB7XG4gIGNvbnN0IGZvbGRlciA9IEZPTERFUlNbXCJwdC1CUlwiXTtcbiAgY29uc3Qgb3RoZXIgPSBwYXRoLnN0YXJ0c1dpdGgoZm9sZGVyKSA/IHBhdGguc2xpY2UoZm9sZGVyLmxlbmd0aCkgOiBmb2xkZXIgKyBwYXRoO1xuICByZXR1cm4ga25vd24uaGFzKG90aGVyKSA/IG90aGVyIDogbnVsbDtcbn1cblxuLyoqIFRoZSBhZGRyZXNzIG9mIGEgcGFnZSBpbnNpZGUgdGhlIHNpdGUuIGBSRUFETUVgIGlzIHRoZSBmaXJzdCBwYWdlIG9mIGl0cyBmb2xkZXIuICovXG5leHBvcnQgZnVuY3Rpb24gYWRkcmVzc09mKHBhdGg6IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiBgJHtwYXRoLnJlcGxhY2UoLyhefFxcLylSRUFETUUkLywgXCIkMWluZGV4XCIpfS5odG1sYDtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9wYWdlLnRzXCI7Y29uc3QgX19pbmplY3RlZF9kaXJuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZVwiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9kb2NzLXNpdGUvcGFnZS50c1wiO2ltcG9ydCB7IHBvc2l4IH0gZnJvbSBcIm5vZGU6cGF0aFwiO1xuaW1wb3J0IHsgbGF5b3V0SHRtbCB9IGZyb20gXCIuLi8uLi9zcmMvZG9jcy1wYWdlcy9sYXlvdXQuanNcIjtcbmltcG9ydCB7IGVzY2FwZUh0bWwgfSBmcm9tIFwiLi4vLi4vc3JjL2tlcm5lbC9odG1sLmpzXCI7XG5pbXBvcnQgeyBhZGRyZXNzT2YsIHR5cGUgRG9jc0xhbmd1YWdlLCBGT0xERVJTLCBHUk9VUFMsIGxhbmd1YWdlT2ZQYWdlLCBwYWdlc09mLCB0cmFuc2xhdGlvbk9mIH0gZnJvbSBcIi4vbmF2aWdhdGlvbi5qc1wiO1xuXG4vKiogQSBwYWdlIG9mIHRoZSBkb2N1bWVudGF0aW9uIGFyb3VuZCB0aGUgSFRNTCBvZiBpdHMgdGV4dC4gSXQgaGFzIG5vIHNjcmlwdCBhbmQgbm8gc3R5bGUgaW4gaXQsIG9ubHkgYmVzaWRlIGl0LiAqL1xuXG5leHBvcnQgaW50ZXJmYWNlIFNpdGUge1xuICAvKiogVGhlIHRpdGxlcyBvZiBhbGwgcGFnZXMsIGJ5IHRoZWlyIHBhdGhzIGluIGBkb2NzYCB3aXRob3V0IGAubWRgLiAqL1xuICByZWFkb25seSB0aXRsZXM6IFJlYWRvbmx5TWFwPHN0cmluZywgc3RyaW5nPjtcbiAgcmVhZG9ubHkgdmVyc2lvbjogc3RyaW5nO1xufVxuXG5jb25zdCBXT1JEUyA9IHtcbiAgZW46IHtcbiAgICBtZW51OiBcIkFsbCBwYWdlc1wiLFxuICAgIHNlYXJjaDogXCJTZWFyY2hcIixcbiAgICBub25lOiBcIk5vdGhpbmcgZm91bmQuXCIsXG4gICAgY29weTogXCJDb3B5XCIsXG4gICAgY29waWVkOiBcIkNvcGllZFwiLFxuICAgIG9uVGhpc1BhZ2U6IFwiT24gdGhpcyBwYWdlXCIsXG4gICAgbmV4dDogXCJOZXh0XCIsXG4gICAgcHJldmlvdXM6IFwiUHJldmlvdXNcIixcbiAgfSxcbiAgXCJwdC1CUlwiOiB7XG4gICAgbWVudTogXCJUb2RhcyBhcyBwXHUwMEUxZ2luYXNcIixcbiAgICBzZWFyY2g6IFwiQnVzY2FyXCIsXG4gICAgbm9uZTogXCJOYWRhIGVuY29udHJhZG8uXCIsXG4gICAgY29weTogXCJDb3BpYXJcIixcbiAgICBjb3BpZWQ6IFwiQ29waWFkb1wiLFxuICAgIG9uVGhpc1BhZ2U6IFwiTmVzdGEgcFx1MDBFMWdpbmFcIixcbiAgICBuZXh0OiBcIlByXHUwMEYzeGltYVwiLFxuICAgIHByZXZpb3VzOiBcIkFudGVyaW9yXCIsXG4gIH0sXG59IGFzIGNvbnN0IHNhdGlzZmllcyBSZWNvcmQ8RG9jc0xhbmd1YWdlLCBSZWFkb25seTxSZWNvcmQ8c3RyaW5nLCBzdHJpbmc+Pj47XG5cbmZ1bmN0aW9uIHJlbGF0aXZlKGZyb206IHN0cmluZywgdG86IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiBwb3NpeC5yZWxhdGl2ZShwb3NpeC5kaXJuYW1lKGFkZHJlc3NPZihmcm9tKSksIHRvKTtcbn1cblxuZnVuY3Rpb24gbWVudUh0bWwoc2l0ZTogU2l0ZSwgcGF0aDogc3RyaW5nLCBsYW5ndWFnZTogRG9jc0xhbmd1YWdlKTogc3RyaW5nIHtcbiAgY29uc3Qga25vd24gPSBuZXcgU2V0KHNpdGUudGl0bGVzLmtleXMoKSk7XG4gIGNvbnN0IGdyb3VwcyA9IEdST1VQUy5tYXAoKGdyb3VwKSA9PiB7XG4gICAgY29uc3QgcGFnZXMgPSBwYWdlc09mKGdyb3VwLCBsYW5ndWFnZSwga25vd24pO1xuICAgIGNvbnN0IGxpbmtzID0gcGFnZXMubWFwKChwYWdlKSA9PiB7XG4gICAgICBjb25zdCBjdXJyZW50ID0gcGFnZSA9PT0gcGF0aCA/ICcgYXJpYS1jdXJyZW50PVwicGFnZVwiJyA6IFwiXCI7XG4gICAgICBjb25zdCB0aXRsZSA9IGVzY2FwZUh0bWwoc2l0ZS50aXRsZXMuZ2V0KHBhZ2UpID8/IHBhZ2UpO1xuICAgICAgcmV0dXJuIGA8bGk+PGEgaHJlZj1cIiR7cmVsYXRpdmUocGF0aCwgYWRkcmVzc09mKHBhZ2UpKX1cIiR7Y3VycmVudH0+JHt0aXRsZX08L2E+PC9saT5gO1xuICAgIH0pO1xuICAgIGlmIChsaW5rcy5sZW5ndGggPT09IDApIHJldHVybiBcIlwiO1xuICAgIGNvbnN0IGlzT3BlbiA9IHBhZ2VzLmluY2x1ZGVzKHBhdGgpIHx8ICFncm91cC5pc0VuZ2xpc2g7XG4gICAgcmV0dXJuIGA8ZGV0YWlscyR7aXNPcGVuID8gXCIgb3BlblwiIDogXCJcIn0+PHN1bW1hcnk+JHtncm91cC50aXRsZVtsYW5ndWFnZV19PC9zdW1tYXJ5Pjx1bD4ke2xpbmtzLmpvaW4oXCJcIil9PC91bD48L2RldGFpbHM+YDtcbiAgfSk7XG4gIHJldHVybiBncm91cHMuam9pbihcIlxcblwiKTtcbn1cblxuLyoqIFRoZSBzZWNvbmQtbGV2ZWwgaGVhZGluZ3Mgb2YgdGhlIHBhZ2UsIGZvciBhIHBhZ2UgdGhhdCBoYXMgYXQgbGVhc3QgdGhyZWUuICovXG5mdW5jdGlvbiBjb250ZW50c0h0bWwoYm9keTogc3RyaW5nLCB0aXRsZTogc3RyaW5nKTogc3RyaW5nIHtcbiAgY29uc3QgaGVhZGluZ3MgPSBbLi4uYm9keS5tYXRjaEFsbCgvPGgyIGlkPVwiKFteXCJdKylcIj4oLio/KTxcXC9oMj4vZyldO1xuICBpZiAoaGVhZGluZ3MubGVuZ3RoIDwgMykgcmV0dXJuIFwiXCI7XG4gIGNvbnN0IGxpbmtzID0gaGVhZGluZ3MubWFwKChbLCBpZCwgdGV4dF0pID0+IGA8bGk+PGEgaHJlZj1cIiMke2lkfVwiPiR7dGV4dD8ucmVwbGFjZSgvPFxcLz9hW14+XSo+L2csIFwiXCIpfTwvYT48L2xpPmApO1xuICByZXR1cm4gYDxuYXYgY2xhc3M9XCJjb250ZW50c1wiIGFyaWEtbGFiZWw9XCIke3RpdGxlfVwiPjxwPiR7dGl0bGV9PC9wPjx1bD4ke2xpbmtzLmpvaW4oXCJcIil9PC91bD48L25hdj5gO1xufVxuXG5mdW5jdGlvbiBuZWlnaGJvdXJzSHRtbChzaXRlOiBTaXRlLCBwYXRoOiBzdHJpbmcsIGxhbmd1YWdlOiBEb2NzTGFuZ3VhZ2UpOiBzdHJpbmcge1xuICBjb25zdCBrbm93biA9IG5ldyBTZXQoc2l0ZS50aXRsZXMua2V5cygpKTtcbiAgY29uc3Qgb3JkZXIgPSBHUk9VUFMuZmxhdE1hcCgoZ3JvdXApID0+IHBhZ2VzT2YoZ3JvdXAsIGxhbmd1YWdlLCBrbm93bikpO1xuICBjb25zdCBhdCA9IG9yZGVyLmluZGV4T2YocGF0aCk7XG4gIGNvbnN0IHsgcHJldmlvdXMsIG5leHQgfSA9IFdPUkRTW2xhbmd1YWdlXTtcbiAgY29uc3QgbGluayA9IChwYWdlOiBzdHJpbmcgfCB1bmRlZmluZWQsIHJlbDogc3RyaW5nLCB3b3JkOiBzdHJpbmcpID0+XG4gICAgcGFnZSA9PT0gdW5kZWZpbmVkXG4gICAgICA/IFwiXCJcbiAgICAgIDogYDxhIHJlbD1cIiR7cmVsfVwiIGhyZWY9XCIke3JlbGF0aXZlKHBhdGgsIGFkZHJlc3NPZihwYWdlKSl9XCI+PHNtYWxsPiR7d29yZH08L3NtYWxsPiR7ZXNjYXBlSHRtbChzaXRlLnRpdGxlcy5nZXQocGFnZSkgPz8gcGFnZSl9PC9hPmA7XG4gIGlmIChhdCA8IDApIHJldHVybiBcIlwiO1xuICByZXR1cm4gYDxuYXYgY2xhc3M9XCJuZWlnaGJvdXJzXCI+JHtsaW5rKG9yZGVyW2F0IC0gMV0sIFwicHJldlwiLCBwcmV2aW91cyl9JHtsaW5rKG9yZGVyW2F0ICsgMV0sIFwibmV4dFwiLCBuZXh0KX08L25hdj5gO1xufVxuXG4vKiogYHBhdGhgIGlzIHRoYXQgb2YgdGhlIHBhZ2UgaW4gYGRvY3NgLCB3aXRob3V0IGAubWRgLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHBhZ2VIdG1sKHNpdGU6IFNpdGUsIHBhdGg6IHN0cmluZywgYm9keTogc3RyaW5nKTogc3RyaW5nIHtcbiAgY29uc3QgbGFuZ3VhZ2UgPSBsYW5ndWFnZU9mUGFnZShwYXRoKTtcbiAgY29uc3Qgd29yZHMgPSBXT1JEU1tsYW5ndWFnZV07XG4gIGNvbnN0IHJvb3QgPSByZWxhdGl2ZShwYXRoLCBcImFzc2V0cy94XCIpLnNsaWNlKDAsIC1cImFzc2V0cy94XCIubGVuZ3RoKTtcbiAgY29uc3Qgb3RoZXIgPSB0cmFuc2xhdGlvbk9mKHBhdGgsIG5ldyBTZXQoc2l0ZS50aXRsZXMua2V5cygpKSk7XG4gIGNvbnN0IG90aGVyTGFuZ3VhZ2UgPSBsYW5ndWFnZSA9PT0gXCJlblwiID8gXCJwdC1CUlwiIDogXCJlblwiO1xuICBjb25zdCB0aXRsZSA9IHNpdGUudGl0bGVzLmdldChwYXRoKSA/PyBwYXRoO1xuICBjb25zdCBlbHNld2hlcmUgPSBvdGhlciA9PT0gbnVsbCA/IGAke0ZPTERFUlNbb3RoZXJMYW5ndWFnZV19aW5kZXguaHRtbGAgOiBhZGRyZXNzT2Yob3RoZXIpO1xuICByZXR1cm4gbGF5b3V0SHRtbCh7XG4gICAgbGFuZ3VhZ2UsXG4gICAgdGl0bGU6IGAke3RpdGxlfSBcdTAwQjcgcWEtcGF5YCxcbiAgICB2ZXJzaW9uOiBzaXRlLnZlcnNpb24sXG4gICAgaGVhZDogYDxsaW5rIHJlbD1cInN0eWxlc2hlZXRcIiBocmVmPVwiJHtyb290fWFzc2V0cy9kb2NzLmNzc1wiPjxsaW5rIHJlbD1cImljb25cIiBocmVmPVwiJHtyb290fWFzc2V0cy9pY29uLnN2Z1wiPlxuPHNjcmlwdCB0eXBlPVwibW9kdWxlXCIgc3JjPVwiJHtyb290fWFzc2V0cy9zaXRlLmpzXCI+PC9zY3JpcHQ+YCxcbiAgICBkYXRhOiB7IHJvb3QsIG5vbmU6IHdvcmRzLm5vbmUsIGNvcHk6IHdvcmRzLmNvcHksIGNvcGllZDogd29yZHMuY29waWVkIH0sXG4gICAgaG9tZTogcmVsYXRpdmUocGF0aCwgYCR7Rk9MREVSU1tsYW5ndWFnZV19aW5kZXguaHRtbGApLFxuICAgIHNlYXJjaDogYDxzZWFyY2ggaGlkZGVuPjxpbnB1dCB0eXBlPVwic2VhcmNoXCIgYXJpYS1sYWJlbD1cIiR7d29yZHMuc2VhcmNofVwiIHBsYWNlaG9sZGVyPVwiJHt3b3Jkcy5zZWFyY2h9XCIgYXV0b2NvbXBsZXRlPVwib2ZmXCIgc3BlbGxjaGVjaz1cImZhbHNlXCI+PGRpdiBpZD1cImZvdW5kXCIgY2xhc3M9XCJmb3VuZFwiIHJvbGU9XCJzdGF0dXNcIj48L2Rpdj48L3NlYXJjaD5gLFxuICAgIGVsc2V3aGVyZTogcmVsYXRpdmUocGF0aCwgZWxzZXdoZXJlKSxcbiAgICBtZW51OiB7IHRpdGxlOiB3b3Jkcy5tZW51LCBodG1sOiBtZW51SHRtbChzaXRlLCBwYXRoLCBsYW5ndWFnZSkgfSxcbiAgICBjb250ZW50OiBgJHtib2R5LnJlcGxhY2UoXCI8L2gxPlwiLCBgPC9oMT5cXG4ke2NvbnRlbnRzSHRtbChib2R5LCB3b3Jkcy5vblRoaXNQYWdlKX1gKX1cbiR7bmVpZ2hib3Vyc0h0bWwoc2l0ZSwgcGF0aCwgbGFuZ3VhZ2UpfWAsXG4gIH0pO1xufVxuIiwgImNvbnN0IF9faW5qZWN0ZWRfZmlsZW5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NyYy9rZXJuZWwvaHRtbC50c1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc3JjL2tlcm5lbFwiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc3JjL2tlcm5lbC9odG1sLnRzXCI7Y29uc3QgRU5USVRJRVM6IFJlYWRvbmx5PFJlY29yZDxzdHJpbmcsIHN0cmluZz4+ID0geyBcIiZcIjogXCImYW1wO1wiLCBcIjxcIjogXCImbHQ7XCIsIFwiPlwiOiBcIiZndDtcIiwgJ1wiJzogXCImcXVvdDtcIiB9O1xuXG4vKiogQSB0ZXh0IGFzIFhNTCwgZm9yIHRoZSBjb250ZW50IG9mIGFuIGVsZW1lbnQgb3IgdGhlIHZhbHVlIG9mIGFuIGF0dHJpYnV0ZSBpbiBkb3VibGUgcXVvdGVzLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIGVzY2FwZVhtbCh0ZXh0OiBzdHJpbmcpOiBzdHJpbmcge1xuICByZXR1cm4gdGV4dC5yZXBsYWNlKC9bJjw+XCJdL2csIChjaGFyYWN0ZXIpID0+IEVOVElUSUVTW2NoYXJhY3Rlcl0gPz8gY2hhcmFjdGVyKTtcbn1cblxuLyoqIEEgdGV4dCBhcyBIVE1MLCBmb3IgdGhlIGNvbnRlbnQgb2YgYW4gZWxlbWVudCBvciB0aGUgdmFsdWUgb2YgYW4gYXR0cmlidXRlIGluIHF1b3Rlcy4gKi9cbmV4cG9ydCBmdW5jdGlvbiBlc2NhcGVIdG1sKHRleHQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiBlc2NhcGVYbWwodGV4dCkucmVwbGFjZUFsbChcIidcIiwgXCImIzM5O1wiKTtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zcmMvZG9jcy1wYWdlcy9sYXlvdXQudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NyYy9kb2NzLXBhZ2VzXCI7Y29uc3QgX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyA9IFwiZmlsZTovLy90bXAvd3QvY29uc29sZS1wYWdlcy9zcmMvZG9jcy1wYWdlcy9sYXlvdXQudHNcIjtpbXBvcnQgeyBlc2NhcGVIdG1sIH0gZnJvbSBcIi4uL2tlcm5lbC9odG1sLmpzXCI7XG5pbXBvcnQgdHlwZSB7IExhbmd1YWdlIH0gZnJvbSBcIi4uL2tlcm5lbC9sYW5ndWFnZS5qc1wiO1xuXG4vKiogVGhlIGZyYW1lIG9mIGV2ZXJ5IHBhZ2UgYWJvdXQgdGhlIHNlcnZpY2U6IHRob3NlIHRoYXQgdGhlIHNlcnZlciBhbnN3ZXJzLCBhbmQgdGhvc2Ugb2YgdGhlIGJ1aWx0IGRvY3VtZW50YXRpb24uICovXG5leHBvcnQgaW50ZXJmYWNlIEZyYW1lZCB7XG4gIHJlYWRvbmx5IGxhbmd1YWdlOiBMYW5ndWFnZTtcbiAgcmVhZG9ubHkgdGl0bGU6IHN0cmluZztcbiAgcmVhZG9ubHkgdmVyc2lvbjogc3RyaW5nO1xuICAvKiogSFRNTCBvZiB0aGUgaGVhZDogd2hhdCB0aGUgcGFnZSBsb2Fkcy4gKi9cbiAgcmVhZG9ubHkgaGVhZDogc3RyaW5nO1xuICAvKiogQXR0cmlidXRlcyBvZiB0aGUgYm9keSwgZm9yIHRoZSBzY3JpcHQgb2YgdGhlIHBhZ2UuICovXG4gIHJlYWRvbmx5IGRhdGE/OiBSZWFkb25seTxSZWNvcmQ8c3RyaW5nLCBzdHJpbmc+PjtcbiAgLyoqIFRoZSBhZGRyZXNzIG9mIHRoZSBmaXJzdCBwYWdlLiAqL1xuICByZWFkb25seSBob21lOiBzdHJpbmc7XG4gIC8qKiBIVE1MIGJldHdlZW4gdGhlIG5hbWUgYW5kIHRoZSBsYW5ndWFnZS4gKi9cbiAgcmVhZG9ubHkgc2VhcmNoPzogc3RyaW5nO1xuICAvKiogVGhlIGFkZHJlc3Mgb2YgdGhlIHNhbWUgcGFnZSBpbiB0aGUgb3RoZXIgbGFuZ3VhZ2U7IG51bGwgZm9yIGEgcGFnZSBpbiBvbmUgbGFuZ3VhZ2UuICovXG4gIHJlYWRvbmx5IGVsc2V3aGVyZTogc3RyaW5nIHwgbnVsbDtcbiAgLyoqIEhUTUwgb2YgdGhlIG1lbnUgd2l0aCBpdHMgdGl0bGU7IG51bGwgZm9yIGEgcGFnZSB3aXRob3V0IG9uZS4gKi9cbiAgcmVhZG9ubHkgbWVudTogeyByZWFkb25seSB0aXRsZTogc3RyaW5nOyByZWFkb25seSBodG1sOiBzdHJpbmcgfSB8IG51bGw7XG4gIC8qKiBIVE1MLiAqL1xuICByZWFkb25seSBjb250ZW50OiBzdHJpbmc7XG59XG5cbmNvbnN0IFRFWFRTID0ge1xuICBlbjogeyBza2lwOiBcIlNraXAgdG8gdGhlIHRleHRcIiwgb3RoZXI6IFwiUG9ydHVndVx1MDBFQXNcIiwgb3RoZXJMYW5ndWFnZTogXCJwdC1CUlwiIH0sXG4gIFwicHQtQlJcIjogeyBza2lwOiBcIklyIHBhcmEgbyB0ZXh0b1wiLCBvdGhlcjogXCJFbmdsaXNoXCIsIG90aGVyTGFuZ3VhZ2U6IFwiZW5cIiB9LFxufSBhcyBjb25zdCBzYXRpc2ZpZXMgUmVjb3JkPExhbmd1YWdlLCBSZWFkb25seTxSZWNvcmQ8c3RyaW5nLCBzdHJpbmc+Pj47XG5cbmV4cG9ydCBmdW5jdGlvbiBsYXlvdXRIdG1sKHsgbGFuZ3VhZ2UsIHRpdGxlLCB2ZXJzaW9uLCBoZWFkLCBkYXRhID0ge30sIGhvbWUsIHNlYXJjaCA9IFwiXCIsIC4uLnBhZ2UgfTogRnJhbWVkKTogc3RyaW5nIHtcbiAgY29uc3QgeyBza2lwLCBvdGhlciwgb3RoZXJMYW5ndWFnZTogbGFuZyB9ID0gVEVYVFNbbGFuZ3VhZ2VdO1xuICBjb25zdCBhdHRyaWJ1dGVzID0gT2JqZWN0LmVudHJpZXMoZGF0YSkubWFwKChbbmFtZSwgdmFsdWVdKSA9PiBgIGRhdGEtJHtuYW1lfT1cIiR7ZXNjYXBlSHRtbCh2YWx1ZSl9XCJgKTtcbiAgY29uc3QgbGluayA9XG4gICAgcGFnZS5lbHNld2hlcmUgPT09IG51bGxcbiAgICAgID8gXCJcIlxuICAgICAgOiBgPGEgY2xhc3M9XCJsYW5ndWFnZVwiIGxhbmc9XCIke2xhbmd9XCIgaHJlZmxhbmc9XCIke2xhbmd9XCIgaHJlZj1cIiR7cGFnZS5lbHNld2hlcmV9XCI+JHtvdGhlcn08L2E+YDtcbiAgY29uc3QgYm9keSA9XG4gICAgcGFnZS5tZW51ID09PSBudWxsXG4gICAgICA/IGA8bWFpbiBpZD1cImNvbnRlbnRcIiBjbGFzcz1cImhvbWVcIj5cbiR7cGFnZS5jb250ZW50fVxuPC9tYWluPmBcbiAgICAgIDogYDxkaXYgY2xhc3M9XCJmcmFtZVwiPjxuYXYgY2xhc3M9XCJtZW51XCIgYXJpYS1sYWJlbD1cIiR7cGFnZS5tZW51LnRpdGxlfVwiPjxkZXRhaWxzIGNsYXNzPVwiYWxsXCIgb3Blbj48c3VtbWFyeT4ke3BhZ2UubWVudS50aXRsZX08L3N1bW1hcnk+XG4ke3BhZ2UubWVudS5odG1sfVxuPC9kZXRhaWxzPjwvbmF2PlxuPG1haW4gaWQ9XCJjb250ZW50XCI+XG4ke3BhZ2UuY29udGVudH1cbjwvbWFpbj48L2Rpdj5gO1xuICByZXR1cm4gYDwhZG9jdHlwZSBodG1sPlxuPGh0bWwgbGFuZz1cIiR7bGFuZ3VhZ2V9XCI+PGhlYWQ+PG1ldGEgY2hhcnNldD1cInV0Zi04XCI+PG1ldGEgbmFtZT1cInZpZXdwb3J0XCIgY29udGVudD1cIndpZHRoPWRldmljZS13aWR0aCxpbml0aWFsLXNjYWxlPTFcIj5cbjxtZXRhIG5hbWU9XCJjb2xvci1zY2hlbWVcIiBjb250ZW50PVwibGlnaHQgZGFya1wiPjx0aXRsZT4ke2VzY2FwZUh0bWwodGl0bGUpfTwvdGl0bGU+XG4ke2hlYWR9PC9oZWFkPlxuPGJvZHkke2F0dHJpYnV0ZXMuam9pbihcIlwiKX0+XG48YSBjbGFzcz1cInNraXBcIiBocmVmPVwiI2NvbnRlbnRcIj4ke3NraXB9PC9hPlxuPGhlYWRlcj48YSBjbGFzcz1cIm5hbWVcIiBocmVmPVwiJHtob21lfVwiPnFhLXBheSA8c21hbGw+JHtlc2NhcGVIdG1sKHZlcnNpb24pfTwvc21hbGw+PC9hPlxuJHtzZWFyY2h9XG4ke2xpbmt9PC9oZWFkZXI+XG4ke2JvZHl9XG48L2JvZHk+PC9odG1sPlxuYDtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2RvY3Mtc2l0ZS9zZWN0aW9ucy50c1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9kb2NzLXNpdGVcIjtjb25zdCBfX2luamVjdGVkX2ltcG9ydF9tZXRhX3VybF9fID0gXCJmaWxlOi8vL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvZG9jcy1zaXRlL3NlY3Rpb25zLnRzXCI7aW1wb3J0IHR5cGUgTWFya2Rvd25JdCBmcm9tIFwibWFya2Rvd24taXRcIjtcbmltcG9ydCB7IGFkZHJlc3NPZiB9IGZyb20gXCIuL25hdmlnYXRpb24uanNcIjtcblxuLyoqIFRoZSBwYWdlcyBhcyBwaWVjZXMgZm9yIHRoZSBzZWFyY2g6IG9uZSBmb3IgZWFjaCBoZWFkaW5nLCB3aXRoIHRoZSB0ZXh0IGJlbG93IGl0LiAqL1xuZXhwb3J0IGludGVyZmFjZSBTZWN0aW9uIHtcbiAgcmVhZG9ubHkgaWQ6IHN0cmluZztcbiAgcmVhZG9ubHkgcGFnZTogc3RyaW5nO1xuICByZWFkb25seSB0aXRsZTogc3RyaW5nO1xuICByZWFkb25seSB0ZXh0OiBzdHJpbmc7XG59XG5cbmZ1bmN0aW9uIHBsYWluKHRva2VuczogUmV0dXJuVHlwZTxNYXJrZG93bkl0W1wicGFyc2VcIl0+KTogc3RyaW5nIHtcbiAgY29uc3Qgd29yZHMgPSB0b2tlbnMuZmxhdE1hcCgoeyB0eXBlLCBjb250ZW50LCBjaGlsZHJlbiB9KSA9PiB7XG4gICAgaWYgKHR5cGUgPT09IFwiZmVuY2VcIiB8fCB0eXBlID09PSBcImNvZGVfYmxvY2tcIikgcmV0dXJuIFtjb250ZW50XTtcbiAgICByZXR1cm4gKGNoaWxkcmVuID8/IFtdKS5mbGF0TWFwKChjaGlsZCkgPT4gKGNoaWxkLnR5cGUgPT09IFwic29mdGJyZWFrXCIgPyBbXCIgXCJdIDogW2NoaWxkLmNvbnRlbnRdKSk7XG4gIH0pO1xuICByZXR1cm4gd29yZHMuam9pbihcIiBcIikucmVwbGFjZSgvXFxzKy9nLCBcIiBcIikudHJpbSgpO1xufVxuXG4vKiogYHBhdGhgIGlzIHRoYXQgb2YgdGhlIHBhZ2UgaW4gYGRvY3NgLCB3aXRob3V0IGAubWRgLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHNlY3Rpb25zT2YobWFya2Rvd246IE1hcmtkb3duSXQsIHBhdGg6IHN0cmluZywgdGV4dDogc3RyaW5nKTogU2VjdGlvbltdIHtcbiAgY29uc3QgdG9rZW5zID0gbWFya2Rvd24ucGFyc2UodGV4dCwgeyBwYWdlOiB7IGZpbGVQYXRoU3RlbTogYC8ke3BhdGh9YCB9IH0pO1xuICBjb25zdCBzdGFydHMgPSB0b2tlbnMuZmxhdE1hcCgoeyB0eXBlIH0sIGluZGV4KSA9PiAodHlwZSA9PT0gXCJoZWFkaW5nX29wZW5cIiA/IFtpbmRleF0gOiBbXSkpO1xuICBjb25zdCBwYWdlID0gcGxhaW4odG9rZW5zLnNsaWNlKChzdGFydHNbMF0gPz8gMCkgKyAxLCAoc3RhcnRzWzBdID8/IDApICsgMikpO1xuICByZXR1cm4gc3RhcnRzLm1hcCgoc3RhcnQsIGluZGV4KSA9PiB7XG4gICAgY29uc3QgYW5jaG9yID0gU3RyaW5nKHRva2Vuc1tzdGFydF0/LmF0dHJHZXQoXCJpZFwiKSk7XG4gICAgY29uc3QgYm9keSA9IHRva2Vucy5zbGljZShzdGFydCArIDMsIHN0YXJ0c1tpbmRleCArIDFdID8/IHRva2Vucy5sZW5ndGgpO1xuICAgIGNvbnN0IGlkID0gaW5kZXggPT09IDAgPyBhZGRyZXNzT2YocGF0aCkgOiBgJHthZGRyZXNzT2YocGF0aCl9IyR7YW5jaG9yfWA7XG4gICAgcmV0dXJuIHsgaWQsIHBhZ2UsIHRpdGxlOiBwbGFpbih0b2tlbnMuc2xpY2Uoc3RhcnQgKyAxLCBzdGFydCArIDIpKSwgdGV4dDogcGxhaW4oYm9keSkgfTtcbiAgfSk7XG59XG4iLCAiY29uc3QgX19pbmplY3RlZF9maWxlbmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9saWdodGVyLXBhY2thZ2VzLnRzXCI7Y29uc3QgX19pbmplY3RlZF9kaXJuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzXCI7Y29uc3QgX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyA9IFwiZmlsZTovLy90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL2xpZ2h0ZXItcGFja2FnZXMudHNcIjtpbXBvcnQgeyByZWFkRmlsZSB9IGZyb20gXCJub2RlOmZzL3Byb21pc2VzXCI7XG5pbXBvcnQgeyByZXNvbHZlIH0gZnJvbSBcIm5vZGU6cGF0aFwiO1xuaW1wb3J0IHR5cGUgeyBFc2J1aWxkUGx1Z2luIH0gZnJvbSBcIi4vZXZhbHVhdGUtbW9kdWxlLmpzXCI7XG5cbi8qKiBXaGF0IGEgcGFja2FnZSBpbXBvcnRzIGZvciBhYmlsaXRpZXMgdGhhdCBxYS1wYXkgZG9lcyBub3QgYXNrIG9mIGl0LiBUaGUgYnVuZGxlIGhhcyBhbiBlbXB0eSBtb2R1bGUgaW5zdGVhZC4gKi9cbmNvbnN0IFVOVVNFRDogUmVhZG9ubHk8UmVjb3JkPHN0cmluZywgUmVnRXhwPj4gPSB7XG4gIC8vIFRMUyBjZXJ0aWZpY2F0ZXMsIFFSIGNvZGVzIG9mIGFkZHJlc3NlcywgV2ViU29ja2V0cywgdHVubmVscywgdGhlIGNsaXBib2FyZCwgdGhlIGJyb3dzZXIsIGFuZCB0byBydW4gYW5kIHdhdGNoIGFcbiAgLy8gcHJvZ3JhbSB1bmRlciBkZXZlbG9wbWVudC5cbiAgbGlzdGhlbjpcbiAgICAvXihub2RlLWZvcmdlfHVxcnxjcm9zc3dzXFwvYWRhcHRlcnNcXC9ub2RlfHVudHVufHRpbnljbGlwfGppdGl8QHBhcmNlbFxcL3dhdGNoZXIoLXdhc20pP3xcXC5cXC5cXC9jaHVua3NcXC94ZGctb3BlblxcLm1qcykkLyxcbiAgLy8gRm9udHMgZnJvbSBmaWxlcywgYW5kIHBpY3R1cmVzOiBkb2N1bWVudHMgYXJlIGRyYXduIHdpdGggdGhlIHN0YW5kYXJkIGZvbnRzIGFuZCBsaW5lcy5cbiAgcGRma2l0OiAvXihmb250a2l0fHBuZy1qcykkLyxcbiAgLy8gUGljdHVyZXMgYXMgUE5HOiBzcmMvcGl4L3BuZy50cyB3cml0ZXMgdGhlbS5cbiAgcXJjb2RlOiAvXnBuZ2pzJC8sXG59O1xuXG4vKiogU21hbGxlciBlZGl0aW9ucyBvZiBwYWNrYWdlcywgYnkgd2hhdCBpbXBvcnRzIHRoZW0gYW5kIHRoZSBuYW1lIHRoYXQgaXQgaW1wb3J0cy4gKi9cbmNvbnN0IFNNQUxMRVIgPSBbXG4gIC8vIFdpdGhvdXQgY29sb3VycyBhbmQgcXVlc3Rpb25zOiBsaXN0aGVuIG9ubHkgd2FybnMuXG4gIHsgaW1wb3J0ZXI6IFwibGlzdGhlblwiLCBuYW1lOiBcImNvbnNvbGFcIiwgcGF0aDogXCJub2RlX21vZHVsZXMvY29uc29sYS9kaXN0L2Jhc2ljLm1qc1wiIH0sXG4gIC8vIEZvciBOb2RlLCBvZmV0Y2ggYnJpbmdzIGEgY29weSBvZiBmZXRjaC4gRXZlcnkgdmVyc2lvbiBvZiBOb2RlIHRoYXQgaXMgc3VwcG9ydGVkIGhhcyBpdHMgb3duLlxuICB7IGltcG9ydGVyOiBcIlwiLCBuYW1lOiBcIm9mZXRjaFwiLCBwYXRoOiBcIm5vZGVfbW9kdWxlcy9vZmV0Y2gvZGlzdC9pbmRleC5tanNcIiB9LFxuXTtcblxuLyoqIFRoZSBzdGFuZGFyZCBmb250cyB0aGF0IGRvY3VtZW50cyB1c2UgKHNyYy9kb2N1bWVudHMpLiBwZGZraXQgaGFzIGZvdXJ0ZWVuLiAqL1xuY29uc3QgRk9OVFMgPSBbXCJIZWx2ZXRpY2FcIiwgXCJIZWx2ZXRpY2FCb2xkXCJdO1xuXG5mdW5jdGlvbiBvZlBhY2thZ2UoaW1wb3J0ZXI6IHN0cmluZywgbmFtZTogc3RyaW5nKTogYm9vbGVhbiB7XG4gIHJldHVybiBpbXBvcnRlci5yZXBsYWNlQWxsKFwiXFxcXFwiLCBcIi9cIikuaW5jbHVkZXMoYC9ub2RlX21vZHVsZXMvJHtuYW1lfS9gKTtcbn1cblxuLyoqXG4gKiBwZGZraXQgcmVxdWlyZXMgZWFjaCBmb250IHdoZW4gaXQgaXMgdXNlZCBmaXJzdCwgYnkgYSBuYW1lIHRoYXQgbm8gYnVuZGxlciBjYW4gc2VlLiBPZiB0aGVzZSBsaW5lcywgdGhvc2Ugb2YgdW51c2VkXG4gKiBmb250cyBnbywgYW5kIHRoZSBvdGhlcnMgYmVjb21lIHBsYWluLlxuICovXG5mdW5jdGlvbiB3aXRoRm9udHNJbnNpZGUodGV4dDogc3RyaW5nKTogc3RyaW5nIHtcbiAgY29uc3QgbGluZXMgPSB0ZXh0LnNwbGl0KFwiXFxuXCIpLmZsYXRNYXAoKGxpbmUpID0+IHtcbiAgICBjb25zdCBmb250ID0gL3JlcXVpcmVcXCQxXFwoJyNzdGFuZGFyZC1mb250c1xcLyhcXHcrKSdcXCkvLmV4ZWMobGluZSk/LlsxXTtcbiAgICBpZiAoZm9udCA9PT0gdW5kZWZpbmVkKSByZXR1cm4gW2xpbmVdO1xuICAgIHJldHVybiBGT05UUy5pbmNsdWRlcyhmb250KSA/IFtsaW5lLnJlcGxhY2UoXCJyZXF1aXJlJDEoXCIsIFwicmVxdWlyZShcIildIDogW107XG4gIH0pO1xuICByZXR1cm4gbGluZXMuam9pbihcIlxcblwiKTtcbn1cblxuLyoqIFdoYXQgYSBwYXJ0IG9mIGgzIHNheXMsIGFuZCB3aGF0IGl0IHNheXMgaW4gdGhlIGJ1bmRsZS4gKi9cbmNvbnN0IFdJVEhPVVRfV0VCX0NMQVNTRVMgPSBbXG4gIFtcbiAgICAnaW1wb3J0IHsgRmFzdFJlc3BvbnNlLCBGYXN0VVJMIH0gZnJvbSBcInNydnhcIjsnLFxuICAgIFwiY29uc3QgRmFzdFVSTCA9IFVSTDsgY29uc3QgRmFzdFJlc3BvbnNlID0gZnVuY3Rpb24gKC4uLmFuc3dlcikgeyByZXR1cm4gbmV3IFJlc3BvbnNlKC4uLmFuc3dlcik7IH07XCIsXG4gIF0sXG4gIFtcIkZyb3plbkhlYWRlcnMgPSBjbGFzcyBleHRlbmRzIEhlYWRlcnMge1wiLCBcIkZyb3plbkhlYWRlcnMgPSBjbGFzcyB7XCJdLFxuICBbXCJuZXcgRnJvemVuSGVhZGVycyhcIiwgXCJPYmplY3QuZnJlZXplKFwiXSxcbl0gYXMgY29uc3Q7XG5cbi8qKlxuICogaDMgbWFrZXMgd2ViIGhlYWRlcnMgd2hlbiBpdCBpcyBsb2FkZWQsIGFuZCBpbXBvcnRzIGEgZmFzdGVyIHdlYiBhbnN3ZXIuIEZvciBib3RoIE5vZGUgbG9hZHMgaXRzIHdob2xlIEhUVFAgY2xpZW50LiBUaGUgc2VydmVyXG4gKiBuZWVkcyBuZWl0aGVyLCBiZWNhdXNlIGl0IHNlbmRzIGl0cyBhbnN3ZXJzIGl0c2VsZiAoc3JjL2h0dHAvc2VydmVyLnRzKS5cbiAqL1xuZnVuY3Rpb24gd2l0aG91dFdlYkNsYXNzZXModGV4dDogc3RyaW5nKTogc3RyaW5nIHtcbiAgcmV0dXJuIFdJVEhPVVRfV0VCX0NMQVNTRVMucmVkdWNlKChsaWdodGVyLCBba25vd24sIG90aGVyXSkgPT4ge1xuICAgIGlmICghbGlnaHRlci5pbmNsdWRlcyhrbm93bikpIHRocm93IG5ldyBFcnJvcihgaDMgZG9lcyBub3Qgc2F5IHRoaXMgYW55IG1vcmU6ICR7a25vd259YCk7XG4gICAgcmV0dXJuIGxpZ2h0ZXIucmVwbGFjZUFsbChrbm93biwgb3RoZXIpO1xuICB9LCB0ZXh0KTtcbn1cblxuLyoqXG4gKiBXaGF0IHRoZSBNQ1Agc2VydmVyIHRha2VzIGZyb20gaXRzIHBsYXRmb3JtLiBJdHMgdmFsaWRhdG9yIG9mIEpTT04gU2NoZW1hICgzMDAgS0IpIGNoZWNrcyBhbnN3ZXJzIG9mIHVzZXJzIHRvIHF1ZXN0aW9uc1xuICogb2YgYSBzZXJ2ZXI7IG91cnMgYXNrcyBub25lLlxuICovXG5jb25zdCBNQ1BfUExBVEZPUk0gPSBgZXhwb3J0IHsgZGVmYXVsdCBhcyBwcm9jZXNzIH0gZnJvbSBcIm5vZGU6cHJvY2Vzc1wiO1xuZXhwb3J0IGNsYXNzIERlZmF1bHRKc29uU2NoZW1hVmFsaWRhdG9yIHtcbiAgZ2V0VmFsaWRhdG9yKCkge1xuICAgIHRocm93IG5ldyBFcnJvcihcIm5vIGFuc3dlcnMgb2YgdXNlcnMgYXJlIHZhbGlkYXRlZFwiKTtcbiAgfVxufWA7XG5cbi8qKiBgaW1wb3J0IHsgeiB9YCBob2xkcyBhbGwgb2Ygem9kIGFzIG9uZSBvYmplY3QsIHdpdGggaXRzIG1lc3NhZ2VzIGluIGZvcnR5IGxhbmd1YWdlcy4gT2YgdGhpcyBvbmx5IHRoZSB1c2VkIHBhcnRzIHJlbWFpbi4gKi9cbmZ1bmN0aW9uIHdpdGhQYXJ0c09mWm9kKHRleHQ6IHN0cmluZyk6IHN0cmluZyB7XG4gIHJldHVybiB0ZXh0LnJlcGxhY2UoJ2ltcG9ydCB7IHogfSBmcm9tIFwiem9kXCInLCAnaW1wb3J0ICogYXMgeiBmcm9tIFwiem9kXCInKTtcbn1cblxuLyoqIEEgYHJlcXVpcmVgIHRoYXQgaXMgbWFkZSBhdCBydW4gdGltZSBmaW5kcyBpbnN0YWxsZWQgcGFja2FnZXMgb25seS4gVGhpcyBvbmUgaXMgYnVuZGxlZCwgYW5kIHN0aWxsIGxvYWRzIGF0IGl0cyBmaXJzdCB1c2UuICovXG5mdW5jdGlvbiB3aXRoRW5jb2Rlckluc2lkZSh0ZXh0OiBzdHJpbmcpOiBzdHJpbmcge1xuICByZXR1cm4gdGV4dC5yZXBsYWNlKCdsb2FkKFwicXJjb2RlXCIpJywgJ3JlcXVpcmUoXCJxcmNvZGVcIiknKTtcbn1cblxuY29uc3QgU0hPUlRFTkVEID1cbiAgL1tcXFxcL11ub2RlX21vZHVsZXNbXFxcXC9dKD86Y29tbWFuZGVyfEBtb2RlbGNvbnRleHRwcm90b2NvbHxhanZ8YWp2LWZvcm1hdHN8bm9kZW1haWxlcnxwZGZraXQpW1xcXFwvXS4qXFwubT9qcyQvO1xuXG4vKiogTGVhdmVzIG91dCBvZiB0aGUgYnVuZGxlIHdoYXQgd291bGQgYmUgcmVhZCBvciBpbnN0YWxsZWQgYW5kIG5ldmVyIHVzZWQuICovXG5leHBvcnQgZnVuY3Rpb24gbGlnaHRlclBhY2thZ2VzKCk6IEVzYnVpbGRQbHVnaW4ge1xuICByZXR1cm4ge1xuICAgIG5hbWU6IFwibGlnaHRlci1wYWNrYWdlc1wiLFxuICAgIHNldHVwKGJ1aWxkKSB7XG4gICAgICBmb3IgKGNvbnN0IFtuYW1lLCBmaWx0ZXJdIG9mIE9iamVjdC5lbnRyaWVzKFVOVVNFRCkpIHtcbiAgICAgICAgYnVpbGQub25SZXNvbHZlKHsgZmlsdGVyIH0sICh7IGltcG9ydGVyIH0pID0+XG4gICAgICAgICAgb2ZQYWNrYWdlKGltcG9ydGVyLCBuYW1lKSA/IHsgcGF0aDogXCJ1bnVzZWRcIiwgbmFtZXNwYWNlOiBcInVudXNlZFwiIH0gOiB1bmRlZmluZWQsXG4gICAgICAgICk7XG4gICAgICB9XG4gICAgICBidWlsZC5vbkxvYWQoeyBmaWx0ZXI6IC8uLywgbmFtZXNwYWNlOiBcInVudXNlZFwiIH0sICgpID0+ICh7IGNvbnRlbnRzOiBcIm1vZHVsZS5leHBvcnRzID0ge307XCIsIGxvYWRlcjogXCJqc1wiIH0pKTtcbiAgICAgIGJ1aWxkLm9uUmVzb2x2ZSh7IGZpbHRlcjogL15AbW9kZWxjb250ZXh0cHJvdG9jb2xcXC9zZXJ2ZXJcXC9fc2hpbXMkLyB9LCAoKSA9PiAoe1xuICAgICAgICBwYXRoOiBcIm1jcC1wbGF0Zm9ybVwiLFxuICAgICAgICBuYW1lc3BhY2U6IFwibWNwLXBsYXRmb3JtXCIsXG4gICAgICB9KSk7XG4gICAgICBidWlsZC5vbkxvYWQoeyBmaWx0ZXI6IC8uLywgbmFtZXNwYWNlOiBcIm1jcC1wbGF0Zm9ybVwiIH0sICgpID0+ICh7IGNvbnRlbnRzOiBNQ1BfUExBVEZPUk0sIGxvYWRlcjogXCJqc1wiIH0pKTtcbiAgICAgIGZvciAoY29uc3QgeyBpbXBvcnRlcjogYnksIG5hbWUsIHBhdGggfSBvZiBTTUFMTEVSKSB7XG4gICAgICAgIGJ1aWxkLm9uUmVzb2x2ZSh7IGZpbHRlcjogbmV3IFJlZ0V4cChgXiR7bmFtZX0kYCkgfSwgKHsgaW1wb3J0ZXIgfSkgPT5cbiAgICAgICAgICBieSA9PT0gXCJcIiB8fCBvZlBhY2thZ2UoaW1wb3J0ZXIsIGJ5KSA/IHsgcGF0aDogcmVzb2x2ZShwYXRoKSB9IDogdW5kZWZpbmVkLFxuICAgICAgICApO1xuICAgICAgfVxuICAgICAgYnVpbGQub25Mb2FkKHsgZmlsdGVyOiAvW1xcXFwvXW5vZGVfbW9kdWxlc1tcXFxcL11oM1tcXFxcL11kaXN0W1xcXFwvXXJlc3BvbnNlXFwubWpzJC8gfSwgYXN5bmMgKHsgcGF0aCB9KSA9PiAoe1xuICAgICAgICBjb250ZW50czogd2l0aG91dFdlYkNsYXNzZXMoYXdhaXQgcmVhZEZpbGUocGF0aCwgXCJ1dGY4XCIpKSxcbiAgICAgICAgbG9hZGVyOiBcImpzXCIsXG4gICAgICB9KSk7XG4gICAgICAvLyBTaG9ydGVucyB3aGF0IGlzIHJlYWQgYXQgZXZlcnkgc3RhcnQsIGFuZCB3aGF0IHRha2VzIG1vc3Qgb2YgYW4gaW5zdGFsbGF0aW9uLiBDb21tZW50cyBpbnNpZGUgY2xhc3NlcyBhbmQgZnVuY3Rpb25zLCB3aGljaFxuICAgICAgLy8gZXNidWlsZCBrZWVwcyBvdGhlcndpc2UsIHdlcmUgYSB0aGlyZCBvZiBDb21tYW5kZXIuXG4gICAgICBidWlsZC5vbkxvYWQoeyBmaWx0ZXI6IFNIT1JURU5FRCB9LCBhc3luYyAoeyBwYXRoIH0pID0+IHtcbiAgICAgICAgY29uc3QgdGV4dCA9IGF3YWl0IHJlYWRGaWxlKHBhdGgsIFwidXRmOFwiKTtcbiAgICAgICAgY29uc3QgdXNlZCA9IG9mUGFja2FnZShwYXRoLCBcInBkZmtpdFwiKSA/IHdpdGhGb250c0luc2lkZSh0ZXh0KSA6IHRleHQ7XG4gICAgICAgIGNvbnN0IHsgY29kZSB9ID0gYXdhaXQgYnVpbGQuZXNidWlsZC50cmFuc2Zvcm0odXNlZCwgeyBtaW5pZnlXaGl0ZXNwYWNlOiB0cnVlLCBtaW5pZnlTeW50YXg6IHRydWUgfSk7XG4gICAgICAgIHJldHVybiB7IGNvbnRlbnRzOiBjb2RlLCBsb2FkZXI6IFwianNcIiB9O1xuICAgICAgfSk7XG4gICAgICBidWlsZC5vbkxvYWQoeyBmaWx0ZXI6IC9bXFxcXC9dc3JjW1xcXFwvXS4qXFwudHMkLyB9LCBhc3luYyAoeyBwYXRoIH0pID0+IHtcbiAgICAgICAgY29uc3QgdGV4dCA9IGF3YWl0IHJlYWRGaWxlKHBhdGgsIFwidXRmOFwiKTtcbiAgICAgICAgY29uc3QgbGlnaHRlciA9IHdpdGhFbmNvZGVySW5zaWRlKHdpdGhQYXJ0c09mWm9kKHRleHQpKTtcbiAgICAgICAgcmV0dXJuIGxpZ2h0ZXIgPT09IHRleHQgPyB1bmRlZmluZWQgOiB7IGNvbnRlbnRzOiBsaWdodGVyLCBsb2FkZXI6IFwidHNcIiB9O1xuICAgICAgfSk7XG4gICAgfSxcbiAgfTtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL3BhY2stc3FsaXRlLm1qc1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0c1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9wYWNrLXNxbGl0ZS5tanNcIjsvLyBAdHMtY2hlY2tcbi8vIFVzYWdlOiBub2RlIHNjcmlwdHMvcGFjay1zcWxpdGUubWpzXG4vLyBDb21wcmVzc2VzIHRoZSBuYXRpdmUgYmluYXJpZXMgb2YgQHBob3Rvc3RydWN0dXJlL3NxbGl0ZSBpbnRvIGRpc3Qvc3FsaXRlLCBhcyBzbWFsbCBhcyBjYW4gYmUsIGZvciB0aGVcbi8vIHBhY2thZ2UuIEFuIG9yZGluYXJ5IGJ1aWxkIGNhbGxzIGBwYWNrU3FsaXRlYCB0b28sIGFuZCB0YWtlcyBsZXNzIHRpbWUgZm9yIGxhcmdlciBmaWxlcy5cbmltcG9ydCBhc3NlcnQgZnJvbSBcIm5vZGU6YXNzZXJ0L3N0cmljdFwiO1xuaW1wb3J0IHsgY3JlYXRlSGFzaCB9IGZyb20gXCJub2RlOmNyeXB0b1wiO1xuaW1wb3J0IHsgbWtkaXIsIHJlYWRkaXIsIHJlYWRGaWxlLCBybSwgd3JpdGVGaWxlIH0gZnJvbSBcIm5vZGU6ZnMvcHJvbWlzZXNcIjtcbmltcG9ydCB7IGpvaW4gfSBmcm9tIFwibm9kZTpwYXRoXCI7XG5pbXBvcnQgeyBmaWxlVVJMVG9QYXRoIH0gZnJvbSBcIm5vZGU6dXJsXCI7XG5pbXBvcnQgeyBwcm9taXNpZnkgfSBmcm9tIFwibm9kZTp1dGlsXCI7XG5pbXBvcnQgeyBicm90bGlDb21wcmVzcywgY29uc3RhbnRzIH0gZnJvbSBcIm5vZGU6emxpYlwiO1xuaW1wb3J0IHsgaW5zdGFsbFNxbGl0ZSwgU1FMSVRFX1BBQ0tBR0VTIH0gZnJvbSBcIi4vaW5zdGFsbC1zcWxpdGUubWpzXCI7XG5cbmNvbnN0IEJJTkFSSUVTID0gam9pbihTUUxJVEVfUEFDS0FHRVMsIFwiQHBob3Rvc3RydWN0dXJlXCIsIFwic3FsaXRlXCIsIFwicHJlYnVpbGRzXCIpO1xuY29uc3QgRk9MREVSID0gXCJkaXN0L3NxbGl0ZVwiO1xuLyoqIExldmVscyBvZiBCcm90bGkuIFRoZSBxdWljayBvbmUgdGFrZXMgYSBzZWNvbmQgb2YgdGhlIHByb2Nlc3NvciBmb3IgYSBxdWFydGVyIG1vcmUgYnl0ZXMsIHRoZSBvdGhlciBtb3JlIHRoYW4gYSBtaW51dGUuICovXG5jb25zdCBRVUFMSVRZID0geyBxdWljazogNCwgc21hbGw6IDExIH07XG5cbmNvbnN0IGNvbXByZXNzID0gcHJvbWlzaWZ5KGJyb3RsaUNvbXByZXNzKTtcblxuLyoqXG4gKiBXcml0ZXMgZWFjaCBiaW5hcnkgYXMgYGxpbnV4LXg2NC1tdXNsLm5vZGUuYnJgLCBhbmQgdGhlIFNIQS0yNTYgb2YgYWxsIG9mIHRoZW0gaW50byBgYmluYXJpZXMuanNvbmAuIERvZXMgbm90aGluZyB3aGVuXG4gKiB0aGVzZSBiaW5hcmllcyBhcmUgdGhlcmUgYWxyZWFkeS5cbiAqIEBwYXJhbSB7XCJxdWlja1wiIHwgXCJzbWFsbFwifSBsZXZlbFxuICovXG5leHBvcnQgYXN5bmMgZnVuY3Rpb24gcGFja1NxbGl0ZShsZXZlbCkge1xuICBpbnN0YWxsU3FsaXRlKCk7XG4gIC8qKiBAdHlwZSB7UmVjb3JkPHN0cmluZywgc3RyaW5nPn0gKi9cbiAgY29uc3Qgc3VtcyA9IHt9O1xuICAvKiogQHR5cGUge1tuYW1lOiBzdHJpbmcsIGJ5dGVzOiBCdWZmZXJdW119ICovXG4gIGNvbnN0IGJpbmFyaWVzID0gW107XG4gIGZvciAoY29uc3QgcGF0aCBvZiAoYXdhaXQgcmVhZGRpcihCSU5BUklFUywgeyByZWN1cnNpdmU6IHRydWUgfSkpLnNvcnQoKSkge1xuICAgIGlmICghcGF0aC5lbmRzV2l0aChcIi5ub2RlXCIpKSBjb250aW51ZTtcbiAgICBjb25zdCBbcGxhdGZvcm0gPSBcIlwiLCBmaWxlID0gXCJcIl0gPSBwYXRoLnJlcGxhY2VBbGwoXCJcXFxcXCIsIFwiL1wiKS5zcGxpdChcIi9cIik7XG4gICAgY29uc3QgbmFtZSA9IGZpbGUuZW5kc1dpdGgoXCIubXVzbC5ub2RlXCIpID8gYCR7cGxhdGZvcm19LW11c2xgIDogcGxhdGZvcm07XG4gICAgYXNzZXJ0KHN1bXNbbmFtZV0gPT09IHVuZGVmaW5lZCwgYFRoZXJlIGFyZSB0d28gYmluYXJpZXMgZm9yICR7bmFtZX1gKTtcbiAgICBjb25zdCBieXRlcyA9IGF3YWl0IHJlYWRGaWxlKGpvaW4oQklOQVJJRVMsIHBhdGgpKTtcbiAgICBzdW1zW25hbWVdID0gY3JlYXRlSGFzaChcInNoYTI1NlwiKS51cGRhdGUoYnl0ZXMpLmRpZ2VzdChcImhleFwiKTtcbiAgICBiaW5hcmllcy5wdXNoKFtuYW1lLCBieXRlc10pO1xuICB9XG4gIGFzc2VydChiaW5hcmllcy5sZW5ndGggPiAwLCBgJHtCSU5BUklFU30gaGFzIG5vIGJpbmFyaWVzYCk7XG4gIGNvbnN0IGxpc3QgPSBgJHtKU09OLnN0cmluZ2lmeShzdW1zLCBudWxsLCAyKX1cXG5gO1xuICBpZiAobGV2ZWwgPT09IFwicXVpY2tcIiAmJiAoYXdhaXQgdGV4dE9mKGpvaW4oRk9MREVSLCBcImJpbmFyaWVzLmpzb25cIikpKSA9PT0gbGlzdCkgcmV0dXJuO1xuICBhd2FpdCBybShGT0xERVIsIHsgcmVjdXJzaXZlOiB0cnVlLCBmb3JjZTogdHJ1ZSB9KTtcbiAgYXdhaXQgbWtkaXIoRk9MREVSLCB7IHJlY3Vyc2l2ZTogdHJ1ZSB9KTtcbiAgYXdhaXQgUHJvbWlzZS5hbGwoXG4gICAgYmluYXJpZXMubWFwKGFzeW5jIChbbmFtZSwgYnl0ZXNdKSA9PiB7XG4gICAgICBjb25zdCBwYXJhbXMgPSB7XG4gICAgICAgIFtjb25zdGFudHMuQlJPVExJX1BBUkFNX1FVQUxJVFldOiBRVUFMSVRZW2xldmVsXSxcbiAgICAgICAgW2NvbnN0YW50cy5CUk9UTElfUEFSQU1fTEdXSU5dOiBjb25zdGFudHMuQlJPVExJX01BWF9XSU5ET1dfQklUUyxcbiAgICAgICAgW2NvbnN0YW50cy5CUk9UTElfUEFSQU1fU0laRV9ISU5UXTogYnl0ZXMubGVuZ3RoLFxuICAgICAgfTtcbiAgICAgIGF3YWl0IHdyaXRlRmlsZShqb2luKEZPTERFUiwgYCR7bmFtZX0ubm9kZS5icmApLCBhd2FpdCBjb21wcmVzcyhieXRlcywgeyBwYXJhbXMgfSkpO1xuICAgIH0pLFxuICApO1xuICAvLyBMYXN0OiBhIGJ1aWxkIHRoYXQgd2FzIGludGVycnVwdGVkIGlzIG1hZGUgYWdhaW4uXG4gIGF3YWl0IHdyaXRlRmlsZShqb2luKEZPTERFUiwgXCJiaW5hcmllcy5qc29uXCIpLCBsaXN0KTtcbn1cblxuLyoqIEBwYXJhbSB7c3RyaW5nfSBmaWxlICovXG5hc3luYyBmdW5jdGlvbiB0ZXh0T2YoZmlsZSkge1xuICByZXR1cm4gcmVhZEZpbGUoZmlsZSwgXCJ1dGY4XCIpLmNhdGNoKCgpID0+IG51bGwpO1xufVxuXG5pZiAocHJvY2Vzcy5hcmd2WzFdID09PSBmaWxlVVJMVG9QYXRoKGltcG9ydC5tZXRhLnVybCkpIGF3YWl0IHBhY2tTcWxpdGUoXCJzbWFsbFwiKTtcbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL3ByZWNvbXB1dGUtY29tbWFuZC10cmVlLnRzXCI7Y29uc3QgX19pbmplY3RlZF9kaXJuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzXCI7Y29uc3QgX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyA9IFwiZmlsZTovLy90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL3ByZWNvbXB1dGUtY29tbWFuZC10cmVlLnRzXCI7aW1wb3J0IHsgYmFzZW5hbWUgfSBmcm9tIFwibm9kZTpwYXRoXCI7XG5pbXBvcnQgeyB0eXBlIEVzYnVpbGRQbHVnaW4sIGV2YWx1YXRlLCB0b0xpdGVyYWwgfSBmcm9tIFwiLi9ldmFsdWF0ZS1tb2R1bGUuanNcIjtcblxudHlwZSBDb21tYW5kVHJlZSA9IFBpY2s8XG4gIHR5cGVvZiBpbXBvcnQoXCIuLi9zcmMvY2xpL3RyZWUvY29tbWFuZC10cmVlLmpzXCIpLFxuICBcImNvbW1hbmROb3Vuc1wiIHwgXCJjb21tYW5kc09mXCIgfCBcImNvbW1hbmRIZWxwXCJcbj47XG5jb25zdCBOT19IRUxQID0geyBjb21tYW5kczoge30sIGVycm9yczoge30gfSBhcyBSZXR1cm5UeXBlPENvbW1hbmRUcmVlW1wiY29tbWFuZEhlbHBcIl0+O1xudHlwZSBSb3V0ZXMgPSB0eXBlb2YgaW1wb3J0KFwiLi4vc3JjL2NsaS90cmVlL3JvdXRlLXRhYmxlLmpzXCIpO1xuXG5jb25zdCBURVhUUyA9IFwiY29tbWFuZC10ZXh0c1wiO1xuLyoqIFRoZSBuYW1lIG9mIHRoZSBmaWxlIHdpdGggdGhlIGhlbHAgb2YgYWxsIG9wZXJhdGlvbnMuICovXG5jb25zdCBIRUxQID0gXCJjb21tYW5kLWhlbHBcIjtcblxuLyoqXG4gKiBUaGUgY29tbWFuZHMgb2YgZWFjaCBub3VuIGFyZSBpbiBhIGZpbGUgb2YgdGhlaXIgb3duLiBNb3N0IGNvbW1hbmRzIHJlYWQgb25lIG9mIHRoZXNlIGZpbGVzLCBhbmQgbm8gY29tbWFuZCB3YWl0cyBmb3JcbiAqIHRoZSBvdGhlcnMgdG8gYmUgcGFyc2VkLlxuICovXG5mdW5jdGlvbiBjb21tYW5kVHJlZVRleHQoeyBjb21tYW5kTm91bnMgfTogQ29tbWFuZFRyZWUpOiBzdHJpbmcge1xuICBjb25zdCBub3VucyA9IGNvbW1hbmROb3Vucy5tYXAoKHsgbm91biB9KSA9PiBub3VuKTtcbiAgcmV0dXJuIFtcbiAgICBgaW1wb3J0IHsgcmVhZEZpbGVTeW5jIH0gZnJvbSBcIm5vZGU6ZnNcIjtgLFxuICAgIGBpbXBvcnQgaGVscCBmcm9tIFwiJHtURVhUU306JHtIRUxQfVwiO2AsXG4gICAgLi4ubm91bnMubWFwKChub3VuLCBpbmRleCkgPT4gYGltcG9ydCBmaWxlJHtpbmRleH0gZnJvbSBcIiR7VEVYVFN9OiR7bm91bn1cIjtgKSxcbiAgICBgY29uc3QgZmlsZXMgPSB7JHtub3Vucy5tYXAoKG5vdW4sIGluZGV4KSA9PiBgJHtKU09OLnN0cmluZ2lmeShub3VuKX06IGZpbGUke2luZGV4fWApfX07YCxcbiAgICBgY29uc3QgcmVhZCA9IChmaWxlKSA9PiBKU09OLnBhcnNlKHJlYWRGaWxlU3luYyhuZXcgVVJMKGZpbGUsIGltcG9ydC5tZXRhLnVybCksIFwidXRmOFwiKSk7YCxcbiAgICBgZXhwb3J0IGNvbnN0IGNvbW1hbmRIZWxwID0gKCkgPT4gcmVhZChoZWxwKTtgLFxuICAgIGBleHBvcnQgY29uc3QgY29tbWFuZE5vdW5zID0gJHt0b0xpdGVyYWwoY29tbWFuZE5vdW5zKX07YCxcbiAgICBgZXhwb3J0IGNvbnN0IGNvbW1hbmRzT2YgPSAobm91bikgPT4gKE9iamVjdC5oYXNPd24oZmlsZXMsIG5vdW4pID8gcmVhZChmaWxlc1tub3VuXSkgOiBbXSk7YCxcbiAgXS5qb2luKFwiXFxuXCIpO1xufVxuXG5mdW5jdGlvbiByb3V0ZXNUZXh0KHsgcm91dGVzIH06IFJvdXRlcyk6IHN0cmluZyB7XG4gIHJldHVybiBgZXhwb3J0IGNvbnN0IHJvdXRlcyA9ICgpID0+IEpTT04ucGFyc2UoJHtKU09OLnN0cmluZ2lmeSh0b0xpdGVyYWwocm91dGVzKCkpKX0pO2A7XG59XG5cbmNvbnN0IENPTU1BTkRfVFJFRSA9IC9bXFxcXC9dc3JjW1xcXFwvXWNsaVtcXFxcL110cmVlW1xcXFwvXWNvbW1hbmQtdHJlZVxcLnRzJC87XG5jb25zdCBST1VURVMgPSAvW1xcXFwvXXNyY1tcXFxcL11jbGlbXFxcXC9ddHJlZVtcXFxcL11yb3V0ZS10YWJsZVxcLnRzJC87XG5cbi8qKlxuICogUmVwbGFjZXMgdGhlIG1vZHVsZXMgYHNyYy9jbGkvdHJlZS9jb21tYW5kLXRyZWUudHNgIGFuZCBgcm91dGUtdGFibGUudHNgIGluIHRoZSBidWlsZCBieSB0aGVpciBjb21wdXRlZCB2YWx1ZXMuXG4gKlxuICogSW4gdGhlIHNvdXJjZSwgdGhlc2UgbW9kdWxlcyBkZXJpdmUgdGhlaXIgdmFsdWVzIGZyb20gdGhlIHJlZ2lzdHJ5LCBzbyB0aGV5IGxvYWQgYWxsIG9wZXJhdGlvbnMgd2l0aCB0aGVpciB6b2RcbiAqIHNjaGVtYXMsIGFuZCBhbGwgY29tbWFuZHMuIEEgY2xpZW50IGNvbW1hbmQgc3VjaCBhcyBgcWEtcGF5IGNoYXJnZXMgZ2V0YCBuZWVkcyBvbmx5IHRoZSByZXN1bHQ6IG5hbWVzLCBmbGFncyBhbmQgaGVscFxuICogdGV4dHMuIFdpdGggdGhlIGNvbXB1dGVkIHZhbHVlcywgY2xpZW50IGNvbW1hbmRzIGxvYWQgbmVpdGhlciB6b2Qgbm9yIGEgbmF0aXZlIG1vZHVsZSwgYW5kIHN0YXJ0IGluIGhhbGYgdGhlIHRpbWUuXG4gKi9cbmV4cG9ydCBmdW5jdGlvbiBwcmVjb21wdXRlQ29tbWFuZFRyZWUoKTogRXNidWlsZFBsdWdpbiB7XG4gIHJldHVybiB7XG4gICAgbmFtZTogXCJwcmVjb21wdXRlLWNvbW1hbmQtdHJlZVwiLFxuICAgIHNldHVwKGJ1aWxkKSB7XG4gICAgICBsZXQgdHJlZTogQ29tbWFuZFRyZWUgPSB7IGNvbW1hbmROb3VuczogW10sIGNvbW1hbmRzT2Y6ICgpID0+IFtdLCBjb21tYW5kSGVscDogKCkgPT4gTk9fSEVMUCB9O1xuICAgICAgYnVpbGQub25Mb2FkKHsgZmlsdGVyOiBDT01NQU5EX1RSRUUgfSwgYXN5bmMgKCkgPT4ge1xuICAgICAgICBjb25zdCB7IHZhbHVlcywgaW5wdXRzIH0gPSBhd2FpdCBldmFsdWF0ZTxDb21tYW5kVHJlZT4oYnVpbGQuZXNidWlsZCwgXCJzcmMvY2xpL3RyZWUvY29tbWFuZC10cmVlLnRzXCIpO1xuICAgICAgICB0cmVlID0gdmFsdWVzO1xuICAgICAgICByZXR1cm4geyBjb250ZW50czogY29tbWFuZFRyZWVUZXh0KHZhbHVlcyksIGxvYWRlcjogXCJqc1wiLCB3YXRjaEZpbGVzOiBpbnB1dHMgfTtcbiAgICAgIH0pO1xuICAgICAgYnVpbGQub25SZXNvbHZlKHsgZmlsdGVyOiBuZXcgUmVnRXhwKGBeJHtURVhUU306YCkgfSwgKHsgcGF0aCB9KSA9PiAoe1xuICAgICAgICBwYXRoOiBgJHtwYXRoLnNsaWNlKFRFWFRTLmxlbmd0aCArIDEpfS5qc29uYCxcbiAgICAgICAgbmFtZXNwYWNlOiBURVhUUyxcbiAgICAgIH0pKTtcbiAgICAgIGJ1aWxkLm9uTG9hZCh7IGZpbHRlcjogLy4vLCBuYW1lc3BhY2U6IFRFWFRTIH0sICh7IHBhdGggfSkgPT4ge1xuICAgICAgICBjb25zdCBuYW1lID0gYmFzZW5hbWUocGF0aCwgXCIuanNvblwiKTtcbiAgICAgICAgcmV0dXJuIHsgY29udGVudHM6IHRvTGl0ZXJhbChuYW1lID09PSBIRUxQID8gdHJlZS5jb21tYW5kSGVscCgpIDogdHJlZS5jb21tYW5kc09mKG5hbWUpKSwgbG9hZGVyOiBcImZpbGVcIiB9O1xuICAgICAgfSk7XG4gICAgICBidWlsZC5vbkxvYWQoeyBmaWx0ZXI6IFJPVVRFUyB9LCBhc3luYyAoKSA9PiB7XG4gICAgICAgIGNvbnN0IHsgdmFsdWVzLCBpbnB1dHMgfSA9IGF3YWl0IGV2YWx1YXRlPFJvdXRlcz4oYnVpbGQuZXNidWlsZCwgXCJzcmMvY2xpL3RyZWUvcm91dGUtdGFibGUudHNcIik7XG4gICAgICAgIHJldHVybiB7IGNvbnRlbnRzOiByb3V0ZXNUZXh0KHZhbHVlcyksIGxvYWRlcjogXCJqc1wiLCB3YXRjaEZpbGVzOiBpbnB1dHMgfTtcbiAgICAgIH0pO1xuICAgIH0sXG4gIH07XG59XG4iLCAiY29uc3QgX19pbmplY3RlZF9maWxlbmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9ldmFsdWF0ZS1tb2R1bGUudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHNcIjtjb25zdCBfX2luamVjdGVkX2ltcG9ydF9tZXRhX3VybF9fID0gXCJmaWxlOi8vL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvZXZhbHVhdGUtbW9kdWxlLnRzXCI7aW1wb3J0IHsgbWtkaXIsIHJtLCB3cml0ZUZpbGUgfSBmcm9tIFwibm9kZTpmcy9wcm9taXNlc1wiO1xuaW1wb3J0IHsgYmFzZW5hbWUsIGpvaW4gfSBmcm9tIFwibm9kZTpwYXRoXCI7XG5pbXBvcnQgeyBwYXRoVG9GaWxlVVJMIH0gZnJvbSBcIm5vZGU6dXJsXCI7XG5pbXBvcnQgdHlwZSB7IE9wdGlvbnMgfSBmcm9tIFwidHN1cFwiO1xuaW1wb3J0IHsgcmF3VGV4dCB9IGZyb20gXCIuL3Jhdy10ZXh0LmpzXCI7XG5cbi8qKiBFdmFsdWF0ZXMgYSBtb2R1bGUgb2YgdGhlIHNvdXJjZSBkdXJpbmcgdGhlIGJ1aWxkLCBzbyB0aGF0IHRoZSBidWlsZCBjYW4gcmVwbGFjZSB0aGUgbW9kdWxlIGJ5IGl0cyB2YWx1ZXMuICovXG5cbmV4cG9ydCB0eXBlIEVzYnVpbGRQbHVnaW4gPSBOb25OdWxsYWJsZTxPcHRpb25zW1wiZXNidWlsZFBsdWdpbnNcIl0+W251bWJlcl07XG5leHBvcnQgdHlwZSBFc2J1aWxkQXBpID0gUGFyYW1ldGVyczxFc2J1aWxkUGx1Z2luW1wic2V0dXBcIl0+WzBdW1wiZXNidWlsZFwiXTtcblxuLyoqIEJ1bmRsZXMgYSBtb2R1bGUgd2l0aG91dCBpdHMgcGFja2FnZXMsIGFuZCBpbXBvcnRzIHRoZSBidW5kbGUsIGJlY2F1c2UgTm9kZSBjYW5ub3QgaW1wb3J0IFR5cGVTY3JpcHQuICovXG5leHBvcnQgYXN5bmMgZnVuY3Rpb24gZXZhbHVhdGU8VmFsdWVzPihcbiAgZXNidWlsZDogRXNidWlsZEFwaSxcbiAgcGF0aDogc3RyaW5nLFxuKTogUHJvbWlzZTx7IHZhbHVlczogVmFsdWVzOyBpbnB1dHM6IHN0cmluZ1tdIH0+IHtcbiAgY29uc3QgYnVuZGxlID0gYXdhaXQgZXNidWlsZC5idWlsZCh7XG4gICAgZW50cnlQb2ludHM6IFtwYXRoXSxcbiAgICBidW5kbGU6IHRydWUsXG4gICAgd3JpdGU6IGZhbHNlLFxuICAgIG1ldGFmaWxlOiB0cnVlLFxuICAgIGxvZ0xldmVsOiBcInNpbGVudFwiLFxuICAgIGZvcm1hdDogXCJlc21cIixcbiAgICBwbGF0Zm9ybTogXCJub2RlXCIsXG4gICAgdGFyZ2V0OiBcIm5vZGUyMFwiLFxuICAgIHBhY2thZ2VzOiBcImV4dGVybmFsXCIsXG4gICAgcGx1Z2luczogW3Jhd1RleHQoKV0sXG4gIH0pO1xuICBjb25zdCBjb2RlID0gYnVuZGxlLm91dHB1dEZpbGVzWzBdPy5jb250ZW50cyA/PyBcIlwiO1xuXG4gIC8vIFRoZSBmaWxlIGlzIGluc2lkZSBub2RlX21vZHVsZXMsIHNvIHRoYXQgaXQgY2FuIGltcG9ydCB0aGUgcGFja2FnZXMuIEl0cyBuYW1lIGhhcyB0aGUgcHJvY2VzcyBpZCwgYmVjYXVzZSB0d29cbiAgLy8gYnVpbGRzIG1heSBydW4gYXQgdGhlIHNhbWUgdGltZS5cbiAgY29uc3QgZm9sZGVyID0gam9pbihcIm5vZGVfbW9kdWxlc1wiLCBcIi5jYWNoZVwiLCBcInFhLXBheVwiKTtcbiAgY29uc3QgZmlsZSA9IGpvaW4oZm9sZGVyLCBgJHtiYXNlbmFtZShwYXRoLCBcIi50c1wiKX0tJHtwcm9jZXNzLnBpZH0ubWpzYCk7XG4gIGF3YWl0IG1rZGlyKGZvbGRlciwgeyByZWN1cnNpdmU6IHRydWUgfSk7XG4gIGF3YWl0IHdyaXRlRmlsZShmaWxlLCBjb2RlKTtcbiAgdHJ5IHtcbiAgICBjb25zdCB2YWx1ZXM6IFZhbHVlcyA9IGF3YWl0IGltcG9ydChwYXRoVG9GaWxlVVJMKGZpbGUpLmhyZWYpO1xuICAgIHJldHVybiB7IHZhbHVlcywgaW5wdXRzOiBPYmplY3Qua2V5cyhidW5kbGUubWV0YWZpbGUuaW5wdXRzKSB9O1xuICB9IGZpbmFsbHkge1xuICAgIGF3YWl0IHJtKGZpbGUsIHsgZm9yY2U6IHRydWUgfSk7XG4gIH1cbn1cblxuLyoqIFdyaXRlcyBhIHZhbHVlIGFzIEpTT04uIFRocm93cyB3aGVuIEpTT04gd291bGQgbG9zZSBhIHBhcnQgb2YgaXQ6IHRoZSBidWlsZCBtdXN0IGVxdWFsIHRoZSBzb3VyY2UgdGhhdCBpcyB0ZXN0ZWQuICovXG5leHBvcnQgZnVuY3Rpb24gdG9MaXRlcmFsKHZhbHVlOiBvYmplY3QpOiBzdHJpbmcge1xuICByZXR1cm4gSlNPTi5zdHJpbmdpZnkodmFsdWUsIChrZXksIHZhbHVlOiB1bmtub3duKSA9PiB7XG4gICAgaWYgKGlzUGxhaW5EYXRhKHZhbHVlKSkgcmV0dXJuIHZhbHVlO1xuICAgIHRocm93IG5ldyBFcnJvcihgXCIke2tleX1cIiBpcyBub3QgcGxhaW4gZGF0YSAoJHt0eXBlb2YgdmFsdWV9KSwgc28gdGhlIGJ1aWxkIGNhbm5vdCB3cml0ZSBpdGApO1xuICB9KTtcbn1cblxuZnVuY3Rpb24gaXNQbGFpbkRhdGEodmFsdWU6IHVua25vd24pOiBib29sZWFuIHtcbiAgaWYgKHR5cGVvZiB2YWx1ZSA9PT0gXCJudW1iZXJcIikgcmV0dXJuIE51bWJlci5pc0Zpbml0ZSh2YWx1ZSk7XG4gIGlmICh0eXBlb2YgdmFsdWUgIT09IFwib2JqZWN0XCIpIHJldHVybiBbXCJzdHJpbmdcIiwgXCJib29sZWFuXCIsIFwidW5kZWZpbmVkXCJdLmluY2x1ZGVzKHR5cGVvZiB2YWx1ZSk7XG4gIHJldHVybiB2YWx1ZSA9PT0gbnVsbCB8fCBBcnJheS5pc0FycmF5KHZhbHVlKSB8fCBPYmplY3QuZ2V0UHJvdG90eXBlT2YodmFsdWUpID09PSBPYmplY3QucHJvdG90eXBlO1xufVxuIiwgImNvbnN0IF9faW5qZWN0ZWRfZmlsZW5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvcmF3LXRleHQudHNcIjtjb25zdCBfX2luamVjdGVkX2Rpcm5hbWVfXyA9IFwiL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHNcIjtjb25zdCBfX2luamVjdGVkX2ltcG9ydF9tZXRhX3VybF9fID0gXCJmaWxlOi8vL3RtcC93dC9jb25zb2xlLXBhZ2VzL3NjcmlwdHMvcmF3LXRleHQudHNcIjtpbXBvcnQgeyByZWFkRmlsZSB9IGZyb20gXCJub2RlOmZzL3Byb21pc2VzXCI7XG5pbXBvcnQgeyBqb2luIH0gZnJvbSBcIm5vZGU6cGF0aFwiO1xuaW1wb3J0IHR5cGUgeyBPcHRpb25zIH0gZnJvbSBcInRzdXBcIjtcblxudHlwZSBFc2J1aWxkUGx1Z2luID0gTm9uTnVsbGFibGU8T3B0aW9uc1tcImVzYnVpbGRQbHVnaW5zXCJdPltudW1iZXJdO1xuXG5jb25zdCBTVUZGSVggPSBcIj9yYXdcIjtcblxuLyoqIE1ha2VzIGBpbXBvcnQgdGV4dCBmcm9tIFwiLi9maWxlP3Jhd1wiYCBpbXBvcnQgYSBmaWxlIGFzIHRleHQsIGxpa2UgVml0ZTogZm9yIFNRTCwgc3R5bGVzIGFuZCBwYWdlIHNjcmlwdHMuICovXG5leHBvcnQgZnVuY3Rpb24gcmF3VGV4dCgpOiBFc2J1aWxkUGx1Z2luIHtcbiAgcmV0dXJuIHtcbiAgICBuYW1lOiBcInJhdy10ZXh0XCIsXG4gICAgc2V0dXAoYnVpbGQpIHtcbiAgICAgIGJ1aWxkLm9uUmVzb2x2ZSh7IGZpbHRlcjogL1xcP3JhdyQvIH0sICh7IHBhdGgsIHJlc29sdmVEaXIgfSkgPT4gKHtcbiAgICAgICAgLy8gV2l0aCB0aGUgc3VmZml4OiB0c3VwIHRha2VzIGEgcGF0aCB0aGF0IGVuZHMgd2l0aCAuY3NzIGZvciBhIHN0eWxlIHNoZWV0IG9mIGl0cyBvd24uXG4gICAgICAgIHBhdGg6IGpvaW4ocmVzb2x2ZURpciwgcGF0aCksXG4gICAgICAgIG5hbWVzcGFjZTogXCJyYXctdGV4dFwiLFxuICAgICAgfSkpO1xuICAgICAgYnVpbGQub25Mb2FkKHsgZmlsdGVyOiAvLi8sIG5hbWVzcGFjZTogXCJyYXctdGV4dFwiIH0sIGFzeW5jICh7IHBhdGggfSkgPT4gKHtcbiAgICAgICAgY29udGVudHM6IGF3YWl0IHJlYWRGaWxlKHBhdGguc2xpY2UoMCwgLVNVRkZJWC5sZW5ndGgpLCBcInV0ZjhcIiksXG4gICAgICAgIGxvYWRlcjogXCJ0ZXh0XCIsXG4gICAgICAgIHdhdGNoRmlsZXM6IFtwYXRoLnNsaWNlKDAsIC1TVUZGSVgubGVuZ3RoKV0sXG4gICAgICB9KSk7XG4gICAgfSxcbiAgfTtcbn1cbiIsICJjb25zdCBfX2luamVjdGVkX2ZpbGVuYW1lX18gPSBcIi90bXAvd3QvY29uc29sZS1wYWdlcy9zY3JpcHRzL3ByZWNvbXB1dGUtY29uc29sZS1mYWN0cy50c1wiO2NvbnN0IF9faW5qZWN0ZWRfZGlybmFtZV9fID0gXCIvdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0c1wiO2NvbnN0IF9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18gPSBcImZpbGU6Ly8vdG1wL3d0L2NvbnNvbGUtcGFnZXMvc2NyaXB0cy9wcmVjb21wdXRlLWNvbnNvbGUtZmFjdHMudHNcIjtpbXBvcnQgeyB0eXBlIEVzYnVpbGRQbHVnaW4sIGV2YWx1YXRlLCB0b0xpdGVyYWwgfSBmcm9tIFwiLi9ldmFsdWF0ZS1tb2R1bGUuanNcIjtcblxuLyoqXG4gKiBSZXBsYWNlcyB0aGUgbW9kdWxlcyBgcm91dGVzYCBhbmQgYGNvbW1hbmRzYCBpbiBzcmMvY29uc29sZS9icm93c2VyL2ZhY3RzIGJ5IHRoZWlyIGNvbXB1dGVkIHZhbHVlcy4gSW4gdGhlIHNvdXJjZSB0aGV5IGFyZVxuICogZGVyaXZlZCBmcm9tIHRoZSByZWdpc3RyeSwgd2hpY2ggYSBwYWdlIGNvdWxkIG5vdCBsb2FkLlxuICovXG5leHBvcnQgZnVuY3Rpb24gcHJlY29tcHV0ZUNvbnNvbGVGYWN0cygpOiBFc2J1aWxkUGx1Z2luIHtcbiAgcmV0dXJuIHtcbiAgICBuYW1lOiBcInByZWNvbXB1dGUtY29uc29sZS1mYWN0c1wiLFxuICAgIHNldHVwKGJ1aWxkKSB7XG4gICAgICBidWlsZC5vbkxvYWQoXG4gICAgICAgIHsgZmlsdGVyOiAvW1xcXFwvXXNyY1tcXFxcL11jb25zb2xlW1xcXFwvXWJyb3dzZXJbXFxcXC9dZmFjdHNbXFxcXC9dKHJvdXRlc3xjb21tYW5kcylcXC50cyQvIH0sXG4gICAgICAgIGFzeW5jICh7IHBhdGggfSkgPT4ge1xuICAgICAgICAgIGNvbnN0IG5hbWUgPSBwYXRoLmVuZHNXaXRoKFwicm91dGVzLnRzXCIpID8gXCJyb3V0ZXNcIiA6IFwiY29tbWFuZHNcIjtcbiAgICAgICAgICBjb25zdCBtb2R1bGUgPSBgc3JjL2NvbnNvbGUvYnJvd3Nlci9mYWN0cy8ke25hbWV9LnRzYDtcbiAgICAgICAgICBjb25zdCB7IHZhbHVlcywgaW5wdXRzIH0gPSBhd2FpdCBldmFsdWF0ZTxSZWNvcmQ8c3RyaW5nLCBvYmplY3Q+PihidWlsZC5lc2J1aWxkLCBtb2R1bGUpO1xuICAgICAgICAgIC8vIEEgdGV4dCBmb3IgSlNPTi5wYXJzZSBsb2FkcyBmYXN0ZXIgdGhhbiBjb2RlLlxuICAgICAgICAgIGNvbnN0IHRleHQgPSBKU09OLnN0cmluZ2lmeSh0b0xpdGVyYWwodmFsdWVzW25hbWVdID8/IHt9KSk7XG4gICAgICAgICAgcmV0dXJuIHsgY29udGVudHM6IGBleHBvcnQgY29uc3QgJHtuYW1lfSA9IEpTT04ucGFyc2UoJHt0ZXh0fSk7YCwgbG9hZGVyOiBcImpzXCIsIHdhdGNoRmlsZXM6IGlucHV0cyB9O1xuICAgICAgICB9LFxuICAgICAgKTtcbiAgICB9LFxuICB9O1xufVxuIl0sCiAgIm1hcHBpbmdzIjogIjtBQUE2TSxTQUFTLG9CQUFrQzs7O0FDQVQsU0FBUyxhQUFBQSxZQUFXLGFBQWEsZ0JBQUFDLGVBQWMscUJBQXFCO0FBQ25ULFNBQVMsU0FBUyxRQUFBQyxhQUFZOzs7QUNLOUIsU0FBUyxvQkFBb0I7QUFDN0IsU0FBUyxjQUFjLFlBQVksV0FBVyxvQkFBb0I7QUFDbEUsU0FBUyxZQUFZO0FBQ3JCLFNBQVMscUJBQXFCO0FBVGdILElBQU0sK0JBQStCO0FBV25MLElBQU0sUUFBUTtBQUVkLElBQU0sT0FBTztBQUVOLElBQU0sa0JBQWtCLEtBQUssTUFBTSxjQUFjO0FBR2pELFNBQVMsZ0JBQWdCO0FBQzlCLFFBQU0sU0FBUyxDQUF1QixXQUFXLGFBQWEsS0FBSyxRQUFRLG1CQUFtQixHQUFHLE1BQU07QUFFdkcsTUFBSSxXQUFXLEtBQUssaUJBQWlCLG9CQUFvQixDQUFDLEtBQUssT0FBTyxJQUFJLE1BQU0sT0FBTyxLQUFLLEVBQUc7QUFDL0YsWUFBVSxNQUFNLEVBQUUsV0FBVyxLQUFLLENBQUM7QUFDbkMsYUFBVyxRQUFRLENBQUMsZ0JBQWdCLG1CQUFtQixFQUFHLGNBQWEsS0FBSyxPQUFPLElBQUksR0FBRyxLQUFLLE1BQU0sSUFBSSxDQUFDO0FBQzFHLFFBQU0sUUFBUSxDQUFDLFdBQVcsb0JBQW9CLGNBQWMsYUFBYSxvQkFBb0Isa0JBQWtCO0FBQy9HLFFBQU0sUUFBUSxRQUFRLGFBQWE7QUFDbkMsZUFBYSxPQUFPLENBQUMsTUFBTSxZQUFZLE1BQU0sR0FBRyxLQUFLLEdBQUcsRUFBRSxPQUFPLE9BQU8sQ0FBQyxVQUFVLFVBQVUsU0FBUyxFQUFFLENBQUM7QUFDM0c7QUFFQSxJQUFJLFFBQVEsS0FBSyxDQUFDLE1BQU0sY0FBYyw0QkFBZSxFQUFHLGVBQWM7OztBRHZCdEUsU0FBUyxXQUFXLE9BQW9DO0FBQ3RELFNBQU8sTUFBTSxRQUFRLENBQUMsU0FBUyxzQ0FBc0MsS0FBSyxJQUFJLElBQUksQ0FBQyxLQUFLLENBQUMsQ0FBQztBQUM1RjtBQUdBLElBQU0sY0FBYyxDQUFDLDBCQUEwQixnQkFBZ0IsRUFBRSxJQUFJLENBQUMsU0FBU0MsTUFBSyxpQkFBaUIsSUFBSSxDQUFDO0FBRzFHLElBQU0sU0FBUztBQUVmLFNBQVMsaUJBQTJCO0FBQ2xDLFNBQU8sWUFBWSxNQUFNLEVBQUUsSUFBSSxDQUFDLFNBQVNDLGNBQWFELE1BQUssUUFBUSxJQUFJLEdBQUcsTUFBTSxDQUFDO0FBQ25GO0FBRUEsU0FBUyxVQUFVLFFBQXdCO0FBQ3pDLFFBQU0sRUFBRSxNQUFNLFNBQVMsUUFBUSxJQUFJLEtBQUssTUFBTUMsY0FBYUQsTUFBSyxRQUFRLGNBQWMsR0FBRyxNQUFNLENBQUM7QUFDaEcsUUFBTSxPQUFPLFlBQVksTUFBTSxFQUFFLEtBQUssQ0FBQ0UsV0FBVSxpQ0FBaUMsS0FBS0EsTUFBSyxDQUFDO0FBQzdGLE1BQUksU0FBUyxPQUFXLE9BQU0sSUFBSSxNQUFNLEdBQUcsSUFBSSxvREFBb0Q7QUFDbkcsU0FBTyxHQUFHLElBQUksSUFBSSxPQUFPLEtBQUssT0FBTztBQUFBO0FBQUEsRUFBUUQsY0FBYUQsTUFBSyxRQUFRLElBQUksR0FBRyxNQUFNLEVBQUUsS0FBSyxDQUFDO0FBQUE7QUFDOUY7QUFNTyxTQUFTLGdCQUFnQixNQUE2QjtBQUMzRCxnQkFBYztBQUNkLFFBQU0sUUFBUSxJQUFJLElBQUksV0FBVztBQUNqQyxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLE9BQU87QUFDWCxZQUFNLE1BQU0sQ0FBQyxFQUFFLFNBQVMsTUFBTTtBQUU1QixjQUFNLFNBQVMsT0FBTyxPQUFPLFVBQVUsV0FBVyxDQUFDLENBQUMsRUFBRSxRQUFRLENBQUMsV0FBVyxPQUFPLFFBQVEsT0FBTyxNQUFNLENBQUM7QUFDdkcsY0FBTSxPQUFPLE9BQU8sT0FBTyxDQUFDLENBQUMsRUFBRSxFQUFFLGNBQWMsQ0FBQyxNQUFNLGdCQUFnQixDQUFDLEVBQUUsSUFBSSxDQUFDLENBQUMsSUFBSSxNQUFNLElBQUk7QUFDN0YsbUJBQVcsVUFBVSxXQUFXLElBQUksRUFBRyxPQUFNLElBQUksTUFBTTtBQUN2RCxjQUFNRyxZQUFXLENBQUMsR0FBRyxDQUFDLEdBQUcsS0FBSyxFQUFFLElBQUksU0FBUyxHQUFHLEdBQUcsZUFBZSxDQUFDLEVBQUUsS0FBSztBQUMxRSxRQUFBQyxXQUFVLFFBQVEsSUFBSSxHQUFHLEVBQUUsV0FBVyxLQUFLLENBQUM7QUFFNUMsc0JBQWMsTUFBTUQsVUFBUyxLQUFLO0FBQUEsRUFBSyxJQUFJLE9BQU8sRUFBRSxDQUFDO0FBQUE7QUFBQSxDQUFNLENBQUM7QUFBQSxNQUM5RCxDQUFDO0FBQUEsSUFDSDtBQUFBLEVBQ0Y7QUFDRjs7O0FFakQrTixTQUFTLFVBQVUsV0FBQUUsVUFBUyxRQUFBQyxhQUFZO0FBV3ZRLElBQU0sU0FBMkM7QUFBQSxFQUMvQyxTQUFTO0FBQUEsRUFDVCxRQUFRO0FBQUEsRUFDUixTQUFTO0FBQ1g7QUFHQSxJQUFNLFVBQVUsb0JBQUksSUFBSSxDQUFDLFlBQVksV0FBVyxDQUFDO0FBR2pELElBQU0sYUFBYTtBQUVuQixJQUFNLE9BQU87QUFBQSxFQUNYLFFBQVE7QUFBQSxFQUNSLFVBQVU7QUFBQSxFQUNWLFFBQVE7QUFBQSxFQUNSLGVBQWU7QUFBQSxFQUNmLFFBQVEsRUFBRSxtQkFBbUIsWUFBWTtBQUMzQztBQUVBLElBQU0sWUFBWSxDQUFDLFNBQWlCLEtBQUssUUFBUSwrQkFBK0IsTUFBTTtBQUN0RixJQUFNLGVBQWUsQ0FBQyxTQUFpQixLQUFLLFFBQVEsb0NBQW9DLE9BQU87QUFDL0YsSUFBTSxVQUFVO0FBRWhCLElBQU0sV0FBVyxDQUFDLFNBQWlCLEtBQUssUUFBUSxTQUFTLEVBQUUsRUFBRSxXQUFXLEtBQUssR0FBRztBQUNoRixJQUFNLGVBQWUsQ0FBQyxTQUFpQixLQUFLLFFBQVEsU0FBUyxNQUFNO0FBR25FLFNBQVMsV0FBVyxTQUFrQixTQUE4QjtBQUNsRSxRQUFNLFFBQVEsb0JBQUksSUFBWTtBQUM5QixRQUFNLE1BQU0sQ0FBQyxTQUFpQjtBQUM1QixVQUFNLFNBQVMsUUFBUSxJQUFJO0FBQzNCLFFBQUksV0FBVyxVQUFhLE1BQU0sSUFBSSxTQUFTLElBQUksQ0FBQyxFQUFHO0FBQ3ZELFVBQU0sSUFBSSxTQUFTLElBQUksQ0FBQztBQUN4QixlQUFXLEVBQUUsTUFBTSxVQUFVLEtBQUssS0FBSyxPQUFPLFFBQVMsS0FBSSxTQUFTLG1CQUFvQixLQUFJLFFBQVE7QUFBQSxFQUN0RztBQUNBLGFBQVcsQ0FBQyxNQUFNLEVBQUUsYUFBYSxHQUFHLENBQUMsS0FBSyxPQUFPLFFBQVEsT0FBTyxFQUFHLEtBQUksUUFBUSxLQUFLLFVBQVUsRUFBRyxLQUFJLElBQUk7QUFDekcsU0FBTztBQUNUO0FBTUEsU0FBUyxjQUFjLFNBQXVDO0FBQzVELFFBQU0sU0FBUyxPQUFPLFFBQVEsTUFBTSxFQUFFLElBQUksQ0FBQyxDQUFDLE1BQU0sT0FBTyxPQUFPLEVBQUUsTUFBTSxPQUFPLFdBQVcsU0FBUyxPQUFPLEVBQUUsRUFBRTtBQUM5RyxRQUFNLFFBQVEsT0FBTyxLQUFLLE9BQU8sRUFBRSxJQUFJLENBQUMsU0FBUyxTQUFTLElBQUksQ0FBQztBQUMvRCxRQUFNLEtBQUssQ0FBQyxTQUFpQjtBQUMzQixVQUFNLFVBQVUsT0FBTyxPQUFPLENBQUMsRUFBRSxNQUFNLE1BQU0sTUFBTSxJQUFJLElBQUksQ0FBQyxFQUFFLElBQUksQ0FBQyxFQUFFLE1BQUFDLE1BQUssTUFBTUEsS0FBSTtBQUNwRixVQUFNLE9BQU8sUUFBUSxLQUFLLEdBQUc7QUFDN0IsV0FBTyxTQUFTLG1CQUFtQixZQUFZO0FBQUEsRUFDakQ7QUFDQSxRQUFNLFFBQVEsTUFBTSxPQUFPLENBQUMsU0FBUyxDQUFDLFFBQVEsSUFBSSxJQUFJLENBQUMsRUFBRSxJQUFJLENBQUMsU0FBUyxDQUFDLE1BQU0sR0FBRyxJQUFJLENBQUMsQ0FBVTtBQUNoRyxTQUFPLElBQUksSUFBSSxNQUFNLE9BQU8sQ0FBQyxDQUFDLEVBQUUsUUFBUSxNQUFNLGFBQWEsRUFBRSxDQUFDO0FBQ2hFO0FBR0EsU0FBUyxTQUFTLE1BQWMsVUFBK0M7QUFDN0UsUUFBTSxPQUFPLFNBQVMsSUFBSSxJQUFJO0FBQzlCLFNBQU8sU0FBUyxTQUFZLGNBQWMsYUFBYSxJQUFJLENBQUMsT0FBTyxjQUFjLElBQUksVUFBVSxTQUFTLElBQUksQ0FBQztBQUMvRztBQUdBLFNBQVMsUUFBUSxNQUFzQjtBQUVyQyxTQUFPLEtBQUssUUFBUSxpQkFBaUIsQ0FBQyxTQUFTLE1BQU0sS0FBSyxXQUFXLENBQUMsRUFBRSxTQUFTLEVBQUUsRUFBRSxTQUFTLEdBQUcsR0FBRyxDQUFDLEVBQUU7QUFDekc7QUFHQSxTQUFTLFNBQVMsTUFBYyxVQUErQztBQUM3RSxRQUFNLE9BQU8sUUFBUSxhQUFhLElBQUksQ0FBQyxFQUNwQyxRQUFRLHlCQUF5QixFQUFFLEVBQ25DLFFBQVEsZ0NBQWdDLDJDQUEyQyxFQUNuRixRQUFRLG9DQUFvQywrQ0FBK0MsRUFDM0YsUUFBUSxxQ0FBcUMsQ0FBQyxPQUFPLFNBQWlCLFNBQVMsTUFBTSxRQUFRLENBQUM7QUFDakcsUUFBTSxPQUFPLDRDQUE0QyxLQUFLLElBQUk7QUFDbEUsTUFBSSxTQUFTLEtBQU0sT0FBTSxJQUFJLE1BQU0sb0RBQW9ELEtBQUssQ0FBQyxDQUFDLEVBQUU7QUFDaEcsU0FBTyxLQUFLLFNBQVMsV0FBVyxJQUFJLGFBQWEsS0FBSyxRQUFRLGtCQUFrQixhQUFhLElBQUk7QUFDbkc7QUFHQSxTQUFTLE1BQU0sTUFBYyxVQUErQztBQUMxRSxRQUFNLE9BQU8sS0FDVixRQUFRLGtDQUFrQyxFQUFFLEVBQzVDLFFBQVEsb0RBQW9ELENBQUMsT0FBTyxPQUFlLFNBQWlCO0FBQ25HLFdBQU8sVUFBVSxNQUFNLFdBQVcsUUFBUSxJQUFJLENBQUMsT0FBTyxTQUFTLE1BQU0sUUFBUSxDQUFDO0FBQUEsRUFDaEYsQ0FBQztBQUNILFNBQU8sVUFBVTtBQUNuQjtBQUdBLGVBQWUsT0FDYixTQUNBLE9BQ0EsVUFDaUI7QUFDakIsUUFBTSxXQUFXLENBQUMsR0FBRyxNQUFNLEtBQUssQ0FBQyxFQUFFLElBQUksQ0FBQyxTQUFTLGVBQWUsU0FBUyxJQUFJLENBQUMsWUFBWSxJQUFJLElBQUksRUFBRSxLQUFLLElBQUk7QUFDN0csUUFBTSxRQUF1QjtBQUFBLElBQzNCLE1BQU07QUFBQSxJQUNOLE1BQU0sT0FBTztBQUNYLFlBQU0sVUFBVSxFQUFFLFFBQVEsUUFBUSxHQUFHLENBQUMsRUFBRSxNQUFNLEtBQUssTUFBTTtBQUN2RCxjQUFNLFdBQVcsU0FBUyxzQkFBc0IsTUFBTSxJQUFJLFNBQVMsSUFBSSxDQUFDO0FBQ3hFLGVBQU8sV0FBVyxFQUFFLE1BQU0sU0FBUyxJQUFJLEdBQUcsV0FBVyxXQUFXLElBQUksRUFBRSxNQUFNLFVBQVUsS0FBSztBQUFBLE1BQzdGLENBQUM7QUFDRCxZQUFNLE9BQU8sRUFBRSxRQUFRLEtBQUssV0FBVyxXQUFXLEdBQUcsQ0FBQyxFQUFFLEtBQUssT0FBTztBQUFBLFFBQ2xFLFVBQVUsTUFBTSxJQUFJLElBQUksS0FBSyxvQkFBb0IsU0FBUyxNQUFNLFFBQVEsQ0FBQztBQUFBLE1BQzNFLEVBQUU7QUFBQSxJQUNKO0FBQUEsRUFDRjtBQUNBLFFBQU0sT0FBTyxNQUFNLFFBQVEsTUFBTSxFQUFFLEdBQUcsTUFBTSxPQUFPLEVBQUUsU0FBUyxHQUFHLFFBQVEsTUFBTSxPQUFPLE9BQU8sU0FBUyxDQUFDLEtBQUssRUFBRSxDQUFDO0FBQy9HLFNBQU8sU0FBUyxLQUFLLFlBQVksQ0FBQyxHQUFHLFFBQVEsSUFBSSxRQUFRO0FBQzNEO0FBT08sU0FBUyxhQUE0QjtBQUMxQyxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLEVBQUUsU0FBUyxNQUFNLEdBQUc7QUFDeEIsWUFBTSxPQUFPLEVBQUUsY0FBYyxDQUFDLEdBQUcsVUFBVSxFQUFFLFFBQVEsSUFBSSxFQUFFLFNBQVMsQ0FBQyxFQUFFLEVBQUUsTUFBTTtBQUM3RSxjQUFNLFVBQVUsWUFBWSxPQUFPLENBQUMsRUFBRSxLQUFLLE1BQU0sS0FBSyxTQUFTLEtBQUssQ0FBQztBQUNyRSxjQUFNLFdBQVcsY0FBYyxPQUFPO0FBQ3RDLG1CQUFXLFFBQVEsSUFBSSxJQUFJLFNBQVMsT0FBTyxDQUFDLEdBQUc7QUFDN0MsZ0JBQU0sTUFBTSxRQUFRLE9BQU8sQ0FBQyxFQUFFLE1BQUFDLE1BQUssTUFBTSxTQUFTLElBQUksU0FBU0EsS0FBSSxDQUFDLE1BQU0sSUFBSTtBQUM5RSxnQkFBTSxRQUFRLElBQUksSUFBSSxJQUFJLElBQUksQ0FBQyxFQUFFLE1BQUFBLE9BQU0sTUFBQUMsTUFBSyxNQUFNLENBQUMsU0FBU0QsS0FBSSxHQUFHLFVBQVVDLEtBQUksQ0FBQyxDQUFDLENBQUM7QUFDcEYsZ0JBQU0sT0FBTyxNQUFNLE9BQU8sU0FBUyxPQUFPLFFBQVE7QUFDbEQsZ0JBQU0sT0FBT0MsTUFBS0MsU0FBUSxJQUFJLENBQUMsR0FBRyxRQUFRLEVBQUUsR0FBRyxHQUFHLElBQUksTUFBTTtBQUM1RCxzQkFBWSxLQUFLLEVBQUUsTUFBTSxNQUFNLFVBQVUsT0FBTyxLQUFLLElBQUksR0FBRyxNQUFNLEdBQUcsQ0FBQztBQUFBLFFBQ3hFO0FBQ0EsbUJBQVcsUUFBUSxTQUFTO0FBQzFCLGdCQUFNLE9BQU8sU0FBUyxLQUFLLElBQUk7QUFDL0IsY0FBSSxRQUFRLElBQUksSUFBSSxHQUFHO0FBQ3JCLGlCQUFLLFdBQVcsT0FBTyxLQUFLLE1BQU0sS0FBSyxNQUFNLFFBQVEsQ0FBQztBQUFBLFVBQ3hELFdBQVcsU0FBUyxJQUFJLElBQUksR0FBRztBQUM3Qix3QkFBWSxPQUFPLFlBQVksUUFBUSxJQUFJLEdBQUcsQ0FBQztBQUFBLFVBQ2pELE9BQU87QUFDTCxrQkFBTSxFQUFFLEtBQUssSUFBSSxNQUFNLFFBQVEsVUFBVSxVQUFVLEtBQUssSUFBSSxHQUFHLElBQUk7QUFDbkUsaUJBQUssV0FBVyxPQUFPLEtBQUssU0FBUyxNQUFNLFFBQVEsQ0FBQztBQUNwRCxpQkFBSyxPQUFPRCxNQUFLQyxTQUFRLEtBQUssSUFBSSxHQUFHLGFBQWEsSUFBSSxDQUFDO0FBQUEsVUFDekQ7QUFBQSxRQUNGO0FBQUEsTUFDRixDQUFDO0FBQUEsSUFDSDtBQUFBLEVBQ0Y7QUFDRjs7O0FDOUoyUSxTQUFTLE9BQU8sU0FBUyxVQUFVLElBQUksaUJBQWlCO0FBQ25VLFNBQVMsUUFBQUMsYUFBWTtBQUNyQixTQUFTLGlCQUFpQjtBQUMxQixTQUFTLHNCQUFzQjtBQUMvQixPQUFPLGNBQWM7OztBQ0p3TyxTQUFTLHFCQUFxQjtBQUMzUixPQUFPLGdCQUFnQjtBQURvSSxJQUFNQyxnQ0FBK0I7QUFXaE0sSUFBTUMsV0FBVSxjQUFjRCw2QkFBZTtBQUM3QyxJQUFNLGNBQTJCQyxTQUFRLHlCQUF5QjtBQUdsRSxTQUFTLFVBQXFDO0FBQzVDLFFBQU0sT0FBTyxvQkFBSSxJQUFvQjtBQUNyQyxTQUFPLENBQUMsVUFBVTtBQUNoQixVQUFNLE9BQU8sTUFDVixZQUFZLEVBQ1osUUFBUSxzQkFBc0IsRUFBRSxFQUNoQyxXQUFXLEtBQUssR0FBRztBQUN0QixVQUFNLFFBQVEsS0FBSyxJQUFJLElBQUksS0FBSztBQUNoQyxTQUFLLElBQUksTUFBTSxRQUFRLENBQUM7QUFDeEIsV0FBTyxVQUFVLElBQUksT0FBTyxHQUFHLElBQUksSUFBSSxLQUFLO0FBQUEsRUFDOUM7QUFDRjtBQUdBLFNBQVMsU0FBUyxNQUFjLFFBQStCO0FBQzdELE1BQUksa0JBQWtCLEtBQUssSUFBSSxFQUFHLFFBQU87QUFDekMsUUFBTSxNQUFNLElBQUksSUFBSSxNQUFNLG9CQUFvQixNQUFNLEVBQUU7QUFDdEQsTUFBSSxDQUFDLElBQUksU0FBUyxXQUFXLFFBQVEsRUFBRyxRQUFPO0FBQy9DLFNBQU8sS0FBSyxRQUFRLDJCQUEyQixjQUFjLEVBQUUsUUFBUSxlQUFlLE9BQU87QUFDL0Y7QUFFQSxTQUFTLFlBQVksTUFBYyxNQUFzQjtBQUN2RCxRQUFNLENBQUMsV0FBVyxFQUFFLElBQUksS0FBSyxNQUFNLE1BQU07QUFDekMsUUFBTSxRQUFRLGFBQWEsT0FBTyxTQUFTO0FBQzNDLFNBQU8sWUFBWSxZQUFZLEtBQUssTUFBTSxTQUFZLEtBQUssWUFBWSxVQUFVLE1BQU0sRUFBRSxVQUFVLE1BQU0sQ0FBQyxFQUFFO0FBQzlHO0FBSUEsU0FBUyxXQUFXLFFBQWdDO0FBQ2xELFFBQU0sT0FBTyxRQUFRO0FBQ3JCLGFBQVcsQ0FBQyxPQUFPLEtBQUssS0FBSyxPQUFPLFFBQVEsR0FBRztBQUM3QyxVQUFNLE9BQU8sT0FBTyxRQUFRLENBQUM7QUFDN0IsUUFBSSxNQUFNLFNBQVMsa0JBQWtCLFNBQVMsT0FBVztBQUN6RCxVQUFNLFNBQVMsS0FBSyxZQUFZLENBQUMsR0FBRyxPQUFPLENBQUMsRUFBRSxLQUFLLE1BQU0sU0FBUyxVQUFVLFNBQVMsYUFBYTtBQUNsRyxVQUFNLFFBQVEsTUFBTSxLQUFLLE1BQU0sSUFBSSxDQUFDLEVBQUUsUUFBUSxNQUFNLE9BQU8sRUFBRSxLQUFLLEVBQUUsQ0FBQyxDQUFDO0FBQUEsRUFDeEU7QUFDRjtBQUdBLFNBQVMsVUFBVSxRQUEwQixRQUFzQjtBQUNqRSxhQUFXLEVBQUUsU0FBUyxLQUFLLFFBQVE7QUFDakMsUUFBSSxZQUFZO0FBQ2hCLGVBQVcsU0FBUyxZQUFZLENBQUMsR0FBRztBQUNsQyxVQUFJLE1BQU0sU0FBUyxhQUFhO0FBQzlCLGNBQU0sT0FBTyxTQUFTLE9BQU8sTUFBTSxRQUFRLE1BQU0sQ0FBQyxHQUFHLE1BQU07QUFDM0Qsb0JBQVksU0FBUztBQUNyQixZQUFJLFNBQVMsS0FBTSxPQUFNLFFBQVEsUUFBUSxJQUFJO0FBQUEsTUFDL0M7QUFDQSxVQUFJLGFBQWEsTUFBTSxLQUFLLFdBQVcsT0FBTyxFQUFHLE9BQU0sU0FBUztBQUNoRSxVQUFJLE1BQU0sU0FBUyxhQUFjLGFBQVk7QUFBQSxJQUMvQztBQUFBLEVBQ0Y7QUFDRjtBQUVPLFNBQVMsaUJBQTZCO0FBQzNDLFFBQU0sV0FBVyxJQUFJLFdBQVcsRUFBRSxNQUFNLE1BQU0sV0FBVyxZQUFZLENBQUM7QUFDdEUsV0FBUyxLQUFLLE1BQU0sS0FBSyxTQUFTLENBQUMsRUFBRSxRQUFRLElBQUksTUFBTTtBQUNyRCxVQUFNLEVBQUUsS0FBSyxJQUFJO0FBQ2pCLFVBQU0sT0FBTyxNQUFNLGdCQUFnQjtBQUNuQyxlQUFXLE1BQU07QUFDakIsY0FBVSxRQUFRLEtBQUssTUFBTSxHQUFHLEtBQUssWUFBWSxHQUFHLElBQUksQ0FBQyxDQUFDO0FBQUEsRUFDNUQsQ0FBQztBQUVELFdBQVMsU0FBUyxNQUFNLGFBQWEsTUFBTTtBQUMzQyxXQUFTLFNBQVMsTUFBTSxjQUFjLE1BQU07QUFDNUMsU0FBTztBQUNUOzs7QUM1RU8sSUFBTSxVQUFrRCxFQUFFLElBQUksSUFBSSxTQUFTLFNBQVM7QUFVcEYsSUFBTUMsVUFBMkI7QUFBQSxFQUN0QztBQUFBLElBQ0UsT0FBTyxFQUFFLElBQUksU0FBUyxTQUFTLGNBQWM7QUFBQSxJQUM3QyxPQUFPLENBQUMsVUFBVSxzQkFBc0IsbUJBQW1CLGdCQUFnQixZQUFZO0FBQUEsRUFDekY7QUFBQSxFQUNBO0FBQUEsSUFDRSxPQUFPLEVBQUUsSUFBSSxhQUFhLFNBQVMsbUJBQWE7QUFBQSxJQUNoRCxPQUFPO0FBQUEsTUFDTDtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsSUFDRjtBQUFBLEVBQ0Y7QUFBQSxFQUNBO0FBQUEsSUFDRSxPQUFPLEVBQUUsSUFBSSxZQUFZLFNBQVMsV0FBVztBQUFBLElBQzdDLE9BQU87QUFBQSxNQUNMO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsSUFDRjtBQUFBLEVBQ0Y7QUFBQSxFQUNBO0FBQUEsSUFDRSxPQUFPLEVBQUUsSUFBSSxnQkFBZ0IsU0FBUyxjQUFjO0FBQUEsSUFDcEQsT0FBTyxDQUFDLGFBQWEsbUJBQW1CLG1CQUFtQixpQkFBaUIsc0JBQXNCLGVBQWU7QUFBQSxFQUNuSDtBQUFBLEVBQ0E7QUFBQSxJQUNFLE9BQU8sRUFBRSxJQUFJLGdCQUFnQixTQUFTLG1CQUFtQjtBQUFBLElBQ3pELE9BQU8sQ0FBQyx1QkFBdUIsY0FBYyxpQkFBaUIsdUJBQXVCLFVBQVU7QUFBQSxFQUNqRztBQUFBLEVBQ0E7QUFBQSxJQUNFLE9BQU8sRUFBRSxJQUFJLHdCQUF3QixTQUFTLHNDQUFnQztBQUFBLElBQzlFLFdBQVc7QUFBQSxJQUNYLE9BQU87QUFBQSxNQUNMO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLE1BQ0E7QUFBQSxNQUNBO0FBQUEsTUFDQTtBQUFBLElBQ0Y7QUFBQSxFQUNGO0FBQUEsRUFDQTtBQUFBLElBQ0UsT0FBTyxFQUFFLElBQUksYUFBYSxTQUFTLCtCQUF5QjtBQUFBLElBQzVELFdBQVc7QUFBQSxJQUNYLE9BQU8sQ0FBQyxPQUFPLFVBQVUsVUFBVSxlQUFlLFVBQVUsU0FBUztBQUFBLEVBQ3ZFO0FBQUEsRUFDQTtBQUFBLElBQ0UsT0FBTyxFQUFFLElBQUksbUJBQW1CLFNBQVMsaUNBQTJCO0FBQUEsSUFDcEUsV0FBVztBQUFBLElBQ1gsT0FBTyxDQUFDLGdCQUFnQixlQUFlLGFBQWEsa0JBQWtCO0FBQUEsRUFDeEU7QUFDRjtBQUdPLFNBQVMsUUFBUSxPQUFjLFVBQXdCLE9BQXNDO0FBQ2xHLFFBQU0sU0FBUyxNQUFNLFlBQVksS0FBSyxRQUFRLFFBQVE7QUFDdEQsUUFBTSxRQUFRLElBQUksSUFBSUEsUUFBTyxRQUFRLENBQUMsRUFBRSxNQUFNLE1BQU0sS0FBSyxDQUFDO0FBQzFELFNBQU8sTUFBTSxNQUFNLFFBQVEsQ0FBQyxTQUFTO0FBQ25DLFFBQUksQ0FBQyxLQUFLLFNBQVMsR0FBRyxFQUFHLFFBQU8sTUFBTSxJQUFJLFNBQVMsSUFBSSxJQUFJLENBQUMsU0FBUyxJQUFJLElBQUksQ0FBQztBQUM5RSxVQUFNLFNBQVMsU0FBUyxLQUFLLE1BQU0sR0FBRyxFQUFFO0FBQ3hDLFVBQU0sU0FBUyxDQUFDLEdBQUcsS0FBSyxFQUFFLE9BQU8sQ0FBQyxTQUFTLEtBQUssV0FBVyxNQUFNLEtBQUssQ0FBQyxNQUFNLElBQUksS0FBSyxNQUFNLE9BQU8sTUFBTSxDQUFDLENBQUM7QUFDM0csV0FBTyxPQUFPLEtBQUs7QUFBQSxFQUNyQixDQUFDO0FBQ0g7QUFFTyxTQUFTLGVBQWUsTUFBNEI7QUFDekQsU0FBTyxLQUFLLFdBQVcsUUFBUSxPQUFPLENBQUMsSUFBSSxVQUFVO0FBQ3ZEO0FBR08sU0FBUyxjQUFjLE1BQWMsT0FBMkM7QUFDckYsUUFBTSxTQUFTLFFBQVEsT0FBTztBQUM5QixRQUFNLFFBQVEsS0FBSyxXQUFXLE1BQU0sSUFBSSxLQUFLLE1BQU0sT0FBTyxNQUFNLElBQUksU0FBUztBQUM3RSxTQUFPLE1BQU0sSUFBSSxLQUFLLElBQUksUUFBUTtBQUNwQztBQUdPLFNBQVMsVUFBVSxNQUFzQjtBQUM5QyxTQUFPLEdBQUcsS0FBSyxRQUFRLGlCQUFpQixTQUFTLENBQUM7QUFDcEQ7OztBQ3BIcVAsU0FBUyxhQUFhOzs7QUNBM0MsSUFBTSxXQUE2QyxFQUFFLEtBQUssU0FBUyxLQUFLLFFBQVEsS0FBSyxRQUFRLEtBQUssU0FBUztBQUdwVSxTQUFTLFVBQVUsTUFBc0I7QUFDOUMsU0FBTyxLQUFLLFFBQVEsV0FBVyxDQUFDLGNBQWMsU0FBUyxTQUFTLEtBQUssU0FBUztBQUNoRjtBQUdPLFNBQVMsV0FBVyxNQUFzQjtBQUMvQyxTQUFPLFVBQVUsSUFBSSxFQUFFLFdBQVcsS0FBSyxPQUFPO0FBQ2hEOzs7QUNjQSxJQUFNLFFBQVE7QUFBQSxFQUNaLElBQUksRUFBRSxNQUFNLG9CQUFvQixPQUFPLGdCQUFhLGVBQWUsUUFBUTtBQUFBLEVBQzNFLFNBQVMsRUFBRSxNQUFNLG1CQUFtQixPQUFPLFdBQVcsZUFBZSxLQUFLO0FBQzVFO0FBRU8sU0FBUyxXQUFXLEVBQUUsVUFBVSxPQUFPLFNBQVMsTUFBTSxPQUFPLENBQUMsR0FBRyxNQUFNLFNBQVMsSUFBSSxHQUFHLEtBQUssR0FBbUI7QUFDcEgsUUFBTSxFQUFFLE1BQU0sT0FBTyxlQUFlLEtBQUssSUFBSSxNQUFNLFFBQVE7QUFDM0QsUUFBTSxhQUFhLE9BQU8sUUFBUSxJQUFJLEVBQUUsSUFBSSxDQUFDLENBQUMsTUFBTSxLQUFLLE1BQU0sU0FBUyxJQUFJLEtBQUssV0FBVyxLQUFLLENBQUMsR0FBRztBQUNyRyxRQUFNLE9BQ0osS0FBSyxjQUFjLE9BQ2YsS0FDQSw2QkFBNkIsSUFBSSxlQUFlLElBQUksV0FBVyxLQUFLLFNBQVMsS0FBSyxLQUFLO0FBQzdGLFFBQU0sT0FDSixLQUFLLFNBQVMsT0FDVjtBQUFBLEVBQ04sS0FBSyxPQUFPO0FBQUEsV0FFTixvREFBb0QsS0FBSyxLQUFLLEtBQUssd0NBQXdDLEtBQUssS0FBSyxLQUFLO0FBQUEsRUFDaEksS0FBSyxLQUFLLElBQUk7QUFBQTtBQUFBO0FBQUEsRUFHZCxLQUFLLE9BQU87QUFBQTtBQUVaLFNBQU87QUFBQSxjQUNLLFFBQVE7QUFBQSx3REFDa0MsV0FBVyxLQUFLLENBQUM7QUFBQSxFQUN2RSxJQUFJO0FBQUEsT0FDQyxXQUFXLEtBQUssRUFBRSxDQUFDO0FBQUEsa0NBQ1EsSUFBSTtBQUFBLGdDQUNOLElBQUksbUJBQW1CLFdBQVcsT0FBTyxDQUFDO0FBQUEsRUFDeEUsTUFBTTtBQUFBLEVBQ04sSUFBSTtBQUFBLEVBQ0osSUFBSTtBQUFBO0FBQUE7QUFHTjs7O0FGOUNBLElBQU0sUUFBUTtBQUFBLEVBQ1osSUFBSTtBQUFBLElBQ0YsTUFBTTtBQUFBLElBQ04sUUFBUTtBQUFBLElBQ1IsTUFBTTtBQUFBLElBQ04sTUFBTTtBQUFBLElBQ04sUUFBUTtBQUFBLElBQ1IsWUFBWTtBQUFBLElBQ1osTUFBTTtBQUFBLElBQ04sVUFBVTtBQUFBLEVBQ1o7QUFBQSxFQUNBLFNBQVM7QUFBQSxJQUNQLE1BQU07QUFBQSxJQUNOLFFBQVE7QUFBQSxJQUNSLE1BQU07QUFBQSxJQUNOLE1BQU07QUFBQSxJQUNOLFFBQVE7QUFBQSxJQUNSLFlBQVk7QUFBQSxJQUNaLE1BQU07QUFBQSxJQUNOLFVBQVU7QUFBQSxFQUNaO0FBQ0Y7QUFFQSxTQUFTLFNBQVMsTUFBYyxJQUFvQjtBQUNsRCxTQUFPLE1BQU0sU0FBUyxNQUFNLFFBQVEsVUFBVSxJQUFJLENBQUMsR0FBRyxFQUFFO0FBQzFEO0FBRUEsU0FBUyxTQUFTLE1BQVksTUFBYyxVQUFnQztBQUMxRSxRQUFNLFFBQVEsSUFBSSxJQUFJLEtBQUssT0FBTyxLQUFLLENBQUM7QUFDeEMsUUFBTSxTQUFTQyxRQUFPLElBQUksQ0FBQyxVQUFVO0FBQ25DLFVBQU0sUUFBUSxRQUFRLE9BQU8sVUFBVSxLQUFLO0FBQzVDLFVBQU0sUUFBUSxNQUFNLElBQUksQ0FBQyxTQUFTO0FBQ2hDLFlBQU0sVUFBVSxTQUFTLE9BQU8seUJBQXlCO0FBQ3pELFlBQU0sUUFBUSxXQUFXLEtBQUssT0FBTyxJQUFJLElBQUksS0FBSyxJQUFJO0FBQ3RELGFBQU8sZ0JBQWdCLFNBQVMsTUFBTSxVQUFVLElBQUksQ0FBQyxDQUFDLElBQUksT0FBTyxJQUFJLEtBQUs7QUFBQSxJQUM1RSxDQUFDO0FBQ0QsUUFBSSxNQUFNLFdBQVcsRUFBRyxRQUFPO0FBQy9CLFVBQU0sU0FBUyxNQUFNLFNBQVMsSUFBSSxLQUFLLENBQUMsTUFBTTtBQUM5QyxXQUFPLFdBQVcsU0FBUyxVQUFVLEVBQUUsYUFBYSxNQUFNLE1BQU0sUUFBUSxDQUFDLGlCQUFpQixNQUFNLEtBQUssRUFBRSxDQUFDO0FBQUEsRUFDMUcsQ0FBQztBQUNELFNBQU8sT0FBTyxLQUFLLElBQUk7QUFDekI7QUFHQSxTQUFTLGFBQWEsTUFBYyxPQUF1QjtBQUN6RCxRQUFNLFdBQVcsQ0FBQyxHQUFHLEtBQUssU0FBUywrQkFBK0IsQ0FBQztBQUNuRSxNQUFJLFNBQVMsU0FBUyxFQUFHLFFBQU87QUFDaEMsUUFBTSxRQUFRLFNBQVMsSUFBSSxDQUFDLENBQUMsRUFBRSxJQUFJLElBQUksTUFBTSxpQkFBaUIsRUFBRSxLQUFLLE1BQU0sUUFBUSxnQkFBZ0IsRUFBRSxDQUFDLFdBQVc7QUFDakgsU0FBTyxxQ0FBcUMsS0FBSyxRQUFRLEtBQUssV0FBVyxNQUFNLEtBQUssRUFBRSxDQUFDO0FBQ3pGO0FBRUEsU0FBUyxlQUFlLE1BQVksTUFBYyxVQUFnQztBQUNoRixRQUFNLFFBQVEsSUFBSSxJQUFJLEtBQUssT0FBTyxLQUFLLENBQUM7QUFDeEMsUUFBTSxRQUFRQSxRQUFPLFFBQVEsQ0FBQyxVQUFVLFFBQVEsT0FBTyxVQUFVLEtBQUssQ0FBQztBQUN2RSxRQUFNLEtBQUssTUFBTSxRQUFRLElBQUk7QUFDN0IsUUFBTSxFQUFFLFVBQVUsS0FBSyxJQUFJLE1BQU0sUUFBUTtBQUN6QyxRQUFNLE9BQU8sQ0FBQyxNQUEwQixLQUFhLFNBQ25ELFNBQVMsU0FDTCxLQUNBLFdBQVcsR0FBRyxXQUFXLFNBQVMsTUFBTSxVQUFVLElBQUksQ0FBQyxDQUFDLFlBQVksSUFBSSxXQUFXLFdBQVcsS0FBSyxPQUFPLElBQUksSUFBSSxLQUFLLElBQUksQ0FBQztBQUNsSSxNQUFJLEtBQUssRUFBRyxRQUFPO0FBQ25CLFNBQU8sMkJBQTJCLEtBQUssTUFBTSxLQUFLLENBQUMsR0FBRyxRQUFRLFFBQVEsQ0FBQyxHQUFHLEtBQUssTUFBTSxLQUFLLENBQUMsR0FBRyxRQUFRLElBQUksQ0FBQztBQUM3RztBQUdPLFNBQVMsU0FBUyxNQUFZLE1BQWMsTUFBc0I7QUFDdkUsUUFBTSxXQUFXLGVBQWUsSUFBSTtBQUNwQyxRQUFNLFFBQVEsTUFBTSxRQUFRO0FBQzVCLFFBQU0sT0FBTyxTQUFTLE1BQU0sVUFBVSxFQUFFLE1BQU0sR0FBRyxDQUFDLFdBQVcsTUFBTTtBQUNuRSxRQUFNLFFBQVEsY0FBYyxNQUFNLElBQUksSUFBSSxLQUFLLE9BQU8sS0FBSyxDQUFDLENBQUM7QUFDN0QsUUFBTSxnQkFBZ0IsYUFBYSxPQUFPLFVBQVU7QUFDcEQsUUFBTSxRQUFRLEtBQUssT0FBTyxJQUFJLElBQUksS0FBSztBQUN2QyxRQUFNLFlBQVksVUFBVSxPQUFPLEdBQUcsUUFBUSxhQUFhLENBQUMsZUFBZSxVQUFVLEtBQUs7QUFDMUYsU0FBTyxXQUFXO0FBQUEsSUFDaEI7QUFBQSxJQUNBLE9BQU8sR0FBRyxLQUFLO0FBQUEsSUFDZixTQUFTLEtBQUs7QUFBQSxJQUNkLE1BQU0sZ0NBQWdDLElBQUksMkNBQTJDLElBQUk7QUFBQSw2QkFDaEUsSUFBSTtBQUFBLElBQzdCLE1BQU0sRUFBRSxNQUFNLE1BQU0sTUFBTSxNQUFNLE1BQU0sTUFBTSxNQUFNLFFBQVEsTUFBTSxPQUFPO0FBQUEsSUFDdkUsTUFBTSxTQUFTLE1BQU0sR0FBRyxRQUFRLFFBQVEsQ0FBQyxZQUFZO0FBQUEsSUFDckQsUUFBUSxtREFBbUQsTUFBTSxNQUFNLGtCQUFrQixNQUFNLE1BQU07QUFBQSxJQUNyRyxXQUFXLFNBQVMsTUFBTSxTQUFTO0FBQUEsSUFDbkMsTUFBTSxFQUFFLE9BQU8sTUFBTSxNQUFNLE1BQU0sU0FBUyxNQUFNLE1BQU0sUUFBUSxFQUFFO0FBQUEsSUFDaEUsU0FBUyxHQUFHLEtBQUssUUFBUSxTQUFTO0FBQUEsRUFBVSxhQUFhLE1BQU0sTUFBTSxVQUFVLENBQUMsRUFBRSxDQUFDO0FBQUEsRUFDckYsZUFBZSxNQUFNLE1BQU0sUUFBUSxDQUFDO0FBQUEsRUFDcEMsQ0FBQztBQUNIOzs7QUd6RkEsU0FBUyxNQUFNLFFBQWlEO0FBQzlELFFBQU0sUUFBUSxPQUFPLFFBQVEsQ0FBQyxFQUFFLE1BQU0sU0FBUyxTQUFTLE1BQU07QUFDNUQsUUFBSSxTQUFTLFdBQVcsU0FBUyxhQUFjLFFBQU8sQ0FBQyxPQUFPO0FBQzlELFlBQVEsWUFBWSxDQUFDLEdBQUcsUUFBUSxDQUFDLFVBQVcsTUFBTSxTQUFTLGNBQWMsQ0FBQyxHQUFHLElBQUksQ0FBQyxNQUFNLE9BQU8sQ0FBRTtBQUFBLEVBQ25HLENBQUM7QUFDRCxTQUFPLE1BQU0sS0FBSyxHQUFHLEVBQUUsUUFBUSxRQUFRLEdBQUcsRUFBRSxLQUFLO0FBQ25EO0FBR08sU0FBUyxXQUFXLFVBQXNCLE1BQWMsTUFBeUI7QUFDdEYsUUFBTSxTQUFTLFNBQVMsTUFBTSxNQUFNLEVBQUUsTUFBTSxFQUFFLGNBQWMsSUFBSSxJQUFJLEdBQUcsRUFBRSxDQUFDO0FBQzFFLFFBQU0sU0FBUyxPQUFPLFFBQVEsQ0FBQyxFQUFFLEtBQUssR0FBRyxVQUFXLFNBQVMsaUJBQWlCLENBQUMsS0FBSyxJQUFJLENBQUMsQ0FBRTtBQUMzRixRQUFNLE9BQU8sTUFBTSxPQUFPLE9BQU8sT0FBTyxDQUFDLEtBQUssS0FBSyxJQUFJLE9BQU8sQ0FBQyxLQUFLLEtBQUssQ0FBQyxDQUFDO0FBQzNFLFNBQU8sT0FBTyxJQUFJLENBQUMsT0FBTyxVQUFVO0FBQ2xDLFVBQU0sU0FBUyxPQUFPLE9BQU8sS0FBSyxHQUFHLFFBQVEsSUFBSSxDQUFDO0FBQ2xELFVBQU0sT0FBTyxPQUFPLE1BQU0sUUFBUSxHQUFHLE9BQU8sUUFBUSxDQUFDLEtBQUssT0FBTyxNQUFNO0FBQ3ZFLFVBQU0sS0FBSyxVQUFVLElBQUksVUFBVSxJQUFJLElBQUksR0FBRyxVQUFVLElBQUksQ0FBQyxJQUFJLE1BQU07QUFDdkUsV0FBTyxFQUFFLElBQUksTUFBTSxPQUFPLE1BQU0sT0FBTyxNQUFNLFFBQVEsR0FBRyxRQUFRLENBQUMsQ0FBQyxHQUFHLE1BQU0sTUFBTSxJQUFJLEVBQUU7QUFBQSxFQUN6RixDQUFDO0FBQ0g7OztBTmpCQSxJQUFNLFNBQVM7QUFHZixlQUFlLFlBQTBDO0FBQ3ZELFFBQU0sU0FBUyxNQUFNLFFBQVEsUUFBUSxFQUFFLFdBQVcsS0FBSyxDQUFDLEdBQUcsT0FBTyxDQUFDLFNBQVMsS0FBSyxTQUFTLEtBQUssQ0FBQyxFQUFFLEtBQUs7QUFDdkcsUUFBTSxPQUFPLE1BQU0sSUFBSSxPQUFPLFNBQVM7QUFDckMsVUFBTSxPQUFPLEtBQUssV0FBVyxNQUFNLEdBQUcsRUFBRSxRQUFRLFNBQVMsRUFBRTtBQUMzRCxXQUFPLENBQUMsTUFBTSxNQUFNLFNBQVNDLE1BQUssUUFBUSxJQUFJLEdBQUcsTUFBTSxDQUFDO0FBQUEsRUFDMUQsQ0FBQztBQUNELFNBQU8sSUFBSSxJQUFJLE1BQU0sUUFBUSxJQUFJLElBQUksQ0FBQztBQUN4QztBQUVBLFNBQVMsUUFBUSxNQUFzQjtBQUNyQyxVQUFRLFdBQVcsS0FBSyxJQUFJLElBQUksQ0FBQyxLQUFLLElBQUksV0FBVyxLQUFLLEVBQUU7QUFDOUQ7QUFHQSxlQUFlLGNBQWMsT0FBb0MsUUFBK0I7QUFDOUYsUUFBTSxXQUFXLGVBQWU7QUFDaEMsUUFBTSxRQUFRLENBQUMsR0FBRyxLQUFLLEVBQUUsT0FBTyxDQUFDLENBQUMsSUFBSSxNQUFNLENBQUMsS0FBSyxXQUFXLFlBQVksQ0FBQztBQUMxRSxRQUFNLE1BQU1BLE1BQUssUUFBUSxRQUFRLEdBQUcsRUFBRSxXQUFXLEtBQUssQ0FBQztBQUN2RCxhQUFXLFlBQVksQ0FBQyxNQUFNLE9BQU8sR0FBWTtBQUMvQyxVQUFNLE1BQU0sTUFBTSxPQUFPLENBQUMsQ0FBQyxJQUFJLE1BQU0sZUFBZSxJQUFJLE1BQU0sUUFBUTtBQUV0RSxVQUFNLE9BQ0osYUFBYSxPQUFPLENBQUMsSUFBSSxNQUFNLE9BQU8sQ0FBQyxDQUFDLElBQUksTUFBTSxDQUFDLEtBQUssV0FBVyxRQUFRLEtBQUssQ0FBQyxNQUFNLElBQUksU0FBUyxJQUFJLEVBQUUsQ0FBQztBQUM3RyxVQUFNLFdBQVcsQ0FBQyxHQUFHLEtBQUssR0FBRyxJQUFJLEVBQUUsUUFBUSxDQUFDLENBQUMsTUFBTSxJQUFJLE1BQU0sV0FBVyxVQUFVLE1BQU0sSUFBSSxDQUFDO0FBQzdGLFVBQU0sVUFBVUEsTUFBSyxRQUFRLGlCQUFpQixRQUFRLE9BQU8sR0FBRyxLQUFLLFVBQVUsUUFBUSxDQUFDO0FBQUEsRUFDMUY7QUFDRjtBQUdBLGVBQWUsVUFBVSxRQUErQjtBQUN0RCxRQUFNLE9BQU8sTUFBTSxTQUFTQSxNQUFLLFFBQVEsVUFBVSxHQUFHLE1BQU07QUFDNUQsUUFBTSxTQUFTLEtBQUs7QUFBQSxJQUNsQjtBQUFBLElBQ0EsQ0FBQyxPQUFPLFNBQWlCLEtBQUssVUFBVSxLQUFLLFFBQVEsT0FBTyxFQUFFLENBQUMsQ0FBQztBQUFBLEVBQ2xFO0FBQ0EsUUFBTSxVQUFVQSxNQUFLLFFBQVEsVUFBVSxHQUFHLE1BQU07QUFDbEQ7QUFFQSxJQUFNLFdBQVcsVUFBVSxjQUFjO0FBR3pDLGVBQWUsY0FBYyxRQUErQjtBQUMxRCxRQUFNLFNBQVMsTUFBTSxRQUFRLFFBQVEsRUFBRSxXQUFXLEtBQUssQ0FBQyxHQUFHLE9BQU8sQ0FBQyxTQUFTLGlCQUFpQixLQUFLLElBQUksQ0FBQztBQUN2RyxhQUFXLFFBQVEsT0FBTztBQUN4QixVQUFNLE9BQU9BLE1BQUssUUFBUSxJQUFJO0FBQzlCLFVBQU0sVUFBVSxHQUFHLElBQUksT0FBTyxNQUFNLFNBQVMsTUFBTSxTQUFTLElBQUksQ0FBQyxDQUFDO0FBQ2xFLFVBQU0sR0FBRyxJQUFJO0FBQUEsRUFDZjtBQUNGO0FBR0EsZUFBZSxjQUFjLFFBQWdCLFNBQWdDO0FBQzNFLFFBQU0sUUFBUSxNQUFNLFVBQVU7QUFFOUIsUUFBTSxNQUFNLFFBQVEsRUFBRSxXQUFXLEtBQUssQ0FBQztBQUN2QyxRQUFNLE9BQU8sTUFBTSxRQUFRLE1BQU0sR0FBRyxPQUFPLENBQUMsU0FBUyxTQUFTLFFBQVE7QUFDdEUsYUFBVyxRQUFRLElBQUssT0FBTSxHQUFHQSxNQUFLLFFBQVEsSUFBSSxHQUFHLEVBQUUsV0FBVyxLQUFLLENBQUM7QUFDeEUsUUFBTSxPQUFhLEVBQUUsU0FBUyxRQUFRLElBQUksSUFBSSxDQUFDLEdBQUcsS0FBSyxFQUFFLElBQUksQ0FBQyxDQUFDLE1BQU0sSUFBSSxNQUFNLENBQUMsTUFBTSxRQUFRLElBQUksQ0FBQyxDQUFDLENBQUMsRUFBRTtBQUN2RyxRQUFNLFdBQVcsSUFBSSxTQUFTLFFBQVEsUUFBUTtBQUFBLElBQzVDLFdBQVc7QUFBQSxJQUNYLFlBQVk7QUFBQSxJQUNaLE9BQU8sUUFBUTtBQUViLGFBQU8saUJBQWlCLElBQUksZUFBZSxFQUFFLGFBQWEsS0FBSztBQUMvRCxhQUFPLG1CQUFtQixDQUFDLElBQUksQ0FBQztBQUNoQyxhQUFPLFdBQVcsTUFBTSxlQUFlLENBQUM7QUFDeEMsYUFBTztBQUFBLFFBQ0w7QUFBQSxRQUNBLE1BQ0UsQ0FBQyxFQUFFLEtBQUssTUFDTixVQUFVLEtBQUssYUFBYSxNQUFNLENBQUMsQ0FBQztBQUFBLE1BQzFDO0FBQ0EsYUFBTyxhQUFhLFFBQVEsU0FBVSxNQUFNO0FBQzFDLGVBQU8sU0FBUyxNQUFNLEtBQUssS0FBSyxhQUFhLE1BQU0sQ0FBQyxHQUFHLElBQUk7QUFBQSxNQUM3RCxDQUFDO0FBQ0QsYUFBTyxtQkFBbUI7QUFBQSxRQUN4QixDQUFDLEdBQUcsTUFBTSxTQUFTLEdBQUc7QUFBQSxRQUN0Qix1Q0FBdUM7QUFBQSxRQUN2QyxtQ0FBbUM7QUFBQSxNQUNyQyxDQUFDO0FBQ0QsYUFBTyxFQUFFLHdCQUF3QixPQUFPLG9CQUFvQixPQUFPLG9CQUFvQixNQUFNO0FBQUEsSUFDL0Y7QUFBQSxFQUNGLENBQUM7QUFFRCxXQUFTLGNBQWM7QUFDdkIsUUFBTSxTQUFTLE1BQU07QUFDckIsUUFBTSxjQUFjLE9BQU8sTUFBTTtBQUNqQyxRQUFNLFVBQVUsTUFBTTtBQUN0QixRQUFNLGNBQWMsTUFBTTtBQUM1QjtBQUdPLFNBQVMsU0FBUyxRQUErQjtBQUN0RCxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLE9BQU87QUFDWCxZQUFNLE1BQU0sT0FBTyxFQUFFLE9BQU8sTUFBTTtBQUNoQyxZQUFJLE9BQU8sU0FBUyxFQUFHO0FBQ3ZCLGNBQU0sRUFBRSxRQUFRLElBQUksS0FBSyxNQUFNLE1BQU0sU0FBUyxnQkFBZ0IsTUFBTSxDQUFDO0FBQ3JFLGNBQU0sY0FBYyxRQUFRLE9BQU87QUFBQSxNQUNyQyxDQUFDO0FBQUEsSUFDSDtBQUFBLEVBQ0Y7QUFDRjs7O0FPdkgrTyxTQUFTLFlBQUFDLGlCQUFnQjtBQUN4USxTQUFTLGVBQWU7QUFJeEIsSUFBTSxTQUEyQztBQUFBO0FBQUE7QUFBQSxFQUcvQyxTQUNFO0FBQUE7QUFBQSxFQUVGLFFBQVE7QUFBQTtBQUFBLEVBRVIsUUFBUTtBQUNWO0FBR0EsSUFBTSxVQUFVO0FBQUE7QUFBQSxFQUVkLEVBQUUsVUFBVSxXQUFXLE1BQU0sV0FBVyxNQUFNLHNDQUFzQztBQUFBO0FBQUEsRUFFcEYsRUFBRSxVQUFVLElBQUksTUFBTSxVQUFVLE1BQU0scUNBQXFDO0FBQzdFO0FBR0EsSUFBTSxRQUFRLENBQUMsYUFBYSxlQUFlO0FBRTNDLFNBQVMsVUFBVSxVQUFrQixNQUF1QjtBQUMxRCxTQUFPLFNBQVMsV0FBVyxNQUFNLEdBQUcsRUFBRSxTQUFTLGlCQUFpQixJQUFJLEdBQUc7QUFDekU7QUFNQSxTQUFTLGdCQUFnQixNQUFzQjtBQUM3QyxRQUFNLFFBQVEsS0FBSyxNQUFNLElBQUksRUFBRSxRQUFRLENBQUMsU0FBUztBQUMvQyxVQUFNLE9BQU8seUNBQXlDLEtBQUssSUFBSSxJQUFJLENBQUM7QUFDcEUsUUFBSSxTQUFTLE9BQVcsUUFBTyxDQUFDLElBQUk7QUFDcEMsV0FBTyxNQUFNLFNBQVMsSUFBSSxJQUFJLENBQUMsS0FBSyxRQUFRLGNBQWMsVUFBVSxDQUFDLElBQUksQ0FBQztBQUFBLEVBQzVFLENBQUM7QUFDRCxTQUFPLE1BQU0sS0FBSyxJQUFJO0FBQ3hCO0FBR0EsSUFBTSxzQkFBc0I7QUFBQSxFQUMxQjtBQUFBLElBQ0U7QUFBQSxJQUNBO0FBQUEsRUFDRjtBQUFBLEVBQ0EsQ0FBQywyQ0FBMkMseUJBQXlCO0FBQUEsRUFDckUsQ0FBQyxzQkFBc0IsZ0JBQWdCO0FBQ3pDO0FBTUEsU0FBUyxrQkFBa0IsTUFBc0I7QUFDL0MsU0FBTyxvQkFBb0IsT0FBTyxDQUFDLFNBQVMsQ0FBQyxPQUFPLEtBQUssTUFBTTtBQUM3RCxRQUFJLENBQUMsUUFBUSxTQUFTLEtBQUssRUFBRyxPQUFNLElBQUksTUFBTSxrQ0FBa0MsS0FBSyxFQUFFO0FBQ3ZGLFdBQU8sUUFBUSxXQUFXLE9BQU8sS0FBSztBQUFBLEVBQ3hDLEdBQUcsSUFBSTtBQUNUO0FBTUEsSUFBTSxlQUFlO0FBQUE7QUFBQTtBQUFBO0FBQUE7QUFBQTtBQVFyQixTQUFTLGVBQWUsTUFBc0I7QUFDNUMsU0FBTyxLQUFLLFFBQVEsMkJBQTJCLDBCQUEwQjtBQUMzRTtBQUdBLFNBQVMsa0JBQWtCLE1BQXNCO0FBQy9DLFNBQU8sS0FBSyxRQUFRLGtCQUFrQixtQkFBbUI7QUFDM0Q7QUFFQSxJQUFNLFlBQ0o7QUFHSyxTQUFTLGtCQUFpQztBQUMvQyxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLE9BQU87QUFDWCxpQkFBVyxDQUFDLE1BQU0sTUFBTSxLQUFLLE9BQU8sUUFBUSxNQUFNLEdBQUc7QUFDbkQsY0FBTTtBQUFBLFVBQVUsRUFBRSxPQUFPO0FBQUEsVUFBRyxDQUFDLEVBQUUsU0FBUyxNQUN0QyxVQUFVLFVBQVUsSUFBSSxJQUFJLEVBQUUsTUFBTSxVQUFVLFdBQVcsU0FBUyxJQUFJO0FBQUEsUUFDeEU7QUFBQSxNQUNGO0FBQ0EsWUFBTSxPQUFPLEVBQUUsUUFBUSxLQUFLLFdBQVcsU0FBUyxHQUFHLE9BQU8sRUFBRSxVQUFVLHdCQUF3QixRQUFRLEtBQUssRUFBRTtBQUM3RyxZQUFNLFVBQVUsRUFBRSxRQUFRLDBDQUEwQyxHQUFHLE9BQU87QUFBQSxRQUM1RSxNQUFNO0FBQUEsUUFDTixXQUFXO0FBQUEsTUFDYixFQUFFO0FBQ0YsWUFBTSxPQUFPLEVBQUUsUUFBUSxLQUFLLFdBQVcsZUFBZSxHQUFHLE9BQU8sRUFBRSxVQUFVLGNBQWMsUUFBUSxLQUFLLEVBQUU7QUFDekcsaUJBQVcsRUFBRSxVQUFVLElBQUksTUFBTSxLQUFLLEtBQUssU0FBUztBQUNsRCxjQUFNO0FBQUEsVUFBVSxFQUFFLFFBQVEsSUFBSSxPQUFPLElBQUksSUFBSSxHQUFHLEVBQUU7QUFBQSxVQUFHLENBQUMsRUFBRSxTQUFTLE1BQy9ELE9BQU8sTUFBTSxVQUFVLFVBQVUsRUFBRSxJQUFJLEVBQUUsTUFBTSxRQUFRLElBQUksRUFBRSxJQUFJO0FBQUEsUUFDbkU7QUFBQSxNQUNGO0FBQ0EsWUFBTSxPQUFPLEVBQUUsUUFBUSx1REFBdUQsR0FBRyxPQUFPLEVBQUUsS0FBSyxPQUFPO0FBQUEsUUFDcEcsVUFBVSxrQkFBa0IsTUFBTUMsVUFBUyxNQUFNLE1BQU0sQ0FBQztBQUFBLFFBQ3hELFFBQVE7QUFBQSxNQUNWLEVBQUU7QUFHRixZQUFNLE9BQU8sRUFBRSxRQUFRLFVBQVUsR0FBRyxPQUFPLEVBQUUsS0FBSyxNQUFNO0FBQ3RELGNBQU0sT0FBTyxNQUFNQSxVQUFTLE1BQU0sTUFBTTtBQUN4QyxjQUFNLE9BQU8sVUFBVSxNQUFNLFFBQVEsSUFBSSxnQkFBZ0IsSUFBSSxJQUFJO0FBQ2pFLGNBQU0sRUFBRSxLQUFLLElBQUksTUFBTSxNQUFNLFFBQVEsVUFBVSxNQUFNLEVBQUUsa0JBQWtCLE1BQU0sY0FBYyxLQUFLLENBQUM7QUFDbkcsZUFBTyxFQUFFLFVBQVUsTUFBTSxRQUFRLEtBQUs7QUFBQSxNQUN4QyxDQUFDO0FBQ0QsWUFBTSxPQUFPLEVBQUUsUUFBUSx1QkFBdUIsR0FBRyxPQUFPLEVBQUUsS0FBSyxNQUFNO0FBQ25FLGNBQU0sT0FBTyxNQUFNQSxVQUFTLE1BQU0sTUFBTTtBQUN4QyxjQUFNLFVBQVUsa0JBQWtCLGVBQWUsSUFBSSxDQUFDO0FBQ3RELGVBQU8sWUFBWSxPQUFPLFNBQVksRUFBRSxVQUFVLFNBQVMsUUFBUSxLQUFLO0FBQUEsTUFDMUUsQ0FBQztBQUFBLElBQ0g7QUFBQSxFQUNGO0FBQ0Y7OztBQzdIQSxPQUFPLFlBQVk7QUFDbkIsU0FBUyxrQkFBa0I7QUFDM0IsU0FBUyxTQUFBQyxRQUFPLFdBQUFDLFVBQVMsWUFBQUMsV0FBVSxNQUFBQyxLQUFJLGFBQUFDLGtCQUFpQjtBQUN4RCxTQUFTLFFBQUFDLGFBQVk7QUFDckIsU0FBUyxpQkFBQUMsc0JBQXFCO0FBQzlCLFNBQVMsYUFBQUMsa0JBQWlCO0FBQzFCLFNBQVMsa0JBQUFDLGlCQUFnQixpQkFBaUI7QUFWaUcsSUFBTUMsZ0NBQStCO0FBYWhMLElBQU0sV0FBV0MsTUFBSyxpQkFBaUIsbUJBQW1CLFVBQVUsV0FBVztBQUMvRSxJQUFNLFNBQVM7QUFFZixJQUFNLFVBQVUsRUFBRSxPQUFPLEdBQUcsT0FBTyxHQUFHO0FBRXRDLElBQU1DLFlBQVdDLFdBQVVDLGVBQWM7QUFPekMsZUFBc0IsV0FBVyxPQUFPO0FBQ3RDLGdCQUFjO0FBRWQsUUFBTSxPQUFPLENBQUM7QUFFZCxRQUFNLFdBQVcsQ0FBQztBQUNsQixhQUFXLFNBQVMsTUFBTUMsU0FBUSxVQUFVLEVBQUUsV0FBVyxLQUFLLENBQUMsR0FBRyxLQUFLLEdBQUc7QUFDeEUsUUFBSSxDQUFDLEtBQUssU0FBUyxPQUFPLEVBQUc7QUFDN0IsVUFBTSxDQUFDLFdBQVcsSUFBSSxPQUFPLEVBQUUsSUFBSSxLQUFLLFdBQVcsTUFBTSxHQUFHLEVBQUUsTUFBTSxHQUFHO0FBQ3ZFLFVBQU0sT0FBTyxLQUFLLFNBQVMsWUFBWSxJQUFJLEdBQUcsUUFBUSxVQUFVO0FBQ2hFLFdBQU8sS0FBSyxJQUFJLE1BQU0sUUFBVyw4QkFBOEIsSUFBSSxFQUFFO0FBQ3JFLFVBQU0sUUFBUSxNQUFNQyxVQUFTTCxNQUFLLFVBQVUsSUFBSSxDQUFDO0FBQ2pELFNBQUssSUFBSSxJQUFJLFdBQVcsUUFBUSxFQUFFLE9BQU8sS0FBSyxFQUFFLE9BQU8sS0FBSztBQUM1RCxhQUFTLEtBQUssQ0FBQyxNQUFNLEtBQUssQ0FBQztBQUFBLEVBQzdCO0FBQ0EsU0FBTyxTQUFTLFNBQVMsR0FBRyxHQUFHLFFBQVEsa0JBQWtCO0FBQ3pELFFBQU0sT0FBTyxHQUFHLEtBQUssVUFBVSxNQUFNLE1BQU0sQ0FBQyxDQUFDO0FBQUE7QUFDN0MsTUFBSSxVQUFVLFdBQVksTUFBTSxPQUFPQSxNQUFLLFFBQVEsZUFBZSxDQUFDLE1BQU8sS0FBTTtBQUNqRixRQUFNTSxJQUFHLFFBQVEsRUFBRSxXQUFXLE1BQU0sT0FBTyxLQUFLLENBQUM7QUFDakQsUUFBTUMsT0FBTSxRQUFRLEVBQUUsV0FBVyxLQUFLLENBQUM7QUFDdkMsUUFBTSxRQUFRO0FBQUEsSUFDWixTQUFTLElBQUksT0FBTyxDQUFDLE1BQU0sS0FBSyxNQUFNO0FBQ3BDLFlBQU0sU0FBUztBQUFBLFFBQ2IsQ0FBQyxVQUFVLG9CQUFvQixHQUFHLFFBQVEsS0FBSztBQUFBLFFBQy9DLENBQUMsVUFBVSxrQkFBa0IsR0FBRyxVQUFVO0FBQUEsUUFDMUMsQ0FBQyxVQUFVLHNCQUFzQixHQUFHLE1BQU07QUFBQSxNQUM1QztBQUNBLFlBQU1DLFdBQVVSLE1BQUssUUFBUSxHQUFHLElBQUksVUFBVSxHQUFHLE1BQU1DLFVBQVMsT0FBTyxFQUFFLE9BQU8sQ0FBQyxDQUFDO0FBQUEsSUFDcEYsQ0FBQztBQUFBLEVBQ0g7QUFFQSxRQUFNTyxXQUFVUixNQUFLLFFBQVEsZUFBZSxHQUFHLElBQUk7QUFDckQ7QUFHQSxlQUFlLE9BQU8sTUFBTTtBQUMxQixTQUFPSyxVQUFTLE1BQU0sTUFBTSxFQUFFLE1BQU0sTUFBTSxJQUFJO0FBQ2hEO0FBRUEsSUFBSSxRQUFRLEtBQUssQ0FBQyxNQUFNSSxlQUFjViw2QkFBZSxFQUFHLE9BQU0sV0FBVyxPQUFPOzs7QUNoRTZLLFNBQVMsWUFBQVcsaUJBQWdCOzs7QUNBekMsU0FBUyxTQUFBQyxRQUFPLE1BQUFDLEtBQUksYUFBQUMsa0JBQWlCO0FBQ2xSLFNBQVMsWUFBQUMsV0FBVSxRQUFBQyxhQUFZO0FBQy9CLFNBQVMscUJBQXFCOzs7QUNGaU0sU0FBUyxZQUFBQyxpQkFBZ0I7QUFDeFAsU0FBUyxRQUFBQyxhQUFZO0FBS3JCLElBQU0sU0FBUztBQUdSLFNBQVMsVUFBeUI7QUFDdkMsU0FBTztBQUFBLElBQ0wsTUFBTTtBQUFBLElBQ04sTUFBTSxPQUFPO0FBQ1gsWUFBTSxVQUFVLEVBQUUsUUFBUSxTQUFTLEdBQUcsQ0FBQyxFQUFFLE1BQU0sV0FBVyxPQUFPO0FBQUE7QUFBQSxRQUUvRCxNQUFNQyxNQUFLLFlBQVksSUFBSTtBQUFBLFFBQzNCLFdBQVc7QUFBQSxNQUNiLEVBQUU7QUFDRixZQUFNLE9BQU8sRUFBRSxRQUFRLEtBQUssV0FBVyxXQUFXLEdBQUcsT0FBTyxFQUFFLEtBQUssT0FBTztBQUFBLFFBQ3hFLFVBQVUsTUFBTUMsVUFBUyxLQUFLLE1BQU0sR0FBRyxDQUFDLE9BQU8sTUFBTSxHQUFHLE1BQU07QUFBQSxRQUM5RCxRQUFRO0FBQUEsUUFDUixZQUFZLENBQUMsS0FBSyxNQUFNLEdBQUcsQ0FBQyxPQUFPLE1BQU0sQ0FBQztBQUFBLE1BQzVDLEVBQUU7QUFBQSxJQUNKO0FBQUEsRUFDRjtBQUNGOzs7QURiQSxlQUFzQixTQUNwQixTQUNBLE1BQytDO0FBQy9DLFFBQU0sU0FBUyxNQUFNLFFBQVEsTUFBTTtBQUFBLElBQ2pDLGFBQWEsQ0FBQyxJQUFJO0FBQUEsSUFDbEIsUUFBUTtBQUFBLElBQ1IsT0FBTztBQUFBLElBQ1AsVUFBVTtBQUFBLElBQ1YsVUFBVTtBQUFBLElBQ1YsUUFBUTtBQUFBLElBQ1IsVUFBVTtBQUFBLElBQ1YsUUFBUTtBQUFBLElBQ1IsVUFBVTtBQUFBLElBQ1YsU0FBUyxDQUFDLFFBQVEsQ0FBQztBQUFBLEVBQ3JCLENBQUM7QUFDRCxRQUFNLE9BQU8sT0FBTyxZQUFZLENBQUMsR0FBRyxZQUFZO0FBSWhELFFBQU0sU0FBU0MsTUFBSyxnQkFBZ0IsVUFBVSxRQUFRO0FBQ3RELFFBQU0sT0FBT0EsTUFBSyxRQUFRLEdBQUdDLFVBQVMsTUFBTSxLQUFLLENBQUMsSUFBSSxRQUFRLEdBQUcsTUFBTTtBQUN2RSxRQUFNQyxPQUFNLFFBQVEsRUFBRSxXQUFXLEtBQUssQ0FBQztBQUN2QyxRQUFNQyxXQUFVLE1BQU0sSUFBSTtBQUMxQixNQUFJO0FBQ0YsVUFBTSxTQUFpQixNQUFNLE9BQU8sY0FBYyxJQUFJLEVBQUU7QUFDeEQsV0FBTyxFQUFFLFFBQVEsUUFBUSxPQUFPLEtBQUssT0FBTyxTQUFTLE1BQU0sRUFBRTtBQUFBLEVBQy9ELFVBQUU7QUFDQSxVQUFNQyxJQUFHLE1BQU0sRUFBRSxPQUFPLEtBQUssQ0FBQztBQUFBLEVBQ2hDO0FBQ0Y7QUFHTyxTQUFTLFVBQVUsT0FBdUI7QUFDL0MsU0FBTyxLQUFLLFVBQVUsT0FBTyxDQUFDLEtBQUtDLFdBQW1CO0FBQ3BELFFBQUksWUFBWUEsTUFBSyxFQUFHLFFBQU9BO0FBQy9CLFVBQU0sSUFBSSxNQUFNLElBQUksR0FBRyx3QkFBd0IsT0FBT0EsTUFBSyxpQ0FBaUM7QUFBQSxFQUM5RixDQUFDO0FBQ0g7QUFFQSxTQUFTLFlBQVksT0FBeUI7QUFDNUMsTUFBSSxPQUFPLFVBQVUsU0FBVSxRQUFPLE9BQU8sU0FBUyxLQUFLO0FBQzNELE1BQUksT0FBTyxVQUFVLFNBQVUsUUFBTyxDQUFDLFVBQVUsV0FBVyxXQUFXLEVBQUUsU0FBUyxPQUFPLEtBQUs7QUFDOUYsU0FBTyxVQUFVLFFBQVEsTUFBTSxRQUFRLEtBQUssS0FBSyxPQUFPLGVBQWUsS0FBSyxNQUFNLE9BQU87QUFDM0Y7OztBRGpEQSxJQUFNLFVBQVUsRUFBRSxVQUFVLENBQUMsR0FBRyxRQUFRLENBQUMsRUFBRTtBQUczQyxJQUFNQyxTQUFRO0FBRWQsSUFBTSxPQUFPO0FBTWIsU0FBUyxnQkFBZ0IsRUFBRSxhQUFhLEdBQXdCO0FBQzlELFFBQU0sUUFBUSxhQUFhLElBQUksQ0FBQyxFQUFFLEtBQUssTUFBTSxJQUFJO0FBQ2pELFNBQU87QUFBQSxJQUNMO0FBQUEsSUFDQSxxQkFBcUJBLE1BQUssSUFBSSxJQUFJO0FBQUEsSUFDbEMsR0FBRyxNQUFNLElBQUksQ0FBQyxNQUFNLFVBQVUsY0FBYyxLQUFLLFVBQVVBLE1BQUssSUFBSSxJQUFJLElBQUk7QUFBQSxJQUM1RSxrQkFBa0IsTUFBTSxJQUFJLENBQUMsTUFBTSxVQUFVLEdBQUcsS0FBSyxVQUFVLElBQUksQ0FBQyxTQUFTLEtBQUssRUFBRSxDQUFDO0FBQUEsSUFDckY7QUFBQSxJQUNBO0FBQUEsSUFDQSwrQkFBK0IsVUFBVSxZQUFZLENBQUM7QUFBQSxJQUN0RDtBQUFBLEVBQ0YsRUFBRSxLQUFLLElBQUk7QUFDYjtBQUVBLFNBQVMsV0FBVyxFQUFFLE9BQU8sR0FBbUI7QUFDOUMsU0FBTywwQ0FBMEMsS0FBSyxVQUFVLFVBQVUsT0FBTyxDQUFDLENBQUMsQ0FBQztBQUN0RjtBQUVBLElBQU0sZUFBZTtBQUNyQixJQUFNLFNBQVM7QUFTUixTQUFTLHdCQUF1QztBQUNyRCxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLE9BQU87QUFDWCxVQUFJLE9BQW9CLEVBQUUsY0FBYyxDQUFDLEdBQUcsWUFBWSxNQUFNLENBQUMsR0FBRyxhQUFhLE1BQU0sUUFBUTtBQUM3RixZQUFNLE9BQU8sRUFBRSxRQUFRLGFBQWEsR0FBRyxZQUFZO0FBQ2pELGNBQU0sRUFBRSxRQUFRLE9BQU8sSUFBSSxNQUFNLFNBQXNCLE1BQU0sU0FBUyw4QkFBOEI7QUFDcEcsZUFBTztBQUNQLGVBQU8sRUFBRSxVQUFVLGdCQUFnQixNQUFNLEdBQUcsUUFBUSxNQUFNLFlBQVksT0FBTztBQUFBLE1BQy9FLENBQUM7QUFDRCxZQUFNLFVBQVUsRUFBRSxRQUFRLElBQUksT0FBTyxJQUFJQSxNQUFLLEdBQUcsRUFBRSxHQUFHLENBQUMsRUFBRSxLQUFLLE9BQU87QUFBQSxRQUNuRSxNQUFNLEdBQUcsS0FBSyxNQUFNQSxPQUFNLFNBQVMsQ0FBQyxDQUFDO0FBQUEsUUFDckMsV0FBV0E7QUFBQSxNQUNiLEVBQUU7QUFDRixZQUFNLE9BQU8sRUFBRSxRQUFRLEtBQUssV0FBV0EsT0FBTSxHQUFHLENBQUMsRUFBRSxLQUFLLE1BQU07QUFDNUQsY0FBTSxPQUFPQyxVQUFTLE1BQU0sT0FBTztBQUNuQyxlQUFPLEVBQUUsVUFBVSxVQUFVLFNBQVMsT0FBTyxLQUFLLFlBQVksSUFBSSxLQUFLLFdBQVcsSUFBSSxDQUFDLEdBQUcsUUFBUSxPQUFPO0FBQUEsTUFDM0csQ0FBQztBQUNELFlBQU0sT0FBTyxFQUFFLFFBQVEsT0FBTyxHQUFHLFlBQVk7QUFDM0MsY0FBTSxFQUFFLFFBQVEsT0FBTyxJQUFJLE1BQU0sU0FBaUIsTUFBTSxTQUFTLDZCQUE2QjtBQUM5RixlQUFPLEVBQUUsVUFBVSxXQUFXLE1BQU0sR0FBRyxRQUFRLE1BQU0sWUFBWSxPQUFPO0FBQUEsTUFDMUUsQ0FBQztBQUFBLElBQ0g7QUFBQSxFQUNGO0FBQ0Y7OztBR2hFTyxTQUFTLHlCQUF3QztBQUN0RCxTQUFPO0FBQUEsSUFDTCxNQUFNO0FBQUEsSUFDTixNQUFNLE9BQU87QUFDWCxZQUFNO0FBQUEsUUFDSixFQUFFLFFBQVEsd0VBQXdFO0FBQUEsUUFDbEYsT0FBTyxFQUFFLEtBQUssTUFBTTtBQUNsQixnQkFBTSxPQUFPLEtBQUssU0FBUyxXQUFXLElBQUksV0FBVztBQUNyRCxnQkFBTSxTQUFTLDZCQUE2QixJQUFJO0FBQ2hELGdCQUFNLEVBQUUsUUFBUSxPQUFPLElBQUksTUFBTSxTQUFpQyxNQUFNLFNBQVMsTUFBTTtBQUV2RixnQkFBTSxPQUFPLEtBQUssVUFBVSxVQUFVLE9BQU8sSUFBSSxLQUFLLENBQUMsQ0FBQyxDQUFDO0FBQ3pELGlCQUFPLEVBQUUsVUFBVSxnQkFBZ0IsSUFBSSxpQkFBaUIsSUFBSSxNQUFNLFFBQVEsTUFBTSxZQUFZLE9BQU87QUFBQSxRQUNyRztBQUFBLE1BQ0Y7QUFBQSxJQUNGO0FBQUEsRUFDRjtBQUNGOzs7QWhCWkEsSUFBTSxXQUFXLGdCQUFnQixtQkFBbUI7QUFFcEQsSUFBTSxVQUFtQjtBQUFBLEVBQ3ZCLE9BQU8sRUFBRSxLQUFLLG1CQUFtQixPQUFPLGdCQUFnQixRQUFRLGdCQUFnQjtBQUFBLEVBQ2hGLFFBQVE7QUFBQSxFQUNSLFVBQVU7QUFBQSxFQUNWLFFBQVE7QUFBQTtBQUFBLEVBRVIsV0FBVztBQUFBO0FBQUE7QUFBQSxFQUdYLFFBQVE7QUFBQSxFQUNSLFdBQVc7QUFBQTtBQUFBLEVBRVgsT0FBTyxDQUFDLHNCQUFzQixlQUFlLFlBQVksY0FBYyxjQUFjO0FBQUE7QUFBQSxFQUVyRixLQUFLO0FBQUE7QUFBQSxFQUVMLG9CQUFvQjtBQUFBO0FBQUE7QUFBQSxFQUdwQixZQUFZLENBQUMsY0FBYztBQUFBLEVBQzNCLFVBQVUsQ0FBQyxrQkFBa0Isb0JBQW9CLFFBQVE7QUFBQSxFQUN6RCxnQkFBZ0IsQ0FBQyxRQUFRLEdBQUcsc0JBQXNCLEdBQUcsZ0JBQWdCLEdBQUcsV0FBVyxHQUFHLFFBQVE7QUFBQSxFQUM5RixXQUFXLE1BQU0sV0FBVyxPQUFPO0FBQ3JDO0FBR0EsSUFBTSxjQUF1QjtBQUFBLEVBQzNCLE9BQU8sRUFBRSxNQUFNLCtCQUErQjtBQUFBLEVBQzlDLFFBQVE7QUFBQSxFQUNSLFdBQVc7QUFBQSxFQUNYLFFBQVE7QUFBQSxFQUNSLFVBQVU7QUFBQSxFQUNWLFFBQVE7QUFBQTtBQUFBLEVBRVIsV0FBVztBQUFBLEVBQ1gsUUFBUTtBQUFBLEVBQ1IsV0FBVztBQUFBLEVBQ1gsT0FBTztBQUFBLEVBQ1AsS0FBSztBQUFBLEVBQ0wsWUFBWSxDQUFDLEdBQUc7QUFBQSxFQUNoQixlQUFlLFNBQVM7QUFDdEIsWUFBUSxNQUFNO0FBQ2QsWUFBUSxrQkFBa0I7QUFBQSxFQUM1QjtBQUFBLEVBQ0EsZ0JBQWdCLENBQUMsdUJBQXVCLEdBQUcsUUFBUTtBQUNyRDtBQUdBLElBQU0sWUFBcUI7QUFBQSxFQUN6QixPQUFPLEVBQUUsTUFBTSxnQ0FBZ0M7QUFBQSxFQUMvQyxRQUFRO0FBQUEsRUFDUixRQUFRO0FBQUEsRUFDUixVQUFVO0FBQUEsRUFDVixRQUFRO0FBQUEsRUFDUixRQUFRO0FBQUEsRUFDUixXQUFXO0FBQUEsRUFDWCxPQUFPO0FBQUEsRUFDUCxLQUFLO0FBQUEsRUFDTCxZQUFZLENBQUMsR0FBRztBQUFBLEVBQ2hCLGdCQUFnQixDQUFDLFVBQVUsU0FBUyxXQUFXLENBQUM7QUFDbEQ7QUFHQSxJQUFNLFdBQW9CO0FBQUEsRUFDeEIsT0FBTyxDQUFDLHVCQUF1QjtBQUFBLEVBQy9CLFFBQVE7QUFBQSxFQUNSLFFBQVEsQ0FBQyxPQUFPLEtBQUs7QUFBQSxFQUNyQixVQUFVO0FBQUEsRUFDVixRQUFRO0FBQUEsRUFDUixXQUFXO0FBQUEsRUFDWCxPQUFPO0FBQUEsRUFDUCxLQUFLO0FBQUEsRUFDTCxvQkFBb0I7QUFDdEI7QUFHQSxJQUFNLGVBQXdCO0FBQUEsRUFDNUIsT0FBTyxFQUFFLGlCQUFpQixnQ0FBZ0M7QUFBQSxFQUMxRCxRQUFRO0FBQUEsRUFDUixVQUFVO0FBQUEsRUFDVixRQUFRO0FBQUEsRUFDUixXQUFXO0FBQUEsRUFDWCxPQUFPO0FBQUEsRUFDUCxLQUFLO0FBQUEsRUFDTCxvQkFBb0I7QUFDdEI7QUFFQSxJQUFPLHNCQUFRLGFBQWEsQ0FBQyxTQUFTLGFBQWEsV0FBVyxVQUFVLFlBQVksQ0FBQzsiLAogICJuYW1lcyI6IFsibWtkaXJTeW5jIiwgInJlYWRGaWxlU3luYyIsICJqb2luIiwgImpvaW4iLCAicmVhZEZpbGVTeW5jIiwgImVudHJ5IiwgImxpY2VuY2VzIiwgIm1rZGlyU3luYyIsICJkaXJuYW1lIiwgImpvaW4iLCAibmFtZSIsICJwYXRoIiwgInRleHQiLCAiam9pbiIsICJkaXJuYW1lIiwgImpvaW4iLCAiX19pbmplY3RlZF9pbXBvcnRfbWV0YV91cmxfXyIsICJyZXF1aXJlIiwgIkdST1VQUyIsICJHUk9VUFMiLCAiam9pbiIsICJyZWFkRmlsZSIsICJyZWFkRmlsZSIsICJta2RpciIsICJyZWFkZGlyIiwgInJlYWRGaWxlIiwgInJtIiwgIndyaXRlRmlsZSIsICJqb2luIiwgImZpbGVVUkxUb1BhdGgiLCAicHJvbWlzaWZ5IiwgImJyb3RsaUNvbXByZXNzIiwgIl9faW5qZWN0ZWRfaW1wb3J0X21ldGFfdXJsX18iLCAiam9pbiIsICJjb21wcmVzcyIsICJwcm9taXNpZnkiLCAiYnJvdGxpQ29tcHJlc3MiLCAicmVhZGRpciIsICJyZWFkRmlsZSIsICJybSIsICJta2RpciIsICJ3cml0ZUZpbGUiLCAiZmlsZVVSTFRvUGF0aCIsICJiYXNlbmFtZSIsICJta2RpciIsICJybSIsICJ3cml0ZUZpbGUiLCAiYmFzZW5hbWUiLCAiam9pbiIsICJyZWFkRmlsZSIsICJqb2luIiwgImpvaW4iLCAicmVhZEZpbGUiLCAiam9pbiIsICJiYXNlbmFtZSIsICJta2RpciIsICJ3cml0ZUZpbGUiLCAicm0iLCAidmFsdWUiLCAiVEVYVFMiLCAiYmFzZW5hbWUiXQp9Cg==
