/** The order of the pages in the menu of the documentation, by their paths in `docs` without `.md`. */

export const LANGUAGES = ["en", "pt-BR"] as const;
export type DocsLanguage = (typeof LANGUAGES)[number];

/** The folder of the pages of a language, inside `docs`. */
export const FOLDERS: Readonly<Record<DocsLanguage, string>> = { en: "", "pt-BR": "pt-br/" };

interface Group {
  readonly title: Readonly<Record<DocsLanguage, string>>;
  /** Paths in the folder of the language; `*` stands for every page of that folder that no group names. */
  readonly pages: readonly string[];
  /** Set when these pages are in English only. */
  readonly isEnglish?: true;
}

export const GROUPS: readonly Group[] = [
  {
    title: { en: "Start", "pt-BR": "Comece aqui" },
    pages: ["README", "guides/quick-start", "guides/simulate", "guides/clock", "guides/faq"],
  },
  {
    title: { en: "Integrate", "pt-BR": "Integração" },
    pages: [
      "guides/integrate-node",
      "guides/integrate-python",
      "guides/integrate-php",
      "guides/integrate-go",
      "guides/integrate-ruby",
      "guides/integrate-java",
      "guides/payments",
      "guides/refunds",
      "guides/objects",
    ],
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
      "guides/webhooks-java",
    ],
  },
  {
    title: { en: "Tests and CI", "pt-BR": "Testes e CI" },
    pages: [
      "guides/ci",
      "guides/fixtures",
      "guides/test-kit",
      "guides/suites",
      "guides/client",
      "guides/conformance",
      "guides/agents",
    ],
  },
  {
    title: { en: "Work with it", "pt-BR": "Uso no dia a dia" },
    pages: [
      "guides/support-desk",
      "guides/incidents",
      "guides/med",
      "guides/med-2026",
      "guides/server",
      "guides/command-line",
      "guides/*",
    ],
  },
  {
    title: { en: "Rules of the service", "pt-BR": "Regras do serviço (em inglês)" },
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
      "service/*",
    ],
  },
  {
    title: { en: "Reference", "pt-BR": "Referência (em inglês)" },
    isEnglish: true,
    pages: ["CLI", "EVENTS", "ERRORS", "TRANSITIONS", "LIMITS", "CONSOLE"],
  },
  {
    title: { en: "How it is built", "pt-BR": "Como é feito (em inglês)" },
    isEnglish: true,
    pages: ["ARCHITECTURE", "PERFORMANCE", "RELEASING", "decisions/README"],
  },
];

/** The pages of a group that there are, in its order. `known` are the paths of all pages. */
export function pagesOf(group: Group, language: DocsLanguage, known: ReadonlySet<string>): string[] {
  const folder = group.isEnglish ? "" : FOLDERS[language];
  const named = new Set(GROUPS.flatMap(({ pages }) => pages));
  return group.pages.flatMap((page) => {
    if (!page.endsWith("*")) return known.has(folder + page) ? [folder + page] : [];
    const parent = folder + page.slice(0, -1);
    const others = [...known].filter((path) => path.startsWith(parent) && !named.has(path.slice(folder.length)));
    return others.sort();
  });
}

export function languageOfPage(path: string): DocsLanguage {
  return path.startsWith(FOLDERS["pt-BR"]) ? "pt-BR" : "en";
}

/** The same page in the other language, or null when there is none. */
export function translationOf(path: string, known: ReadonlySet<string>): string | null {
  const folder = FOLDERS["pt-BR"];
  const other = path.startsWith(folder) ? path.slice(folder.length) : folder + path;
  return known.has(other) ? other : null;
}

/** The address of a page inside the site. `README` is the first page of its folder. */
export function addressOf(path: string): string {
  return `${path.replace(/(^|\/)README$/, "$1index")}.html`;
}
