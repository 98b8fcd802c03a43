import { ENGLISH, type Language } from "../../src/base/kernel/language.js";
import { docsFolder, languageOfPage } from "../../src/base/pages/docs-folder.js";
import type { TEXTS } from "../../src/base/pages/texts/languages.js";
import { CODE_LANGUAGES } from "./tabs.js";

/** The order of the pages in the menu of the documentation, by their paths in `docs` without `.md`. */

interface Group {
  /** Its title, by its name in `docs.groups` of src/base/pages/texts. */
  readonly title: keyof (typeof TEXTS)["en"]["docs"]["groups"];
  /** Paths of English pages; `*` stands for every page of that folder that no group names. */
  readonly pages: readonly string[];
  /** True if the menu shows its title alone, except on its own pages. */
  readonly isFolded?: true;
}

export const GROUPS: readonly Group[] = [
  {
    title: "start",
    pages: [
      "README",
      "guides/quick-start",
      "guides/simulate",
      "guides/clock",
      "guides/server",
      "guides/command-line",
      "guides/faq",
    ],
  },
  {
    title: "integrate",
    pages: [
      "guides/integrate",
      "guides/recipes",
      "guides/payments",
      "guides/refunds",
      "guides/med",
      "guides/objects",
      "guides/client",
    ],
  },
  {
    title: "webhooks",
    pages: ["guides/webhooks", "guides/webhook-samples", "guides/secrets", "guides/deduplicate"],
  },
  {
    title: "tests",
    pages: [
      "guides/test-kit",
      "guides/ci",
      "guides/suites",
      "guides/fixtures",
      "guides/containers",
      "guides/survive",
      "guides/survive-node",
      "guides/survive-python",
      "guides/survive-php",
    ],
  },
  {
    title: "support",
    pages: ["guides/support-desk", "guides/why", "guides/reconcile", "CONSOLE"],
  },
  {
    title: "more",
    isFolded: true,
    pages: [
      "guides/agents",
      "guides/conformance",
      "guides/rush",
      "guides/incidents",
      "guides/traces",
      "guides/shared-server",
      "guides/med-2026",
      "guides/*",
    ],
  },
  {
    title: "rules",
    isFolded: true,
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
      "service/*",
    ],
  },
  {
    title: "reference",
    isFolded: true,
    pages: ["CLI", "EVENTS", "ERRORS", "TRANSITIONS", "LIMITS"],
  },
  {
    title: "built",
    isFolded: true,
    pages: ["ARCHITECTURE", "PERFORMANCE", "RELEASING", "decisions/README"],
  },
];

/** Old addresses of pages, by their paths in `docs`, and the heading of another page where their content is now. */
export const MOVED: ReadonlyMap<string, string> = new Map([
  ["guides/pipelines", "guides/ci#gitlab-ci"],
  ...CODE_LANGUAGES.map((name) => name.toLowerCase()).flatMap((name): [string, string][] => [
    [`guides/integrate-${name}`, `guides/integrate#${name}`],
    [`guides/webhooks-${name}`, `guides/webhooks#${name}`],
  ]),
]);

/** The path of the page in English of which this one is a translation. */
function englishPath(path: string): string {
  return path.slice(docsFolder(languageOfPage(path)).length);
}

/** A page by its English path in a language; in English when that language lacks it. */
export function pageIn(language: Language, page: string, known: ReadonlySet<string>): string {
  const translation = docsFolder(language) + page;
  return known.has(translation) ? translation : page;
}

/** The pages of a group that there are, in its order. `known` are the paths of all pages. */
export function pagesOf(group: Group, language: Language, known: ReadonlySet<string>): string[] {
  const named = new Set(GROUPS.flatMap(({ pages }) => pages));
  const english = [...known].filter((path) => languageOfPage(path) === ENGLISH);
  const pages = group.pages.flatMap((page) => {
    if (!page.endsWith("*")) return english.includes(page) ? [page] : [];
    return english.filter((path) => path.startsWith(page.slice(0, -1)) && !named.has(path)).sort();
  });
  return pages.map((page) => pageIn(language, page, known));
}

/** The same page in another language, else the first page in it; null for a language without a first page. */
export function pageElsewhere(path: string, language: Language, known: ReadonlySet<string>): string | null {
  const wanted = [englishPath(path), "README"].map((page) => docsFolder(language) + page);
  return wanted.find((page) => known.has(page)) ?? null;
}

/** The address of a page inside the site. `README` is the first page of its folder. */
export function addressOf(path: string): string {
  return `${path.replace(/(^|\/)README$/, "$1index")}.html`;
}
