import type { PageRequest } from "../../api/http/page.js";
import { type Language, languageOf } from "../../base/kernel/language.js";
import en from "./texts/en.json" with { type: "json" };
import ptBr from "./texts/pt-BR.json" with { type: "json" };

/** The texts of the pages for payers. English is the reference: a text missing in Portuguese is a type error. */
export type Messages = typeof en;

/** The payer's view of the pages: the language, and the choices in the address. */
export interface Visit {
  readonly language: Language;
  readonly texts: Messages;
  /** The choices of the address, to be added to the query of every link: `&lang=en&panel=0`, or nothing. */
  readonly choices: string;
  /** The address of the same page in the other language. */
  readonly otherLanguageHref: string;
  /** True if the page has the simulation. `panel=0` hides it. */
  readonly panel: boolean;
  /** True if the page returns to the shop by itself after the payment: `redirect=1`. */
  readonly redirect: boolean;
  /** The source of scripts and styles for the content security policy. */
  readonly assets: string;
}

const TEXTS: Readonly<Record<Language, Messages>> = { en, "pt-BR": ptBr };

/** The parameters of an address that a payer or a shop chooses, and their values. */
const CHOICES: Readonly<Record<string, RegExp>> = { lang: /^[a-z-]{2,20}$/i, panel: /^0$/, redirect: /^1$/ };

/** Policies have no notation for an IPv6 address; the whole origin is the nearest one. */
function assetsOf(origin: string): string {
  return URL.canParse(origin) && !origin.includes("[") ? `${origin}/checkout/assets/` : "'self'";
}

export function visitOf(query: URLSearchParams, { origin, headers }: PageRequest): Visit {
  const asked = query.get("lang");
  const language = languageOf(asked, headers["accept-language"], "pt-BR");
  const texts = TEXTS[language];
  const chosen = Object.entries(CHOICES).filter(([name, values]) => values.test(query.get(name) ?? ""));
  const kept = chosen.map(([name]) => `&${name}=${query.get(name)}`);
  const others = kept.filter((choice) => !choice.startsWith("&lang="));
  return {
    language,
    texts,
    choices: kept.join(""),
    otherLanguageHref: `?k=${encodeURIComponent(query.get("k") ?? "")}${others.join("")}&lang=${texts.other.language}`,
    panel: query.get("panel") !== "0",
    redirect: query.get("redirect") === "1",
    assets: assetsOf(origin),
  };
}
